// A source that another thread reads ahead: what decompresses and what parses work side by side.
//
//   source --> thread --> [piece][piece][piece] --> read()      a few pieces at most, whatever the source holds
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "analyzer/plan/byte_source.hpp"

namespace planvet::io {

class ReadAhead : public ByteSource {
 public:
  // Nobody else may use the source until this is gone.
  explicit ReadAhead(ByteSource& source);
  ~ReadAhead() override;
  [[nodiscard]] std::size_t read(std::span<char> buffer) override;

 private:
  void run();

  ByteSource& source_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::vector<char>> pieces_;  // read, not taken yet
  std::vector<std::vector<char>> free_;   // to be used again
  std::vector<char> current_;             // being taken
  std::size_t at_ = 0;
  bool is_done_ = false;     // the source is at its end
  bool is_stopped_ = false;  // nobody wants more
  std::thread thread_;       // last: it uses all of these
};

}  // namespace planvet::io
