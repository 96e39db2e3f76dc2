#include <algorithm>
#include <array>

#include "analyzer/render/renderer.hpp"

namespace planvet::render {

#define PLANVET_RENDERER(name) extern constinit const Renderer name;
#include "analyzer/render/renderers.def"

namespace {

constinit const std::array kRenderers = {
#define PLANVET_RENDERER(name) &name,
#include "analyzer/render/renderers.def"
};

}  // namespace

std::span<const Renderer* const> renderers() { return kRenderers; }

const Renderer* find_renderer(std::string_view name) {
  const auto at = std::ranges::find_if(kRenderers, [&](const Renderer* renderer) { return renderer->name == name; });
  return at == kRenderers.end() ? nullptr : *at;
}

}  // namespace planvet::render
