#include "analyzer/cli/decoded_input.hpp"

#include <utility>
#include <variant>

#include "analyzer/io/archive.hpp"
#include "analyzer/plan/byte_source.hpp"
#include "analyzer/read/eventlog/codec.hpp"

namespace planvet::cli {

std::string decode_in_place(std::string& bytes) {
  constexpr std::uint64_t kMost = std::uint64_t{512} << 20U;
  using namespace read::eventlog;
  if (codec_of(std::string_view(bytes).substr(0, kCodecHead)) == Codec::None) return {};
  MemorySource memory(bytes);
  DecodedSource source(memory);
  io::FileBytes decoded = io::read_whole(source, kMost);
  if (const auto* error = std::get_if<io::ReadError>(&decoded)) return error->message;
  bytes = std::move(std::get<std::string>(decoded));
  return {};
}

}  // namespace planvet::cli
