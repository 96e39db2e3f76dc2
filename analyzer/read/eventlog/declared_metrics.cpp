#include "analyzer/read/eventlog/declared_metrics.hpp"

#include <functional>

namespace planvet::read::eventlog {

std::shared_ptr<const metrics::Metric> KnownMetrics::find(std::string_view name, std::string_view type) {
  std::shared_ptr<const metrics::Metric>& known = metrics_[std::hash<std::string_view>()(name) % metrics_.size()];
  if (known == nullptr || known->name != name || known->type_name != type) {
    known = std::make_shared<const metrics::Metric>(metrics::make_metric(name, type));
  }
  return known;
}

void DeclaredMetrics::add(const std::vector<MetricDeclaration>& declarations, DeclaredBy by, KnownMetrics& known) {
  if (metrics_.empty()) metrics_.reserve(declarations.size());
  for (const MetricDeclaration& declaration : declarations) {
    const auto [number, is_new] = index_.insert(declaration.accumulator, static_cast<std::uint32_t>(metrics_.size()));
    if (is_new) {
      metrics_.push_back({declaration.accumulator, known.find(declaration.name, declaration.type), by});
    } else if (by == DeclaredBy::Plan) {
      metrics_[number].by = by;
    }
  }
}

}  // namespace planvet::read::eventlog
