#include <algorithm>
#include <array>
#include <deque>

#include "analyzer/read/explain_text.hpp"
#include "analyzer/read/plan_info_json.hpp"
#include "analyzer/read/reader.hpp"
#include "analyzer/read/rest/sql_rest_json.hpp"
#include "analyzer/read/tree_node/tree_node_json.hpp"

namespace planvet::read {
namespace {

// Structured formats first: they are known by their head, and hold explain text in strings.
constexpr auto kReaders = std::to_array<const Reader*>({&kSqlRestJson, &kTreeNodeJson, &kPlanInfoJson, &kExplainText});

// "notes.txt:3:7: the JSON is not well-formed ..": why a recognised input gave no operator.
std::string first_note(const PlanDocument& document) {
  if (document.notes.empty() || document.source == nullptr) return {};
  const Note& note = document.notes.front();
  const Position position = document.source->position(note.span.begin);
  return "line " + std::to_string(position.line) + ", column " + std::to_string(position.column) + ": " + note.message;
}

// Prose can hold a connector by chance: "+- 5 %". Something must be an operator that is known, or be called like one.
bool is_operator(const PlanNode& node) {
  if (node.kind != OperatorKind::Unknown) return true;
  const auto is_letter = [](char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); };
  const std::string_view name = node.printed_name;
  const auto is_part = [&](char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == '_' || c == ' ' || c == '.' || c == '$' || c == '-';
  };
  return !name.empty() && is_letter(name.front()) && std::all_of(name.begin(), name.end(), is_part);
}

enum class Content : std::uint8_t { Operators, NoOperators, Nothing };

Content content_of(const PlanDocument& document) {
  bool has_nodes = false;
  for (const Fragment& fragment : document.fragments) {
    const std::span<const PlanNode> nodes = fragment.tree.nodes();
    if (std::any_of(nodes.begin(), nodes.end(), is_operator)) return Content::Operators;
    has_nodes |= !nodes.empty();
  }
  return has_nodes ? Content::Nothing : Content::NoOperators;
}

// Compressed data, programs, pictures: control characters all over. Text in UTF-16 has zeros in every second place.
bool is_binary(std::string_view bytes) {
  constexpr std::size_t kHead = 65536;
  bytes = bytes.substr(0, kHead);
  std::array<std::size_t, 2> zeros{};
  std::size_t controls = 0;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    const auto byte = static_cast<unsigned char>(bytes[at]);
    if (byte == 0) ++zeros[at % 2];
    if (byte < 0x20 && (byte < '\a' || byte > '\r') && byte != 0x1B) ++controls;
  }
  const std::size_t most = std::max(zeros[0], zeros[1]);
  const bool is_utf16 = most * 4 > bytes.size() && std::min(zeros[0], zeros[1]) * 20 < most;
  return !is_utf16 && controls * 100 > bytes.size();
}

// SARIF logs quote plans: snippets, and the examples in the help of planvet's own rules.
bool is_sarif(std::string_view bytes) {
  const std::string_view head = bytes.substr(0, 300);
  return head.substr(0, head.find_first_not_of(" \t\r\n") + 1).ends_with('{') &&
         head.find("sarif-2.1.0") != std::string_view::npos && head.find("\"version\"") != std::string_view::npos;
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

ReadResult read_input(const std::shared_ptr<const SourceBytes>& bytes, const DocumentSink& sink,
                      const RestContext* beside) {
  ReadResult result;
  if (is_binary(bytes->bytes())) {
    result.error = "this is no text: expected a Spark plan as text or JSON";
    return result;
  }
  if (is_sarif(bytes->bytes())) {
    result.error = "this is a SARIF log, not a plan";
    return result;
  }
  for (const Reader* const reader : readers()) {
    if (!reader->looks_like(bytes->bytes())) continue;
    // A document without operators is only a set of notes. It goes out if some other holds a plan, else it is an error.
    std::deque<PlanDocument> empty;
    constexpr std::size_t kMostEmpty = 64;
    const DocumentSink take = [&](PlanDocument&& document) {
      const Content content = content_of(document);
      if (content == Content::Operators) {
        ++result.documents;
        sink(std::move(document));
      } else if (content == Content::NoOperators && empty.size() < kMostEmpty) {
        empty.push_back(std::move(document));
      }
    };
    if (beside != nullptr && reader == &kSqlRestJson) {
      read_sql_rest(bytes, *beside, take);
    } else {
      reader->read(bytes, take);
    }
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
