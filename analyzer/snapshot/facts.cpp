#include "analyzer/snapshot/facts.hpp"

#include <algorithm>
#include <array>

#include <fmt/core.h>

#include "analyzer/plan/expression_list.hpp"
#include "analyzer/snapshot/secrets.hpp"
#include "analyzer/snapshot/values.hpp"

namespace planvet::snapshot {
namespace {

constexpr std::string_view kOtherArguments = "Other arguments";

// Of one session or one run, or what other lines of the snapshot say.
bool is_left_out(AttributeKind kind) {
  switch (kind) {
    case AttributeKind::Input:
    case AttributeKind::LeftOutput:
    case AttributeKind::RightOutput:
    case AttributeKind::PlanId:
    case AttributeKind::StageId:
    case AttributeKind::StatisticsSize:
    case AttributeKind::StatisticsRows:
    case AttributeKind::StatisticsIsRuntime:
    case AttributeKind::TestSpillFrequency:
    case AttributeKind::ReusesOperatorId:
    case AttributeKind::ReusedOperator:
    case AttributeKind::HostingExpression: return true;
    default: return false;
  }
}

bool is_join_type(std::string_view word) {
  constexpr std::array<std::string_view, 8> kTypes = {"Inner",     "Cross",    "LeftOuter", "RightOuter",
                                                      "FullOuter", "LeftSemi", "LeftAnti",  "LeftSingle"};
  return std::find(kTypes.begin(), kTypes.end(), word) != kTypes.end() ||
         (word.starts_with("ExistenceJoin(") && word.ends_with(')'));
}

// Only behind such a name does a tree line say more of a join.
bool is_join_name(std::string_view name) {
  const std::string_view word = name.substr(0, name.find_first_of(" ("));
  return word.find("Join") != std::string_view::npos || word.find("Product") != std::string_view::npos;
}

bool is_in_tree_line(const PlanTree& tree, const PlanNode& node, AttributeKind kind) {
  if (!is_join_name(node.printed_name)) return false;
  const Attribute* type = tree.find(node.id, AttributeKind::JoinType);
  if (type == nullptr || !is_join_type(type->text)) return false;
  return kind == AttributeKind::JoinType || kind == AttributeKind::BuildSide;
}

bool equals_ignoring_case(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return a.size() == b.size() &&
         std::equal(a.begin(), a.end(), b.begin(), [&](char x, char y) { return lower(x) == lower(y); });
}

// What readers take from a scan's name.
bool is_in_name(const PlanNode& node, const Attribute& attribute) {
  if (attribute.kind == AttributeKind::Table) {
    return family(node.kind) != OperatorFamily::Logical &&
           node.printed_name.find(attribute.text) != std::string_view::npos;
  }
  if (attribute.kind == AttributeKind::IsSkewJoin) return node.printed_name.ends_with("(skew=true)");
  if (attribute.kind != AttributeKind::Format) return false;
  if (attribute.label.empty()) return true;
  std::string_view rest = node.printed_name;
  while (!rest.empty()) {
    const std::size_t blank = std::min(rest.find(' '), rest.size());
    if (equals_ignoring_case(rest.substr(0, blank), attribute.text)) return true;
    rest.remove_prefix(std::min(blank + 1, rest.size()));
  }
  return false;
}

bool is_seed_drawn(const Attribute& attribute) {
  return attribute.kind == AttributeKind::SampleSeed && attribute.text.size() > 9;
}

// "state info [ checkpoint = .., runId = .., opId = 0, ver = 3, numPartitions = 5]": of which state, in how many parts.
std::string without_run(std::string_view state) {
  std::string out;
  for (const std::string_view key : {std::string_view("opId = "), std::string_view("numPartitions = ")}) {
    const std::size_t found = state.find(key);
    if (found == std::string_view::npos) continue;
    std::size_t end = found + key.size();
    while (end < state.size() && state[end] >= '0' && state[end] <= '9') ++end;
    out.append(out.empty() ? "" : ", ").append(state.substr(found, end - found));
  }
  return "state info [ " + out + "]";
}

// The cached plan stands below, and in full behind the storage level in its printed form.
std::string storage_level_alone(std::string_view text) {
  const std::size_t begin = text.find("StorageLevel(");
  if (begin == std::string_view::npos) return std::string(text);
  const std::size_t end = text.find(')', begin);
  return std::string(text.substr(begin, end == std::string_view::npos ? end : end + 1 - begin));
}

// Event times in milliseconds; what was never set is a constant.
std::string without_times(std::string_view text) {
  constexpr std::size_t kTimeDigits = 12;
  constexpr std::size_t kLongestTime = 15;
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
    if (end == at) {
      out += text[at++];
    } else {
      const bool is_time = end - at >= kTimeDigits && end - at <= kLongestTime;
      out += is_time ? std::string_view("*") : text.substr(at, end - at);
      at = end;
    }
  }
  return out;
}

// Which partitions there are, and so which of them are left, changes from day to day.
std::string without_partition_values(std::string_view relation) {
  constexpr std::string_view kPruned = "Pruned Partitions: [";
  const std::size_t begin = relation.find(kPruned);
  if (begin == std::string_view::npos) return std::string(relation);
  std::size_t end = relation.find(")]", begin);
  if (end == std::string_view::npos) return std::string(relation);
  return std::string(relation.substr(0, begin + kPruned.size())) + "*" + std::string(relation.substr(end + 1));
}

// CatalogTable(.. Created Time: Sun Nov 29 22:05:26 UTC 2026 ..): lines of a table's description.
std::string without_creation(std::string text) {
  for (const std::string_view key : {std::string_view("Created Time: "), std::string_view("Last Access: ")}) {
    const std::size_t begin = text.find(key);
    if (begin == std::string::npos) continue;
    const std::size_t end = std::min({text.find('\n', begin), text.find("↵", begin), text.size()});
    text.replace(begin + key.size(), end - begin - key.size(), "*");
  }
  return text;
}

bool is_expression(AttributeKind kind) {
  switch (info(kind).shape) {
    case AttributeShape::Expression:
    case AttributeShape::ExpressionList:
    case AttributeShape::PredicateList: return true;
    default: return false;
  }
}

bool are_same_place(std::string_view outer, std::string_view inner) {
  return inner.data() < outer.data() + outer.size() && outer.data() < inner.data() + inner.size();
}

// Did this attribute come from that item of the arguments?
bool is_taken_by(std::string_view item, const Attribute& attribute) {
  if (attribute.kind == AttributeKind::IsEmpty) return item == "<empty>";
  if (attribute.kind == AttributeKind::IsFinalPlan) return item.starts_with("isFinalPlan=");
  return are_same_place(item, attribute.text) || item == attribute.text;
}

// What no attribute took of the arguments: nothing of it may be lost.
struct Left {
  std::string text;
  bool is_taken = false;  // some of them were
};

Left left_of_arguments(const std::vector<const Attribute*>& attributes) {
  Left left;
  const auto arguments = std::find_if(attributes.begin(), attributes.end(), [](const Attribute* attribute) {
    return attribute->kind == AttributeKind::Arguments;
  });
  if (arguments == attributes.end()) return left;
  for (const std::string_view item : split_list((*arguments)->text).items) {
    const bool took = std::any_of(attributes.begin(), attributes.end(), [&](const Attribute* other) {
      return other->kind != AttributeKind::Arguments && is_taken_by(item, *other);
    });
    left.is_taken |= took;
    if (!took && !item.empty()) left.text.append(left.text.empty() ? "" : ", ").append(item);
  }
  return left;
}

// Where a fact stands in its block. A format of its own beside that of the name has no place among Spark's.
AttributeKind place_of(const Attribute& attribute) {
  return attribute.kind == AttributeKind::Format && !attribute.label.empty() ? AttributeKind::Other : attribute.kind;
}

}  // namespace

