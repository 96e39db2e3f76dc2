// What a run of planvet says to the shell.
#pragma once

namespace planvet::cli {

enum class ExitStatus : int {
  Clean = 0,     // nothing at or above --fail-on
  Findings = 1,  // something was
  Failure = 2,   // could not do what was asked: usage, configuration, unreadable or unrecognised input, nothing matched
  Interrupted = 130,  // by Ctrl-C, as shells say it
};

}  // namespace planvet::cli
