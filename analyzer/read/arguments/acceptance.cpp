#include "analyzer/read/arguments/acceptance.hpp"

#include <algorithm>

#include "analyzer/plan/characters.hpp"
#include "analyzer/read/arguments/items.hpp"

namespace planvet::read {
namespace {

// 2.x and old relations print Scala collections.
bool is_list(std::string_view item) {
  return item.starts_with('[') || item.starts_with("List(") || item.starts_with("ArrayBuffer(");
}

bool is_word(std::string_view item) { return !item.empty() && item.find_first_of(" ([{") == std::string_view::npos; }

std::string_view first_item(std::string_view list) {
  return ItemScanner(list.substr(1, list.size() - (list.ends_with(']') ? 2 : 1))).next().text;
}

// `[a#1 ASC NULLS FIRST, ..]`: its first item says so.
bool is_ordering(std::string_view list) {
  if (!list.starts_with('[')) return false;
  const std::string_view first = first_item(list);
  return first.ends_with(" NULLS FIRST") || first.ends_with(" NULLS LAST") || first.ends_with(" ASC") ||
         first.ends_with(" DESC");
}

bool is_origin(std::string_view item) {
  if (is_flag(item)) return true;  // 3.0
  return item.size() > 3 &&
         std::all_of(item.begin(), item.end(), [](char c) { return (c >= 'A' && c <= 'Z') || c == '_'; });
}

// By the shape that attributes.def gives.
bool accepts_shape(AttributeShape shape, std::string_view item) {
  switch (shape) {
    case AttributeShape::Text: return !is_list(item) && !is_flag(item);
    case AttributeShape::Word: return is_word(item) && !is_flag(item) && !is_integer(item);
    case AttributeShape::Integer: return is_integer(item);
    case AttributeShape::Flag: return is_flag(item);
    case AttributeShape::Expression: return !is_list(item) && !is_flag(item);
    case AttributeShape::ExpressionList:
    case AttributeShape::PredicateList: return is_list(item) && plan_id(item).empty();
    case AttributeShape::Schema: return item.starts_with("struct<") || item.starts_with("StructType(");
    case AttributeShape::Bytes:
    case AttributeShape::Rows: return !item.empty() && is_digit(item.front());
  }
  return false;
}

}  // namespace

bool is_join_type(std::string_view word) {
  switch (word.empty() ? '\0' : word.front()) {
    case 'I': return word == "Inner";
    case 'C': return word == "Cross";
    case 'F': return word == "FullOuter";
    case 'R': return word == "RightOuter";
    case 'L': return word == "LeftOuter" || word == "LeftSemi" || word == "LeftAnti" || word == "LeftSingle";
    case 'E': return word.starts_with("ExistenceJoin(") && word.ends_with(')');
    default: return false;
  }
}

std::string_view build_side(std::string_view word) {
  if (word.starts_with("Gpu")) word.remove_prefix(3);
  return word == "BuildLeft" || word == "BuildRight" ? word : std::string_view{};
}

bool lists_attributes(std::string_view list) {
  if (!list.starts_with('[')) return false;
  std::string_view first = first_item(list);
  if (first.ends_with('L')) first.remove_suffix(1);
  const std::size_t digits = first.size();
  while (!first.empty() && is_digit(first.back())) first.remove_suffix(1);
  return first.size() < digits && first.ends_with('#');
}

bool is_flag(std::string_view word) { return word == "true" || word == "false"; }

bool is_integer(std::string_view word) {
  if (word.starts_with('-')) word.remove_prefix(1);
  return !word.empty() && std::all_of(word.begin(), word.end(), is_digit);
}

std::string_view plan_id(std::string_view item) {
  if (!item.ends_with(']')) return {};
  if (item.starts_with("[plan_id=")) {
    item.remove_prefix(9);
  } else if (item.starts_with("[id=#")) {
    item.remove_prefix(5);
  } else {
    return {};
  }
  item.remove_suffix(1);
  return item;
}

bool accepts(AttributeKind kind, std::string_view item) {
  switch (kind) {
    case AttributeKind::JoinType: return is_join_type(item);
    case AttributeKind::BuildSide: return !build_side(item).empty();
    case AttributeKind::JoinCondition: return item.find_first_of("#(") != std::string_view::npos && !is_list(item);
    case AttributeKind::StreamingCondition: return item.starts_with("condition = [");
    case AttributeKind::StateInfo: return item.starts_with("state info [");
    case AttributeKind::JoinHint: return item.find("int=") != std::string_view::npos || is_word(item);
    case AttributeKind::SortOrder:
    case AttributeKind::OrderSpec: return is_ordering(item);
    case AttributeKind::PartitionSpec: return item.starts_with('[') && !is_ordering(item);
    case AttributeKind::ShuffleOrigin: return is_origin(item);
    case AttributeKind::ShuffleRead: return !is_list(item) && !is_flag(item);  // "coalesced and skewed"
    case AttributeKind::ShuffleType: return is_word(item) && item.ends_with("Shuffle");
    case AttributeKind::PlanId: return !plan_id(item).empty();
    case AttributeKind::BroadcastMode: return item.find("BroadcastMode") != std::string_view::npos;
    case AttributeKind::IsFinalPlan: return item.starts_with("isFinalPlan=");
    case AttributeKind::IsEmpty: return item == "<empty>";
    case AttributeKind::Range: return item.starts_with('(') || item.starts_with("Range (");
    case AttributeKind::StorageLevel: return item.starts_with("StorageLevel(") || item.starts_with("CachedRDDBuilder(");
    case AttributeKind::BroadcastIndex:
      return is_integer(item) ||
             (item.starts_with('[') && item.ends_with(']') && item.find('#') == std::string_view::npos);
    case AttributeKind::EventTime: return item.find('#') != std::string_view::npos;
    case AttributeKind::OutputMode: return item == "Append" || item == "Update" || item == "Complete";
    case AttributeKind::WatermarkDelay: return item.find(' ') != std::string_view::npos;  // not the node's UUID
    case AttributeKind::Watermark: return false;  // numbers, which are told apart by where they stand
    case AttributeKind::StateCleanup: return item.starts_with("state cleanup [");
    case AttributeKind::AggregateMode:
      return item == "Partial" || item == "Final" || item == "PartialMerge" || item == "Complete" ||
             item.starts_with("[Partial") || item.starts_with("[Final") || item.starts_with("[Complete");
    case AttributeKind::WindowMode: return item == "Partial" || item == "Final";
    case AttributeKind::SaveMode:
      return item == "Append" || item == "Overwrite" || item == "ErrorIfExists" || item == "Ignore";
    case AttributeKind::PartitionColumns:  // not the names of all columns
      return item.starts_with('[') && item.find('#') != std::string_view::npos;
    case AttributeKind::Options:
      return item == "[]" || (is_list(item) && item.find('=') != std::string_view::npos) || item.starts_with("Map(");
    case AttributeKind::Location:
      return item.find_first_of("([{`") == std::string_view::npos && item.find('/') != std::string_view::npos;
    case AttributeKind::Format:
      return is_word(item) && !is_flag(item) && !item.starts_with('`') && item.find('.') == std::string_view::npos;
    case AttributeKind::Table: return item.starts_with('`');
    case AttributeKind::HiveRelation:
      return item.starts_with("HiveTableRelation") || item.starts_with("MetastoreRelation");
    default: return accepts_shape(info(kind).shape, item);
  }
}

}  // namespace planvet::read
