// One codec on bytes of any kind: no crash, no hang, no more than it can hold; the same bytes whatever the reader's buffer.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/plan/byte_source.hpp"
#include "analyzer/read/eventlog/codec.hpp"

namespace planvet::fuzz {

using Decoder = std::unique_ptr<ByteSource> (*)(read::eventlog::PeekedSource&);

// A bomb of a few bytes gives gigabytes; so much tells all.
inline constexpr std::size_t kEnough = std::size_t{4} << 20U;

struct Decoded {
  std::string text;
  bool is_damaged = false;
};

inline Decoded decode(std::string_view bytes, Decoder make, std::size_t piece) {
  MemorySource source(bytes);
  read::eventlog::PeekedSource peeked(source);
  const std::unique_ptr<ByteSource> decoder = make(peeked);
  std::string text;
  std::vector<char> buffer(piece);
  while (text.size() < kEnough) {
    const std::size_t got = decoder->read(buffer);
    if (got > piece) std::abort();
    if (got == 0) break;
    text.append(buffer.data(), got);
  }
  return {std::move(text), !decoder->problem().empty()};
}

inline int run(const std::uint8_t* data, std::size_t size, Decoder make) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto [large, is_large_damaged] = decode(bytes, make, 65536);
  const auto [small, is_small_damaged] = decode(bytes, make, 61);
  const std::size_t both = std::min({large.size(), small.size(), kEnough});
  if (large.compare(0, both, small, 0, both) != 0) std::abort();
  // zstd loses what came just before the damage.
  const bool is_whole = !is_large_damaged && !is_small_damaged && large.size() < kEnough;
  if (is_whole && large.size() != small.size()) std::abort();
  return 0;
}

}  // namespace planvet::fuzz
