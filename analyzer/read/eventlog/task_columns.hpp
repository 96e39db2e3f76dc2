// What the tasks of one stage attempt took, read and wrote: a column for each row of task_quantiles.def, by the order in
// which tasks succeeded. A column costs nothing while all its values are 0, as most are.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "analyzer/metrics/execution_run.hpp"
#include "analyzer/read/eventlog/events.hpp"

namespace planvet::read::eventlog {

class TaskColumns {
 public:
  void add(const TaskEnd& task);
  [[nodiscard]] metrics::TaskQuantiles quantiles() const;

 private:
  enum Column : std::size_t {
#define PLANVET_TASK_QUANTILE(field, group, name, value) field,
#include "analyzer/metrics/task_quantiles.def"
    kColumns,
  };
  void add_value(Column column, std::int64_t value);

  std::size_t tasks_ = 0;
  std::array<std::vector<std::int64_t>, kColumns> columns_;
};

}  // namespace planvet::read::eventlog
