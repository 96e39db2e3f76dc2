// Lines of the stored logs, whole and damaged, for readers that have one way for what is usual and one for everything.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "analyzer/read/eventlog/line_reader.hpp"
#include "tests/support/dice.hpp"
#include "tests/support/event_logs.hpp"

namespace planvet::test {

// A line as the line reader gives it: another one stands behind it.
class LineOfMany {
 public:
  explicit LineOfMany(std::string_view line)
      : bytes_(std::string(line) + std::string(read::eventlog::kPadding, '7')), size_(line.size()) {}
  [[nodiscard]] const std::string& bytes() const { return bytes_; }
  [[nodiscard]] std::string_view text() const { return std::string_view(bytes_).substr(0, size_); }

 private:
  std::string bytes_;
  std::size_t size_;
};

template <typename Visit>
void for_each_stored_line(const Visit& visit) {
  for (const EventLogCase& log : event_log_cases()) {
    const std::string text = decompressed_file(log.directory + "/eventlog.zst");
    std::string_view rest = text;
    while (!rest.empty()) {
      const std::string_view line = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(std::min(line.size() + 1, rest.size()));
      visit(line);
    }
  }
}

// Eight damaged copies of each line: two are cut, in six a byte is another one.
class DamagedLines {
 public:
  // `is_usual` is asked of each. In each second one the damage is behind `inner`.
  template <typename IsUsual>
  void add(std::string_view line, const IsUsual& is_usual, std::size_t inner = 0) {
    constexpr std::string_view kOthers = "0-9\"\\,:{}[]a. \n\x80u";
    for (int round = 0; round < 8; ++round) {
      std::string broken(line);
      const std::size_t begin = round % 2 == 0 ? 0 : inner;
      const std::size_t at = begin + dice_.below(broken.size() - begin);
      if (round % 4 == 0) {
        broken.resize(at);
      } else {
        broken[at] = kOthers[dice_.below(kOthers.size())];
      }
      ++count_;
      usual_ += is_usual(broken) ? 1U : 0U;
    }
  }
  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] std::size_t usual() const { return usual_; }

 private:
  Dice dice_{1};
  std::size_t count_ = 0;
  std::size_t usual_ = 0;
};

}  // namespace planvet::test
