// Numbers as Spark's UI writes them: the same digits, the same rounding, so that texts can be compared.
#pragma once

#include <cstdint>
#include <string>

namespace planvet::metrics {

[[nodiscard]] std::string spark_count(std::int64_t value);     // "60,000"
[[nodiscard]] std::string spark_tenths(std::int64_t tenths);   // 10 is "1", 11 is "1.1"
[[nodiscard]] std::string spark_size(std::int64_t bytes);      // "1406.3 KiB": the next unit begins at 2048
[[nodiscard]] std::string spark_duration(std::int64_t value);  // of milliseconds: "13 ms", "1.2 s", "3.4 m", "1.25 h"

}  // namespace planvet::metrics
