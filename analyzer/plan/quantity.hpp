// Sizes and counts as Spark prints them: "1961.4 MiB", "160.0 B", "2.86E+7", "5.00E+5", "366".
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace planvet {

// Binary units, whichever way they are spelled (2.x prints MB for MiB). Nothing for "8.0 EiB": Spark's "unknown".
[[nodiscard]] std::optional<std::int64_t> parse_printed_size(std::string_view text);

// Rounded by Spark to three digits above 1000. Nothing for what is no count, or no number that fits.
[[nodiscard]] std::optional<std::int64_t> parse_printed_rows(std::string_view text);

}  // namespace planvet
