// Two rules that run to a place in the line. Written out, since these two see nearly every byte of a plan: PEGTL's
// `until` tests its condition anew at every character.
#pragma once

#include <cstring>

#include "grammar/pegtl.hpp"

namespace planvet::grammar {

// Everything up to the line break or the end of the input; never fails.
struct up_to_line_end {
  using rule_t = up_to_line_end;
  using subs_t = peg::empty_list;

  template <typename ParseInput>
  static bool match(ParseInput& in) {
    const auto left = static_cast<std::size_t>(in.end() - in.current());
    if (left == 0) return true;
    const void* const found = std::memchr(in.current(), '\n', left);
    in.bump_in_this_line(found == nullptr ? left
                                          : static_cast<std::size_t>(static_cast<const char*>(found) - in.current()));
    return true;
  }
};

// Everything up to the next '(' of the line; fails where there is none.
struct to_bracket {
  using rule_t = to_bracket;
  using subs_t = peg::empty_list;

  template <typename ParseInput>
  static bool match(ParseInput& in) {
    const char* at = in.current();
    const char* const end = in.end();
    while (at != end && *at != '(' && *at != '\n') ++at;
    if (at == end || *at == '\n') return false;
    in.bump_in_this_line(static_cast<std::size_t>(at - in.current()));
    return true;
  }
};

}  // namespace planvet::grammar
