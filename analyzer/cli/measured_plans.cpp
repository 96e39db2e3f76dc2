#include "analyzer/cli/measured_plans.hpp"

#include <memory>
#include <utility>

#include "analyzer/cli/pipeline.hpp"
#include "analyzer/compare/measured_plan.hpp"
#include "analyzer/metrics/overlay.hpp"

namespace planvet::cli {

MetricsResult add_metrics(std::vector<PlanDocument>& plans, const io::InputFiles& metrics, const InputOptions& options,
                          std::istream& standard_input, io::ReadWatch* watch) {
  MetricsResult result;
  std::vector<std::pair<PlanDocument*, compare::MetricsSearch>> searches;
  for (PlanDocument& plan : plans) {
    if (plan.metrics == nullptr && judged_fragment(plan) != nullptr)
      searches.emplace_back(&plan, compare::MetricsSearch(plan));
  }
  for (const io::InputFiles::Problem& problem : metrics.problems)
    result.errors.push_back(problem.path + ": " + problem.message);
  for (const io::InputFile& file : metrics.files) {
    const Reading reading = read_documents(
        file, options, standard_input,
        [&](PlanDocument&& document) {
          const auto measured = std::make_shared<const PlanDocument>(std::move(document));
          for (auto& [plan, search] : searches) search.offer(measured);
        },
        watch);
    if (!reading.error.empty() && !reading.is_skipped) result.errors.push_back(reading.path + ": " + reading.error);
  }
  for (auto& [plan, search] : searches) {
    const std::string title = plan->title.empty() ? std::string() : plan->title + ": ";
    result.remarks.push_back(title + search.describe());
    if (!search.found()) {
      result.all_found = false;
      continue;
    }
    const PlanDocument& query = *search.found()->query;
    plan->metrics = search.found()->metrics;
    plan->execution_id = query.execution_id;
    if (!plan->spark_version) plan->spark_version = query.spark_version;
    if (plan->title.empty()) plan->title = query.title;
  }
  return result;
}

}  // namespace planvet::cli
