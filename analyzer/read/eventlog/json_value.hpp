// Small things that all parsers of events need of simdjson. Only .cpp files of this folder include this.
//
// Events are read in the order in which they stand, each value once; a value of another type than expected is skipped.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <simdjson.h>
#include <string>
#include <string_view>
#include <utility>

#include "analyzer/read/eventlog/line_reader.hpp"

namespace planvet::read::eventlog::json {

namespace ondemand = simdjson::ondemand;
static_assert(kPadding >= simdjson::SIMDJSON_PADDING);

// `text` must have kPadding readable bytes behind it.
inline simdjson::padded_string_view padded(std::string_view text) {
  return simdjson::padded_string_view(text.data(), text.size(), text.size() + kPadding);
}

inline bool is(const ondemand::raw_json_string& key, std::string_view name) { return key.unsafe_is_equal(name); }

// The key between its quotes, escapes included.
inline std::string_view key_text(const ondemand::raw_json_string& key) {
  const char* end = key.raw();
  while (*end != '"') end += *end == '\\' ? 2 : 1;
  return {key.raw(), static_cast<std::size_t>(end - key.raw())};
}

// Calls visit(key, value) for each member; false where the JSON is broken. visit gives false to end with that.
template <typename Visit>
bool for_each_member(ondemand::object object, const Visit& visit) {
  for (auto member : object) {
    ondemand::field field;
    if (std::move(member).get(field) != simdjson::SUCCESS) return false;
    if (!visit(field.key(), field.value())) return false;
  }
  return true;
}

template <typename Visit>
bool for_each_member(ondemand::value value, const Visit& visit) {
  ondemand::object object;
  if (value.get_object().get(object) != simdjson::SUCCESS) return true;  // null, or something unexpected
  return for_each_member(object, visit);
}

template <typename Visit>
bool for_each_element(ondemand::value value, const Visit& visit) {
  ondemand::array array;
  if (value.get_array().get(array) != simdjson::SUCCESS) return true;
  for (auto element : array) {
    ondemand::value item;
    if (std::move(element).get(item) != simdjson::SUCCESS) return false;
    if (!visit(item)) return false;
  }
  return true;
}

template <typename Integer>
void read_integer(ondemand::value value, Integer& into) {
  std::int64_t number = 0;
  if (value.get_int64().get(number) == simdjson::SUCCESS) into = static_cast<Integer>(number);
}

inline void read_time(ondemand::value value, std::optional<std::int64_t>& into) {
  std::int64_t number = 0;
  if (value.get_int64().get(number) == simdjson::SUCCESS) into = number;
}

inline void read_flag(ondemand::value value, bool& into) {
  bool flag = false;
  if (value.get_bool().get(flag) == simdjson::SUCCESS) into = flag;
}

// Valid until the parser reads the next document.
inline std::string_view text_of(ondemand::value value) {
  std::string_view text;
  if (value.get_string().get(text) != simdjson::SUCCESS) return {};
  return text;
}

inline void read_text(ondemand::value value, std::string& into) { into = text_of(value); }

// The number in a JSON string: "1024". False for anything else.
inline bool read_quoted_integer(ondemand::value value, std::int64_t& into) {
  const std::string_view token = value.raw_json_token();
  if (token.size() < 2 || token.front() != '"') return false;
  const char* const end = token.data() + token.size();
  const auto [stop, error] = std::from_chars(token.data() + 1, end, into);
  return error == std::errc() && stop != end && *stop == '"';
}

}  // namespace planvet::read::eventlog::json
