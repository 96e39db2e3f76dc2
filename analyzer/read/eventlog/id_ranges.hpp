// A set of ids that were given one after the other: a few ranges, however many ids.
#pragma once

#include <cstdint>
#include <iterator>
#include <map>

namespace planvet::read::eventlog {

class IdRanges {
 public:
  void add(std::int64_t id) {
    const auto next = ranges_.upper_bound(id);
    const bool joins_next = next != ranges_.end() && next->first == id + 1;
    if (next != ranges_.begin()) {
      const auto before = std::prev(next);
      if (id < before->second) return;
      if (id == before->second) {
        before->second = joins_next ? next->second : id + 1;
        if (joins_next) ranges_.erase(next);
        return;
      }
    }
    const std::int64_t end = joins_next ? next->second : id + 1;
    if (joins_next) ranges_.erase(next);
    ranges_.emplace(id, end);
  }

  [[nodiscard]] bool contains(std::int64_t id) const {
    const auto next = ranges_.upper_bound(id);
    return next != ranges_.begin() && id < std::prev(next)->second;
  }

  void clear() { ranges_.clear(); }

 private:
  std::map<std::int64_t, std::int64_t> ranges_;  // the first id -> behind the last one
};

}  // namespace planvet::read::eventlog
