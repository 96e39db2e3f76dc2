// Inputs that fit into memory and came compressed: plans and answers of the REST API. Logs are streamed instead.
#pragma once

#include <string>

namespace planvet::cli {

// Replaces compressed bytes by what they hold; others stay as they are. The answer is what is wrong, empty when nothing
// is.
[[nodiscard]] std::string decode_in_place(std::string& bytes);

}  // namespace planvet::cli
