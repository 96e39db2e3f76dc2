#include "analyzer/io/file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <istream>
#include <system_error>
#include <unistd.h>

#include <sys/stat.h>

namespace planvet::io {

namespace {

constexpr std::size_t kFirstPiece = 64U * 1024U;
constexpr std::size_t kLargestPiece = 64U * 1024U * 1024U;

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int number() const { return number_; }

 private:
  int number_;
};

ReadError too_large() { return {"is larger than 4 GiB - 1: split it, or give planvet the part with the plan"}; }

}  // namespace

ReadError read_error(int error) {
  switch (error) {
    case ENOENT: return {"no such file or directory"};
    case EACCES:
    case EPERM: return {"no permission to read it"};
    case EISDIR: return {"is a directory"};
    default: return {std::generic_category().message(error)};
  }
}

FileBytes read_file(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.number() < 0) return read_error(errno);
  struct stat status {};
  if (::fstat(file.number(), &status) != 0) return read_error(errno);
  if (S_ISDIR(status.st_mode)) return read_error(EISDIR);

  const auto promised = static_cast<std::uint64_t>(std::max<off_t>(status.st_size, 0));
  if (promised > kLargestInput) return too_large();
  std::string bytes;
  std::size_t size = 0;
  // One byte more than promised, so that the end is seen without another allocation: a report keeps what is read.
  bytes.resize(promised > 0 ? static_cast<std::size_t>(promised) + 1 : kFirstPiece);
  while (true) {
    if (size == bytes.size()) bytes.resize(size + std::clamp(size, kFirstPiece, kLargestPiece));
    const ssize_t got = ::read(file.number(), bytes.data() + size, bytes.size() - size);
    if (got < 0) {
      if (errno == EINTR) continue;
      return read_error(errno);
    }
    size += static_cast<std::size_t>(got);
    if (got == 0) break;
    if (size > kLargestInput) return too_large();
  }
  bytes.resize(size);
  if (bytes.capacity() - size > kFirstPiece) bytes.shrink_to_fit();
  if (size < promised) return ReadError{"became shorter while it was read: try again"};
  return bytes;
}

FileBytes read_stream(std::istream& stream) {
  std::string bytes;
  std::size_t size = 0;
  std::size_t piece = kFirstPiece;
  while (true) {
    bytes.resize(size + piece);
    const std::streamsize got = stream.rdbuf()->sgetn(bytes.data() + size, static_cast<std::streamsize>(piece));
    size += static_cast<std::size_t>(std::max<std::streamsize>(got, 0));
    if (got < static_cast<std::streamsize>(piece)) break;
    if (size > kLargestInput) return too_large();
    piece = std::clamp(size, kFirstPiece, kLargestPiece);
  }
  bytes.resize(size);
  return bytes;
}

}  // namespace planvet::io
