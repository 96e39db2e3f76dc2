// Workflow commands of GitHub Actions: annotations beside the lines of a pull request.
//
//   ::warning file=plans/daily.txt,line=14,col=9,endColumn=22,title=PV103 missed-broadcast::SortMergeJoin shuffles ..
//
// A step gets at most 10 annotations of each level, whatever it prints: the loudest are printed, the rest is counted.
#include <array>

#include <fmt/core.h>

#include "analyzer/render/escape.hpp"
#include "analyzer/render/findings.hpp"
#include "analyzer/render/loose_ends.hpp"
#include "analyzer/render/place.hpp"
#include "analyzer/render/renderer.hpp"

namespace planvet::render {

namespace {

constexpr std::size_t kMostOfALevel = 10;
// The log takes longer ones, the annotation beside the code does not.
constexpr std::size_t kMessageBytes = 4000;

class Annotations {
 public:
  explicit Annotations(const PathBase& base) : base_(base) {}

  void add(Severity severity, const std::string& path, const std::optional<Place>& place, const std::string& title,
           std::string_view message) {
    std::size_t& count = counts_.at(static_cast<std::size_t>(severity));
    if (++count > kMostOfALevel) return;
    out_ += fmt::format("::{} ", level(severity));
    if (path != "-") out_ += fmt::format("file={},", command_property(hosted_path(base_, path)));
    if (place) {
      out_ += fmt::format("line={},endLine={},", place->begin.line, place->end.line);
      // GitHub refuses columns of more than one line.
      if (place->begin.line == place->end.line)
        out_ += fmt::format("col={},endColumn={},", place->begin.column, place->end.column);
    }
    out_ +=
        fmt::format("title={}::{}\n", command_property(title), command_message(cut_to_bytes(message, kMessageBytes)));
  }

  [[nodiscard]] std::string finish() {
    std::string more;
    for (const Severity severity : {Severity::Error, Severity::Warning, Severity::Info}) {
      const std::size_t count = counts_.at(static_cast<std::size_t>(severity));
      if (count <= kMostOfALevel) continue;
      more += (more.empty() ? "" : ", ") + count_of(count - kMostOfALevel, fmt::format("more {}", level(severity)));
    }
    if (!more.empty())
      out_ += fmt::format("planvet: {} (GitHub shows {} of a level for each step)\n", more, kMostOfALevel);
    return std::move(out_);
  }

 private:
  static std::string_view level(Severity severity) { return severity == Severity::Info ? "notice" : name(severity); }

  const PathBase& base_;
  std::array<std::size_t, 3> counts_{};
  std::string out_;
};

std::string github(const Report& report, const RenderOptions& options) {
  Annotations annotations(options.base);
  for (const InputError& error : report.errors)
    annotations.add(Severity::Error, error.path, std::nullopt, "planvet could not read this", error.message);
  for (const auto& [document, finding] : findings_by_severity(report))
    annotations.add(finding->severity, document->document.source->path(), place_of(document->document, finding->span),
                    fmt::format("{} {}", finding->rule->code, finding->rule->name),
                    message_with_fix(document->document, *finding));
  for (const DocumentReport& document : report.documents) {
    for (const Note& note : document.notes)
      if (is_loss(note))
        annotations.add(Severity::Info, document.document.source->path(), place_of(document.document, note.span),
                        fmt::format("{} {}", code(note.kind), name(note.kind)), note.message);
  }
  for (const LooseEnd& end : loose_ends_of(report))
    annotations.add(Severity::Info, end.path, end.place, fmt::format("planvet {}", end.kind), end.message);
  return annotations.finish();
}

}  // namespace

extern constinit const Renderer kGithub{
    .name = "github", .description = "annotations of GitHub Actions", .is_machine = true, .render = github};

}  // namespace planvet::render
