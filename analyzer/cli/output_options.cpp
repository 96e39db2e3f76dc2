#include "analyzer/cli/output_options.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "analyzer/report/nearest_name.hpp"

namespace planvet::cli {

std::string format_names() {
  std::string names;
  for (const render::Renderer* renderer : render::renderers()) {
    if (!names.empty()) names += '|';
    names += renderer->name;
  }
  return names;
}

std::variant<const render::Renderer*, std::string> parse_format(std::string_view word) {
  if (const render::Renderer* renderer = render::find_renderer(word)) return renderer;
  std::vector<std::string_view> known;
  for (const render::Renderer* renderer : render::renderers()) known.push_back(renderer->name);
  return fmt::format("unknown format '{}'{}", word, did_you_mean(word, known));
}

std::string add_output(OutputOptions& options, std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals + 1 == text.size())
    return fmt::format("expected FORMAT=FILE, got '{}'", text);
  const auto renderer = parse_format(text.substr(0, equals));
  if (const auto* error = std::get_if<std::string>(&renderer)) return *error;
  OutputFile file{std::get<const render::Renderer*>(renderer), std::string(text.substr(equals + 1))};
  if (file.path == "-") {
    if (options.format != nullptr)
      return fmt::format("standard output cannot hold both {} and {}", options.format->name, file.renderer->name);
    options.format = file.renderer;
    return {};
  }
  if (std::ranges::any_of(options.files, [&](const OutputFile& other) { return other.path == file.path; }))
    return fmt::format("two outputs would go to '{}'", file.path);
  options.files.push_back(std::move(file));
  return {};
}

}  // namespace planvet::cli
