// A scan's `Key: value` pairs on one line. Values are cut at 100 characters and lose their brackets, so only the known
// keys can tell where one ends.
//
//   [a#1,b#2L] Batched: true, DataFilters: [isnotnull(a#1), (b#2L..., Format: Parquet, Location: InMemoryFileIndex..
//   [a#1] ParquetScan DataFilters: [], Format: parquet, .. ReadSchema: struct<a:int> RuntimeFilters: []
#include "analyzer/read/arguments/node_attributes.hpp"
#include "analyzer/read/arguments/signature.hpp"

namespace planvet::read {
namespace {

struct Key {
  std::size_t begin = std::string_view::npos;  // of the key; npos: there is none
  std::size_t value = 0;                       // behind ": "
  AttributeKind kind{};
};

// The next known key from `from` on. Behind the first one a key stands behind ", ", but for RuntimeFilters.
Key next_key(std::string_view text, std::size_t from, bool is_first) {
  for (std::size_t colon = text.find(": ", from); colon != std::string_view::npos; colon = text.find(": ", colon + 2)) {
    std::size_t begin = colon;
    while (begin > from && text[begin - 1] != ' ') --begin;
    std::string_view label = text.substr(begin, colon - begin);
    constexpr std::string_view kWithBlanks = "External engine query";
    if (label == "query" && text.substr(0, colon).ends_with(kWithBlanks)) {
      begin = colon - kWithBlanks.size();
      label = kWithBlanks;
    }
    const AttributeKind kind = attribute_of_label(label);
    if (kind == AttributeKind::Other) continue;
    const bool is_separated = begin == 0 || text.substr(0, begin).ends_with(", ");
    if (is_first || is_separated || kind == AttributeKind::RuntimeFilters) return {begin, colon + 2, kind};
  }
  return {};
}

std::string_view without_separator(std::string_view text) {
  text = trim(text);
  if (text.ends_with(',')) text.remove_suffix(1);
  return text;
}

// "[a#1,b#2L]" and what may describe the scan behind it.
void decode_before_keys(NodeAttributes& attributes, std::string_view text, bool has_keys) {
  text = trim(text);
  if (text.empty()) return;
  if (text.starts_with('[')) {
    std::size_t end = behind_closing(text, 0);
    // Column names hold brackets: where only a list can stand, it ends where the text does.
    const bool is_v1 = attributes.kind() == OperatorKind::FileSourceScan;
    if (has_keys && is_v1 && text.ends_with(']')) end = text.size();
    if (end == std::string_view::npos) end = text.size();
    attributes.add_checked(AttributeKind::Output, text.substr(0, end));
    text = trim(text.substr(end));
  }
  if (text.starts_with(',')) text = trim(text.substr(1));
  if (!text.empty()) decode_description(attributes, text);
}

}  // namespace

void decode_metadata(NodeAttributes& attributes, std::string_view text) {
  Key key = next_key(text, 0, true);
  if (key.begin == std::string_view::npos) {
    decode_before_keys(attributes, text, false);
    return;
  }
  decode_before_keys(attributes, text.substr(0, key.begin), true);
  while (key.begin != std::string_view::npos) {
    const Key next = next_key(text, key.value, false);
    const std::size_t end = next.begin == std::string_view::npos ? text.size() : next.begin;
    const std::string_view label = text.substr(key.begin, key.value - 2 - key.begin);
    attributes.add_checked(key.kind, without_separator(text.substr(key.value, end - key.value)), label);
    key = next;
  }
}

void decode_relation(NodeAttributes& attributes, std::string_view text) {
  const std::size_t open = text.find('[');
  if (open == std::string_view::npos) return attributes.add(AttributeKind::Table, text);
  std::size_t end = behind_closing(text, open);
  if (end == std::string_view::npos) end = text.size();
  const std::string_view before = trim(text.substr(0, open));
  const std::string_view behind = trim(text.substr(end));
  if (!before.empty()) attributes.add(AttributeKind::Table, before);
  attributes.add_checked(AttributeKind::Output, text.substr(open, end - open));
  if (behind.empty()) return;
  const bool is_format = !before.empty() || behind.find('.') == std::string_view::npos;
  attributes.add(is_format ? AttributeKind::Format : AttributeKind::Table, behind);
}

void decode_description(NodeAttributes& attributes, std::string_view text) {
  attributes.add(AttributeKind::ScanDescription, text, completeness_of(text));
  const std::size_t open = text.find("[filters=");
  if (open == std::string_view::npos) return;
  std::string_view inside = text.substr(open + std::string_view("[filters=").size());
  const std::size_t close = inside.rfind(']');
  const Completeness completeness = close == std::string_view::npos ? Completeness::Truncated : Completeness::Whole;
  inside = inside.substr(0, close);
  const std::size_t grouped = inside.find(", groupedBy=");
  attributes.add(AttributeKind::ScanFilters, inside.substr(0, grouped),
                 grouped == std::string_view::npos ? completeness : Completeness::Whole, "filters");
  if (grouped == std::string_view::npos) return;
  const std::string_view by = inside.substr(grouped + std::string_view(", groupedBy=").size());
  if (!by.empty()) attributes.add(AttributeKind::GroupedBy, by, completeness, "groupedBy");
}

}  // namespace planvet::read
