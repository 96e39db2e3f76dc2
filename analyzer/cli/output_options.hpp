// What the user wants of outputs: --format, --output, --no-github.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "analyzer/render/renderer.hpp"

namespace planvet::cli {

struct OutputFile {
  const render::Renderer* renderer = nullptr;
  std::string path;
};

struct OutputOptions {
  const render::Renderer* format = nullptr;  // of standard output; null: the user did not say
  std::vector<OutputFile> files;
  bool no_github = false;
};

// "text|concise|json|...".
[[nodiscard]] std::string format_names();

// A word of --format, or what is wrong with it.
[[nodiscard]] std::variant<const render::Renderer*, std::string> parse_format(std::string_view word);

// Adds FORMAT=FILE. The answer is what is wrong with it, empty when nothing is: two outputs in one place would be
// neither.
[[nodiscard]] std::string add_output(OutputOptions& options, std::string_view text);

}  // namespace planvet::cli
