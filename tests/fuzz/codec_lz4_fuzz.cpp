#include "tests/fuzz/codec_fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return planvet::fuzz::run(data, size, planvet::read::eventlog::make_lz4_decoder);
}
