#include "analyzer/io/interrupt.hpp"

#include <atomic>
#include <csignal>
#include <signal.h>

namespace planvet::io {

namespace {

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);
struct sigaction before {};

extern "C" void remember_interrupt(int) { interrupted.store(true); }

}  // namespace

InterruptWatch::InterruptWatch() {
  interrupted.store(false);
  struct sigaction action {};
  action.sa_handler = remember_interrupt;
  sigemptyset(&action.sa_mask);
  action.sa_flags = static_cast<int>(SA_RESTART | SA_RESETHAND);
  sigaction(SIGINT, &action, &before);
  // A process that was told to ignore it (in the background of a script) goes on ignoring it.
  if (before.sa_handler == SIG_IGN) sigaction(SIGINT, &before, nullptr);
}

InterruptWatch::~InterruptWatch() { sigaction(SIGINT, &before, nullptr); }

bool is_interrupted() { return interrupted.load(); }

}  // namespace planvet::io
