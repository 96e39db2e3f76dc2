#include "analyzer/facts/logical_statistics.hpp"

#include <algorithm>
#include <charconv>
#include <string>

#include "analyzer/facts/facts.hpp"
#include "analyzer/facts/statistics.hpp"
#include "analyzer/plan/expression.hpp"
#include "analyzer/plan/expression_list.hpp"
#include "analyzer/plan/walk.hpp"

namespace planvet {
namespace {

using Ids = std::vector<std::uint64_t>;

std::string_view first_word(std::string_view line) { return line.substr(0, line.find_first_of(" [(,")); }

LogicalClass class_of_logical(std::string_view word) {
  if (word == "Project" || word == "Filter" || word == "Relation" || word == "RelationV2" || word == "LogicalRDD" ||
      word == "LocalRelation" || word == "SubqueryAlias" || word == "View" || word == "InMemoryRelation" ||
      word == "HiveTableRelation" || word == "DataSourceV2ScanRelation") {
    return LogicalClass::Rows;
  }
  if (word == "Join") return LogicalClass::Join;
  if (word == "Aggregate" || word == "Distinct" || word == "Deduplicate") return LogicalClass::Aggregate;
  if (word == "GlobalLimit" || word == "LocalLimit" || word == "Limit") return LogicalClass::Limit;
  if (word == "Window") return LogicalClass::Window;
  if (word == "Generate") return LogicalClass::Generate;
  return LogicalClass::Other;
}

LogicalClass class_of(OperatorKind kind) {
  switch (family(kind)) {
    case OperatorFamily::Project:
    case OperatorFamily::Filter:
    case OperatorFamily::Scan:
    case OperatorFamily::Cache:
    case OperatorFamily::Local: return LogicalClass::Rows;
    case OperatorFamily::Join: return LogicalClass::Join;
    case OperatorFamily::Aggregate: return LogicalClass::Aggregate;
    case OperatorFamily::Limit: return LogicalClass::Limit;
    case OperatorFamily::Window: return LogicalClass::Window;
    case OperatorFamily::Generate: return LogicalClass::Generate;
    default: return LogicalClass::Other;
  }
}

// The bracketed list that starts at the n-th depth-0 '[' of a line.
std::string_view bracketed(std::string_view line, std::size_t n) {
  std::size_t depth = 0;
  std::size_t open = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '[') {
      if (depth++ == 0) open = i;
    } else if (line[i] == ']' && depth > 0 && --depth == 0) {
      if (n-- == 0) return line.substr(open, i + 1 - open);
    }
  }
  return {};
}

std::optional<Ids> ids_of_list(std::string_view list) {
  const ItemList items = split_list(list);
  if (list.empty() || items.is_truncated || !items.is_balanced) return std::nullopt;
  Ids ids;
  for (const std::string_view item : items.items) {
    const std::uint64_t id = read_attribute_text(item).expr_id;
    if (id == kNoExprId) return std::nullopt;
    ids.push_back(id);
  }
  return ids;
}

// What a logical node puts out, by its own words; nothing for those that pass on what flows in.
std::optional<Ids> own_ids(std::string_view word, std::string_view line) {
  if (word == "Project" || word == "Relation" || word == "RelationV2" || word == "LogicalRDD" ||
      word == "LocalRelation" || word == "InMemoryRelation") {
    return ids_of_list(bracketed(line, 0));
  }
  if (word == "Aggregate") return ids_of_list(bracketed(line, 1));
  return std::nullopt;
}

std::optional<double> number_after(std::string_view text, std::string_view key) {
  const std::size_t at = text.find(key);
  if (at == std::string_view::npos) return std::nullopt;
  text.remove_prefix(at + key.size());
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return std::nullopt;
  return number;
}

bool mentions(std::string_view text, std::uint64_t id) {
  std::string needle = "#" + std::to_string(id);
  for (std::size_t at = text.find(needle); at != std::string_view::npos; at = text.find(needle, at + 1)) {
    const std::size_t end = at + needle.size();
    if (end == text.size() || text[end] < '0' || text[end] > '9') return true;
  }
  return false;
}

// Joins that an operator's rows come through, subqueries left out.
std::uint32_t joins_below(const PlanTree& plan, NodeId id) {
  std::uint32_t joins = 0;
  std::vector<NodeId> open{id};
  while (!open.empty()) {
    const NodeId at = open.back();
    open.pop_back();
    const PlanNode& node = plan.node(at);
    if (family(node.kind) == OperatorFamily::Join || node.kind == OperatorKind::Join) ++joins;
    if (node.kind == OperatorKind::ReusedExchange && node.reuses != kNoNode && node.reuses != at) {
      open.push_back(node.reuses);
    }
    for (const NodeId input : plan.inputs(at)) open.push_back(input);
  }
  return joins;
}

}  // namespace

