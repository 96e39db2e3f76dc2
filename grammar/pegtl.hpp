// The one include of PEGTL (3.2.x) and the name that grammars call it by.
#pragma once

#include <tao/pegtl.hpp>

namespace planvet::grammar {

namespace peg = tao::pegtl;

// Places are byte offsets; lines are counted later, and only for what is shown.
using Input = peg::memory_input<peg::tracking_mode::lazy, peg::eol::lf>;

}  // namespace planvet::grammar
