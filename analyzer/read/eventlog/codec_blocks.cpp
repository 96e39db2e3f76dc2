// The three formats of Java libraries that are chains of blocks.
//
//   lz4      "LZ4Block" token:1 compressed:4 original:4 checksum:4 (little endian), then the block
//   snappy   82 "SNAPPY" 00 version:4 compatible:4, then size:4 (big endian) and block, again and again
//   lzf      "ZV" 00 size:2 (big endian) bytes, or "ZV" 01 compressed:2 original:2 block
#include <algorithm>
#include <array>
#include <cstring>
#include <lz4.h>
#include <xxhash.h>

#include <liblzf/lzf.h>
#include <snappy-c.h>

#include "analyzer/read/eventlog/codec.hpp"

namespace planvet::read::eventlog {
namespace {

using namespace std::string_view_literals;

std::uint32_t little_endian(const char* at) {
  std::uint32_t value = 0;
  for (int i = 3; i >= 0; --i) value = (value << 8U) | static_cast<unsigned char>(at[i]);
  return value;
}

std::uint32_t big_endian(const char* at, int size) {
  std::uint32_t value = 0;
  for (int i = 0; i < size; ++i) value = (value << 8U) | static_cast<unsigned char>(at[i]);
  return value;
}

class Lz4Decoder : public BlockDecoder {
 public:
  using BlockDecoder::BlockDecoder;

 protected:
  bool next_block(std::vector<char>& block) override {
    constexpr std::size_t kHeader = 21;
    constexpr unsigned kRaw = 0x10;
    constexpr unsigned kCompressed = 0x20;
    constexpr unsigned kSeed = 0x9747b28c;
    while (true) {
      std::array<char, kHeader> header{};
      const std::size_t got = source().read_whole(header);
      if (got == 0) return false;
      if (got < kHeader) return fail("the log is cut: it ends inside of an lz4 block");
      const std::string_view text(header.data(), header.size());
      if (!text.starts_with("LZ4Block"sv))
        return fail("the lz4 data is damaged: a block does not begin where it should");
      const unsigned method = static_cast<unsigned char>(text[8]) & 0xF0U;
      const std::uint32_t compressed = little_endian(header.data() + 9);
      const std::uint32_t original = little_endian(header.data() + 13);
      const std::uint32_t checksum = little_endian(header.data() + 17);
      if (original == 0) {
        if (compressed != 0) return fail("the lz4 data is damaged");
        continue;  // the end of one stream; another may follow
      }
      if (original > kLargest || !read_exactly(compressed, compressed_)) {
        return fail("the log is cut: it ends inside of an lz4 block");
      }
      block.resize(original);
      if (method == kRaw && compressed == original) {
        std::copy(compressed_.begin(), compressed_.end(), block.begin());
      } else if (method != kCompressed ||
                 LZ4_decompress_safe(compressed_.data(), block.data(), static_cast<int>(compressed),
                                     static_cast<int>(original)) != static_cast<int>(original)) {
        return fail("the lz4 data is damaged: a block cannot be decompressed");
      }
      if ((XXH32(block.data(), block.size(), kSeed) & 0x0FFFFFFFU) != checksum) {
        return fail("the lz4 data is damaged: the checksum of a block is wrong");
      }
      return true;
    }
  }

 private:
  static constexpr std::uint32_t kLargest = 64U << 20U;
  bool fail(std::string why) {
    set_problem(std::move(why));
    return false;
  }
  std::vector<char> compressed_;
};

class SnappyDecoder : public BlockDecoder {
 public:
  using BlockDecoder::BlockDecoder;

 protected:
  bool next_block(std::vector<char>& block) override {
    constexpr std::size_t kHeader = 16;
    while (source().peek(4) == "\x82SNA"sv) {  // streams follow each other
      std::array<char, kHeader> header{};
      if (source().read_whole(header) < kHeader) return fail("the log is cut: it ends inside of a snappy header");
    }
    std::array<char, 4> size_bytes{};
    const std::size_t got = source().read_whole(size_bytes);
    if (got == 0) return false;
    const std::uint32_t size = big_endian(size_bytes.data(), 4);
    if (got < size_bytes.size() || !read_exactly(size, compressed_)) {
      return fail("the log is cut: it ends inside of a snappy block");
    }
    std::size_t original = 0;
    if (snappy_uncompressed_length(compressed_.data(), compressed_.size(), &original) != SNAPPY_OK ||
        original > kLargest) {
      return fail("the snappy data is damaged");
    }
    block.resize(original);
    if (snappy_uncompress(compressed_.data(), compressed_.size(), block.data(), &original) != SNAPPY_OK) {
      return fail("the snappy data is damaged: a block cannot be decompressed");
    }
    return true;
  }

 private:
  static constexpr std::size_t kLargest = std::size_t{64} << 20U;
  bool fail(std::string why) {
    set_problem(std::move(why));
    return false;
  }
  std::vector<char> compressed_;
};

class LzfDecoder : public BlockDecoder {
 public:
  using BlockDecoder::BlockDecoder;

 protected:
  bool next_block(std::vector<char>& block) override {
    std::array<char, 5> head{};
    const std::size_t got = source().read_whole(head);
    if (got == 0) return false;
    if (got < head.size()) return fail("the log is cut: it ends inside of an lzf chunk");
    if (head[0] != 'Z' || head[1] != 'V' || (head[2] != 0 && head[2] != 1)) {
      return fail("the lzf data is damaged: a chunk does not begin where it should");
    }
    const std::uint32_t size = big_endian(head.data() + 3, 2);
    if (head[2] == 0) {
      return read_exactly(size, block) || fail("the log is cut: it ends inside of an lzf chunk");
    }
    std::array<char, 2> original_bytes{};
    if (source().read_whole(original_bytes) < original_bytes.size() || !read_exactly(size, compressed_)) {
      return fail("the log is cut: it ends inside of an lzf chunk");
    }
    const std::uint32_t original = big_endian(original_bytes.data(), 2);
    // liblzf reads before it asks how much there is.
    if (size == 0 || original == 0) return fail("the lzf data is damaged: a chunk is empty");
    block.resize(original);
    const unsigned made = lzf_decompress(compressed_.data(), size, block.data(), original);
    return made == original || fail("the lzf data is damaged: a chunk cannot be decompressed");
  }

 private:
  bool fail(std::string why) {
    set_problem(std::move(why));
    return false;
  }
  std::vector<char> compressed_;
};

}  // namespace

std::unique_ptr<ByteSource> make_lz4_decoder(PeekedSource& source) { return std::make_unique<Lz4Decoder>(source); }
std::unique_ptr<ByteSource> make_snappy_decoder(PeekedSource& source) {
  return std::make_unique<SnappyDecoder>(source);
}
std::unique_ptr<ByteSource> make_lzf_decoder(PeekedSource& source) { return std::make_unique<LzfDecoder>(source); }

}  // namespace planvet::read::eventlog
