#include "analyzer/io/output_file.hpp"

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <memory>
#include <system_error>
#include <unistd.h>

#include <sys/stat.h>

namespace planvet::io {

namespace {

std::string reason(int error) { return std::generic_category().message(error); }

// Writes all of it and closes; 0 or errno.
int write_and_close(int descriptor, std::string_view bytes, bool is_synced) {
  int error = 0;
  while (!bytes.empty() && error == 0) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      error = errno;
    }
  }
  // Where the new name could reach the disk before the bytes do.
  if (error == 0 && is_synced && ::fsync(descriptor) != 0 && errno != EINVAL && errno != EROFS) error = errno;
  if (::close(descriptor) != 0 && error == 0) error = errno;
  return error;
}

std::string write_in_place(const std::string& path, std::string_view bytes, int flags) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | flags, 0666);
  if (descriptor < 0) return reason(errno);
  const int error = write_and_close(descriptor, bytes, false);
  return error == 0 ? std::string() : reason(error);
}

// The file behind links; the path itself where there is none yet.
std::string link_target(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> target(::realpath(path.c_str(), nullptr), &std::free);
  return target ? std::string(target.get()) : path;
}

}  // namespace

std::string replace_file(const std::string& path, std::string_view bytes) {
  if (path.empty() || path.ends_with('/')) return "this names no file";
  struct stat old {};
  const bool exists = ::stat(path.c_str(), &old) == 0;
  if (exists && S_ISDIR(old.st_mode)) return "this is a folder";
  if (exists && !S_ISREG(old.st_mode)) return write_in_place(path, bytes, 0);

  const std::string target = exists ? link_target(path) : path;
  std::string temporary;
  int descriptor = -1;
  for (int attempt = 0; descriptor < 0; ++attempt) {
    temporary = target + "." + std::to_string(::getpid()) + "-" + std::to_string(attempt) + ".tmp";
    descriptor = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor < 0 && (errno != EEXIST || attempt == 100)) return reason(errno);
  }
  if (exists) static_cast<void>(::fchmod(descriptor, old.st_mode & 07777U));
  int error = write_and_close(descriptor, bytes, true);
  if (error == 0 && ::rename(temporary.c_str(), target.c_str()) != 0) error = errno;
  if (error == 0) return {};
  ::unlink(temporary.c_str());
  return reason(error);
}

std::string append_to_file(const std::string& path, std::string_view bytes) {
  return write_in_place(path, bytes, O_APPEND | O_CREAT);
}

}  // namespace planvet::io
