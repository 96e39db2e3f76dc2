// A text being rewritten from front to back: what no edit touches is copied, and every byte remembers its place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/plan/offset_map.hpp"
#include "analyzer/read/repair/repair_step.hpp"

namespace planvet::read {

class Rewriter {
 public:
  explicit Rewriter(std::string_view input) : input_(input) {}
  Rewriter(const Rewriter&) = delete;
  Rewriter& operator=(const Rewriter&) = delete;

  // Edits come in order and do not overlap.
  void replace(std::size_t from, std::size_t to, std::string_view with, RepairKind kind);
  void remove(std::size_t from, std::size_t to, RepairKind kind) { replace(from, to, {}, kind); }

  [[nodiscard]] std::string_view input() const { return input_; }
  [[nodiscard]] bool changed() const { return !steps_.empty(); }
  [[nodiscard]] std::size_t position() const { return copied_; }  // the end of the last edit
  // The last byte written, '\n' at the very start.
  [[nodiscard]] char last_written() const { return output_.empty() ? '\n' : output_.back(); }
  // Whether the last line written holds nothing but blanks.
  [[nodiscard]] bool at_line_start() const {
    const std::size_t last = output_.find_last_not_of(' ');
    return last == std::string::npos || output_[last] == '\n';
  }
  void copy_to(std::size_t end);  // as if an edit of nothing stood there

  // Copies the rest. The rewriter is spent after this.
  void finish();
  [[nodiscard]] std::string& text() { return output_; }
  [[nodiscard]] OffsetMap& map() { return map_; }
  [[nodiscard]] const std::vector<RepairStep>& steps() const { return steps_; }  // offsets in the input

 private:
  void note(std::size_t offset, RepairKind kind);

  std::string_view input_;
  std::string output_;
  OffsetMap map_;
  std::vector<RepairStep> steps_;
  std::size_t copied_ = 0;
};

}  // namespace planvet::read
