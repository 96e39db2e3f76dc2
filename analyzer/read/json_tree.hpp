// JSON as a flat list of values in pre-order, each with the place where it stands: for inputs of some megabytes whose
// messages and carets must lead back to their bytes.
//
//   {"id":7,"nodes":[{"nodeId":0}]}     object, 7, array, object, 0       subtree_end 5, 2, 5, 5, 5
//
// What stood before a mistake is kept: error() tells where reading ended.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/read/plan_info_json_syntax.hpp"

namespace planvet::read {

class JsonTree {
 public:
  enum class Type : std::uint8_t { Null, Flag, Integer, Number, String, Array, Object };
  using Index = std::uint32_t;
  static constexpr Index kNone = UINT32_MAX;

  struct Value {
    Type type = Type::Null;
    bool flag = false;
    Index subtree_end = 0;
    plan_info::JsonString key;   // of a member
    plan_info::JsonString text;  // of a string, between its quotes; of other values where they begin, more or less
    std::int64_t integer = 0;    // also of a Number, cut
    double number = 0;
  };

  // Must outlive this, and be valid UTF-8.
  explicit JsonTree(std::string_view text);

  [[nodiscard]] bool empty() const { return values_.empty(); }
  [[nodiscard]] const Value& operator[](Index at) const { return values_[at]; }
  [[nodiscard]] std::string_view text() const { return text_; }
  [[nodiscard]] const std::optional<plan_info::SyntaxError>& error() const { return error_; }

  [[nodiscard]] bool is_object(Index at) const { return at != kNone && values_[at].type == Type::Object; }
  [[nodiscard]] bool is_array(Index at) const { return at != kNone && values_[at].type == Type::Array; }
  // Elements or members of a value, in order; none of what has none.
  [[nodiscard]] std::vector<Index> children(Index at) const;
  // A member of an object; kNone where it has none of that name. The first of several.
  [[nodiscard]] Index find(Index object, std::string_view key) const;
  [[nodiscard]] std::string_view raw(plan_info::JsonString string) const {
    return string.exists() ? text_.substr(string.begin, string.end - string.begin) : std::string_view();
  }
  [[nodiscard]] std::string_view key(Index at) const { return raw(values_[at].key); }

  // Of a member; nothing where it is missing or of another type.
  [[nodiscard]] std::optional<std::int64_t> integer(Index object, std::string_view key) const;
  [[nodiscard]] std::string string(Index object, std::string_view key) const;
  [[nodiscard]] plan_info::JsonString string_range(Index object, std::string_view key) const;

 private:
  std::string_view text_;
  std::vector<Value> values_;
  std::optional<plan_info::SyntaxError> error_;
};

}  // namespace planvet::read
