#include "analyzer/read/eventlog/seen_properties.hpp"

namespace planvet::read::eventlog {
namespace {

// More that are not the same, and the next object is remembered in place of this one.
constexpr std::size_t kMostOthers = 8;
// Longer ones are not remembered.
constexpr std::size_t kLongestProperties = std::size_t{1} << 17U;

bool read_member(CompactJson& json, std::optional<std::int64_t>& execution) {
  std::string_view key;
  if (!json.take("\"") || !json.raw_string(key) || !json.take(":")) return false;
  if (key != "spark.sql.execution.id") return json.skip_value();
  return json.take("\"") && json.integer(execution.emplace()) && json.take("\"");
}

}  // namespace

bool SeenProperties::read(CompactJson& json, std::optional<std::int64_t>& execution) {
  if (!json.take("{")) return false;
  return ends_.empty() || others_ > kMostOthers ? read_all(json, execution) : read_others(json, execution);
}

bool SeenProperties::read_all(CompactJson& json, std::optional<std::int64_t>& execution) {
  const char* const begin = json.position();
  ends_.clear();
  execution_.reset();
  others_ = 0;
  bool is_at_end = json.take("}");
  while (!is_at_end) {
    std::optional<std::int64_t> named;
    if (!read_member(json, named)) break;
    if (named) {
      if (execution_) break;  // two of them: whichever it is, this is no object to remember
      execution_ = named;
      execution_at_ = ends_.size();
    }
    is_at_end = json.take("}");
    if (!is_at_end && !json.take(",")) break;
    ends_.push_back(static_cast<std::size_t>(json.position() - begin));
  }
  text_.assign(begin, static_cast<std::size_t>(json.position() - begin));
  if (execution_) execution = execution_;
  if (!is_at_end || text_.size() > kLongestProperties) ends_.clear();
  return is_at_end;
}

bool SeenProperties::read_others(CompactJson& json, std::optional<std::int64_t>& execution) {
  others_ = 0;
  if (json.take("}")) return true;
  std::size_t member = 0;
  while (true) {
    if (member < ends_.size()) {
      const std::size_t begin = member == 0 ? 0 : ends_[member - 1];
      const std::size_t same_end = begin + json.common_with(std::string_view(text_).substr(begin));
      std::size_t end = begin;
      for (; member < ends_.size() && ends_[member] <= same_end; ++member) {
        end = ends_[member];
        if (execution_ && member == execution_at_) execution = execution_;
      }
      json.advance(end - begin);
      if (member == ends_.size() && end != begin) return true;  // the closing brace is a part of the last member
    }
    if (!read_member(json, execution)) return false;
    ++others_;
    ++member;
    if (json.take("}")) return true;
    if (!json.take(",")) return false;
  }
}

}  // namespace planvet::read::eventlog