std::string Facts::name(const PlanTree& tree, NodeId id) {
  const PlanNode& node = tree.node(id);
  std::string_view printed = node.printed_name;
  while (printed.ends_with(' ')) printed.remove_suffix(1);
  if (node.kind == OperatorKind::FileSourceScan && printed.starts_with("FileScan ")) printed.remove_prefix(4);
  if (family(node.kind) != OperatorFamily::Scan) return identifiers_.words(printed);
  std::string name{printed};
  const bool is_query = masks_literals_ && name.find("JDBCRelation(") != std::string::npos;
  if (is_query) name = mask_literals(name, AttributeKind::ExternalQuery, parser_);
  return identifiers_.words(paths_.in_text(name));
}

std::string Facts::join_words(const PlanTree& tree, NodeId id) {
  const PlanNode& node = tree.node(id);
  if (!is_in_tree_line(tree, node, AttributeKind::JoinType)) return {};
  std::string out = " " + identifiers_.expression(tree.find(id, AttributeKind::JoinType)->text);
  if (const Attribute* side = tree.find(id, AttributeKind::BuildSide)) out.append(" ").append(side->text);
  return out;
}

std::string Facts::hosting_expression(const PlanTree& tree, NodeId id) {
  const PlanNode& node = tree.node(id);
  std::string text;
  if (const Attribute* hosting = tree.find(id, AttributeKind::HostingExpression)) {
    text = hosting->text;
  } else if (const Attribute* name = tree.find(id, AttributeKind::SubqueryName)) {
    // A mention of one that is printed elsewhere; or the operator itself, which names what it runs.
    text = fmt::format("{}Subquery {}", node.link == Link::ReusedSubquery ? "ReusedSubquery " : "", name->text);
  } else if (const Attribute* reused = tree.find(id, AttributeKind::ReusedOperator)) {
    text = fmt::format("ReusedSubquery {}", reused->text);
  } else if (node.link == Link::ReusedSubquery) {
    text = "ReusedSubquery";
  }
  if (masks_literals_) text = mask_literals(text, AttributeKind::HostingExpression, parser_);
  return identifiers_.expression(text);
}

