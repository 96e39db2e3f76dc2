#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "analyzer/facts/facts.hpp"
#include "analyzer/plan/views.hpp"
#include "rules/computed_columns.hpp"
#include "rules/plan_context.hpp"
#include "rules/reporter.hpp"
#include "rules/rule.hpp"
#include "rules/wording.hpp"

namespace planvet::rules {
namespace {

constexpr std::string_view kBound = "`left_time BETWEEN right_time - INTERVAL 1 HOUR AND right_time`";

bool has_watermark(const PlanContext& context, NodeId below) {
  if (below == kNoNode) return false;
  for (const PlanNode& node : context.operators_below(below)) {
    if (node.kind == OperatorKind::EventTimeWatermark || node.kind == OperatorKind::UpdateEventTimeWatermarkColumn) {
      return true;
    }
  }
  return false;
}

// What the keys of a state say of its size.
struct Keys {
  bool is_known = false;
  bool is_empty = false;
  bool has_watermark_column = false;  // `at#3-T600000ms`: Spark drops what the watermark has passed
  bool has_time = false;              // a window, a session, a timestamp
  bool is_bounded = true;             // every key has a few values only
  std::string names;
};

bool is_bounded_expression(const ExpressionTree& tree, ExpressionIndex root) {
  switch (tree.kind(root)) {
    case ExpressionKind::Not: return true;
    case ExpressionKind::Binary:
      return is_comparison(tree.op(root)) || tree.op(root) == ExpressionOperator::Modulo ||
             tree.op(root) == ExpressionOperator::And || tree.op(root) == ExpressionOperator::Or;
    case ExpressionKind::Call:
      for (const std::string_view function : {"hour", "minute", "second", "month", "quarter", "dayofweek", "weekday",
                                              "dayofmonth", "dayofyear", "weekofyear", "pmod", "isnull", "isnotnull"}) {
        if (tree.name(root) == function) return true;
      }
      return false;
    case ExpressionKind::Cast: return tree.name(root) == "boolean" || is_bounded_expression(tree, tree.child(root, 0));
    case ExpressionKind::Alias: return is_bounded_expression(tree, tree.child(root, 0));
    default: return false;
  }
}

bool is_time_type(std::string_view type) { return type.starts_with("timestamp") || type == "date"; }

Keys read_keys(const PlanContext& context, const ComputedColumns& columns, NodeId node) {
  Keys keys;
  const Attribute* list = context.plan().find(node, AttributeKind::GroupingKeys);
  if (list == nullptr || !list->is_whole()) return keys;
  keys.is_known = true;
  const ItemList items = split_list(list->text);
  keys.is_empty = items.items.empty();
  for (const std::string_view item : items.items) {
    const ExpressionTree tree = context.parse(item);
    if (tree.empty()) continue;
    const ExpressionIndex root = tree.root();
    const std::string name =
        tree.kind(root) == ExpressionKind::Attribute ? std::string(tree.name(root)) : plain(item, 40);
    keys.names += (keys.names.empty() ? "" : ", ") + name;
    if (tree.kind(root) != ExpressionKind::Attribute) {
      keys.is_bounded = keys.is_bounded && is_bounded_expression(tree, root);
      continue;
    }
    if (tree.watermark_delay_ms(root) >= 0) keys.has_watermark_column = true;
    const std::string_view behind = columns.expression_of(tree.expr_id(root));
    const bool is_window = name == "window" || name == "session_window" ||
                           behind.find("precisetimestampconversion") != std::string_view::npos;
    keys.has_time = keys.has_time || is_window || is_time_type(columns.type_of(tree, root));
    const ExpressionTree computed = behind.empty() ? ExpressionTree{} : context.parse(behind);
    const bool is_few = (!computed.empty() && is_bounded_expression(computed, computed.root())) ||
                        columns.type_of(tree, root) == "boolean";
    keys.is_bounded = keys.is_bounded && is_few;
  }
  return keys;
}

// The column that a watermark stands on, or could: a timestamp of the source, the one inside of the window.
std::string time_column(const PlanContext& context, NodeId node) {
  for (const PlanNode& below : context.operators_below(node)) {
    if (below.kind != OperatorKind::EventTimeWatermark) continue;
    const Attribute* column = context.plan().find(below.id, AttributeKind::EventTime);
    if (column == nullptr) column = context.plan().find(below.id, AttributeKind::Arguments);
    const std::string_view name =
        column == nullptr ? std::string_view{} : column->text.substr(0, column->text.find('#'));
    if (!name.empty() && sql_column(name) == name) return std::string(name);
  }
  for (const PlanNode& below : context.operators_below(node)) {
    const auto scan = Scan::of(context.plan(), below.id);
    const auto schema = scan ? scan->read_schema() : std::nullopt;
    if (!schema) continue;
    for (const SchemaField& field : *schema) {
      if (field.type == "timestamp") return std::string(field.name);
    }
  }
  for (const PlanNode& below : context.operators_below(node)) {
    for (const Attribute& attribute : context.plan().attributes(below.id)) {
      constexpr std::string_view kCall = "precisetimestampconversion(";
      std::size_t at = attribute.text.rfind(kCall);
      if (at == std::string_view::npos) continue;
      at += kCall.size();
      const std::string_view rest = attribute.text.substr(at);
      const std::string_view name = rest.substr(0, rest.find('#'));
      if (sql_column(name) == name) return std::string(name);
    }
  }
  return {};
}

std::string time_name(const PlanContext& context, NodeId node) {
  const std::string column = time_column(context, node);
  return column.empty() ? "event_time" : column;
}

std::string watermark_call(const PlanContext& context, NodeId node) {
  return fmt::format("withWatermark(\"{}\", \"10 minutes\")", time_name(context, node));
}

// For a Python string.
std::string first_key(const Keys& keys) {
  const std::string name = keys.names.substr(0, keys.names.find(", "));
  return name.find_first_of("\"\\\n") == std::string::npos ? name : std::string("key");
}

void report(const PlanContext& context, Reporter& reporter, const PlanNode& node, Severity severity,
            std::string message, std::string fix, std::string_view reason) {
  const Measured* const log = context.statistics().measured();
  std::vector<Evidence> evidence;
  if (log != nullptr) {
    // What a run says of the state behind its batch.
    if (const auto rows = log->total(node.id, metrics::MetricKey::StateRows)) {
      message += fmt::format(" ({} rows by now", count_text(*rows));
      evidence.push_back({"state", *rows, "rows", EvidenceSource::Measured});
      if (const auto memory = log->total(node.id, metrics::MetricKey::StateMemory)) {
        message += fmt::format(", {} of memory", format_size(*memory));
        evidence.push_back({"memory of the state", *memory, "bytes", EvidenceSource::Measured});
      }
      message += ")";
    }
  }
  Finding& finding = reporter.report(node, severity, std::move(message));
  finding.fix = std::move(fix);
  finding.reasons.emplace_back(reason);
  finding.evidence = std::move(evidence);
}

void check_aggregate(const PlanContext& context, const ComputedColumns& columns, const PlanNode& node,
                     Reporter& reporter) {
  const Keys keys = read_keys(context, columns, node.id);
  const bool is_session = node.kind == OperatorKind::SessionWindowStateStoreSave;
  if (!keys.is_known || keys.has_watermark_column) return;
  if (!is_session && (keys.is_empty || keys.is_bounded)) return;
  const bool is_watermarked = has_watermark(context, node.id);
  if (is_session && is_watermarked) return;  // a session is always over the watermark's column, where there is one
  if (is_session || keys.has_time) {
    report(context, reporter, node, Severity::Warning,
           fmt::format("the state of the groups by {} grows for ever: {}",
                       is_session ? "session" + (keys.names.empty() ? "" : ", " + keys.names) : keys.names,
                       is_watermarked ? "its time is not the column of the watermark"
                                      : "without a watermark no window is ever complete"),
           is_watermarked ? std::string("group by a window of the column of the watermark")
                          : fmt::format("`events.{}` before the groupBy()", watermark_call(context, node.id)),
           is_watermarked ? "no-time-key" : "no-watermark");
    return;
  }
  report(context, reporter, node, Severity::Info,
         fmt::format("the state keeps a row for every {} that was ever seen: no key is a time", keys.names),
         fmt::format("`events{}.groupBy(window(\"{}\", \"1 hour\"), \"{}\")`",
                     is_watermarked ? "" : "." + watermark_call(context, node.id), time_name(context, node.id),
                     first_key(keys)),
         "no-time-key");
}

void check_deduplication(const PlanContext& context, const ComputedColumns& columns, const PlanNode& node,
                         Reporter& reporter) {
  const Keys keys = read_keys(context, columns, node.id);
  if (!keys.is_known || keys.has_watermark_column || keys.is_bounded) return;
  const bool is_watermarked = has_watermark(context, node.id);
  const std::string watermark = is_watermarked ? "" : "." + watermark_call(context, node.id);
  std::string fix = fmt::format(
      "`events{}.dropDuplicatesWithinWatermark([\"{}\"])`, or the column of the watermark among "
      "the keys",
      watermark, first_key(keys));
  if (context.facts().is_before(3, 5)) {
    fix = is_watermarked ? "put the column of the watermark among the keys of dropDuplicates()"
                         : fmt::format("`events{}`, and its column among the keys of dropDuplicates()", watermark);
  }
  report(context, reporter, node, Severity::Warning,
         fmt::format("dropDuplicates() remembers every {} for ever: {}", keys.names,
                     is_watermarked ? "the column of the watermark is not among its keys" : "there is no watermark"),
         std::move(fix), is_watermarked ? "no-time-key" : "no-watermark");
}

bool has_watermark_column(const PlanContext& context, const ItemList& keys) {
  return std::any_of(keys.items.begin(), keys.items.end(), [&](std::string_view key) {
    const ExpressionTree tree = context.parse(key);
    bool is_found = false;
    tree.for_each_attribute(tree.root(),
                            [&](ExpressionIndex at) { is_found = is_found || tree.watermark_delay_ms(at) >= 0; });
    return is_found;
  });
}

void check_join(const PlanContext& context, const PlanNode& node, Reporter& reporter) {
  const auto join = Join::of(context.plan(), node.id);
  if (!join) return;
  for (const Side side : {Side::Left, Side::Right}) {
    if (has_watermark(context, join->input(side))) continue;
    const bool is_other_watermarked = has_watermark(context, join->input(other(side)));
    report(
        context, reporter, node, Severity::Warning,
        fmt::format("the join keeps every row of both streams for ever: {}",
                    is_other_watermarked ? fmt::format("the {} one has no watermark", name(side))
                                         : std::string("there is no watermark")),
        fmt::format("`{}.{}`{}, and a time bound in the condition: {}",
                    is_other_watermarked ? name(side) : std::string_view("stream"),
                    watermark_call(context, join->input(side)), is_other_watermarked ? "" : " on both streams", kBound),
        "no-watermark");
    return;
  }
  if (has_watermark_column(context, join->left_keys()) && has_watermark_column(context, join->right_keys())) return;
  const Attribute* condition = context.plan().find(node.id, AttributeKind::StreamingCondition);
  if (condition == nullptr || !condition->is_whole()) return;
  const std::size_t both = condition->text.find("both = ");
  if (both == std::string_view::npos) return;
  std::string_view text = condition->text.substr(both);
  text = text.substr(0, text.find(", full = "));
  const std::size_t first = text.find("-T");
  const bool has_bound = first != std::string_view::npos && text.find("-T", first + 2) != std::string_view::npos &&
                         text.find_first_of("<>") != std::string_view::npos;
  if (has_bound) return;
  report(context, reporter, node, Severity::Warning,
         "the join keeps every row of both streams for ever: no condition bounds the time between two rows",
         fmt::format("add a bound on the watermarks' columns to the condition: {}", kBound), "no-time-bound");
}

void check_group_state(const PlanContext& context, const PlanNode& node, Reporter& reporter) {
  bool has_no_timeout = false;
  for (const Attribute& attribute : context.plan().attributes(node.id)) {
    has_no_timeout = has_no_timeout || attribute.text.find("NoTimeout") != std::string_view::npos;
  }
  if (!has_no_timeout) return;
  report(context, reporter, node, Severity::Info,
         "the state of a group is kept until the function removes it: it has no timeout (NoTimeout)",
         "use GroupStateTimeout.ProcessingTimeTimeout with `state.setTimeoutDuration(3600000)`, or `state.remove()` "
         "when a "
         "group is done",
         "no-timeout");
}

// A micro-batch is two queries of a log with one plan: the first has no jobs, the second is a part of it and does the work.
bool is_outer_half(const PlanContext& context) {
  const Measured* const log = context.statistics().measured();
  return log != nullptr && context.document().input == InputKind::EventLog && log->run().jobs.empty();
}

void check(const PlanContext& context, Reporter& reporter) {
  if (is_outer_half(context)) return;
  std::optional<ComputedColumns> columns;
  const auto known_columns = [&]() -> const ComputedColumns& {
    if (!columns) columns.emplace(context);
    return *columns;
  };
  for (const PlanNode& node : context.operators()) {
    switch (node.kind) {
      case OperatorKind::StateStoreSave:
      case OperatorKind::SessionWindowStateStoreSave: check_aggregate(context, known_columns(), node, reporter); break;
      case OperatorKind::StreamingDeduplicate: check_deduplication(context, known_columns(), node, reporter); break;
      case OperatorKind::StreamingSymmetricHashJoin: check_join(context, node, reporter); break;
      case OperatorKind::FlatMapGroupsWithState:
      case OperatorKind::FlatMapGroupsInPandasWithState: check_group_state(context, node, reporter); break;
      default: break;
    }
  }
}

}  // namespace

extern constinit const Rule kUnboundedState{
    .info =
        {.code = "PV410",
         .name = "unbounded-state",
         .severity = Severity::Warning,
         .summary = "The state of a stream is never cleaned up.",
         .why =
             "A stream keeps what it may need again. Only a watermark on event time lets Spark forget: without one, or "
             "where its column is neither a key nor bounded in a join, state grows with every row until checkpoints "
             "take "
             "longer than batches and executors run out of memory.",
         .fix =
             "Set withWatermark() on the event time before the stateful step, group by a window of it or add it to the "
             "keys, and bound the time between both sides of a join.",
         .bad = R"(== Physical Plan ==
StreamingDeduplicate [id#1L], state info [ checkpoint = <unknown>, runId = 6f1572e9-cc47-412a-85ed-657dda44993c, opId = 0, ver = 0, numPartitions = 3], 0, 0
+- Exchange hashpartitioning(id#1L, 3), REQUIRED_BY_STATEFUL_OPERATOR, [plan_id=20]
   +- StreamingRelation FileSource[/lake/events], [id#1L, page#2, at#3]
)",
         .good = R"(== Physical Plan ==
StreamingDeduplicate [id#1L, at#3-T600000ms], state info [ checkpoint = <unknown>, runId = 6f1572e9-cc47-412a-85ed-657dda44993c, opId = 0, ver = 0, numPartitions = 3], 0, 0
+- Exchange hashpartitioning(id#1L, at#3-T600000ms, 3), REQUIRED_BY_STATEFUL_OPERATOR, [plan_id=20]
   +- EventTimeWatermark at#3: timestamp, 10 minutes
      +- StreamingRelation FileSource[/lake/events], [id#1L, page#2, at#3]
)",
         .limits =
             "Groups by keys that are no times are info: they may be few. State of functions is info without a "
             "timeout, "
             "since the function may remove it; transformWithState is silent. The watermark numbers that a plan prints "
             "prove nothing before 4.2."},
    .check = check};

}  // namespace planvet::rules
