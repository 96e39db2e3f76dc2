// Ctrl-C as a question that somebody asks from time to time, in place of an end at once.
#pragma once

namespace planvet::io {

// While one of these lives, and as soon as something was read, the first Ctrl-C is remembered; the second one ends the
// process, as ever. Before that there is nothing to keep, and whoever waits for a silent pipe wants an end.
class InterruptWatch {
 public:
  InterruptWatch();
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;
};

// From any thread.
void something_was_read();

// Was there one since the watch began? From any thread.
[[nodiscard]] bool is_interrupted();

}  // namespace planvet::io
