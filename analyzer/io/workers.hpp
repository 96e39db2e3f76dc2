// The same work on many inputs, in several threads.
#pragma once

#include <cstddef>
#include <functional>

namespace planvet::io {

// Calls work(0) to work(count - 1), each once, in no particular order. `jobs` 0: one for each core.
void for_each_parallel(std::size_t count, std::size_t jobs, const std::function<void(std::size_t)>& work);

}  // namespace planvet::io
