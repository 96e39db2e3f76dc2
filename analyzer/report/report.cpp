#include "analyzer/report/report.hpp"

#include <memory>
#include <utility>

namespace planvet {

namespace {

// Frees the memory too, which clear() does not.
template <typename Container>
void release(Container& container) {
  Container().swap(container);
}

bool has_places(const DocumentReport& report) {
  return !report.findings.empty() || !report.notes.empty() || !report.allow_problems.empty() ||
         !report.cache_reads.empty();
}

}  // namespace

void release_plans(DocumentReport& report) {
  PlanDocument& document = report.document;
  release(document.fragments);
  release(document.logical_plans);
  release(document.optimized_out);
  release(document.explanations);  // views into the source
  release(document.notes);         // the report has them
  document.metrics.reset();
  release(document.conf);  // of a log: all Spark properties, for each query
  if (has_places(report)) return;
  document.source =
      std::make_shared<const Source>(std::make_shared<const SourceBytes>(document.source->path(), std::string()));
}

}  // namespace planvet
