#include "analyzer/read/eventlog/measure.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace planvet::read::eventlog {
namespace {

using metrics::MetricType;
using metrics::TaskPlace;

// All values of one accumulator, and the largest of them that a task had.
struct Gathered {
  bool is_updated = false;
  OneOrMore<const MetricColumn*> columns;  // not copied before their turn: they are the largest thing there is
  std::vector<std::int64_t> values;        // besides those of the columns
  std::size_t tasks = 0;                   // of the columns, also those that said nothing: their values are 0
  std::optional<std::int64_t> max;
  std::optional<TaskPlace> max_task;
  metrics::Trust trust;
  OneOrMore<std::int32_t> stages;

  void add_column(const MetricColumn& column, const StageAttempt& attempt) {
    is_updated = true;
    columns.push_back(&column);
    tasks += attempt.size();
    offer(column.max, {attempt.run().stage, attempt.run().attempt, column.max_task});
  }

  // The first of equal ones stays.
  void offer(std::int64_t value, TaskPlace place) {
    if (max && *max >= value) return;
    max = value;
    max_task = place;
  }

  // A larger value of the driver takes the place of the tasks' largest.
  void add_driver(std::int64_t value) {
    is_updated = true;
    if (max && value > *max) {
      max.reset();
      max_task.reset();
    }
    values.push_back(value);
  }

  [[nodiscard]] metrics::Summary summary(MetricType type, std::vector<std::int64_t>& scratch) const {
    scratch = values;
    columns.for_each([&](const MetricColumn* column) {
      scratch.insert(scratch.end(), column->values.begin(), column->values.end());
    });
    return metrics::summarize(type, scratch, max_task, tasks + values.size() - scratch.size());
  }
};
using AllGathered = std::vector<Gathered>;  // rows are those of Execution::declared

void add_driver_updates(const Execution& execution, AllGathered& all) {
  for (const AccumulatorUpdate& update : execution.driver_updates) {
    if (const auto number = execution.declared.find(update.accumulator)) all[*number].add_driver(update.value);
  }
}

metrics::Trust trust_of(const StageAttempt& attempt) {
  metrics::Trust trust;
  if (attempt.has_resubmitted()) {
    trust.add(metrics::Doubt::RetriedTasks);
  } else if (attempt.has_doubles()) {
    trust.add(metrics::Doubt::SpeculativeTasks);
  }
  if (attempt.has_lost_ends()) trust.add(metrics::Doubt::LostEvents);
  return trust;
}

// Attempts that computed parts of the same thing: one result a partition, the last success that counted anything.
class Merge {
 public:
  explicit Merge(std::vector<const StageAttempt*> attempts) : attempts_(std::move(attempts)) {
    for (std::size_t number = 0; number < attempts_.size(); ++number) {
      const StageAttempt& attempt = *attempts_[number];
      for (const std::size_t row : done_rows(attempt)) {
        // Where the log does not say which partition it was, it is taken for one of its own.
        const std::int64_t partition = attempt.partition(row);
        const std::int64_t unknown = -1 - static_cast<std::int64_t>(sources_.size());
        sources_[partition < 0 ? unknown : partition].push_back({number, row});
      }
    }
  }

  void add_to(AllGathered& all, const DeclaredMetrics& declared) const {
    std::map<std::int64_t, std::vector<const MetricColumn*>> columns;  // by accumulator, one for each attempt
    for (std::size_t number = 0; number < attempts_.size(); ++number) {
      for (const MetricColumn& column : attempts_[number]->columns()) {
        auto& of_attempts = columns[column.accumulator];
        of_attempts.resize(attempts_.size());
        of_attempts[number] = &column;
      }
    }
    for (const auto& [accumulator, of_attempts] : columns) {
      if (const auto number = declared.find(accumulator)) add(all[*number], of_attempts);
    }
  }

 private:
  struct Place {
    std::size_t attempt = 0;
    std::size_t row = 0;
  };

  // In the order of the indices: of equal values, the first one's task is named.
  [[nodiscard]] static std::vector<std::size_t> done_rows(const StageAttempt& attempt) {
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < attempt.rows(); ++row) {
      if (attempt.is_done(row)) rows.push_back(row);
    }
    std::sort(rows.begin(), rows.end(),
              [&](std::size_t a, std::size_t b) { return attempt.index(a) < attempt.index(b); });
    return rows;
  }

