// Single characters.
#pragma once

#include <cstdint>
#include <string>

namespace planvet::read {

void append_utf8(std::string& text, std::uint32_t code);

}  // namespace planvet::read
