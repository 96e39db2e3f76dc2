#include "analyzer/facts/statistics.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "analyzer/plan/views.hpp"
#include "analyzer/plan/walk.hpp"

namespace planvet {
namespace {

// Rows written into the query itself (VALUES, createDataFrame of a list): nobody types more.
constexpr double kLiteralRows = 100;

std::optional<double> parse_number(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return std::nullopt;
  return number;
}

std::optional<double> number_of(const PlanTree& plan, NodeId id, AttributeKind kind) {
  const Attribute* attribute = plan.find(id, kind);
  return attribute == nullptr ? std::nullopt : parse_number(attribute->text);
}

// `Range (0, 8, step=1, splits=2)`
std::optional<double> rows_of_range(std::string_view text) {
  const std::size_t open = text.find('(');
  if (open != std::string_view::npos) text.remove_prefix(open + 1);
  const auto first = parse_number(text);
  const std::size_t comma = text.find(',');
  if (!first || comma == std::string_view::npos) return std::nullopt;
  const auto last = parse_number(text.substr(comma + 1));
  const std::size_t step_at = text.find("step=");
  const auto step =
      step_at == std::string_view::npos ? std::optional<double>(1) : parse_number(text.substr(step_at + 5));
  if (!last || !step || *step == 0) return std::nullopt;
  return std::max(0.0, std::ceil((*last - *first) / *step));
}

// Does a size stay an upper bound from the input to the output?
bool keeps_upper_bound(OperatorKind kind) {
  switch (family(kind)) {
    case OperatorFamily::Filter:
    case OperatorFamily::Project:
    case OperatorFamily::Limit:
    case OperatorFamily::Aggregate:
    case OperatorFamily::Sort:
    case OperatorFamily::Exchange: return true;
    default: return is_structural(kind);
  }
}

// Does less come out than went in, in rows or in bytes?
bool may_shrink(OperatorKind kind, bool in_bytes) {
  const OperatorFamily what = family(kind);
  return what == OperatorFamily::Filter || what == OperatorFamily::Limit || what == OperatorFamily::Aggregate ||
         (in_bytes && what == OperatorFamily::Project);
}

// A native engine below: what its stage prints are compressed bytes.
bool is_native_stage(const PlanTree& plan, NodeId stage) {
  const NodeId exchange = below_structure(plan, stage);
  return exchange != kNoNode && plan.node(exchange).engine != Engine::Spark;
}

bool has_filters(const PlanTree& plan, NodeId scan) {
  for (const AttributeKind kind :
       {AttributeKind::PushedFilters, AttributeKind::PartitionFilters, AttributeKind::DataFilters,
        AttributeKind::ScanFilters, AttributeKind::RuntimeFilters}) {
    const Attribute* filters = plan.find(scan, kind);
    if (filters != nullptr && filters->text != "[]" && !filters->text.empty()) return true;
  }
  return false;
}

}  // namespace

const std::vector<LogicalEstimate>& Statistics::estimates() const {
  if (!estimates_) estimates_ = logical_estimates(document_);
  return *estimates_;
}

const Measured* Statistics::measured() const {
  if (!is_measured_looked_for_) {
    is_measured_looked_for_ = true;
    const bool is_judged = !document_.fragments.empty() && &document_.fragments.front().tree == &plan_;
    if (document_.metrics != nullptr && is_judged) measured_.emplace(*document_.metrics, plan_);
  }
  return measured_ ? &*measured_ : nullptr;
}

bool Statistics::is_unknown_to_spark(NodeId id) const {
  const NodeId at = below_structure(plan_, id);
  if (at == kNoNode) return false;
  const LogicalEstimate* estimate = estimate_of(estimates(), plan_, at);
  return estimate != nullptr && estimate->is_unknown;
}

std::optional<double> Statistics::estimated_bytes(NodeId id) const {
  for (NodeId at = id; at != kNoNode; at = plan_.input(at)) {
    const OperatorFamily what = family(plan_.node(at).kind);
    if (const LogicalEstimate* estimate = estimate_of(estimates(), plan_, at)) return estimate->bytes;
    if (what != OperatorFamily::Sort && what != OperatorFamily::Exchange && !is_structural(plan_.node(at).kind)) break;
  }
  return std::nullopt;
}

std::optional<Quantity> Statistics::known(NodeId id, What what) const {
  if (const Measured* const log = measured()) {
    const auto found = what == What::Bytes ? log->bytes_out(id) : log->rows_out(id);
    // A part of it is no answer, and what was expected of all of it is none any more.
    if (found) return found->is_at_most ? found : std::nullopt;
  }
  std::optional<Quantity> estimated;
  bool is_filtered = false;  // something above the place where the number stands lets fewer rows or columns through
  for (NodeId at = id; at != kNoNode;) {
    const PlanNode& node = plan_.node(at);
    if (node.kind == OperatorKind::ReusedExchange) {
      if (node.reuses == kNoNode || node.reuses >= at) break;
      at = node.reuses;
      continue;
    }
    if (family(node.kind) == OperatorFamily::QueryStage) {
      const bool has_bytes = node.kind != OperatorKind::BroadcastQueryStage && !is_native_stage(plan_, at);
      const auto bytes = plan_.find(at, AttributeKind::StatisticsSize);
      if (what == What::Bytes && has_bytes && bytes != nullptr) {
        const auto value = parse_size(bytes->text);
        if (value && *value < kUnknownSize) return Quantity{*value, EvidenceSource::Runtime, true, !is_filtered};
      }
      if (what == What::Rows) {
        if (const auto value = number_of(plan_, at, AttributeKind::StatisticsRows)) {
          return Quantity{*value, EvidenceSource::Runtime, true, !is_filtered};
        }
      }
    }
    if (!estimated) {
      if (const LogicalEstimate* estimate = estimate_of(estimates(), plan_, at)) {
        const auto value = what == What::Bytes ? estimate->bytes : estimate->rows;
        if (value) estimated = Quantity{*value, EvidenceSource::Estimated, true, !is_filtered};
      }
    }
    if (const auto scan = Scan::of(plan_, at)) {
      const TableFact* table = facts_.table(scan->table());
      if (estimated || table == nullptr) break;
      const auto value = what == What::Bytes ? table->size_bytes : table->rows;
      if (value) return Quantity{*value, EvidenceSource::Declared, true, !is_filtered && !has_filters(plan_, at)};
      break;
    }
    if (!keeps_upper_bound(node.kind)) break;
    is_filtered = is_filtered || may_shrink(node.kind, what == What::Bytes);
    at = plan_.input(at);
  }
  return estimated;
}

std::optional<Quantity> Statistics::bytes(NodeId id) const { return known(id, What::Bytes); }

std::optional<Quantity> Statistics::rows(NodeId id) const { return known(id, What::Rows); }

std::optional<TableBytes> Statistics::table_bytes(NodeId scan) const {
  if (const Measured* const log = measured()) {
    const auto what = Scan::of(plan_, scan);
    const bool counts_pages = !what || what->source() != ScanSource::Parquet || !facts_.is_at_least(4, 0);
    const auto read = log->scan_bytes(scan, counts_pages);
    if (read && !read->is_at_most) return std::nullopt;
    if (read) return TableBytes{*read, 1};
  }
  auto ids = output_ids(plan_, scan);
  if (ids && !ids->empty()) {
    std::sort(ids->begin(), ids->end());
    // The relation stands deepest of all that put out these columns.
    for (auto estimate = estimates().rbegin(); estimate != estimates().rend(); ++estimate) {
      if (estimate->what != LogicalClass::Rows) continue;
      if (!std::includes(estimate->ids.begin(), estimate->ids.end(), ids->begin(), ids->end())) continue;
      if (!estimate->bytes) break;
      return TableBytes{{*estimate->bytes, EvidenceSource::Estimated, true, true},
                        static_cast<double>(ids->size()) / static_cast<double>(estimate->ids.size())};
    }
  }
  const auto view = Scan::of(plan_, scan);
  if (!view || view->table().empty()) return std::nullopt;
  if (const auto bytes = relation_bytes(document_, view->table())) {
    return TableBytes{{*bytes, EvidenceSource::Estimated, true, true}, 1};
  }
  const TableFact* table = facts_.table(view->table());
  if (table == nullptr || !table->size_bytes) return std::nullopt;
  return TableBytes{{*table->size_bytes, EvidenceSource::Declared, true, true}, 1};
}

std::optional<Quantity> Statistics::max_rows(NodeId id) const {
  if (bounds_.empty()) find_bounds();
  return bounds_[index(id)];
}

// The rows that something says of this very operator.
std::optional<Quantity> Statistics::rows_said_of(NodeId id) const {
  if (const Measured* const log = measured()) {
    const auto rows = log->rows(id);
    if (rows && rows->is_at_most) return rows;
  }
  const OperatorFamily what = family(plan_.node(id).kind);
  if (what == OperatorFamily::QueryStage) {
    const auto rows = number_of(plan_, id, AttributeKind::StatisticsRows);
    if (rows) return Quantity{*rows, EvidenceSource::Runtime, true, true};
  }
  if (what == OperatorFamily::Scan) {
    const auto scan = Scan::of(plan_, id);
    const TableFact* table = scan ? facts_.table(scan->table()) : nullptr;
    if (table != nullptr && table->rows) return Quantity{*table->rows, EvidenceSource::Declared, true, false};
  }
  const LogicalEstimate* estimate = estimate_of(estimates(), plan_, id);
  if (estimate != nullptr && estimate->rows) return Quantity{*estimate->rows, EvidenceSource::Estimated, true, true};
  return std::nullopt;
}

void Statistics::find_bounds() const {
  bounds_.assign(plan_.size(), std::nullopt);
  const auto bound_of = [&](NodeId id) { return id == kNoNode ? std::optional<Quantity>{} : bounds_[index(id)]; };
  const auto at_most = [](double rows, EvidenceSource source = EvidenceSource::Plan) {
    return Quantity{rows, source, true, false};
  };
  // Inputs stand behind their parents in the arena, so one pass from its end knows them all.
  for (std::size_t i = plan_.size(); i-- > 0;) {
    const PlanNode& node = plan_.nodes()[i];
    const NodeId id = node.id;
    std::optional<Quantity>& bound = bounds_[i];
    switch (family(node.kind)) {
      case OperatorFamily::Local:
        if (node.kind == OperatorKind::EmptyRelation) bound = at_most(0);
        if (node.kind == OperatorKind::OneRowRelation) bound = at_most(1);
        if (node.kind == OperatorKind::LocalTableScan) bound = at_most(kLiteralRows);
        if (node.kind == OperatorKind::Range) {
          const Attribute* range = plan_.find(id, AttributeKind::Range);
          if (range == nullptr) range = plan_.find(id, AttributeKind::Arguments);
          if (const auto rows = range == nullptr ? std::nullopt : rows_of_range(range->text)) bound = at_most(*rows);
        }
        break;
      case OperatorFamily::Reuse:
        // Exchanges are reused by what stands further down: already known.
        if (node.reuses != kNoNode) bound = bound_of(node.reuses);
        break;
      case OperatorFamily::Aggregate: {
        const auto aggregate = Aggregate::of(plan_, id);
        bound = aggregate && aggregate->is_global() ? std::optional(at_most(1)) : bound_of(plan_.input(id));
        break;
      }
      case OperatorFamily::Limit: {
        bound = bound_of(plan_.input(id));
        const auto limit = number_of(plan_, id, AttributeKind::Limit);
        if (limit && *limit >= 0 && (!bound || *limit < bound->value)) bound = at_most(*limit);
        break;
      }
      case OperatorFamily::Join: {
        const auto join = Join::of(plan_, id);
        const auto left = bound_of(plan_.input(id, 0));
        const auto right = bound_of(plan_.input(id, 1));
        const JoinType type = join ? join->type() : JoinType::Unknown;
        if (type == JoinType::LeftSemi || type == JoinType::LeftAnti || type == JoinType::Existence ||
            type == JoinType::LeftSingle) {
          bound = left;
        } else if (left && right && type != JoinType::Unknown) {
          bound = Quantity{std::max({left->value * right->value, left->value, right->value}) +
                               (type == JoinType::FullOuter ? right->value : 0),
                           std::max(left->source, right->source), true, false};
        }
        break;
      }
      case OperatorFamily::Union: {
        double sum = 0;
        bool is_known = true;
        EvidenceSource source = EvidenceSource::Measured;
        for (const NodeId input : plan_.inputs(id)) {
          const auto rows = bound_of(input);
          is_known = is_known && rows.has_value();
          if (!rows) continue;
          sum += rows->value;
          source = std::max(source, rows->source);
        }
        if (is_known && node.kind == OperatorKind::Union) bound = at_most(sum, source);
        break;
      }
      case OperatorFamily::Project:
      case OperatorFamily::Filter:
      case OperatorFamily::Sort:
      case OperatorFamily::Window:
      case OperatorFamily::Exchange:
      case OperatorFamily::QueryStage:
      case OperatorFamily::ShuffleRead:
      case OperatorFamily::Adaptive:
      case OperatorFamily::Transition:
      case OperatorFamily::Structural:
      case OperatorFamily::Cache: bound = bound_of(plan_.input(id)); break;
      case OperatorFamily::Python:
        if (node.kind == OperatorKind::BatchEvalPython || node.kind == OperatorKind::ArrowEvalPython) {
          bound = bound_of(plan_.input(id));
        }
        break;
      default: break;
    }
    const auto counted = rows_said_of(id);
    if (counted && (!bound || counted->value < bound->value)) bound = counted;
  }
}

}  // namespace planvet
