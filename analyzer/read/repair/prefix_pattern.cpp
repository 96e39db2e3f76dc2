#include "analyzer/read/repair/prefix_pattern.hpp"

namespace planvet::read {

namespace {

// A number with its dots and commas, as in times: 12.123, 10,5.
std::size_t number_size(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size() && is_digit(text[at])) ++at;
  while (at > 0 && at + 1 < text.size() && (text[at] == '.' || text[at] == ',') && is_digit(text[at + 1])) {
    ++at;
    while (at < text.size() && is_digit(text[at])) ++at;
  }
  return at;
}

// Indentation of the tree may follow the prefix directly, so these may be either.
std::size_t tail_size(std::string_view prefix) {
  std::size_t size = 0;
  while (size < prefix.size()) {
    const std::string_view head = prefix.substr(0, prefix.size() - size);
    if (head.ends_with("\u2502")) {
      size += 3;
    } else if (head.back() == ' ' || head.back() == '\t' || head.back() == ':' || head.back() == '|') {
      ++size;
    } else {
      break;
    }
  }
  return size;
}

}  // namespace

PrefixPattern::PrefixPattern(std::string_view text) : text_(text) {
  const std::size_t first = std::min(text_.find_first_not_of(" \t"), text_.size());
  is_blank_ = first == text_.size();
  core_ = text_.size() - tail_size(text_);
  if (!is_blank_) core_ = std::max(core_, first + 1);
}

bool PrefixPattern::ends_with_bar() const {
  const std::string_view text = without_trailing_blanks(text_);
  return text.ends_with('|') || text.ends_with("\u2502");
}

PrefixMatch PrefixPattern::match(std::string_view line) const {
  PrefixMatch m;
  while (m.pattern < text_.size() && m.line < line.size()) {
    if (is_digit(text_[m.pattern]) && is_digit(line[m.line])) {
      m.pattern += number_size(text_.substr(m.pattern));
      m.line += number_size(line.substr(m.line));
    } else if (text_[m.pattern] == line[m.line]) {
      ++m.pattern;
      ++m.line;
    } else {
      break;
    }
  }
  return m;
}

bool is_plan_text(std::string_view prefix) {
  for (std::size_t at = prefix.find('#'); at != std::string_view::npos; at = prefix.find('#', at + 1))
    if (at + 1 < prefix.size() && is_digit(prefix[at + 1])) return true;
  const LineShape shape = shape_of(prefix);
  return shape == LineShape::Tree || shape == LineShape::BlockHead || prefix.find("): [") != std::string_view::npos ||
         prefix.find("]: [") != std::string_view::npos || prefix.starts_with("Condition : ") ||
         prefix.starts_with("Arguments: ") || prefix.starts_with("PushedFilters: ") || prefix.starts_with("(");
}

bool is_tree_indent(std::string_view prefix, AnchorKind kind) {
  if (kind != AnchorKind::Connector && kind != AnchorKind::OtherConnector) return false;
  for (std::size_t at = 0; at < prefix.size(); ++at) {
    const std::size_t bar = kind == AnchorKind::OtherConnector ? other_bar(prefix.substr(at)) : 0;
    if (bar == 0 && prefix[at] != ' ' && prefix[at] != '\t' && prefix[at] != ':') return false;
    at += bar > 0 ? bar - 1 : 0;
  }
  return true;
}

}  // namespace planvet::read
