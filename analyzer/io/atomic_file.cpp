#include "analyzer/io/atomic_file.hpp"

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <system_error>
#include <unistd.h>

#include <sys/stat.h>

namespace planvet::io {

namespace {

WriteError write_error(int error) {
  switch (error) {
    case EACCES:
    case EPERM: return {"no permission to write it, or its folder"};
    case ENOENT: return {"no such folder"};
    case EROFS: return {"is on a file system that can only be read"};
    default: return {std::generic_category().message(error)};
  }
}

int write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

std::optional<WriteError> write_in_place(const std::string& path, std::string_view text, int flags) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | flags, 0666);
  if (file < 0) return write_error(errno);
  int error = write_all(file, text);
  if (::close(file) != 0 && error == 0) error = errno;
  return error == 0 ? std::nullopt : std::optional(write_error(error));
}

}  // namespace

std::optional<WriteError> write_file(const std::string& named, std::string_view text) {
  // What a link leads to is written, not the link.
  std::error_code ignored;
  const std::filesystem::path resolved = std::filesystem::weakly_canonical(named, ignored);
  const std::string path = ignored ? named : resolved.string();
  struct stat status {};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) return WriteError{"is a directory"};
  // Devices and pipes have no "beside".
  if (exists && !S_ISREG(status.st_mode)) return write_in_place(path, text, 0);

  std::string temporary = path + ".XXXXXX";
  const int file = ::mkostemp(temporary.data(), O_CLOEXEC);
  if (file < 0) return write_error(errno);
  int error = write_all(file, text);
  mode_t mode = status.st_mode & 07777U;
  if (!exists) {
    const mode_t mask = ::umask(0);
    ::umask(mask);
    mode = 0666U & ~mask;
  }
  if (error == 0 && ::fchmod(file, mode) != 0) error = errno;
  // A crash of the machine must not leave an empty file under the name.
  if (error == 0 && ::fsync(file) != 0 && errno != EINVAL) error = errno;
  if (::close(file) != 0 && error == 0) error = errno;
  if (error == 0 && ::rename(temporary.c_str(), path.c_str()) != 0) error = errno;
  if (error == 0) return std::nullopt;
  ::unlink(temporary.c_str());
  return write_error(error);
}

std::optional<WriteError> append_to_file(const std::string& path, std::string_view text) {
  return write_in_place(path, text, O_APPEND | O_CREAT);
}

}  // namespace planvet::io
