#include "analyzer/read/json_tree.hpp"

#include <cmath>

#include <nlohmann/json.hpp>

#include "analyzer/read/json_text.hpp"

namespace planvet::read {
namespace {

using nlohmann::json;
using Type = JsonTree::Type;

// nlohmann's SAX interface, as it wants it.
class TreeHandler {
 public:
  TreeHandler(std::string_view text, const char* const* reached, std::vector<JsonTree::Value>& values)
      : text_(text), reached_(reached), values_(values) {}

  bool null() { return add(Type::Null) != nullptr; }
  bool boolean(bool flag) {
    add(Type::Flag)->flag = flag;
    return true;
  }
  bool number_integer(std::int64_t value) { return integer(value); }
  bool number_unsigned(std::uint64_t value) { return integer(static_cast<std::int64_t>(value)); }
  bool number_float(double value, const std::string&) {
    constexpr double kLargest = 9e18;
    JsonTree::Value* const added = add(Type::Number);
    added->number = value;
    if (std::isfinite(value))
      added->integer = static_cast<std::int64_t>(std::fmax(-kLargest, std::fmin(kLargest, value)));
    return true;
  }
  bool string(std::string&) {
    add(Type::String)->text = string_range();
    last_ = offset();
    return true;
  }
  bool binary(json::binary_t&) { return true; }
  bool key(std::string&) {
    key_ = string_range();
    last_ = offset();
    return true;
  }
  bool start_object(std::size_t) { return open(Type::Object); }
  bool start_array(std::size_t) { return open(Type::Array); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool parse_error(std::size_t, const std::string&, const json::exception& error) {
    message_ = error.what();
    return false;
  }

  void close_all() {
    while (!open_.empty()) close();
  }
  [[nodiscard]] const std::string& message() const { return message_; }

 private:
  [[nodiscard]] std::uint32_t offset() const { return static_cast<std::uint32_t>(*reached_ - text_.data()); }

  // The string that ended with the byte before offset(): nothing but blanks and one ',' or ':' stand before its quote.
  [[nodiscard]] plan_info::JsonString string_range() const {
    return {static_cast<std::uint32_t>(text_.find('"', last_) + 1), offset() - 1};
  }

  JsonTree::Value* add(Type type) {
    JsonTree::Value value;
    value.type = type;
    value.key = key_;
    value.subtree_end = static_cast<std::uint32_t>(values_.size() + 1);
    value.text = {last_, offset()};
    key_ = {};
    values_.push_back(value);
    if (type != Type::String) last_ = offset();
    return &values_.back();
  }
  bool integer(std::int64_t value) {
    JsonTree::Value* const added = add(Type::Integer);
    added->integer = value;
    added->number = static_cast<double>(value);
    return true;
  }
  bool open(Type type) {
    open_.push_back(static_cast<JsonTree::Index>(values_.size()));
    add(type)->text = {offset() == 0 ? 0 : offset() - 1, offset()};
    return true;
  }
  bool close() {
    values_[open_.back()].subtree_end = static_cast<std::uint32_t>(values_.size());
    open_.pop_back();
    last_ = offset();
    return true;
  }

  std::string_view text_;
  const char* const* reached_;
  std::vector<JsonTree::Value>& values_;
  std::vector<JsonTree::Index> open_;
  plan_info::JsonString key_;
  std::uint32_t last_ = 0;  // behind the token before this one
  std::string message_;
};

}  // namespace

JsonTree::JsonTree(std::string_view text) : text_(text) {
  const char* reached = text.data();
  TreeHandler handler(text, &reached, values_);
  const char* const end = text.data() + text.size();
  if (json::sax_parse(CountingIterator(text.data(), &reached), CountingIterator(end, &reached), &handler)) return;
  handler.close_all();
  const auto stop = static_cast<std::size_t>(reached - text.data());
  error_ = plan_info::SyntaxError{0, false, json_expectation(handler.message())};
  error_->is_end = is_early_end(error_->message);
  error_->offset = static_cast<std::uint32_t>(error_->is_end || stop == 0 ? stop : stop - 1);
}

std::vector<JsonTree::Index> JsonTree::children(Index at) const {
  std::vector<Index> found;
  if (at == kNone) return found;
  for (Index child = at + 1; child < values_[at].subtree_end; child = values_[child].subtree_end)
    found.push_back(child);
  return found;
}

JsonTree::Index JsonTree::find(Index object, std::string_view key) const {
  if (!is_object(object)) return kNone;
  for (Index child = object + 1; child < values_[object].subtree_end; child = values_[child].subtree_end) {
    if (raw(values_[child].key) == key) return child;
  }
  return kNone;
}

std::optional<std::int64_t> JsonTree::integer(Index object, std::string_view key) const {
  const Index at = find(object, key);
  if (at == kNone || (values_[at].type != Type::Integer && values_[at].type != Type::Number)) return std::nullopt;
  return values_[at].integer;
}

std::string JsonTree::string(Index object, std::string_view key) const {
  return plan_info::decoded(text_, string_range(object, key));
}

plan_info::JsonString JsonTree::string_range(Index object, std::string_view key) const {
  const Index at = find(object, key);
  return at == kNone || values_[at].type != Type::String ? plan_info::JsonString() : values_[at].text;
}

}  // namespace planvet::read
