// Output in order of work that is done at the same time: work 0 writes first, whoever is ready first.
//
//   work 0  ----read----write-|
//   work 1  --read--(waits)    write-|
//   work 2                ------read---(waits) write-|
#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <vector>

namespace planvet::io {

// Works must begin in the order of their numbers, as for_each_parallel lets them: one that waits for another that nobody
// has begun would wait for ever.
class Turns {
 public:
  explicit Turns(std::size_t count) : has_ended_(count) {}
  void wait_for(std::size_t number);  // until everything before it has ended
  void end(std::size_t number);

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<bool> has_ended_;
  std::size_t current_ = 0;
};

// One work's turn: ends with it, also by an exception.
class Turn {
 public:
  Turn(Turns& turns, std::size_t number) : turns_(turns), number_(number) {}
  ~Turn() { turns_.end(number_); }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  void wait() { turns_.wait_for(number_); }

 private:
  Turns& turns_;
  std::size_t number_;
};

}  // namespace planvet::io
