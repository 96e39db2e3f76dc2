#include "analyzer/snapshot/identifiers.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "analyzer/plan/characters.hpp"

namespace planvet::snapshot {
namespace {

constexpr std::size_t kSeedDigits = 10;  // of a seed that nobody chose
constexpr std::size_t kAddressDigits = 4;

bool is_class_name(char c) { return is_word(c) || c == '.' || c == '$'; }

std::size_t end_of(std::string_view text, std::size_t at, bool (*is_part)(char)) {
  while (at < text.size() && is_part(text[at])) ++at;
  return at;
}

std::string_view word_before(std::string_view text, std::size_t end, bool (*is_part)(char)) {
  std::size_t begin = end;
  while (begin > 0 && is_part(text[begin - 1])) --begin;
  return text.substr(begin, end - begin);
}

// `@7909fcac` behind a class name. An address of mail is none: it goes on behind the digits, or is no class.
std::size_t end_of_address(std::string_view text, std::size_t at) {
  const std::size_t end = end_of(text, at + 1, is_hex);
  if (end - at - 1 < kAddressDigits) return at;
  const std::string_view name = word_before(text, at, is_class_name);
  // A method may follow: planvet.TypedFunctions$IsEven@34160e41.call.
  const bool is_inner_class = name.find('$') != std::string_view::npos || name.starts_with("0x");
  if (end < text.size() && is_class_name(text[end]) && text[end] != '$' && !(is_inner_class && text[end] == '.')) {
    return at;
  }
  const bool is_class =
      !name.empty() && (name.find('.') != std::string_view::npos || name.find('$') != std::string_view::npos ||
                        !is_letter(name.front()) || (name.front() >= 'A' && name.front() <= 'Z'));
  return is_class ? end : at;
}

// 8-4-4-4-12 hexadecimal digits.
std::size_t end_of_uuid(std::string_view text, std::size_t at) {
  constexpr std::array<std::size_t, 5> kParts = {8, 4, 4, 4, 12};
  if (at > 0 && is_word(text[at - 1])) return at;
  std::size_t end = at;
  for (std::size_t part = 0; part < kParts.size(); ++part) {
    if (part > 0) {
      if (end >= text.size() || text[end] != '-') return at;
      ++end;
    }
    const std::size_t digits = end_of(text, end, is_hex);
    if (digits - end != kParts[part]) return at;
    end = digits;
  }
  return end < text.size() && is_word(text[end]) ? at : end;
}

// `[.., tail #6270, x#7]`: a name that ends in a blank, in a list of columns.
bool ends_item(std::string_view text, std::size_t at, std::size_t end) {
  if (!text.starts_with('[')) return false;
  if (end < text.size() && text[end] == 'L') ++end;
  if (end >= text.size() || (text[end] != ',' && text[end] != ']')) return false;
  int depth = 0;
  for (const char c : text.substr(0, at)) {
    if (c == '[' || c == '(') ++depth;
    if (c == ']' || c == ')') --depth;
  }
  return depth == 1;
}

// `rand(-4756457289)`: where the seed ends, if it is one that Spark drew.
std::size_t end_of_seed(std::string_view text, std::size_t open) {
  constexpr std::array<std::string_view, 5> kRandom = {"rand", "randn", "random", "uuid", "Some"};
  const std::string_view function = word_before(text, open, is_word);
  if (std::find(kRandom.begin(), kRandom.end(), function) == kRandom.end()) return open + 1;
  const std::size_t begin = open + 1 < text.size() && text[open + 1] == '-' ? open + 2 : open + 1;
  const std::size_t end = end_of(text, begin, is_digit);
  const bool is_whole = end < text.size() && text[end] == ')';
  return is_whole && end - begin >= kSeedDigits ? end : open + 1;
}

// Names that hold a counter of the session: `lambda x_17`, `_gen_alias_88`.
void strip_counter(std::string& out) {
  std::string_view word = word_before(out, out.size(), is_word);
  const std::string_view before = std::string_view(out).substr(0, out.size() - word.size());
  if (!word.starts_with("_gen_alias_") && !before.ends_with("lambda ")) return;
  std::size_t digits = word.size();
  while (digits > 0 && is_digit(word[digits - 1])) --digits;
  if (digits == word.size() || digits < 2 || word[digits - 1] != '_') return;
  out.resize(out.size() - (word.size() - digits) - 1);
}

// Line breaks and other characters that would end or bend a line of the snapshot.
void append_character(std::string& out, char c) {
  switch (c) {
    case '\n': out += "↵"; return;
    case '\t': out += "⇥"; return;
    case '\r': return;
    default: break;
  }
  if (static_cast<unsigned char>(c) < 0x20 || c == '\x7f') {
    out += "·";
  } else {
    out += c;
  }
}

}  // namespace

// Addresses and line breaks of a text without ids.
std::string Identifiers::plain(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t next = text[at] == '@' ? end_of_address(text, at) : at;
    if (next != at) {
      out += "@0";
      at = next;
    } else {
      append_character(out, text[at++]);
    }
  }
  return out;
}

