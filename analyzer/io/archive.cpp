#include "analyzer/io/archive.hpp"

#include <algorithm>
#include <array>
#include <fcntl.h>
#include <string>
#include <unistd.h>
#include <utility>
#include <zip.h>

#include <fmt/core.h>

#include "analyzer/io/file_source.hpp"
#include "analyzer/io/paths.hpp"

namespace planvet::io {
namespace {

// Event logs shrink to a tenth or a fortieth. Deflate cannot do better than a thousandth, and archives that are made to
// harm come close to it, or list the same bytes many times.
constexpr std::uint64_t kMostTimes = 500;
constexpr std::uint64_t kNeverTooLarge = std::uint64_t{1} << 28U;  // what expands to less does no harm
constexpr std::uint64_t kMostEntries = 100'000;

std::string size_text(std::uint64_t bytes) {
  return fmt::format("{:.1f} GiB", static_cast<double>(bytes) / (1U << 30U));
}

class EntrySource : public ByteSource {
 public:
  EntrySource(::zip_file* file, std::uint64_t compressed) : file_(file), compressed_(compressed) {}
  ~EntrySource() override { zip_fclose(file_); }
  [[nodiscard]] std::size_t read(std::span<char> buffer) override {
    if (is_stopped_) return 0;
    const zip_int64_t got = zip_fread(file_, buffer.data(), buffer.size());
    if (got < 0) {
      set_problem(std::string("the zip archive is damaged: ") + zip_error_strerror(zip_file_get_error(file_)));
      is_stopped_ = true;
      return 0;
    }
    size_ += static_cast<std::uint64_t>(got);
    if (size_ > kNeverTooLarge && size_ / kMostTimes > compressed_) {
      set_problem(fmt::format("the zip archive expands to more than {} times its size: reading stopped after {}",
                              kMostTimes, size_text(size_)));
      is_stopped_ = true;
    }
    return static_cast<std::size_t>(got);
  }

 private:
  ::zip_file* file_;
  std::uint64_t compressed_;
  std::uint64_t size_ = 0;
  bool is_stopped_ = false;
};

class OwningSource : public ByteSource {
 public:
  OwningSource(std::unique_ptr<Archive> archive, std::unique_ptr<ByteSource> entry)
      : archive_(std::move(archive)), entry_(std::move(entry)) {}
  [[nodiscard]] std::size_t read(std::span<char> buffer) override {
    const std::size_t got = entry_->read(buffer);
    if (!entry_->problem().empty()) set_problem(entry_->problem());
    return got;
  }

 private:
  std::unique_ptr<Archive> archive_;
  std::unique_ptr<ByteSource> entry_;  // behind what it reads from
};

ReadError archive_error(int code) {
  zip_error_t error;
  zip_error_init_with_code(&error, code);
  ReadError result{std::string("is a zip archive that cannot be read: ") + zip_error_strerror(&error) +
                   "; download it again"};
  zip_error_fini(&error);
  return result;
}

}  // namespace

bool is_archive(std::string_view head) {
  return head.starts_with(std::string_view("PK\x03\x04", 4)) || head.starts_with(std::string_view("PK\x05\x06", 4));
}

bool is_archive_file(const std::string& path) {
  // A pipe is not even to be opened: who writes it would see it closed.
  if (!is_regular_file(path)) return false;
  auto opened = io::open_file(path);
  auto* const file = std::get_if<std::unique_ptr<FileSource>>(&opened);
  if (file == nullptr) return false;
  std::array<char, 4> head{};
  const std::size_t got = (*file)->read(head);
  return is_archive({head.data(), got});
}

std::variant<std::unique_ptr<Archive>, ReadError> Archive::open_file(const std::string& path) {
  int code = 0;
  ::zip* const handle = zip_open(path.c_str(), ZIP_RDONLY, &code);
  if (handle == nullptr) return archive_error(code);
  std::unique_ptr<Archive> archive(new Archive(handle, file_size(path)));
  if (std::string wrong = archive->list(); !wrong.empty()) return ReadError{std::move(wrong)};
  return archive;
}

std::variant<std::unique_ptr<Archive>, ReadError> Archive::open_bytes(std::string_view bytes) {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* const source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error);
  ::zip* const handle = source == nullptr ? nullptr : zip_open_from_source(source, ZIP_RDONLY, &error);
  const int code = zip_error_code_zip(&error);
  zip_error_fini(&error);
  if (handle == nullptr) {
    if (source != nullptr) zip_source_free(source);
    return archive_error(code);
  }
  std::unique_ptr<Archive> archive(new Archive(handle, bytes.size()));
  if (std::string wrong = archive->list(); !wrong.empty()) return ReadError{std::move(wrong)};
  return archive;
}

Archive::~Archive() { zip_discard(handle_); }

