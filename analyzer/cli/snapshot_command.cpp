// `planvet snapshot`: inputs, their snapshots, and where those go: written, or compared with what is there.
#include <algorithm>
#include <array>
#include <optional>
#include <ostream>
#include <string>
#include <variant>
#include <vector>

#include <fmt/core.h>

#include "analyzer/cli/commands.hpp"
#include "analyzer/cli/input_errors.hpp"
#include "analyzer/cli/pipeline.hpp"
#include "analyzer/cli/progress.hpp"
#include "analyzer/cli/settings_source.hpp"
#include "analyzer/cli/snapshot_text.hpp"
#include "analyzer/io/atomic_file.hpp"
#include "analyzer/io/file.hpp"
#include "analyzer/io/paths.hpp"
#include "analyzer/render/plan_changes_text.hpp"

namespace planvet::cli {

namespace {

// One snapshot, and the file that holds it or shall hold it; "-" is standard output.
struct Target {
  std::string file;
  std::string text;
};

bool is_text(const PlanDocument& document) {
  switch (document.input) {
    case InputKind::PlanInfoJson:
    case InputKind::SqlRestJson:
    case InputKind::TreeNodeJson:
    case InputKind::EventLog: return false;
    default: return true;
  }
}

std::string_view file_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

// A snapshot is text, whatever it was made from.
std::string with_text_ending(std::string path) {
  for (const std::string_view ending : {".json", ".jsonl", ".ndjson", ".html", ".csv"}) {
    if (path.size() > ending.size() && path.ends_with(ending)) {
      return path.substr(0, path.size() - ending.size()) + ".txt";
    }
  }
  return path;
}

// Prose and programs that show a plan: they are read like any other input, but writing a snapshot over them would lose
// the rest. Only where such a file is named itself is it meant.
bool is_more_than_a_plan(std::string_view path) {
  constexpr std::array<std::string_view, 12> kEndings = {".md",  ".rst",  ".html", ".ipynb", ".py",  ".scala",
                                                         ".sql", ".java", ".r",    ".sh",    ".yml", ".yaml"};
  return std::ranges::any_of(kEndings, [&](std::string_view ending) { return path.ends_with(ending); });
}

// The first line that is another one.
std::string first_difference(std::string_view was, std::string_view is) {
  const auto take_line = [](std::string_view& text) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return line;
  };
  for (std::size_t number = 1; !was.empty() || !is.empty(); ++number) {
    const std::string_view old_line = take_line(was);
    const std::string_view new_line = take_line(is);
    if (old_line != new_line) return fmt::format("line {} is \"{}\", it was \"{}\"", number, new_line, old_line);
  }
  return "line breaks";
}

class SnapshotRun {
 public:
  SnapshotRun(const SnapshotOptions& options, const Streams& streams, const io::Terminal& terminal)
      : options_(options), streams_(streams), terminal_(terminal) {}

  ExitStatus run() {
    SettingsOptions of_check;  // what a folder's `exclude` names gets no snapshot either
    SettingsSource settings(of_check, options_.input.stdin_filename);
    io::InputFiles files = io::find_inputs(options_.input.paths, [&](const std::string& path, bool is_folder) {
      return settings.excludes(path, is_folder);
    });
    for (const std::string& problem : settings.problems()) streams_.err << "planvet: " << problem << '\n';
    if (!settings.problems().empty()) return ExitStatus::Failure;
    Progress progress(options_.input, options_.terminal, streams_.err, terminal_, files.files.size());
    Inputs inputs = read_inputs(
        std::move(files), options_.input, streams_.in,
        [](PlanDocument&& document, const std::string&) {
          DocumentReport kept;
          kept.document = std::move(document);
          return kept;
        },
        [&] { progress.step(); });
    progress.finish();
    for (const InputResult& result : inputs.results) add(result);
    for (const InputError& problem : inputs.problems) complain(problem.path, problem.message);
    for (const Target& target : targets_) {
      if (options_.check) {
        check(target);
      } else {
        write(target);
      }
    }
    say_summary();
    streams_.out.flush();
    if (has_failed_) return ExitStatus::Failure;
    return options_.check && changed_ > 0 ? ExitStatus::Findings : ExitStatus::Clean;
  }

 private:
  void complain(const std::string& path, const std::string& message) {
    streams_.err << "planvet: " << path << ": " << message << '\n';
    has_failed_ = true;
  }

  void add(const InputResult& result) {
    if (result.is_skipped) return;
    const bool is_named = std::ranges::find(options_.input.paths, result.path) != options_.input.paths.end();
    if (options_.in_place && !is_named && is_more_than_a_plan(result.path)) return;
    if (!result.error.empty()) return complain(result.path, result.error);
    std::vector<const PlanDocument*> documents;
    for (const DocumentReport& report : result.documents) {
      if (judged_fragment(report.document) != nullptr) documents.push_back(&report.document);
    }
    if (options_.in_place && !std::ranges::all_of(documents, [](const auto* one) { return is_text(*one); })) {
      return complain(result.path, "is no explain text, and a snapshot is: use -o FILE or --output-dir DIR");
    }
    snapshot::Snapshot made = snapshot_text(documents, how());
    if (made.lacks_plan_before_run && options_.terminal.verbosity != render::Verbosity::Quiet) {
      streams_.err << "planvet: " << result.path
                   << ": holds only the plan that ran, not the one before; its snapshot changes with the data\n";
    }
    add_target(result.path, std::move(made.text));
  }

