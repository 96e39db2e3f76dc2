#include "analyzer/io/output.hpp"

#include <cerrno>
#include <unistd.h>

namespace planvet::io {

bool OutputBuffer::reader_is_gone() const { return error_ == EPIPE; }

bool OutputBuffer::write(const char* text, std::size_t size) {
  while (size > 0 && error_ == 0) {
    const ssize_t written = ::write(descriptor_, text, size);
    if (written < 0) {
      if (errno != EINTR) error_ = errno;
      continue;
    }
    text += written;
    size -= static_cast<std::size_t>(written);
  }
  return error_ == 0;
}

bool OutputBuffer::flush() {
  const auto size = static_cast<std::size_t>(pptr() - pbase());
  setp(buffer_.data(), buffer_.data() + buffer_.size());
  return write(buffer_.data(), size);
}

OutputBuffer::int_type OutputBuffer::overflow(int_type letter) {
  if (!flush()) return traits_type::eof();
  if (!traits_type::eq_int_type(letter, traits_type::eof())) sputc(traits_type::to_char_type(letter));
  return traits_type::not_eof(letter);
}

std::streamsize OutputBuffer::xsputn(const char* text, std::streamsize size) {
  if (size > epptr() - pptr()) {
    if (!flush()) return 0;
    // What does not fit into the buffer goes past it.
    if (size > static_cast<std::streamsize>(buffer_.size()))
      return write(text, static_cast<std::size_t>(size)) ? size : 0;
  }
  std::char_traits<char>::copy(pptr(), text, static_cast<std::size_t>(size));
  pbump(static_cast<int>(size));
  return size;
}

}  // namespace planvet::io