std::string Archive::list() {
  const zip_int64_t count = zip_get_num_entries(handle_, 0);
  if (count > static_cast<zip_int64_t>(kMostEntries)) {
    return fmt::format("is a zip archive of {} entries: more than {} are not read", count, kMostEntries);
  }
  std::uint64_t expanded = 0;
  std::uint64_t compressed = 0;
  for (zip_int64_t number = 0; number < count; ++number) {
    zip_stat_t status;
    zip_stat_init(&status);
    if (zip_stat_index(handle_, static_cast<zip_uint64_t>(number), 0, &status) != 0) continue;
    if ((status.valid & ZIP_STAT_NAME) == 0) continue;
    const std::string name = status.name;
    if (name.empty() || name.ends_with('/')) continue;
    // What desktops put beside: "__MACOSX/._app_1", ".DS_Store"; checksums of Hadoop.
    if (name.starts_with("__MACOSX/") || name.substr(name.rfind('/') + 1).starts_with('.')) continue;
    if ((status.valid & ZIP_STAT_SIZE) != 0) expanded += std::min(status.size, UINT64_MAX / 2 / kMostEntries);
    if ((status.valid & ZIP_STAT_COMP_SIZE) != 0)
      compressed += std::min(status.comp_size, UINT64_MAX / 2 / kMostEntries);
    entries_.push_back(name);
    numbers_.push_back(static_cast<std::uint64_t>(number));
  }
  compressed = std::min(compressed, size_);
  if (expanded > kNeverTooLarge && expanded / kMostTimes > compressed) {
    return fmt::format("is a zip archive that expands to {}, more than {} times its size: it is not read",
                       size_text(expanded), kMostTimes);
  }
  return {};
}

std::variant<std::unique_ptr<ByteSource>, ReadError> Archive::open(const std::string& entry) {
  const auto found = std::find(entries_.begin(), entries_.end(), entry);
  if (found == entries_.end()) return ReadError{"is no longer in its zip archive"};
  const std::uint64_t number = numbers_[static_cast<std::size_t>(found - entries_.begin())];
  zip_stat_t status;
  zip_stat_init(&status);
  const bool has_size = zip_stat_index(handle_, number, 0, &status) == 0 && (status.valid & ZIP_STAT_COMP_SIZE) != 0;
  ::zip_file* const file = zip_fopen_index(handle_, number, 0);
  if (file == nullptr) {
    return ReadError{std::string("cannot be read from its zip archive: ") + zip_strerror(handle_)};
  }
  return std::make_unique<EntrySource>(file, has_size ? std::min(status.comp_size, size_) : 0);
}

bool Archive::holds_logs() {
  constexpr std::size_t kMostLooks = 16;
  using namespace std::string_view_literals;
  for (std::size_t i = 0; i < std::min(kMostLooks, entries_.size()); ++i) {
    auto opened = open(entries_[i]);
    auto* const source = std::get_if<std::unique_ptr<ByteSource>>(&opened);
    if (source == nullptr) continue;
    std::array<char, 16> bytes{};
    const std::string_view head(bytes.data(), (*source)->read(bytes));
    for (const std::string_view begin : {"{\"Event\""sv, "\x28\xB5\x2F\xFD"sv, "LZ4Block"sv, "\x82SNAPPY"sv, "ZV"sv}) {
      if (head.starts_with(begin)) return true;
    }
  }
  return false;
}

std::variant<std::unique_ptr<ByteSource>, ReadError> open_archived(const std::string& archive,
                                                                   const std::string& entry) {
  auto opened = Archive::open_file(archive);
  if (auto* const error = std::get_if<ReadError>(&opened)) return std::move(*error);
  auto& owner = std::get<std::unique_ptr<Archive>>(opened);
  auto source = owner->open(entry);
  if (auto* const error = std::get_if<ReadError>(&source)) return std::move(*error);
  return std::make_unique<OwningSource>(std::move(owner), std::move(std::get<std::unique_ptr<ByteSource>>(source)));
}

std::variant<std::unique_ptr<ByteSource>, ReadError> open_input(const std::string& path, const std::string& archive) {
  if (!archive.empty()) return open_archived(archive, path.substr(archive.size() + 1));
  auto opened = io::open_file(path);
  if (auto* const error = std::get_if<ReadError>(&opened)) return std::move(*error);
  return std::unique_ptr<ByteSource>(std::move(std::get<std::unique_ptr<FileSource>>(opened)));
}

FileBytes read_whole(ByteSource& source, std::uint64_t most) {
  std::string bytes;
  std::array<char, 65536> buffer{};
  while (const std::size_t got = source.read(buffer)) {
    bytes.append(buffer.data(), got);
    if (bytes.size() > most) {
      return ReadError{fmt::format("expands to more than {} MiB, which no plan needs: it is not read", most >> 20U)};
    }
  }
  if (!source.problem().empty()) return ReadError{source.problem()};
  return bytes;
}

}  // namespace planvet::io