  void add(Gathered& into, const std::vector<const MetricColumn*>& columns) const {
    std::optional<std::int64_t> max;
    Place max_place;
    for (const auto& [partition, places] : sources_) {
      // The last success that said something: one that found the partition in the cache computed nothing of it.
      Place place = places.back();
      std::int64_t value = 0;
      for (auto at = places.rbegin(); at != places.rend() && value == 0; ++at) {
        const MetricColumn* const column = columns[at->attempt];
        value = column == nullptr ? 0 : column->value(at->row);
        if (value != 0) place = *at;
      }
      into.values.push_back(value);
      if (max && *max >= value) continue;
      max = value;
      max_place = place;
    }
    if (!max) return;
    const StageAttempt& attempt = *attempts_[max_place.attempt];
    into.offer(*max, {attempt.run().stage, attempt.run().attempt, attempt.task(max_place.row)});
    into.trust.add(metrics::Doubt::RetriedTasks);
  }

  std::vector<const StageAttempt*> attempts_;
  std::map<std::int64_t, std::vector<Place>> sources_;  // by partition, in the order in which the attempts began
};

void remember_stage(const StageAttempt& attempt, const Execution& execution, AllGathered& all, bool& are_as_shown) {
  const metrics::Trust trust = trust_of(attempt);
  const std::int32_t stage = attempt.run().stage;
  for (const MetricColumn& column : attempt.columns()) {
    const auto number = execution.declared.find(column.accumulator);
    if (!number) continue;
    Gathered& gathered = all[*number];
    gathered.is_updated = true;
    gathered.trust.add(trust);
    if (!gathered.stages.contains(stage)) gathered.stages.push_back(stage);
    are_as_shown = are_as_shown && *number < attempt.known_metrics();
  }
}

MetricType type_of(const Execution& execution, std::size_t number) { return execution.declared[number].metric->type; }

// What stages of the same RDD tried belongs together. Where nothing was tried again that is one attempt of one stage.
std::vector<OneOrMore<const StageAttempt*>> attempts_by_rdd(const std::vector<const Stage*>& stages) {
  std::vector<OneOrMore<const StageAttempt*>> groups;
  AccumulatorIndex by_rdd;
  for (const Stage* const stage : stages) {
    std::size_t group = groups.size();
    if (stage->rdd >= 0) group = by_rdd.insert(stage->rdd, static_cast<std::uint32_t>(group)).first;
    if (group == groups.size()) groups.emplace_back();
    for (const std::unique_ptr<StageAttempt>& attempt : stage->attempts) {
      if (attempt->has_task_ends()) groups[group].push_back(attempt.get());
    }
  }
  return groups;
}

}  // namespace

Summaries shown_by_history_server(const Execution& execution) {
  AllGathered all(execution.declared.size());
  for (const Stage* const stage : execution.stages_in_order()) {
    const StageAttempt& attempt = stage->current();
    for (const MetricColumn& column : attempt.columns()) {
      // It looks for the metrics that the query had when the stage's job began.
      const auto number = execution.declared.find(column.accumulator);
      if (number && *number < attempt.known_metrics()) all[*number].add_column(column, attempt);
    }
  }
  add_driver_updates(execution, all);
  Summaries summaries(all.size());
  std::vector<std::int64_t> scratch;
  for (std::size_t number = 0; number < all.size(); ++number) {
    if (all[number].is_updated) summaries[number] = all[number].summary(type_of(execution, number), scratch);
  }
  return summaries;
}

Measurements measure(const Execution& execution) {
  const std::vector<const Stage*> stages = execution.stages_in_order();
  AllGathered all(execution.declared.size());
  Measurements measurements;
  for (const Stage* const stage : stages) {
    measurements.are_as_shown = measurements.are_as_shown && stage->attempts.size() == 1;
    for (const std::unique_ptr<StageAttempt>& attempt : stage->attempts) {
      remember_stage(*attempt, execution, all, measurements.are_as_shown);
    }
  }
  const std::vector<OneOrMore<const StageAttempt*>> groups = attempts_by_rdd(stages);
  if (groups.size() < stages.size()) measurements.are_as_shown = false;  // other stages may come first
  for (const OneOrMore<const StageAttempt*>& group : groups) {
    if (group.size() == 1) {
      for (const MetricColumn& column : group.front()->columns()) {
        if (const auto number = execution.declared.find(column.accumulator)) {
          all[*number].add_column(column, *group.front());
        }
      }
    } else if (group.size() > 1) {
      std::vector<const StageAttempt*> attempts;
      group.for_each([&](const StageAttempt* attempt) { attempts.push_back(attempt); });
      Merge(std::move(attempts)).add_to(all, execution.declared);
    }
  }
  add_driver_updates(execution, all);
  measurements.rows.resize(all.size());
  std::vector<std::int64_t> scratch;
  for (std::size_t number = 0; number < all.size(); ++number) {
    Gathered& gathered = all[number];
    if (!gathered.is_updated) continue;
    measurements.rows[number] =
        Measurement{gathered.summary(type_of(execution, number), scratch), gathered.trust, std::move(gathered.stages)};
  }
  return measurements;
}

}  // namespace planvet::read::eventlog
