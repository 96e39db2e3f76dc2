#pragma once

// The one include of PEGTL (3.2.7: `main` and its documentation are 4.x), the name that grammars call it by, and inputs.

#include <cstddef>
#include <string_view>

#include <tao/pegtl.hpp>
#include <tao/pegtl/contrib/limit_depth.hpp>

namespace planvet::grammar {

namespace peg = tao::pegtl;

// Places are byte offsets; lines are counted later, and only for what is shown.
using Input = peg::memory_input<peg::tracking_mode::lazy, peg::eol::lf>;

// The same without a name: an expression, thousands of which are read in one plan.
using text_input = peg::memory_input<peg::tracking_mode::lazy, peg::eol::lf, const char*>;

inline text_input make_input(std::string_view text) { return {text.data(), text.data() + text.size(), ""}; }

// Of recursive rules. 200,000 brackets must be an error, not a crash; nothing that Spark printed came near.
inline constexpr std::size_t kMaximumDepth = 200;

}  // namespace planvet::grammar
