// Text from plans in formats that give some letters a meaning. Plans hold any bytes; what comes out is valid UTF-8.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace planvet::render {

// Bytes that are no UTF-8 are U+FFFD. Everything else stays.
[[nodiscard]] std::string valid_utf8(std::string_view text);

// How many code points a consumer counts in `text`; a byte that is no UTF-8 is one.
[[nodiscard]] std::size_t code_points(std::string_view text);

// At most `bytes` bytes, cut between letters; what was cut ends with "...".
[[nodiscard]] std::string cut_to_bytes(std::string_view text, std::size_t bytes);

// Element content and attribute values: line breaks stay, what XML 1.0 cannot hold is U+FFFD.
[[nodiscard]] std::string xml_text(std::string_view text);
[[nodiscard]] std::string xml_attribute(std::string_view text);

// Workflow commands of GitHub Actions: what follows `::`, and a value of a property.
[[nodiscard]] std::string command_message(std::string_view text);
[[nodiscard]] std::string command_property(std::string_view text);

// GitHub's and GitLab's Markdown, one line that also fits into a cell of a table: no markup, no mention of people, no
// link to an issue comes of it.
[[nodiscard]] std::string markdown_text(std::string_view text);

// The same inside an HTML element of a Markdown page, where a backslash is a backslash.
[[nodiscard]] std::string html_text(std::string_view text);

// Prose with code in it, as fixes are: the code stays code, and nothing of the prose is markup.
[[nodiscard]] std::string markdown_fix_text(std::string_view fix);

// A block of code, fenced so that nothing in it ends it.
[[nodiscard]] std::string markdown_block(std::string_view text);

// A path as (a part of) a URI: percent-encoded bytes, slashes stay.
[[nodiscard]] std::string uri_path(std::string_view path);

}  // namespace planvet::render
