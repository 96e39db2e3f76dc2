// A file, or a stream, read piece by piece: what does not fit into memory.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <variant>

#include "analyzer/io/file.hpp"
#include "analyzer/plan/byte_source.hpp"

namespace planvet::io {

class FileSource : public ByteSource {
 public:
  explicit FileSource(int descriptor) : descriptor_(descriptor) {}  // closes it
  ~FileSource() override;
  [[nodiscard]] std::size_t read(std::span<char> buffer) override;

 private:
  int descriptor_;
};

// Regular files only: what can be read but once is not to be looked into.
[[nodiscard]] std::variant<std::unique_ptr<FileSource>, ReadError> open_file(const std::string& path);

}  // namespace planvet::io
