// Lines of a small event log, for tests of what real logs seldom hold: retried stages, speculation, lost events.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace planvet::test {

// One log under construction; each call adds a line. One query with one operator, whose metrics have the accumulators
// 1 ("number of output rows", sum) and 2 ("sort time", timing).
class EventLines {
 public:
  EventLines();  // with LogStart
  EventLines& execution_start(int execution, std::string_view plan = {});
  EventLines& adaptive_update(int execution, std::string_view plan);
  EventLines& execution_end(int execution);
  // The stages have `tasks` tasks each; stage n computes RDD 100 + n, unless `rdd` says otherwise.
  EventLines& job_start(int job, int execution, const std::vector<int>& stages, int tasks, int rdd = -1);
  EventLines& job_end(int job);
  EventLines& stage_submitted(int stage, int attempt, int tasks);
  EventLines& stage_completed(int stage, int attempt, int tasks, std::string_view failure = {});
  struct Task {
    int stage = 0;
    int attempt = 0;
    int task = 0;
    int index = 0;
    int partition = -1;  // -1: as the index
    long rows = 0;
    long time = 0;
    std::string_view reason = "Success";
  };
  EventLines& task(const Task& task);  // its start and its end
  EventLines& task_start(int stage, int attempt);
  EventLines& driver_update(int execution, int accumulator, long value);
  EventLines& line(std::string_view text);

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// A sparkPlanInfo of one node with two metrics.
[[nodiscard]] std::string sort_plan(int rows_accumulator, int time_accumulator);

}  // namespace planvet::test
