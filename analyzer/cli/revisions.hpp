// --changed-since and --new-since: what git knows of the inputs.
#pragma once

#include <string>

#include "analyzer/cli/judging.hpp"

namespace planvet::cli {

// Takes files out that did not change since the revision. Empty: done; else what is wrong.
[[nodiscard]] std::string keep_changed_since(const std::string& revision, io::InputFiles& files,
                                             const std::string& stdin_filename);

// Marks findings that the same files had in the revision. Empty: done; else what is wrong.
[[nodiscard]] std::string mark_known_since(const std::string& revision, Inputs& inputs, Judging& judging);

}  // namespace planvet::cli