std::vector<LogicalEstimate> logical_estimates(const PlanDocument& document) {
  if (document.logical_plans.empty()) return {};
  const PlanTree& plan = document.logical_plans.back();
  const auto nodes = plan.nodes();
  // Children come after their parents: from the end to the front, every input is known before who reads it.
  std::vector<std::optional<Ids>> outputs(nodes.size());
  std::vector<std::uint32_t> joins(nodes.size());
  std::vector<LogicalEstimate> estimates;
  for (std::size_t i = nodes.size(); i-- > 0;) {
    const PlanNode& node = nodes[i];
    const std::string_view line = document.source->text(node.span);
    const std::string_view word = first_word(line);
    outputs[i] = own_ids(word, line);
    joins[i] = word == "Join" ? 1 : 0;
    for (const NodeId input : plan.inputs(node.id)) joins[i] += joins[index(input)];
    if (!outputs[i]) {
      const bool is_semi = word == "Join" && (line.starts_with("Join LeftSemi") || line.starts_with("Join LeftAnti"));
      const auto inputs = plan.inputs(node.id);
      if (word == "Join" && inputs.size() == 2 && outputs[index(inputs[0])] && outputs[index(inputs[1])]) {
        outputs[i] = outputs[index(inputs[0])];
        if (!is_semi) {
          const Ids& right = *outputs[index(inputs[1])];
          outputs[i]->insert(outputs[i]->end(), right.begin(), right.end());
        }
      } else if (inputs.size() == 1 && word != "Aggregate" && word != "Window" && word != "Generate" &&
                 word != "Project" && word != "Expand") {
        outputs[i] = outputs[index(inputs[0])];
      }
    }
    const std::size_t at = line.rfind("Statistics(sizeInBytes=");
    if (at == std::string_view::npos || !outputs[i]) continue;
    const std::string_view printed = line.substr(at + 23);
    LogicalEstimate estimate;
    estimate.what = class_of_logical(word);
    estimate.ids = *outputs[i];
    std::sort(estimate.ids.begin(), estimate.ids.end());
    const auto bytes = parse_size(printed.substr(0, printed.find_first_of(",)")));
    estimate.is_unknown = bytes && *bytes >= kUnknownSize;
    if (bytes && !estimate.is_unknown) estimate.bytes = bytes;
    estimate.rows = number_after(printed, "rowCount=");
    estimate.joins = joins[i];
    estimates.push_back(std::move(estimate));
  }
  std::reverse(estimates.begin(), estimates.end());
  return estimates;
}

const LogicalEstimate* estimate_of(const std::vector<LogicalEstimate>& estimates, const PlanTree& plan, NodeId id) {
  if (estimates.empty()) return nullptr;
  const LogicalClass what = class_of(plan.node(id).kind);
  if (what == LogicalClass::Other) return nullptr;
  auto ids = output_ids(plan, id);
  if (!ids) return nullptr;
  std::sort(ids->begin(), ids->end());
  std::optional<std::uint32_t> joins;
  for (const LogicalEstimate& estimate : estimates) {
    if (estimate.what != what || estimate.ids != *ids) continue;
    if (!joins) joins = joins_below(plan, id);
    if (estimate.joins == *joins) return &estimate;
  }
  return nullptr;
}

std::optional<double> relation_bytes(const PlanDocument& document, std::string_view table) {
  if (document.logical_plans.empty()) return std::nullopt;
  std::optional<double> bytes;
  for (const PlanNode& node : document.logical_plans.back().nodes()) {
    std::string_view line = document.source->text(node.span);
    constexpr std::string_view kRelation = "Relation ";
    if (!line.starts_with(kRelation)) continue;
    line.remove_prefix(kRelation.size());
    const std::size_t at = line.rfind("Statistics(sizeInBytes=");
    if (line.substr(0, line.find('[')) != table || at == std::string_view::npos) continue;
    if (bytes) return std::nullopt;
    const std::string_view printed = line.substr(at + 23);
    bytes = parse_size(printed.substr(0, printed.find_first_of(",)")));
    if (bytes && *bytes >= kUnknownSize) bytes.reset();
  }
  return bytes;
}

std::string_view join_hint(const PlanDocument& document, std::uint64_t left_id, std::uint64_t right_id) {
  for (auto plan = document.logical_plans.rbegin(); plan != document.logical_plans.rend(); ++plan) {
    for (const PlanNode& node : plan->nodes()) {
      const std::string_view line = document.source->text(node.span);
      if (!line.starts_with("Join ") || !mentions(line, left_id) || !mentions(line, right_id)) continue;
      const std::size_t at = line.find("strategy=");
      if (at == std::string_view::npos) continue;
      const std::string_view value = line.substr(at + 9);
      return value.substr(0, value.find_first_of(",) "));
    }
  }
  return {};
}

}  // namespace planvet
