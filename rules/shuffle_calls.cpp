#include "rules/shuffle_calls.hpp"

#include <fmt/core.h>

#include "analyzer/plan/expression_list.hpp"
#include "analyzer/plan/walk.hpp"
#include "rules/wording.hpp"

namespace planvet::rules {
namespace {

constexpr struct {
  std::string_view beginning;
  PartitioningKind kind;
} kKinds[] = {{"SinglePartition", PartitioningKind::Single},
              {"hashpartitioning(", PartitioningKind::Hash},
              {"rangepartitioning(", PartitioningKind::Range},
              {"RoundRobinPartitioning(", PartitioningKind::RoundRobin}};

bool take_end(std::string_view& text, std::string_view end) {
  if (!text.ends_with(end)) return false;
  text.remove_suffix(end.size());
  return true;
}

std::string call(std::string_view method, std::string_view number, const std::string& columns) {
  const std::string_view between = number.empty() || columns.empty() ? "" : ", ";
  return fmt::format(".{}({}{}{})", method, number, between, columns);
}

std::string call_of(const Exchange& exchange, bool has_number) {
  const Partitioning what = partitioning_of(exchange);
  const std::string number = has_number && what.count ? fmt::format("{}", *what.count) : std::string();
  const bool is_by_columns = what.kind == PartitioningKind::Hash || what.kind == PartitioningKind::Range;
  const std::string columns = is_by_columns ? python_columns(what.keys) : std::string();
  if (is_by_columns && columns.empty()) return {};
  switch (what.kind) {
    case PartitioningKind::Single: return has_number ? ".repartition(1)" : std::string();
    case PartitioningKind::RoundRobin: return has_number ? call("repartition", number, {}) : ".hint(\"rebalance\")";
    case PartitioningKind::Hash: return call("repartition", number, columns);
    case PartitioningKind::Range: return call("repartitionByRange", number, columns);
    case PartitioningKind::Other: break;
  }
  return {};
}

// Where the stage ran its statistics stand above the exchange, on the stage.
NodeId measured_place(const PlanTree& plan, NodeId exchange) {
  const NodeId parent = plan.node(exchange).parent;
  const bool is_stage = parent != kNoNode && plan.node(parent).kind == OperatorKind::ShuffleQueryStage;
  return is_stage ? parent : exchange;
}

}  // namespace

Partitioning partitioning_of(const Exchange& exchange) {
  Partitioning result;
  std::string_view text = exchange.partitioning();
  for (const auto& row : kKinds) {
    if (!text.starts_with(row.beginning)) continue;
    result.kind = row.kind;
    text.remove_prefix(row.beginning.size());
    break;
  }
  result.count = exchange.partitions();
  if (result.kind != PartitioningKind::Hash && result.kind != PartitioningKind::Range) return result;
  if (text.ends_with(')')) text.remove_suffix(1);
  ItemList list = split_list(text);
  if (list.is_truncated || !list.is_balanced) {
    result.kind = PartitioningKind::Other;
    return result;
  }
  if (!list.items.empty() && result.count) list.items.pop_back();  // the number
  result.keys = std::move(list.items);
  return result;
}

std::string repartition_call(const Exchange& exchange) {
  return call_of(exchange, exchange.origin_text().find("BY_NUM") != std::string_view::npos);
}

std::string adaptive_call(const Exchange& exchange) { return call_of(exchange, false); }

std::string python_columns(const std::vector<std::string_view>& keys) {
  std::string columns;
  for (std::string_view key : keys) {
    const bool has_order = take_end(key, " NULLS FIRST") || take_end(key, " NULLS LAST");
    const bool is_descending = has_order && take_end(key, " DESC");
    if (has_order && !is_descending) take_end(key, " ASC");
    const AttributeText column = read_attribute_text(key);
    if (column.expr_id == kNoExprId || sql_column(column.name) != column.name) return {};
    columns += fmt::format("{}{}\"{}\"{}", columns.empty() ? "" : ", ", is_descending ? "F.desc(" : "", column.name,
                           is_descending ? ")" : "");
  }
  return columns;
}

std::string partitioning_text(const Partitioning& partitioning) {
  switch (partitioning.kind) {
    case PartitioningKind::Single: return "into one partition";
    case PartitioningKind::RoundRobin: return "round robin";
    case PartitioningKind::Hash:
    case PartitioningKind::Range: {
      ItemList keys;
      keys.items = partitioning.keys;
      std::string text = "by " + plain_list(keys);
      for (const std::string_view order : {" ASC NULLS FIRST", " NULLS FIRST", " NULLS LAST"}) {
        for (std::size_t at = text.find(order); at != std::string::npos; at = text.find(order)) {
          text.erase(at, order.size());
        }
      }
      return text;
    }
    case PartitioningKind::Other: break;
  }
  return "anew";
}

std::string input_text(const PlanTree& plan, NodeId id) {
  const std::string_view table = only_table(plan, id);
  return table.empty() ? std::string("its input") : std::string(table);
}

std::optional<Quantity> shuffled_bytes(const PlanContext& context, NodeId exchange) {
  return context.statistics().bytes(measured_place(context.plan(), exchange));
}

std::optional<Quantity> shuffled_rows(const PlanContext& context, NodeId exchange) {
  return context.statistics().rows(measured_place(context.plan(), exchange));
}

bool is_known_small(const PlanContext& context, NodeId id, SmallSize limit) {
  if (id == kNoNode) return false;
  const Statistics& known = context.statistics();
  const auto bound = known.max_rows(id);
  if (bound && bound->value <= limit.rows) return true;
  const NodeId place = measured_place(context.plan(), id);
  const auto rows = known.rows(place);
  if (rows && rows->is_at_most && rows->value <= limit.rows) return true;
  const auto bytes = known.bytes(place);
  return bytes && bytes->is_at_most && bytes->value <= limit.bytes;
}

}  // namespace planvet::rules
