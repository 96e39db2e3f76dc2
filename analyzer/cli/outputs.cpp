#include "analyzer/cli/outputs.hpp"

#include <ostream>

#include <fmt/core.h>

#include "analyzer/cli/github_actions.hpp"
#include "analyzer/io/atomic_file.hpp"
#include "analyzer/io/paths.hpp"

namespace planvet::cli {

bool write_outputs(const Report& report, const render::RenderOptions& look, const OutputOptions& options,
                   const Streams& streams, const io::Terminal& terminal) {
  if (options.format != nullptr) {
    streams.out << options.format->render(report, look);
  } else {
    const std::string text = render::find_renderer("text")->render(report, look);
    if (!options.no_github && is_github_actions(terminal)) {
      streams.out << without_commands(text);
      show_in_github_actions(report, look, streams, terminal);
    } else {
      streams.out << text;
    }
  }
  streams.out.flush();

  bool is_written = true;
  for (const OutputFile& file : options.files) {
    render::RenderOptions plain = look;
    plain.style.colour = false;
    const auto error = io::write_file(file.path, file.renderer->render(report, plain));
    if (!error) continue;
    streams.err << fmt::format("planvet: {}: cannot write the {} output: {}\n", file.path, file.renderer->name,
                               error->message);
    is_written = false;
  }
  return is_written;
}

render::PathBase path_base(const io::Terminal& terminal) {
  render::PathBase base;
  const std::vector<std::string> folders = io::folders_upward("-");
  if (folders.empty()) return base;
  base.working_directory = folders.front();
  for (const std::string_view variable : {"CI_PROJECT_DIR", "GITHUB_WORKSPACE"}) {
    const auto root = terminal.environment(variable);
    // A job may work elsewhere than in its checkout.
    if (root && !root->empty() && render::repository_path({base.working_directory, *root}, "x")) {
      base.root = *root;
      return base;
    }
  }
  for (const std::string& folder : folders) {
    if (!io::exists(folder + "/.git")) continue;
    base.root = folder;
    break;
  }
  return base;
}

}  // namespace planvet::cli
