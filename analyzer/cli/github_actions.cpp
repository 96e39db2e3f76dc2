#include "analyzer/cli/github_actions.hpp"

#include <algorithm>
#include <ostream>
#include <random>

#include <fmt/core.h>

#include "analyzer/io/atomic_file.hpp"
#include "analyzer/io/paths.hpp"

namespace planvet::cli {

bool is_github_actions(const io::Terminal& terminal) { return terminal.environment("GITHUB_ACTIONS") == "true"; }

std::string without_commands(std::string_view text) {
  // A word that no plan can know beforehand.
  std::random_device random;
  std::string token = "planvet";
  for (int i = 0; i < 4; ++i) token += fmt::format("-{:08x}", random());
  return fmt::format("::stop-commands::{}\n{}::{}::\n", token, text, token);
}

void show_in_github_actions(const Report& report, const render::RenderOptions& look, const Streams& streams,
                            const io::Terminal& terminal) {
  streams.out << render::find_renderer("github")->render(report, look);
  const auto file = terminal.environment("GITHUB_STEP_SUMMARY");
  if (!file || file->empty()) return;
  render::RenderOptions summary = look;
  // The step may have written to it before.
  summary.most_bytes = render::kJobSummaryBytes - std::min(render::kJobSummaryBytes, io::file_size(*file));
  // The smallest report: counts, and what was left out.
  constexpr std::size_t kLeast = 1024;
  if (summary.most_bytes < kLeast) return;
  const auto error = io::append_to_file(*file, render::find_renderer("markdown")->render(report, summary));
  if (error) streams.err << fmt::format("planvet: cannot write the job summary {}: {}\n", *file, error->message);
}

}  // namespace planvet::cli
