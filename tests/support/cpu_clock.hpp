// Time that this process computed: what a test may bound, however busy the machine is.
#pragma once

#include <ctime>

namespace planvet::test {

inline double cpu_seconds() { return static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC); }

}  // namespace planvet::test
