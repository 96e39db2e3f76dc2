// Pieces of JSON that come again and again, a few at a time: what was read once is compared from then on.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "analyzer/read/eventlog/compact_json.hpp"

namespace planvet::read::eventlog {

class SeenText {
 public:
  // One of them is next.
  [[nodiscard]] bool take(CompactJson& json) const {
    for (const std::string& text : texts_) {
      if (!text.empty() && json.take(std::string_view(text))) return true;
    }
    return false;
  }
  // `text` was found to be as it should. One that came before makes room for it.
  void remember(std::string_view text) {
    constexpr std::size_t kLongestRemembered = std::size_t{1} << 14U;
    if (text.size() <= kLongestRemembered) texts_[next_++ % texts_.size()] = text;
  }
  // Any value, be it one of them or a new one.
  [[nodiscard]] bool skip_value(CompactJson& json) {
    if (take(json)) return true;
    const char* const begin = json.position();
    if (!json.skip_value()) return false;
    remember({begin, static_cast<std::size_t>(json.position() - begin)});
    return true;
  }

 private:
  std::array<std::string, 4> texts_;
  std::size_t next_ = 0;
};

}  // namespace planvet::read::eventlog
