#include "analyzer/io/interrupt.hpp"

#include <atomic>
#include <csignal>
#include <signal.h>

namespace planvet::io {

namespace {

std::atomic<bool> interrupted{false};
std::atomic<bool> is_something_read{false};
static_assert(std::atomic<bool>::is_always_lock_free);
struct sigaction before {};

extern "C" void remember_interrupt(int signal) {
  if (is_something_read.load()) {
    interrupted.store(true);
  } else {
    raise(signal);  // SA_RESETHAND: now it does what it does by default
  }
}

}  // namespace

InterruptWatch::InterruptWatch() {
  interrupted.store(false);
  is_something_read.store(false);
  struct sigaction action {};
  action.sa_handler = remember_interrupt;
  sigemptyset(&action.sa_mask);
  action.sa_flags = static_cast<int>(SA_RESTART | SA_RESETHAND);
  sigaction(SIGINT, &action, &before);
  // A process that was told to ignore it (in the background of a script) goes on ignoring it.
  if (before.sa_handler == SIG_IGN) sigaction(SIGINT, &before, nullptr);
}

InterruptWatch::~InterruptWatch() { sigaction(SIGINT, &before, nullptr); }

void something_was_read() {
  if (!is_something_read.load(std::memory_order_relaxed)) is_something_read.store(true);
}

bool is_interrupted() { return interrupted.load(); }

}  // namespace planvet::io
