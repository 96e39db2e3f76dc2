#include "analyzer/read/arguments/node_attributes.hpp"

#include "analyzer/plan/quantity.hpp"
#include "analyzer/read/arguments/signature.hpp"

namespace planvet::read {
namespace {

bool is_list_shape(AttributeKind kind) {
  const AttributeShape shape = info(kind).shape;
  return shape == AttributeShape::ExpressionList || shape == AttributeShape::PredicateList;
}

}  // namespace

void NodeAttributes::add_checked(AttributeKind kind, std::string_view text, std::string_view label,
                                 std::uint32_t count) {
  // Most values end in a bracket or a letter: one look at the end tells that they are whole.
  if (const Cut cut = cut_at_end(text); cut.is_cut) {
    const std::uint32_t total = cut.missing > 0 ? count_items(text) + cut.missing : count;
    add(kind, text, Completeness::Truncated, label, count > 0 ? count : total);
  } else if (text.starts_with('[') && !text.ends_with(']') && is_list_shape(kind)) {
    const bool is_cut = text.find("...") != std::string_view::npos;
    add(kind, text, is_cut ? Completeness::Truncated : Completeness::Unparsed, label, count);
  } else {
    add(kind, text, Completeness::Whole, label, count);
  }
}

void NodeAttributes::add_item(AttributeKind kind, std::string_view text, const Item& item, std::string_view label) {
  if (!item.is_balanced) {
    add(kind, text, Completeness::Unparsed, label);
  } else if (item.is_truncated && !cut_at_end(text).is_cut) {
    add(kind, text, Completeness::Truncated, label);  // in the middle
  } else {
    add_checked(kind, text, label);
  }
}

bool decode_statistics(NodeAttributes& attributes, std::string_view text) {
  constexpr std::string_view kOpening = "Statistics(";
  if (!text.starts_with(kOpening)) return false;
  text.remove_prefix(kOpening.size());
  if (text.ends_with(')')) text.remove_suffix(1);
  for (ItemScanner items(text); !items.at_end();) {
    const std::string_view item = items.next().text;
    const std::size_t equals = item.find('=');
    if (equals == std::string_view::npos) continue;  // DBR: "ColumnStat: N/A"
    const std::string_view label = item.substr(0, equals);
    const std::string_view value = item.substr(equals + 1);
    const AttributeKind kind = attribute_of_label(label);
    // Spark's "unknown" is 8.0 EiB, and a cut text ends anywhere: neither is a size.
    if (kind == AttributeKind::StatisticsSize && !parse_printed_size(value)) continue;
    if (kind == AttributeKind::StatisticsRows && !parse_printed_rows(value)) continue;
    if (kind == AttributeKind::Other && label == "hints") continue;
    if (attributes.has(kind)) continue;  // the tree line has them, and Databricks' block has them again
    attributes.add(kind, value, Completeness::Whole, label);
  }
  return true;
}

std::string_view take_statistics(NodeAttributes& attributes, std::string_view text) {
  if (!text.ends_with(')')) return text;
  std::size_t open = text.size();
  for (int brackets = 0; brackets < 3 && open > 0; ++brackets) {  // hints=(strategy=broadcast) may stand inside
    open = text.rfind('(', open - 1);
    if (open == std::string_view::npos) return text;
    const std::string_view before = text.substr(0, open);
    constexpr std::string_view kWord = "Statistics";
    if (!before.ends_with(kWord)) continue;
    const std::size_t begin = open - kWord.size();
    if (begin > 0 && !before.substr(0, begin).ends_with(", ")) return text;
    decode_statistics(attributes, text.substr(begin));
    return text.substr(0, begin > 0 ? begin - 2 : 0);
  }
  return text;
}

void decode_keyed(NodeAttributes& attributes, std::string_view inside) {
  // Neither list prints a blank behind its commas in TakeOrderedAndProject; keys do.
  for (ItemScanner items(inside); !items.at_end();) {
    const Item item = items.next();
    std::string_view text = item.text;
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos) {
      attributes.add(AttributeKind::Other, text, item.is_balanced ? Completeness::Whole : Completeness::Unparsed);
      continue;
    }
    const std::string_view label = text.substr(0, equals);
    text.remove_prefix(equals + 1);
    AttributeKind kind = attribute_of_label(label);
    // What it prints as output is what it computes.
    if (kind == AttributeKind::Output && attributes.kind() == OperatorKind::TakeOrderedAndProject) {
      kind = AttributeKind::ProjectList;
    }
    // RAPIDS closes its first bracket before "filters=": "functions=[gpucount(1)]), filters=List(None)".
    if (text.starts_with('[') && text.ends_with("])")) text.remove_suffix(1);
    if (kind == AttributeKind::ScanFilters) kind = AttributeKind::Other;  // RAPIDS' filters of aggregate functions
    attributes.add_item(kind, text, item, label);
  }
}

}  // namespace planvet::read
