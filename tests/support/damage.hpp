#pragma once

// What happens to explain output between Spark and planvet: log prefixes, tables, HTML, mail, terminals, cuts.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace planvet::test {

enum class Loss : std::uint8_t {
  None,    // everything is still there: the very same tree must come out
  Layout,  // the words are all there, what placed them is not
  Text,    // something is gone, and it shows: a mark, an open bracket, a missing block
  Cut,     // the beginning or the end is gone
  Hidden,  // something is gone and nothing marks the place: only lost operators must be noticed
};

struct Damage {
  std::string_view name;
  Loss loss;
  // nullopt: this text cannot be damaged in this way. The same seed does the same.
  std::optional<std::string> (*apply)(std::string_view text, std::uint64_t seed);
};

std::span<const Damage> damages();

std::vector<std::string_view> split_lines(std::string_view text);
std::string join_lines(const std::vector<std::string_view>& lines);

// A number that depends on nothing but its arguments: tests choose samples with it.
std::uint64_t scrambled(std::string_view text, std::uint64_t seed);

}  // namespace planvet::test
