#include "analyzer/cli/decoded_input.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <variant>

#include "analyzer/io/archive.hpp"
#include "analyzer/plan/byte_source.hpp"
#include "analyzer/read/eventlog/codec.hpp"

namespace planvet::cli {

using namespace std::string_view_literals;

namespace {

struct Wrapping {
  std::size_t offset;
  std::string_view mark;
  std::string_view what;
};
constexpr auto kWrappings = std::to_array<Wrapping>({
    {257, "ustar"sv, "is a tar archive: unpack it (tar xf), then name what was in it"},
    {0, "BZh"sv, "is compressed with bzip2: unpack it first (bunzip2)"},
    {0,
     "\xFD"
     "7zXZ\0"sv,
     "is compressed with xz: unpack it first (unxz)"},
    {0, "7z\xBC\xAF\x27\x1C"sv, "is a 7z archive: unpack it, then name what was in it"},
    {0, "\x04\x22\x4D\x18"sv, "is compressed with lz4's frame format, not Spark's: unpack it first (lz4 -d)"},
});

// What has to be unpacked by somebody else; empty: it is not that.
std::string_view wrapping_of(std::string_view bytes) {
  for (const Wrapping& wrapping : kWrappings)
    if (bytes.size() > wrapping.offset && bytes.substr(wrapping.offset).starts_with(wrapping.mark))
      return wrapping.what;
  return {};
}

}  // namespace

bool is_encoded(std::string_view bytes) {
  using namespace read::eventlog;
  return codec_of(bytes.substr(0, kCodecHead)) != Codec::None;
}

std::string decode_in_place(std::string& bytes) {
  constexpr std::uint64_t kMost = std::uint64_t{512} << 20U;
  constexpr int kMostLayers = 3;
  int layer = 0;
  for (; layer < kMostLayers && is_encoded(bytes); ++layer) {
    MemorySource memory(bytes);
    read::eventlog::DecodedSource source(memory);
    io::FileBytes decoded = io::read_whole(source, kMost);
    if (const auto* error = std::get_if<io::ReadError>(&decoded)) return error->message;
    bytes = std::move(std::get<std::string>(decoded));
  }
  if (layer > 0 && io::is_archive(bytes))
    return "is a zip archive inside of another compressed file: unpack the outer one first";
  return std::string(wrapping_of(bytes));
}

}  // namespace planvet::cli
