#include "analyzer/io/turns.hpp"

namespace planvet::io {

void Turns::wait_for(std::size_t number) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return current_ >= number; });
}

void Turns::end(std::size_t number) {
  {
    const std::lock_guard lock(mutex_);
    has_ended_[number] = true;
    while (current_ < has_ended_.size() && has_ended_[current_]) ++current_;
  }
  changed_.notify_all();
}

}  // namespace planvet::io