void Identifiers::append_number(std::string& out, Numbers& numbers, std::string_view id, bool gives_numbers) {
  if (const auto known = numbers.find(std::string(id)); known != numbers.end()) {
    out += std::to_string(known->second);
  } else if (gives_numbers) {
    const auto number = static_cast<std::uint32_t>(numbers.size() + 1);
    numbers.emplace(id, number);
    out += std::to_string(number);
  }
}

// `name#12`, `id=#30`; a blank before the mark makes it text.
std::size_t Identifiers::take_id(std::string_view text, std::size_t at, std::string& out, bool gives_numbers) {
  const std::size_t end = end_of(text, at + 1, is_digit);
  if (end == at + 1 || at == 0 || (text[at - 1] == ' ' && !ends_item(text, at, end))) return at;
  const bool is_plan = text.substr(0, at).ends_with("id=");
  const std::string_view word = word_before(text, at, is_word);
  const std::string column =
      std::string(word.empty() ? text.substr(at - 1, 1) : word).append(text.substr(at, end - at));
  if (end < text.size() && text[end] == '#') {
    // `tag#1#305`: a part of the name. Spark names columns `mean(qty#3)#40` and `day#39` by what they were computed from.
    if (!columns_.contains(column)) return at;
  } else if (!is_plan) {
    if (gives_numbers) columns_.insert(column);
    strip_counter(out);
  }
  out += '#';
  append_number(out, is_plan ? plans_ : expressions_, text.substr(at + 1, end - at - 1), gives_numbers);
  return end;
}

std::string Identifiers::rewrite(std::string_view text, bool is_expression, bool gives_numbers) {
  constexpr std::string_view kLambda = "$$Lambda";
  constexpr std::string_view kRdd = "RDD[";
  constexpr std::string_view kPlanId = "plan_id=";
  constexpr std::string_view kEpoch = "epoch: ";
  std::string out;
  out.reserve(text.size());
  std::size_t at = 0;
  while (at < text.size()) {
    const char c = text[at];
    std::size_t next = at;
    if (c == '#') {
      next = take_id(text, at, out, gives_numbers);
    } else if (c == '@') {
      next = end_of_address(text, at);
      // A binary value stays one, and an object whose function is called: readers must not take the class for a value.
      const std::string_view rest = text.substr(next);
      const bool is_called = rest.starts_with(".call") || rest.starts_with(".apply");
      if (next != at && (is_called || std::string_view(out).ends_with("[B"))) out += "@0";
    } else if (c == '$' && text.substr(at).starts_with(kLambda)) {
      next = at + kLambda.size();
      out += kLambda;
      if (next < text.size() && text[next] == '$') next = end_of(text, next + 1, is_digit);
      if (text.substr(next).starts_with("/0x")) next = end_of(text, next + 3, is_hex);
    } else if (c == 'R' && text.substr(at).starts_with(kRdd)) {
      const std::size_t end = end_of(text, at + kRdd.size(), is_digit);
      if (end > at + kRdd.size() && end < text.size() && text[end] == ']') {
        out += "RDD";
        next = end + 1;
      }
    } else if (c == 'p' && text.substr(at).starts_with(kPlanId)) {
      const std::size_t end = end_of(text, at + kPlanId.size(), is_digit);
      out += kPlanId;
      append_number(out, plans_, text.substr(at + kPlanId.size(), end - at - kPlanId.size()), gives_numbers);
      next = end;
    } else if (c == 'e' && text.substr(at).starts_with(kEpoch)) {
      const std::size_t end = end_of(text, at + kEpoch.size(), is_digit);
      if (end > at + kEpoch.size()) {
        out.append(kEpoch).append("*");
        next = end;
      }
    } else if (c == '(') {
      next = end_of_seed(text, at);
      if (next == at + 1) {
        next = at;
      } else {
        out += '(';
      }
    } else if (!is_expression && is_hex(c)) {
      next = end_of_uuid(text, at);
      if (next != at) out += '*';
    }
    if (next == at) {
      append_character(out, c);
      ++next;
    }
    at = next;
  }
  return out;
}

std::string Identifiers::pushed(std::string_view text) {
  constexpr std::string_view kSubquery = "ubquery#";
  std::string out;
  while (true) {
    const std::size_t found = text.find(kSubquery);
    if (found == std::string_view::npos) break;
    const std::size_t end = end_of(text, found + kSubquery.size(), is_digit);
    out += plain(text.substr(0, found));
    out += rewrite(text.substr(found, end - found), true, true);
    text.remove_prefix(end);
  }
  return out + plain(text);
}

}  // namespace planvet::snapshot
