#include "analyzer/read/repair/rewriter.hpp"

#include <algorithm>

namespace planvet::read {

namespace {

std::uint32_t offset32(std::size_t offset) { return static_cast<std::uint32_t>(offset); }

}  // namespace

void Rewriter::copy_to(std::size_t end) {
  if (end <= copied_) return;
  map_.append(offset32(output_.size()), offset32(copied_));
  output_.append(input_.substr(copied_, end - copied_));
  copied_ = end;
}

void Rewriter::replace(std::size_t from, std::size_t to, std::string_view with, RepairKind kind) {
  if (output_.capacity() == 0) output_.reserve(input_.size());
  copy_to(from);
  note(from, kind);
  const std::size_t consumed = to - from;
  if (!with.empty()) {
    // One byte for several stands for all of them; other replacements stand for the place where they begin.
    const std::size_t stride = with.size() == 1 ? consumed : with.size() == consumed ? 1 : 0;
    map_.append(offset32(output_.size()), offset32(from), offset32(stride));
    output_.append(with);
  }
  copied_ = to;
}

void Rewriter::note(std::size_t offset, RepairKind kind) {
  const auto known = std::find_if(steps_.begin(), steps_.end(), [&](const RepairStep& s) { return s.kind == kind; });
  if (known != steps_.end()) {
    ++known->places;
  } else {
    steps_.push_back({kind, offset32(offset), 1});
  }
}

void Rewriter::finish() {
  copy_to(input_.size());
  map_.append(offset32(output_.size()), offset32(input_.size()));
}

}  // namespace planvet::read
