// `planvet baseline write|prune|show`.
#include <algorithm>
#include <filesystem>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "analyzer/cli/baselines.hpp"
#include "analyzer/cli/commands.hpp"
#include "analyzer/cli/input_errors.hpp"
#include "analyzer/cli/judging.hpp"
#include "analyzer/io/atomic_file.hpp"
#include "analyzer/render/baseline_page.hpp"
#include "analyzer/render/glyphs.hpp"

namespace planvet::cli {

namespace {

std::vector<BaselineEntry> kept_entries(const Baselines::File& file, BaselineAction action) {
  std::vector<BaselineEntry> kept;
  for (const Baselines::Entry& entry : file.entries) {
    // What was not judged now stays: `write` of one folder forgets nothing of another.
    const bool is_replaced = action == BaselineAction::Write ? entry.is_covered : entry.is_stale();
    if (!is_replaced) kept.push_back(entry.entry);
  }
  if (action == BaselineAction::Write) kept.insert(kept.end(), file.found.begin(), file.found.end());
  return kept;
}

std::string what_was_done(const std::string& name, const Baselines::File& file, const std::vector<BaselineEntry>& kept,
                          BaselineAction action) {
  const auto stale = static_cast<std::size_t>(
      std::ranges::count_if(file.entries, [](const Baselines::Entry& entry) { return entry.is_stale(); }));
  if (action == BaselineAction::Prune)
    return fmt::format("{}: {} removed, {} left\n", name, render::count_of(stale, "entry", "entries"), kept.size());
  const auto is_new = [&](const BaselineEntry& found) {
    return std::ranges::none_of(
        file.entries, [&](const Baselines::Entry& entry) { return entry.entry.fingerprint == found.fingerprint; });
  };
  return fmt::format("{}: {} accepted: {} new, {} gone\n", name, render::count_of(kept.size(), "finding"),
                     std::ranges::count_if(kept, is_new), stale);
}

ExitStatus rewrite(const BaselineOptions& options, const Baselines& baselines, const Streams& streams) {
  for (const auto& [name, file] : baselines.files()) {
    const std::vector<BaselineEntry> kept = kept_entries(file, options.action);
    if (options.action == BaselineAction::Prune && !file.exists) continue;
    if (const auto error = io::write_file(name, baseline_text(kept))) {
      streams.err << fmt::format("planvet: {}: {}\n", called(name), error->message);
      return ExitStatus::Failure;
    }
    if (options.terminal.verbosity != render::Verbosity::Quiet)
      streams.out << what_was_done(called(name), file, kept, options.action);
  }
  return ExitStatus::Clean;
}

ExitStatus show(const BaselineOptions& options, const Baselines& baselines, const Streams& streams) {
  std::vector<render::ShownBaseline> all;
  for (const auto& [name, file] : baselines.files()) {
    render::ShownBaseline shown{called(name), {}};
    std::vector<std::string> known;
    for (const Baselines::Entry& entry : file.entries) {
      const render::EntryState state = entry.is_found     ? render::EntryState::Known
                                       : entry.is_stale() ? render::EntryState::Gone
                                                          : render::EntryState::NotJudged;
      shown.entries.push_back({entry.entry, state});
      known.push_back(entry.entry.fingerprint);
    }
    for (const BaselineEntry& found : file.found)
      if (std::ranges::find(known, found.fingerprint) == known.end())
        shown.entries.push_back({found, render::EntryState::New});
    all.push_back(std::move(shown));
  }
  switch (options.format) {
    case BaselineFormat::Text: streams.out << render::baselines_text(all); break;
    case BaselineFormat::Json: streams.out << render::baselines_json(all); break;
  }
  return ExitStatus::Clean;
}

}  // namespace

ExitStatus run_baseline(const BaselineOptions& options, const Streams& streams, const io::Terminal& terminal) {
  Judging judging(options.input, options.settings, options.terminal, streams, terminal);
  if (!judging.prepare()) return ExitStatus::Failure;
  Inputs inputs = judging.judge();
  Baselines baselines(judging, options.baseline_file);
  if (const std::string wrong = baselines.read(inputs, options.action != BaselineAction::Write); !wrong.empty()) {
    streams.err << "planvet: " << wrong << '\n';
    return ExitStatus::Failure;
  }
  const Report report = make_report(std::move(inputs));
  if (!report.errors.empty()) {
    // Half of the findings would be a baseline that lets the other half fail, and looks whole.
    print_input_errors(report.errors, streams.err);
    if (options.action != BaselineAction::Show) streams.err << "planvet: the baseline was not written\n";
    return ExitStatus::Failure;
  }
  if (options.action == BaselineAction::Show) return show(options, baselines, streams);
  return rewrite(options, baselines, streams);
}

}  // namespace planvet::cli
