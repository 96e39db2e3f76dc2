// zstd: Spark ends a frame at every flush, so a log has many.
#include <algorithm>
#include <vector>
#include <zstd.h>

#include "analyzer/read/eventlog/codec.hpp"

namespace planvet::read::eventlog {
namespace {

class ZstdDecoder : public ByteSource {
 public:
  explicit ZstdDecoder(PeekedSource& source)
      : source_(source), context_(ZSTD_createDCtx(), ZSTD_freeDCtx), input_(ZSTD_DStreamInSize()) {}

  std::size_t read(std::span<char> buffer) override {
    if (is_broken_) return 0;
    // What a call decompressed before it found damage is lost, so it gets room for one block.
    ZSTD_outBuffer out{buffer.data(), std::min(buffer.size(), ZSTD_DStreamOutSize()), 0};
    while (out.pos == 0) {
      if (in_.pos == in_.size && !is_held_back_) {
        const std::size_t got = source_.read(input_);
        in_ = {input_.data(), got, 0};
        if (got == 0) {
          if (is_inside_frame_) set_problem("the log is cut: it ends inside of a zstd frame");
          return 0;
        }
      }
      const std::size_t result = ZSTD_decompressStream(context_.get(), &out, &in_);
      if (ZSTD_isError(result) != 0) {
        set_problem(std::string("the zstd data is damaged: ") + ZSTD_getErrorName(result));
        is_broken_ = true;
        return 0;
      }
      is_inside_frame_ = result != 0;
      is_held_back_ = out.pos == out.size && result != 0;  // there may be more of it, without any input
    }
    return out.pos;
  }

 private:
  PeekedSource& source_;
  std::unique_ptr<ZSTD_DCtx, std::size_t (*)(ZSTD_DCtx*)> context_;
  std::vector<char> input_;
  ZSTD_inBuffer in_{nullptr, 0, 0};
  bool is_inside_frame_ = false;
  bool is_held_back_ = false;
  bool is_broken_ = false;
};

}  // namespace

std::unique_ptr<ByteSource> make_zstd_decoder(PeekedSource& source) { return std::make_unique<ZstdDecoder>(source); }

}  // namespace planvet::read::eventlog
