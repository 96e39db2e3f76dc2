// Event logs in the codecs that Spark and others write, for tests of what reads them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "analyzer/read/eventlog/codec.hpp"

namespace planvet::test {

// A stream of blocks, or frames, or members, that hold `piece` bytes each.
[[nodiscard]] std::string encode(read::eventlog::Codec codec, std::string_view text, std::size_t piece = 32768);

}  // namespace planvet::test
