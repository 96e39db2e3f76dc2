#include <array>
#include <deque>

#include "analyzer/read/explain_text.hpp"
#include "analyzer/read/plan_info_json.hpp"
#include "analyzer/read/reader.hpp"

namespace planvet::read {
namespace {

// Structured formats first: they are known by their head, and hold explain text in strings.
constexpr auto kReaders = std::to_array<const Reader*>({&kPlanInfoJson, &kExplainText});

// "notes.txt:3:7: the JSON is not well-formed ..": why a recognised input gave no operator.
std::string first_note(const PlanDocument& document) {
  if (document.notes.empty() || document.source == nullptr) return {};
  const Note& note = document.notes.front();
  const Position position = document.source->position(note.span.begin);
  return "line " + std::to_string(position.line) + ", column " + std::to_string(position.column) + ": " + note.message;
}

bool has_operators(const PlanDocument& document) {
  for (const Fragment& fragment : document.fragments) {
    if (!fragment.tree.empty()) return true;
  }
  return false;
}

std::string nothing_recognised(std::string_view bytes) {
  if (bytes.empty()) return "the input is empty: expected a Spark plan";
  if (bytes.find_first_not_of(" \t\r\n\v\f") == std::string_view::npos) {
    return "the input has only blanks: expected a Spark plan";
  }
  std::string message = "no Spark plan found; looked for ";
  for (std::size_t i = 0; i < kReaders.size(); ++i) {
    if (i != 0) message += i + 1 == kReaders.size() ? " and " : ", ";
    message += kReaders[i]->looked_for;
  }
  return message + "; paste the output of df.explain(\"formatted\"), or give a file that holds it";
}

}  // namespace

std::span<const Reader* const> readers() { return kReaders; }

ReadResult read_input(const std::shared_ptr<const SourceBytes>& bytes, const DocumentSink& sink) {
  ReadResult result;
  for (const Reader* const reader : readers()) {
    if (!reader->looks_like(bytes->bytes())) continue;
    // A document without operators is only a set of notes. It goes out if some other holds a plan, else it is an error.
    std::deque<PlanDocument> empty;
    constexpr std::size_t kMostEmpty = 64;
    reader->read(bytes, [&](PlanDocument&& document) {
      if (has_operators(document)) {
        ++result.documents;
        sink(std::move(document));
      } else if (empty.size() < kMostEmpty) {
        empty.push_back(std::move(document));
      }
    });
    if (result.documents == 0) {
      result.error = "this looks like " + std::string(reader->name) + ", but no operator could be read";
      if (!empty.empty()) {
        if (const std::string why = first_note(empty.front()); !why.empty()) result.error += ": " + why;
      }
      return result;
    }
    for (PlanDocument& document : empty) {
      ++result.documents;
      sink(std::move(document));
    }
    return result;
  }
  result.error = nothing_recognised(bytes->bytes());
  return result;
}

}  // namespace planvet::read
