// gzip: what Databricks' rolled logs are, and what people compress logs with.
#include <algorithm>
#include <vector>
#include <zlib.h>

#include "analyzer/read/eventlog/codec.hpp"

namespace planvet::read::eventlog {
namespace {

class GzipDecoder : public ByteSource {
 public:
  explicit GzipDecoder(PeekedSource& source) : source_(source), input_(kPiece) {
    constexpr int kGzipHeader = 16;
    is_ready_ = inflateInit2(&stream_, MAX_WBITS + kGzipHeader) == Z_OK;
  }
  ~GzipDecoder() override { inflateEnd(&stream_); }

  std::size_t read(std::span<char> buffer) override {
    if (!is_ready_) return 0;
    const auto wanted = static_cast<uInt>(std::min<std::size_t>(buffer.size(), kLargestRead));
    stream_.next_out = reinterpret_cast<Bytef*>(buffer.data());
    stream_.avail_out = wanted;
    while (stream_.avail_out == wanted) {
      if (stream_.avail_in == 0) {
        const std::size_t got = source_.read(input_);
        if (got == 0) {
          if (is_inside_member_) set_problem("the log is cut: it ends inside of its gzip data");
          return 0;
        }
        stream_.next_in = reinterpret_cast<Bytef*>(input_.data());
        stream_.avail_in = static_cast<uInt>(got);
      }
      is_inside_member_ = true;
      const int result = inflate(&stream_, Z_NO_FLUSH);
      if (result == Z_STREAM_END) {
        is_inside_member_ = false;
        inflateReset(&stream_);
      } else if (result != Z_OK && result != Z_BUF_ERROR) {
        set_problem("the gzip data is damaged");
        is_ready_ = false;
        break;
      }
    }
    return wanted - stream_.avail_out;
  }

 private:
  static constexpr std::size_t kPiece = 256U * 1024U;
  static constexpr std::size_t kLargestRead = std::size_t{1} << 30U;
  PeekedSource& source_;
  std::vector<char> input_;
  z_stream stream_{};
  bool is_ready_ = false;
  bool is_inside_member_ = false;
};

}  // namespace

std::unique_ptr<ByteSource> make_gzip_decoder(PeekedSource& source) { return std::make_unique<GzipDecoder>(source); }

}  // namespace planvet::read::eventlog