  void add_target(const std::string& path, std::string text) {
    const std::string file = target_of(path);
    const auto known = std::ranges::find_if(targets_, [&](const Target& target) { return target.file == file; });
    if (known == targets_.end()) {
      targets_.push_back({file, std::move(text)});
    } else if (!options_.output_folder.empty()) {
      complain(path, fmt::format("would be written to {}, as another input is", file));
    } else {
      known->text.append("\n").append(text);
    }
  }

  // Below a folder that was named, files keep their place.
  [[nodiscard]] std::string target_of(const std::string& path) const {
    if (options_.in_place) return path;
    if (options_.output_folder.empty()) return options_.output_file.empty() ? "-" : options_.output_file;
    std::string relative{file_name(path)};
    for (const std::string& named : options_.input.paths) {
      if (named == "-" || !io::is_directory(named)) continue;
      const std::string folder = named.ends_with('/') ? named : named + '/';
      if (path.starts_with(folder)) relative = path.substr(folder.size());
    }
    const std::string& folder = options_.output_folder;
    return with_text_ending(folder + (folder.ends_with('/') ? "" : "/") + relative);
  }

  void write(const Target& target) {
    if (target.file == "-") {
      streams_.out << target.text;
      return;
    }
    const io::FileBytes old = io::read_file(target.file);
    if (const auto* bytes = std::get_if<std::string>(&old); bytes != nullptr && *bytes == target.text) {
      ++unchanged_;
      return;
    }
    if (const std::string error = io::make_folders_of(target.file); !error.empty()) return complain(target.file, error);
    if (const std::optional<io::WriteError> error = io::write_file(target.file, target.text))
      return complain(target.file, "cannot be written: " + error->message);
    ++changed_;
  }

  void check(const Target& target) {
    const io::FileBytes old = io::read_file(target.file);
    if (const auto* error = std::get_if<io::ReadError>(&old)) {
      if (io::exists(target.file)) return complain(target.file, error->message);
      streams_.out << target.file << ": there is no snapshot yet\n";
      ++changed_;
      return;
    }
    const std::string& bytes = std::get<std::string>(old);
    if (bytes == target.text) {
      ++unchanged_;
      return;
    }
    ++changed_;
    streams_.out << target.file << ": changed\n";
    say_changes(target, bytes);
  }

  void say_changes(const Target& target, const std::string& old_bytes) {
    const std::vector<PlanDocument> written = read_documents(target.file, old_bytes);
    std::vector<const PlanDocument*> documents;
    for (const PlanDocument& document : written) documents.push_back(&document);
    // What is there may be a plan as it was pasted: both sides are compared as snapshots.
    const std::string old_text = snapshot_text(documents, how()).text;
    if (old_text == target.text) {
      streams_.out << "  the plan is the same, but the file is not the snapshot that this planvet writes\n";
      return;
    }
    const std::vector<PlanDocument> before = read_documents(target.file, old_text);
    const std::vector<PlanDocument> after = read_documents(target.file, target.text);
    std::size_t said = 0;
    if (before.size() != after.size()) {
      streams_.out << fmt::format("  {} plan{} became {}\n", before.size(), before.size() == 1 ? "" : "s",
                                  after.size());
      ++said;
    }
    for (std::size_t at = 0; at < std::min(before.size(), after.size()); ++at) {
      const Fragment* was = judged_fragment(before[at]);
      const Fragment* is = judged_fragment(after[at]);
      if (was == nullptr || is == nullptr) continue;
      const std::vector<compare::Change> changes = compare::plan_changes(was->tree, is->tree, expression_parser());
      const std::string_view name = before.size() > 1 ? std::string_view(after[at].title) : std::string_view{};
      for (const std::string& sentence : render::plan_changes_in_words(changes, expression_parser())) {
        streams_.out << "  " << name << (name.empty() ? "" : ": ") << sentence << '\n';
        ++said;
      }
    }
    if (said == 0) streams_.out << "  only details changed: " << first_difference(old_text, target.text) << '\n';
  }

  [[nodiscard]] snapshot::Options how() const {
    return {expression_parser(), options_.wants_final, options_.masks_literals};
  }

  void say_summary() {
    const bool is_silent = options_.terminal.verbosity == render::Verbosity::Quiet;
    if (is_silent || changed_ + unchanged_ == 0) return;
    const std::size_t all = changed_ + unchanged_;
    streams_.err << fmt::format("{} snapshot{}: {} {}, {} unchanged\n", all, all == 1 ? "" : "s", changed_,
                                options_.check ? "changed" : "written", unchanged_);
  }

  const SnapshotOptions& options_;
  const Streams& streams_;
  const io::Terminal& terminal_;
  std::vector<Target> targets_;
  std::size_t changed_ = 0;
  std::size_t unchanged_ = 0;
  bool has_failed_ = false;
};

}  // namespace

ExitStatus run_snapshot(const SnapshotOptions& options, const Streams& streams, const io::Terminal& terminal) {
  return SnapshotRun(options, streams, terminal).run();
}

}  // namespace planvet::cli
