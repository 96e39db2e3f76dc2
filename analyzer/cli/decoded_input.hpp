// Inputs that fit into memory and came compressed: plans and answers of the REST API. Logs are streamed instead.
#pragma once

#include <string>
#include <string_view>

namespace planvet::cli {

// Compressed as Spark compresses logs?
[[nodiscard]] bool is_encoded(std::string_view bytes);

// Replaces compressed bytes by what they hold, also where that was done twice; others stay as they are. The answer is
// what is wrong, empty when nothing is: archives and codecs that nobody here reads among it.
[[nodiscard]] std::string decode_in_place(std::string& bytes);

}  // namespace planvet::cli