std::string Facts::value(const PlanTree& tree, const PlanNode& node, const Attribute& attribute) {
  std::string text{attribute.text};
  // One-line modes cut filters at 100 characters, ids counted: what is left depends on the session, and a Filter has it
  // in full.
  if (attribute.completeness == Completeness::Truncated && attribute.kind == AttributeKind::DataFilters) return "[...";
  switch (attribute.kind) {
    case AttributeKind::StateInfo: text = without_run(text); break;
    case AttributeKind::Arguments:
    case AttributeKind::Other: text = without_creation(std::move(text)); break;
    case AttributeKind::StorageLevel: text = storage_level_alone(text); break;
    case AttributeKind::Watermark: text = without_times(text); break;
    case AttributeKind::HiveRelation: text = without_partition_values(text); break;
    case AttributeKind::ScanDescription: text = text.substr(0, text.find("[filters=")); break;
    case AttributeKind::Location: {
      const Attribute* table = tree.find(node.id, AttributeKind::Table);
      return identifiers_.words(paths_.location(text, table == nullptr ? std::string_view{} : table->text));
    }
    default: break;
  }
  while (text.ends_with(' ')) text.pop_back();
  if (masks_literals_ && !(node.kind == OperatorKind::Coalesce || family(node.kind) == OperatorFamily::QueryStage)) {
    text = mask_literals(text, attribute.kind, parser_);
    // What was cut stays cut, also where the mask took its end.
    const bool shows_cut = text.find("...") != std::string::npos;
    if (attribute.completeness == Completeness::Truncated && !shows_cut) text += "...";
  }
  text = sort_unordered(text, attribute, parser_, identifiers_);
  const AttributeShape shape = info(attribute.kind).shape;
  if (shape == AttributeShape::PredicateList || shape == AttributeShape::Schema) return identifiers_.pushed(text);
  if (is_expression(attribute.kind)) return identifiers_.expression(text);
  if (attribute.kind != AttributeKind::ExternalQuery) text = without_secrets(paths_.in_text(text));
  return identifiers_.words(text);
}

std::string Facts::block(const Operator& shown) {
  const PlanTree& tree = *shown.tree;
  const PlanNode& node = shown.node();
  std::vector<const Attribute*> attributes;
  for (const Attribute& attribute : tree.attributes(shown.id)) attributes.push_back(&attribute);
  std::stable_sort(attributes.begin(), attributes.end(),
                   [](const Attribute* a, const Attribute* b) { return place_of(*a) < place_of(*b); });
  const bool computes_output =
      node.kind == OperatorKind::Project && tree.find(shown.id, AttributeKind::ProjectList) != nullptr;
  const Left left = left_of_arguments(attributes);
  // `[obj#1], java.lang.Integer, ParallelCollectionRDD[3] at ..`: some scans of RDDs print their type first.
  const Attribute* const rdd = tree.find(shown.id, AttributeKind::Rdd);
  const bool is_rdd_misplaced = rdd != nullptr && rdd->text.find("RDD") == std::string_view::npos && left.is_taken &&
                                left.text.find("RDD") != std::string::npos;
  std::string out;
  for (const Attribute* attribute : attributes) {
    const AttributeKind kind = attribute->kind;
    if (is_left_out(kind) || is_in_tree_line(tree, node, kind) || is_in_name(node, *attribute)) continue;
    if (is_seed_drawn(*attribute)) continue;
    if (kind == AttributeKind::IsFinalPlan) {
      out += fmt::format("Arguments: isFinalPlan={}\n", shown.is_replanned ? "false" : attribute->text);
      continue;
    }
    if (kind == AttributeKind::Arguments) {
      if (left.text.empty() && left.is_taken) continue;
      Attribute shown_part = *attribute;
      if (left.is_taken) shown_part.text = is_rdd_misplaced ? rdd->text : std::string_view(left.text);
      out += fmt::format("{}: {}\n", left.is_taken ? kOtherArguments : "Arguments", value(tree, node, shown_part));
      continue;
    }
    if (kind == AttributeKind::Rdd && is_rdd_misplaced) {
      Attribute real = *attribute;
      real.text = left.text;
      out += fmt::format("{}: {}\n", printed_label(kind), value(tree, node, real));
      continue;
    }
    if (kind == AttributeKind::Output && computes_output) continue;
    std::string label =
        printed_label(kind == AttributeKind::ProjectList && computes_output ? AttributeKind::Output : kind);
    if (kind == AttributeKind::Other && !attribute->label.empty()) label = attribute->label;
    if (attribute->count > 0 && attribute->text.starts_with('[')) label += fmt::format(" [{}]", attribute->count);
    const std::string_view colon = kind == AttributeKind::Condition ? " :" : ":";
    const std::string text = value(tree, node, *attribute);
    out.append(label).append(colon).append(text.empty() ? "" : " ").append(text).append("\n");
  }
  return out;
}

}  // namespace planvet::snapshot
