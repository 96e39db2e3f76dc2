// What somebody meant who wrote a name that does not exist.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace planvet {

// The name with the smallest edit distance; empty when all are too far away to be meant.
[[nodiscard]] std::string_view nearest_name(std::string_view wrong, std::span<const std::string_view> names);

// ": did you mean 'select'?", or nothing.
[[nodiscard]] std::string did_you_mean(std::string_view wrong, std::span<const std::string_view> names);

}  // namespace planvet
