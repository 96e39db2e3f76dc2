// Compressed streams as Spark's event logs have them, recognised by their first bytes and never by their names.
//
//   28 B5 2F FD            zstd: many frames, one after the other
//   "LZ4Block"             lz4 as lz4-java's block stream writes it (not the LZ4 frame format)
//   82 "SNAPPY" 00         snappy as xerial's snappy-java writes it (not the framing format)
//   "ZV"                   lzf chunks
//   1F 8B                  gzip, members one after the other
//
// A log that is still written, or whose driver died, ends anywhere: what was whole is given out, then problem() says so.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "analyzer/plan/byte_source.hpp"

namespace planvet::read::eventlog {

enum class Codec : std::uint8_t { None, Zstd, Lz4, Snappy, Lzf, Gzip };
[[nodiscard]] std::string_view name(Codec codec);  // "plain", "zstd", ..
[[nodiscard]] Codec codec_of(std::string_view head);

// So many bytes must be there to tell.
inline constexpr std::size_t kCodecHead = 16;

// A source with what was already read from it in front, and the exact reads that block formats need.
class PeekedSource : public ByteSource {
 public:
  explicit PeekedSource(ByteSource& source) : source_(source) {}
  // The next bytes, up to `size` of them, without taking them.
  [[nodiscard]] std::string_view peek(std::size_t size);
  [[nodiscard]] std::size_t read(std::span<char> buffer) override;
  // As many bytes as fit, less only at the end.
  [[nodiscard]] std::size_t read_whole(std::span<char> buffer);

 private:
  ByteSource& source_;
  std::vector<char> peeked_;
  std::size_t at_ = 0;
};

// What the source holds when it is decompressed; the source itself where it is not compressed. It must outlive this.
class DecodedSource : public ByteSource {
 public:
  explicit DecodedSource(ByteSource& source);
  ~DecodedSource() override;
  [[nodiscard]] std::size_t read(std::span<char> buffer) override;
  [[nodiscard]] Codec codec() const { return codec_; }
  [[nodiscard]] std::string_view peek(std::size_t size) { return decoded_peek_.peek(size); }

 private:
  PeekedSource source_;
  Codec codec_;
  std::unique_ptr<ByteSource> decoder_;  // null: not compressed
  PeekedSource decoded_peek_;
};

// Formats made of blocks: a header, then a block that is decompressed as a whole.
class BlockDecoder : public ByteSource {
 public:
  explicit BlockDecoder(PeekedSource& source) : source_(source) {}
  [[nodiscard]] std::size_t read(std::span<char> buffer) override;

 protected:
  // Decompresses the next block into `block`; false: there is none, and problem() says why if something is wrong.
  [[nodiscard]] virtual bool next_block(std::vector<char>& block) = 0;
  [[nodiscard]] PeekedSource& source() { return source_; }
  // Reads exactly `size` bytes; false: fewer came. A size that no writer uses is damage.
  [[nodiscard]] bool read_exactly(std::size_t size, std::vector<char>& into);

 private:
  PeekedSource& source_;
  std::vector<char> block_;
  std::size_t at_ = 0;
};

[[nodiscard]] std::unique_ptr<ByteSource> make_zstd_decoder(PeekedSource& source);
[[nodiscard]] std::unique_ptr<ByteSource> make_lz4_decoder(PeekedSource& source);
[[nodiscard]] std::unique_ptr<ByteSource> make_snappy_decoder(PeekedSource& source);
[[nodiscard]] std::unique_ptr<ByteSource> make_lzf_decoder(PeekedSource& source);
[[nodiscard]] std::unique_ptr<ByteSource> make_gzip_decoder(PeekedSource& source);

}  // namespace planvet::read::eventlog
