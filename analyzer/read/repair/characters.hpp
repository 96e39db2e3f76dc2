// Single characters, written in other ways.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace planvet::read {

void append_utf8(std::string& text, std::uint32_t code);

// `&gt;`, `&#39;`, `&#x27;`, `&nbsp;` at the start of `text`. Size 0: none that plan text could have been put in.
struct Entity {
  std::size_t size = 0;
  std::uint32_t code = 0;
};
[[nodiscard]] Entity entity_at(std::string_view text);

}  // namespace planvet::read
