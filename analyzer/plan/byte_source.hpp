// Bytes that come one piece after the other: a file, a pipe, what a decompressor makes of another source.
//
// Event logs are read through this, since they do not fit into memory. Whoever opens files is in io/, whoever
// decompresses in read/eventlog/; neither knows the other.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace planvet {

class ByteSource {
 public:
  ByteSource() = default;
  virtual ~ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  // Writes at the front of `buffer` and gives how many bytes; 0 is the end, also where something is broken.
  [[nodiscard]] virtual std::size_t read(std::span<char> buffer) = 0;

  // Why nothing comes any more, where that is not the proper end: "ends inside a zstd frame".
  [[nodiscard]] const std::string& problem() const { return problem_; }

 protected:
  void set_problem(std::string problem) {
    if (problem_.empty()) problem_ = std::move(problem);
  }

 private:
  std::string problem_;
};

// Bytes that are in memory already. They must outlive this.
class MemorySource : public ByteSource {
 public:
  explicit MemorySource(std::string_view bytes) : bytes_(bytes) {}
  [[nodiscard]] std::size_t read(std::span<char> buffer) override {
    const std::size_t size = std::min(buffer.size(), bytes_.size());
    std::copy_n(bytes_.begin(), size, buffer.begin());
    bytes_.remove_prefix(size);
    return size;
  }

 private:
  std::string_view bytes_;
};

}  // namespace planvet
