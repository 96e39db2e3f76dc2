#include "analyzer/cli/snapshot_text.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "analyzer/read/reader.hpp"

namespace planvet::cli {

namespace {

bool is_loss(const Note& note) { return note.kind != NoteKind::NotFinalPlan && note.kind != NoteKind::UnknownOperator; }

std::vector<Note> notes_to_keep(const PlanDocument& document, const std::string& text) {
  std::vector<Note> kept;
  for (const Note& note : document.notes) {
    if (is_loss(note)) kept.push_back(note);
  }
  if (kept.empty()) return kept;
  const std::vector<PlanDocument> again = read_documents("snapshot", text);
  std::erase_if(kept, [&](const Note& note) {
    return std::ranges::any_of(again, [&](const PlanDocument& read) {
      return std::ranges::any_of(read.notes, [&](const Note& own) { return own.kind == note.kind; });
    });
  });
  return kept;
}

}  // namespace

std::vector<PlanDocument> read_documents(const std::string& path, std::string text) {
  std::vector<PlanDocument> documents;
  const auto bytes = std::make_shared<const SourceBytes>(path, std::move(text));
  static_cast<void>(
      read::read_input(bytes, [&](PlanDocument&& document) { documents.push_back(std::move(document)); }));
  return documents;
}

snapshot::Snapshot snapshot_text(std::span<const PlanDocument* const> documents, const snapshot::Options& options) {
  snapshot::Snapshot whole;
  snapshot::Said said;
  for (const PlanDocument* document : documents) {
    const snapshot::Snapshot plan = snapshot::plan_text(*document, options);
    if (!whole.text.empty()) whole.text += '\n';
    whole.text += snapshot::headers(*document, notes_to_keep(*document, plan.text), said);
    whole.text += plan.text;
    whole.lacks_plan_before_run |= plan.lacks_plan_before_run;
  }
  return whole;
}

}  // namespace planvet::cli
