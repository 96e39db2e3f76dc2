#pragma once

// PEGTL's own proof that a grammar neither recurses to the left nor loops without progress. For tests: it is slow to
// compile.

#include <cstddef>

#include <tao/pegtl/contrib/analyze.hpp>

namespace planvet::grammar {

template <typename Rule>
std::size_t count_problems() {
  return tao::pegtl::analyze<Rule>();
}

}  // namespace planvet::grammar
