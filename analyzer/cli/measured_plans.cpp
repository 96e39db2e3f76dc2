#include "analyzer/cli/measured_plans.hpp"

#include <memory>
#include <utility>

#include "analyzer/cli/pipeline.hpp"
#include "analyzer/compare/measured_plan.hpp"
#include "analyzer/metrics/overlay.hpp"

namespace planvet::cli {

std::vector<std::string> add_metrics(std::span<WaitingPlan* const> plans, const io::InputFiles& metrics,
                                     const InputOptions& options, std::istream& standard_input, io::ReadWatch* watch) {
  std::vector<std::string> errors;
  std::vector<std::pair<WaitingPlan*, compare::MetricsSearch>> searches;
  for (WaitingPlan* const plan : plans) {
    if (plan->document.metrics == nullptr && judged_fragment(plan->document) != nullptr)
      searches.emplace_back(plan, compare::MetricsSearch(plan->document));
  }
  for (const io::InputFiles::Problem& problem : metrics.problems)
    errors.push_back(problem.path + ": " + problem.message);
  for (const io::InputFile& file : metrics.files) {
    const Reading reading = read_documents(
        file, options, standard_input,
        [&](PlanDocument&& document) {
          const auto measured = std::make_shared<const PlanDocument>(std::move(document));
          for (auto& [plan, search] : searches) search.offer(measured);
        },
        watch);
    if (!reading.error.empty() && !reading.is_skipped) errors.push_back(reading.path + ": " + reading.error);
  }
  for (auto& [waiting, search] : searches) {
    PlanDocument& plan = waiting->document;
    waiting->remark = (plan.title.empty() ? std::string() : plan.title + ": ") + search.describe();
    waiting->is_measured = search.found().has_value();
    if (!waiting->is_measured) continue;
    const PlanDocument& query = *search.found()->query;
    plan.metrics = search.found()->metrics;
    plan.execution_id = query.execution_id;
    if (!plan.spark_version) plan.spark_version = query.spark_version;
    if (plan.title.empty()) plan.title = query.title;
  }
  return errors;
}

}  // namespace planvet::cli
