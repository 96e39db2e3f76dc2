// A descriptor as an output stream that knows why writing failed.
#pragma once

#include <array>
#include <streambuf>

namespace planvet::io {

// Standard output and standard error are written through this, since std::cout cannot tell a reader that went away
// (`planvet .. | head`: nothing wrong) from a disk that is full.
class OutputBuffer : public std::streambuf {
 public:
  explicit OutputBuffer(int descriptor) : descriptor_(descriptor) {
    setp(buffer_.data(), buffer_.data() + buffer_.size());
  }
  ~OutputBuffer() override { flush(); }
  OutputBuffer(const OutputBuffer&) = delete;
  OutputBuffer& operator=(const OutputBuffer&) = delete;

  [[nodiscard]] int error() const { return error_; }  // errno of the first failure, 0 without one
  [[nodiscard]] bool reader_is_gone() const;

 protected:
  int_type overflow(int_type letter) override;
  std::streamsize xsputn(const char* text, std::streamsize size) override;
  int sync() override { return flush() ? 0 : -1; }

 private:
  bool flush();
  bool write(const char* text, std::size_t size);

  int descriptor_;
  int error_ = 0;
  std::array<char, 16384> buffer_{};
};

}  // namespace planvet::io
