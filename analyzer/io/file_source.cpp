#include "analyzer/io/file_source.hpp"

#include <cerrno>
#include <fcntl.h>
#include <system_error>
#include <unistd.h>

#include <sys/stat.h>

namespace planvet::io {

FileSource::~FileSource() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

std::size_t FileSource::read(std::span<char> buffer) {
  while (true) {
    const ssize_t got = ::read(descriptor_, buffer.data(), buffer.size());
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno == EINTR) continue;
    set_problem("cannot be read any further: " + std::generic_category().message(errno));
    return 0;
  }
}

std::variant<std::unique_ptr<FileSource>, ReadError> open_file(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return read_error(errno);
  auto source = std::make_unique<FileSource>(descriptor);
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) return read_error(errno);
  if (S_ISDIR(status.st_mode)) return read_error(EISDIR);
  if (!S_ISREG(status.st_mode)) return ReadError{"is no regular file"};
  return source;
}

}  // namespace planvet::io
