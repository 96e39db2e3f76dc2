#include "analyzer/read/explain/own_header.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/core.h>

#include "analyzer/facts/facts.hpp"
#include "analyzer/read/arguments/items.hpp"

namespace planvet::read::explain {
namespace {

constexpr NoteKind kLost[] = {NoteKind::TruncatedPlan, NoteKind::IncompleteLog, NoteKind::UnknownOperator,
                              NoteKind::UnreadablePart};

// The first word, and what stands behind it.
std::pair<std::string_view, std::string_view> split_word(std::string_view text) {
  const std::string_view trimmed = trim(text);
  const auto blank = trimmed.find_first_of(" \t");
  if (blank == std::string_view::npos) return {trimmed, {}};
  return {trimmed.substr(0, blank), trim(trimmed.substr(blank))};
}

}  // namespace

void OwnHeaders::add(std::string_view text, const Line& line) {
  const auto [key, value] = split_word(text.substr(line.value.begin, line.value.end - line.value.begin));
  const auto complain = [&](std::string message) {
    notes_.push_back({NoteKind::UnreadablePart, line.whole, std::move(message)});
  };
  if (key == "spark") {
    if (const auto version = parse_spark_version(value)) {
      (value.ends_with('+') ? least_version_ : version_) = version;
    } else {
      complain(fmt::format("'{}' is no Spark version; write `-- planvet: spark 3.5.9`", value));
    }
  } else if (key == "name") {
    name_ = value;
  } else if (key == "conf") {
    const auto equals = value.find('=');
    if (equals == std::string_view::npos || equals == 0) {
      complain("a conf line needs a key and a value; write `-- planvet: conf spark.sql.key=value`");
    } else {
      conf_.emplace_back(trim(value.substr(0, equals)), trim(value.substr(equals + 1)));
    }
  } else if (key == "allow") {
    const auto [rule, reason] = split_word(value);
    allows_.push_back({std::string(rule), std::string(reason), line.whole});
  } else if (key == "note") {
    // What a snapshot says of the text that it was made from.
    const auto [code_word, message] = split_word(value);
    const auto lost = std::find_if(std::begin(kLost), std::end(kLost),
                                   [word = code_word](NoteKind kind) { return code(kind) == word; });
    if (lost == std::end(kLost) || message.empty()) {
      complain("a note line needs a code from PV901 to PV904 and a message");
    } else {
      notes_.push_back({*lost, line.whole, std::string(message)});
      has_lost_ = true;
    }
  } else {
    complain(fmt::format("'{}' is no planvet header; known are spark, name, conf, allow and note", key));
  }
}

void OwnHeaders::apply_to(PlanDocument& document) {
  if (version_) document.spark_version = version_;
  if (least_version_) document.least_spark_version = least_version_;
  document.conf.insert(document.conf.end(), conf_.begin(), conf_.end());
  if (!name_.empty()) document.title = std::exchange(name_, {});
  document.allows = std::exchange(allows_, {});
  document.notes.insert(document.notes.begin(), notes_.begin(), notes_.end());
  notes_.clear();
  if (std::exchange(has_lost_, false)) document.is_complete = false;
}

}  // namespace planvet::read::explain
