// One output format of `planvet check`: a report in, text out. A format is one file with its Renderer and one line in
// renderers.def; the command line, its help and the tests are made from that list.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "analyzer/render/report_path.hpp"
#include "analyzer/render/style.hpp"
#include "analyzer/report/report.hpp"

namespace planvet::render {

// A comment on GitHub or GitLab holds so much, and a job summary of GitHub Actions so much.
inline constexpr std::size_t kCommentBytes = 65536;
inline constexpr std::size_t kJobSummaryBytes = std::size_t{1024} * 1024;

struct RenderOptions {
  Style style;                             // of text
  bool statistics = false;                 // text: also how often each rule fired
  std::span<const RuleInfo* const> rules;  // every rule and note there is
  PathBase base;                           // where paths of code hosts begin
  std::size_t most_bytes = kCommentBytes;  // of Markdown
  // Does the finding make the exit status 1? Without: errors and warnings do.
  std::function<bool(const DocumentReport&, const Finding&)> fails = {};
  // So do parts of plans that were not read, and what accepts nothing any more.
  bool strict = false;
};

struct Renderer {
  std::string_view name;         // "sarif": --format, --output
  std::string_view description;  // what reads it, a few words
  bool is_machine = true;        // programs read it: nothing else goes where it goes
  std::string (*render)(const Report& report, const RenderOptions& options);
};

// In the order of renderers.def.
[[nodiscard]] std::span<const Renderer* const> renderers();
// Null where there is no such format.
[[nodiscard]] const Renderer* find_renderer(std::string_view name);

}  // namespace planvet::render
