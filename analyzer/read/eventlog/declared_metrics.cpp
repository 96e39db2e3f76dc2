#include "analyzer/read/eventlog/declared_metrics.hpp"

namespace planvet::read::eventlog {

void DeclaredMetrics::add(const MetricDeclaration& declaration, DeclaredBy by) {
  const auto [number, is_new] = index_.insert(declaration.accumulator, static_cast<std::uint32_t>(metrics_.size()));
  if (is_new) {
    metrics_.push_back({declaration.accumulator, metrics::make_metric(declaration.name, declaration.type), by});
  } else if (by == DeclaredBy::Plan) {
    metrics_[number].by = by;
  }
}

}  // namespace planvet::read::eventlog
