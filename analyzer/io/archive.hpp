// Zip archives as folders of files: what the History Server's download button gives. Entries are streamed, never
// unpacked.
//
//   eventLogs-app_1.zip        app_1_1.zstd                               one file for each attempt
//   eventLogs-app_2.zip        eventlog_v2_app_2/events_1_app_2.zstd ..   or one folder
//
// Bounded against archives that expand without end: see kMost.. in archive.cpp, which real logs never come near.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "analyzer/io/file.hpp"
#include "analyzer/plan/byte_source.hpp"

struct zip;

namespace planvet::io {

// By the first bytes, also of an archive without entries.
[[nodiscard]] bool is_archive(std::string_view head);
[[nodiscard]] bool is_archive_file(const std::string& path);

class Archive {
 public:
  [[nodiscard]] static std::variant<std::unique_ptr<Archive>, ReadError> open_file(const std::string& path);
  // The bytes must outlive it.
  [[nodiscard]] static std::variant<std::unique_ptr<Archive>, ReadError> open_bytes(std::string_view bytes);
  ~Archive();
  Archive(const Archive&) = delete;
  Archive& operator=(const Archive&) = delete;

  // Names of files, in the archive's order; folders are not among them.
  [[nodiscard]] const std::vector<std::string>& entries() const { return entries_; }
  // The entry as a source, which must not outlive the archive. One thread only.
  [[nodiscard]] std::variant<std::unique_ptr<ByteSource>, ReadError> open(const std::string& entry);
  // Does an entry begin like an event log, compressed or not? Looks at a few of them.
  [[nodiscard]] bool holds_logs();

 private:
  Archive(::zip* handle, std::uint64_t size) : handle_(handle), size_(size) {}
  [[nodiscard]] std::string list();  // what is wrong with it

  ::zip* handle_;
  std::uint64_t size_;  // of the archive: no entry takes more of it, whatever it says
  std::vector<std::string> entries_;
  std::vector<std::uint64_t> numbers_;  // of the entries
};

// A file, or an entry of an archive whose path begins with the archive's: see InputFile.
[[nodiscard]] std::variant<std::unique_ptr<ByteSource>, ReadError> open_input(const std::string& path,
                                                                              const std::string& archive);

// An entry of an archive file, with the archive kept open as long as it is read.
[[nodiscard]] std::variant<std::unique_ptr<ByteSource>, ReadError> open_archived(const std::string& archive,
                                                                                 const std::string& entry);

// The whole of a source, where that is not more than `most` bytes.
[[nodiscard]] FileBytes read_whole(ByteSource& source, std::uint64_t most);

}  // namespace planvet::io
