#include "analyzer/read/eventlog/codec.hpp"

#include <algorithm>
#include <cstring>

namespace planvet::read::eventlog {
namespace {

// Blocks of Spark's writers are 32 KiB to 1 MiB; the formats allow 32 MiB.
constexpr std::size_t kLargestBlock = std::size_t{64} << 20U;

std::unique_ptr<ByteSource> make_decoder(Codec codec, PeekedSource& source) {
  switch (codec) {
    case Codec::None: return nullptr;
    case Codec::Zstd: return make_zstd_decoder(source);
    case Codec::Lz4: return make_lz4_decoder(source);
    case Codec::Snappy: return make_snappy_decoder(source);
    case Codec::Lzf: return make_lzf_decoder(source);
    case Codec::Gzip: return make_gzip_decoder(source);
  }
  return nullptr;
}

}  // namespace

std::string_view name(Codec codec) {
  switch (codec) {
    case Codec::None: return "plain";
    case Codec::Zstd: return "zstd";
    case Codec::Lz4: return "lz4";
    case Codec::Snappy: return "snappy";
    case Codec::Lzf: return "lzf";
    case Codec::Gzip: return "gzip";
  }
  return "plain";
}

Codec codec_of(std::string_view head) {
  using namespace std::string_view_literals;
  if (head.starts_with("\x28\xB5\x2F\xFD"sv)) return Codec::Zstd;
  if (head.starts_with("LZ4Block"sv)) return Codec::Lz4;
  if (head.starts_with("\x82SNAPPY\0"sv)) return Codec::Snappy;
  if (head.size() >= 3 && head.starts_with("ZV"sv) && (head[2] == '\0' || head[2] == '\1')) return Codec::Lzf;
  if (head.starts_with("\x1F\x8B"sv)) return Codec::Gzip;
  return Codec::None;
}

std::string_view PeekedSource::peek(std::size_t size) {
  if (at_ == peeked_.size()) {
    peeked_.clear();
    at_ = 0;
  }
  while (peeked_.size() - at_ < size) {
    const std::size_t old = peeked_.size();
    peeked_.resize(at_ + size);
    const std::size_t got = source_.read(std::span(peeked_).subspan(old));
    peeked_.resize(old + got);
    if (got == 0) break;
  }
  return std::string_view(peeked_.data() + at_, std::min(size, peeked_.size() - at_));
}

std::size_t PeekedSource::read(std::span<char> buffer) {
  if (at_ < peeked_.size()) {
    const std::size_t size = std::min(buffer.size(), peeked_.size() - at_);
    std::memcpy(buffer.data(), peeked_.data() + at_, size);
    at_ += size;
    return size;
  }
  const std::size_t got = source_.read(buffer);
  if (got == 0) set_problem(source_.problem());
  return got;
}

std::size_t PeekedSource::read_whole(std::span<char> buffer) {
  std::size_t size = 0;
  while (size < buffer.size()) {
    const std::size_t got = read(buffer.subspan(size));
    if (got == 0) break;
    size += got;
  }
  return size;
}

DecodedSource::DecodedSource(ByteSource& source)
    : source_(source),
      codec_(codec_of(source_.peek(kCodecHead))),
      decoder_(make_decoder(codec_, source_)),
      decoded_peek_(decoder_ != nullptr ? *decoder_ : static_cast<ByteSource&>(source_)) {}

DecodedSource::~DecodedSource() = default;

std::size_t DecodedSource::read(std::span<char> buffer) {
  const std::size_t got = decoded_peek_.read(buffer);
  if (got == 0) set_problem(decoded_peek_.problem());
  return got;
}

std::size_t BlockDecoder::read(std::span<char> buffer) {
  while (at_ == block_.size()) {
    at_ = 0;
    block_.clear();
    if (!next_block(block_)) {
      block_.clear();
      return 0;
    }
  }
  const std::size_t size = std::min(buffer.size(), block_.size() - at_);
  std::memcpy(buffer.data(), block_.data() + at_, size);
  at_ += size;
  return size;
}

bool BlockDecoder::read_exactly(std::size_t size, std::vector<char>& into) {
  if (size > kLargestBlock) return false;
  into.resize(size);
  return source_.read_whole(into) == size;
}

}  // namespace planvet::read::eventlog
