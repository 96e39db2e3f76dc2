// Events in any order and of any content, through the fold: no crash, no hang; what comes out fits together.
//
// Each step takes a byte for the kind of event and some for its numbers: small ones, which meet each other, and a few that
// no log should hold.
#include <array>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "analyzer/metrics/overlay.hpp"
#include "analyzer/read/eventlog/execution_document.hpp"
#include "analyzer/read/eventlog/fold.hpp"
#include "analyzer/read/eventlog/measure.hpp"

namespace {

using namespace planvet;
using namespace planvet::read::eventlog;

class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}
  [[nodiscard]] bool empty() const { return at_ >= size_; }
  std::uint8_t next() { return empty() ? std::uint8_t{0} : data_[at_++]; }
  std::int32_t small() { return next() % 6; }
  std::int64_t number() {
    constexpr std::array<std::int64_t, 6> kOdd{-1,
                                               std::numeric_limits<std::int64_t>::max(),
                                               std::numeric_limits<std::int64_t>::min(),
                                               std::int64_t{1} << 32U,
                                               std::numeric_limits<std::int32_t>::max(),
                                               0};
    const std::uint8_t byte = next();
    return byte < kOdd.size() ? kOdd[byte] : byte;
  }

 private:
  const std::uint8_t* data_;
  std::size_t size_;
  std::size_t at_ = 0;
};

StageInfo stage_info(Bytes& bytes) {
  StageInfo info;
  info.stage = bytes.small();
  info.attempt = bytes.small() % 3;
  info.tasks = static_cast<std::int32_t>(bytes.number() & 0xFF) - 1;
  info.rdd = bytes.small() - 1;
  info.submission_time = bytes.number();
  if (bytes.next() % 2 == 0) info.completion_time = bytes.number();
  info.failure = bytes.next() % 4 == 0 ? "lost" : "";
  return info;
}

TaskEnd task_end(Bytes& bytes) {
  TaskEnd task;
  task.stage = bytes.small();
  task.attempt = bytes.small() % 3;
  task.task = bytes.small();
  task.index = bytes.small() - 1;
  task.partition = bytes.small() - 1;
  task.outcome = static_cast<TaskOutcome>(bytes.next() % 3);
  task.is_resubmitted = task.outcome == TaskOutcome::Failed && bytes.next() % 2 == 0;
  task.launch_time = bytes.number();
  task.finish_time = bytes.number();
  task.totals.run_time_ms = bytes.number();
  task.totals.local_bytes_read = bytes.number();
  for (int left = bytes.small(); left > 0; --left) task.updates.push_back({bytes.small(), bytes.number()});
  return task;
}

std::vector<MetricDeclaration> metrics_of_plan(int version) {
  return {{version, "number of output rows", "sum"}, {version + 1, "sort time", "timing"}, {3, "data size", "size"}};
}

std::string plan(int version) {
  const std::string id = std::to_string(version);
  const std::string next = std::to_string(version + 1);
  return R"({"nodeName":"Sort","simpleString":"Sort [a#1 ASC NULLS FIRST], true, 0","children":[],"metadata":{},"metrics":[)"
         R"({"name":"number of output rows","accumulatorId":)" +
         id + R"(,"metricType":"sum"},{"name":"sort time","accumulatorId":)" + next + R"(,"metricType":"timing"}]})";
}

void step(Bytes& bytes, Fold& fold) {
  switch (bytes.next() % 10) {
    case 0: {
      JobStart event;
      event.job = bytes.small();
      event.time = bytes.number();
      if (bytes.next() % 4 != 0) event.execution = bytes.small();
      for (int left = bytes.small(); left > 0; --left) event.stages.push_back(stage_info(bytes));
      for (const StageInfo& stage : event.stages) event.stage_ids.push_back(stage.stage);
      return fold.on(event);
    }
    case 1: return fold.on(JobEnd{bytes.small(), bytes.number(), true});
    case 2: return fold.on_stage_submitted(stage_info(bytes));
    case 3: return fold.on_stage_completed(stage_info(bytes));
    case 4: return fold.on(TaskStart{bytes.small(), bytes.small() % 3, bytes.number()});
    case 5: return fold.on(task_end(bytes));
    case 6: {
      const std::string text = plan(1);
      ExecutionStart event;
      event.execution = bytes.small();
      event.time = bytes.number();
      event.plan = text;
      return fold.on(event, metrics_of_plan(1));
    }
    case 7: {
      const int version = bytes.small();
      const std::string text = plan(version);
      return fold.on(AdaptiveUpdate{bytes.small(), text}, metrics_of_plan(version));
    }
    case 8: return fold.on(DriverUpdates{bytes.small(), {{bytes.small(), bytes.number()}}});
    default: return fold.on(ExecutionEnd{bytes.small(), bytes.number(), {}});
  }
}

void check(const Execution& execution, bool is_whole) {
  const Measurements measured = measure(execution);
  if (measured.rows.size() != execution.declared.size()) std::abort();
  const Summaries shown = shown_by_history_server(execution);
  for (std::size_t number = 0; number < measured.rows.size(); ++number) {
    if (measured.are_as_shown && measured.rows[number].has_value() != shown[number].has_value()) std::abort();
    if (!measured.rows[number]) continue;
    const metrics::Summary& summary = measured.rows[number]->summary;
    if (measured.are_as_shown && !(summary == *shown[number])) std::abort();
    if (summary.values > 0 && (summary.min > summary.median || summary.median > summary.max)) std::abort();
  }
  PlanEventParser parser;
  const LogFacts facts;
  const PlanDocument document = make_document(execution, is_whole, facts, parser);
  if (document.metrics == nullptr) std::abort();
  for (const metrics::StageRun& run : document.metrics->run.stages) {
    const metrics::Quantiles& delay = run.quantiles.scheduler_delay_ms;
    if (delay.min > delay.median || delay.median > delay.max) std::abort();
    if (run.partitions_done < 0) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Bytes bytes(data, size);
  Fold fold([](Execution&& execution, bool is_whole) { check(execution, is_whole); });
  while (!bytes.empty()) step(bytes, fold);
  fold.finish();
  return 0;
}
