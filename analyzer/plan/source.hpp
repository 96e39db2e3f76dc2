// One text that a reader reads, and the way back from it to the bytes that the user gave.
//
//   bytes   what was given (a file, standard input), shared by all documents read from it
//   text    what is parsed: the bytes themselves, or what decoding and repairing made of them
//
// All views of a document point into `text`; every message speaks of lines and columns of `bytes`.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/plan/offset_map.hpp"

namespace planvet {

// Half-open byte range of a Source's text.
struct Span {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  [[nodiscard]] bool empty() const { return begin == end; }
  friend bool operator==(const Span&, const Span&) = default;
};

// Lines and columns start at 1; columns count UTF-8 bytes.
struct Position {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
  std::optional<std::uint32_t> plan_line;  // line inside the decoded text, where that is not the bytes themselves
  friend bool operator==(const Position&, const Position&) = default;
};

// The bytes of one input with an index of their lines, made when the first position is asked for.
class SourceBytes {
 public:
  SourceBytes(std::string path, std::string bytes) : path_(std::move(path)), bytes_(std::move(bytes)) {}
  SourceBytes(const SourceBytes&) = delete;
  SourceBytes& operator=(const SourceBytes&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }  // as the user named it; "-" for standard input
  [[nodiscard]] std::string_view bytes() const { return bytes_; }
  [[nodiscard]] Position position(std::uint32_t offset) const;
  [[nodiscard]] std::string_view line(std::uint32_t number) const;  // without its line break; empty beyond the end

 private:
  const std::vector<std::uint32_t>& line_starts() const;
  std::string path_;
  std::string bytes_;
  mutable std::vector<std::uint32_t> line_starts_;  // one thread reads one input: no lock
};

class Source {
 public:
  // The text is the bytes.
  explicit Source(std::shared_ptr<const SourceBytes> bytes);
  // The text was made from the bytes; `map` leads back.
  Source(std::shared_ptr<const SourceBytes> bytes, std::string text, OffsetMap map);

  [[nodiscard]] const std::string& path() const { return bytes_->path(); }
  [[nodiscard]] const SourceBytes& bytes() const { return *bytes_; }
  [[nodiscard]] const std::shared_ptr<const SourceBytes>& shared_bytes() const { return bytes_; }
  [[nodiscard]] std::string_view text() const { return text_ ? std::string_view(*text_) : bytes_->bytes(); }
  [[nodiscard]] bool is_decoded() const { return text_ != nullptr; }
  [[nodiscard]] const OffsetMap& map() const { return map_; }

  [[nodiscard]] std::string_view text(Span span) const { return text().substr(span.begin, span.end - span.begin); }
  // The span of a view that points into text().
  [[nodiscard]] Span span_of(std::string_view view) const;
  [[nodiscard]] Position position(std::uint32_t offset) const;

 private:
  std::shared_ptr<const SourceBytes> bytes_;
  std::unique_ptr<const std::string> text_;  // behind a pointer: moving a document must not move what is viewed
  OffsetMap map_;
};

}  // namespace planvet
