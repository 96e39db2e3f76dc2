#include "tests/support/log_encodings.hpp"

#include <algorithm>
#include <cstdint>
#include <lz4.h>
#include <stdexcept>
#include <xxhash.h>
#include <zlib.h>
#include <zstd.h>

#include <liblzf/lzf.h>
#include <snappy-c.h>

namespace planvet::test {
namespace {

using read::eventlog::Codec;

void require(bool is_done) {
  if (!is_done) throw std::runtime_error("a test's own compression failed");
}

std::string big_endian(std::size_t value, int size) {
  std::string bytes;
  for (int shift = 8 * (size - 1); shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift);
  return bytes;
}

std::string little_endian(std::size_t value) {
  std::string bytes = big_endian(value, 4);
  std::reverse(bytes.begin(), bytes.end());
  return bytes;
}

std::string zstd_frame(std::string_view piece) {
  std::string frame(ZSTD_compressBound(piece.size()), '\0');
  frame.resize(ZSTD_compress(frame.data(), frame.size(), piece.data(), piece.size(), 1));
  return frame;
}

std::string gzip_member(std::string_view piece) {
  z_stream stream{};
  require(deflateInit2(&stream, 6, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string member(deflateBound(&stream, piece.size()) + 64, '\0');
  std::string input(piece);
  stream.next_in = reinterpret_cast<Bytef*>(input.data());
  stream.avail_in = static_cast<uInt>(input.size());
  stream.next_out = reinterpret_cast<Bytef*>(member.data());
  stream.avail_out = static_cast<uInt>(member.size());
  require(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  member.resize(member.size() - stream.avail_out);
  deflateEnd(&stream);
  return member;
}

// As lz4-java's block stream writes it: a block that does not shrink stays as it is.
std::string lz4_block(std::string_view piece) {
  constexpr unsigned kSeed = 0x9747b28c;
  constexpr char kRaw = 0x10;
  constexpr char kCompressed = 0x20;
  constexpr char kLevel = 5;  // blocks of up to 32 KiB
  std::string block(static_cast<std::size_t>(LZ4_compressBound(static_cast<int>(piece.size()))), '\0');
  const int size =
      LZ4_compress_default(piece.data(), block.data(), static_cast<int>(piece.size()), static_cast<int>(block.size()));
  require(size > 0);
  block.resize(static_cast<std::size_t>(size));
  const bool is_raw = block.size() >= piece.size();
  if (is_raw) block = piece;
  const std::uint32_t checksum = XXH32(piece.data(), piece.size(), kSeed) & 0x0FFFFFFFU;
  std::string all = "LZ4Block";
  all += static_cast<char>((is_raw ? kRaw : kCompressed) | kLevel);
  return all + little_endian(block.size()) + little_endian(piece.size()) + little_endian(checksum) + block;
}

std::string snappy_block(std::string_view piece) {
  std::size_t size = snappy_max_compressed_length(piece.size());
  std::string block(size, '\0');
  require(snappy_compress(piece.data(), piece.size(), block.data(), &size) == SNAPPY_OK);
  block.resize(size);
  return big_endian(size, 4) + block;
}

std::string lzf_chunk(std::string_view piece) {
  std::string block(piece.size(), '\0');
  const unsigned size = lzf_compress(piece.data(), static_cast<unsigned>(piece.size()), block.data(),
                                     static_cast<unsigned>(block.size() - 1));
  using namespace std::string_literals;
  if (size == 0) return "ZV\0"s + big_endian(piece.size(), 2) + std::string(piece);
  block.resize(size);
  return "ZV\1"s + big_endian(size, 2) + big_endian(piece.size(), 2) + block;
}

std::string encode_piece(Codec codec, std::string_view piece) {
  switch (codec) {
    case Codec::None: return std::string(piece);
    case Codec::Zstd: return zstd_frame(piece);
    case Codec::Lz4: return lz4_block(piece);
    case Codec::Snappy: return snappy_block(piece);
    case Codec::Lzf: return lzf_chunk(piece);
    case Codec::Gzip: return gzip_member(piece);
  }
  return {};
}

}  // namespace

std::string encode(Codec codec, std::string_view text, std::size_t piece) {
  using namespace std::string_literals;
  std::string bytes;
  if (codec == Codec::Snappy) bytes = "\x82SNAPPY\0"s + big_endian(1, 4) + big_endian(1, 4);
  for (; !text.empty(); text.remove_prefix(std::min(piece, text.size()))) {
    bytes += encode_piece(codec, text.substr(0, piece));
  }
  return bytes;
}

}  // namespace planvet::test
