// What was measured of a plan as columns of short texts, one row for each operator of a drawing.
//
//      rows     bytes    time   spill  operator
//    60,000   1.2 MiB   18 ms          Sort         what does not tell anything on the whole page has no column
//
// A number that may not be what it seems refers to a footnote.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analyzer/metrics/overlay.hpp"
#include "analyzer/render/drawing.hpp"
#include "analyzer/render/stage_regions.hpp"

namespace planvet::render {

enum class Column : std::uint8_t {
  Rows,
  Bytes,
  Time,      // of the operator itself, as far as Spark measures it
  Pipeline,  // of a whole-stage generated function, on the first of its operators
  Spill,
  Peak,    // of memory, of the task that took most
  Spread,  // least, median and largest value of a task, where they are far from each other
};
inline constexpr std::size_t kColumns = 7;
[[nodiscard]] std::string_view heading(Column column);  // "rows"

struct Cell {
  std::string text;
  std::size_t footnote = 0;  // its number; 0: none
  bool is_loud = false;      // worth a look
};

struct MeasuredRow {
  std::array<Cell, kColumns> cells;
  [[nodiscard]] const Cell& operator[](Column column) const { return cells[static_cast<std::size_t>(column)]; }
  [[nodiscard]] Cell& operator[](Column column) { return cells[static_cast<std::size_t>(column)]; }
};

// The footnotes of one page, each text once, numbered from 1.
class Footnotes {
 public:
  [[nodiscard]] std::size_t add(std::string text);
  [[nodiscard]] const std::vector<std::string>& texts() const { return texts_; }

 private:
  std::vector<std::string> texts_;
  std::unordered_map<std::string, std::size_t> numbers_;
};

// What a time of an operator holds besides the operator's own work.
enum class TimeScope : std::uint8_t {
  Own,        // nothing
  WithInput,  // the work of operators below it, and waiting for them
  Unknown,    // its engine knows
};

struct TimeMetric {
  std::string name;  // Spark's
  TimeScope scope = TimeScope::Unknown;
};

struct MeasuredColumns {
  std::vector<MeasuredRow> rows;         // by drawn node
  std::vector<TimeMetric> time_metrics;  // what stands under Time, each name once
};

[[nodiscard]] MeasuredColumns measured_columns(const Drawing& drawing, const metrics::TreeMetrics& measured,
                                               const StageRegions& regions, Footnotes& footnotes);

// Is there anything in the column?
[[nodiscard]] bool has_column(const MeasuredColumns& columns, Column column);

// A total as people read it: "60,000", "1.2 MiB", "1.4 s".
[[nodiscard]] std::string measured_text(const metrics::Metric& metric, std::int64_t stored);

}  // namespace planvet::render
