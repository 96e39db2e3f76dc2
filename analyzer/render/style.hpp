// How text output looks: colours or none, box characters or ASCII, how wide, how much.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/report/rule_info.hpp"

namespace planvet::render {

// What a piece of text is; the 16 colours of the terminal's own theme follow from it. Never the only sign of anything.
enum class Role : std::uint8_t { Error, Warning, Info, Note, Frame, Dim, Strong, Good };

enum class Verbosity : std::uint8_t { Quiet, Normal, Verbose };

inline constexpr std::size_t kDefaultWidth = 120;

struct Style {
  bool colour = false;
  bool unicode = true;
  std::size_t width = kDefaultWidth;
  Verbosity verbosity = Verbosity::Normal;

  [[nodiscard]] std::string paint(Role role, std::string_view text) const;
  [[nodiscard]] std::string_view ellipsis() const { return unicode ? "\xE2\x80\xA6" : "..."; }
  [[nodiscard]] bool is_verbose() const { return verbosity == Verbosity::Verbose; }
  [[nodiscard]] bool is_quiet() const { return verbosity == Verbosity::Quiet; }
};

[[nodiscard]] Role role_of(Severity severity);

// "1 plan", "2 plans"; "2 branches" with its own plural.
[[nodiscard]] std::string count_of(std::size_t count, std::string_view singular, std::string_view plural = {});

// Of columns that a table of this width leaves out.
[[nodiscard]] std::string no_room_text(std::string_view columns);

// "a, b and c"
[[nodiscard]] std::string and_list(const std::vector<std::string>& parts);
// "a, b, +3 more"
[[nodiscard]] std::string comma_list(const std::vector<std::string>& items, std::size_t most);

}  // namespace planvet::render
