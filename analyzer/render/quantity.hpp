// Numbers with their units, for people.
#pragma once

#include <string>
#include <string_view>

namespace planvet::render {

// "3.1 MiB", "40 rows", "1.5 s", "93 %", "7": `unit` is an Evidence's: bytes, rows, count, ms, ratio.
[[nodiscard]] std::string format_quantity(double value, std::string_view unit);

// "1,204", "6.0e9" beyond what a person counts.
[[nodiscard]] std::string format_count(double value);

}  // namespace planvet::render
