#include "analyzer/metrics/trust.hpp"

namespace planvet::metrics {

std::string_view name(Doubt doubt) {
  switch (doubt) {
    case Doubt::RetriedTasks: return "retried-tasks";
    case Doubt::SpeculativeTasks: return "speculative-tasks";
    case Doubt::LostEvents: return "lost-events";
    case Doubt::IncompleteLog: return "incomplete-log";
    case Doubt::SupersededPlan: return "superseded-plan";
    case Doubt::CompactedLog: return "compacted-log";
    case Doubt::Rounded: return "rounded";
  }
  return "incomplete-log";
}

std::vector<Doubt> Trust::doubts() const {
  std::vector<Doubt> found;
  for (const Doubt doubt : {Doubt::RetriedTasks, Doubt::SpeculativeTasks, Doubt::LostEvents, Doubt::IncompleteLog,
                            Doubt::SupersededPlan, Doubt::CompactedLog, Doubt::Rounded}) {
    if (has(doubt)) found.push_back(doubt);
  }
  return found;
}

}  // namespace planvet::metrics
