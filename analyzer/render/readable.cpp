#include "analyzer/render/readable.hpp"

#include <algorithm>

#include "analyzer/plan/characters.hpp"
#include "analyzer/render/glyphs.hpp"

namespace planvet::render {

namespace {

// `, [id=#20]` behind a subquery's name says nothing to people.
std::size_t subquery_id_length(std::string_view text, std::size_t at) {
  constexpr std::string_view kBegin = ", [id=#";
  if (text.substr(at, kBegin.size()) != kBegin) return 0;
  std::size_t end = at + kBegin.size();
  while (end < text.size() && is_digit(text[end])) ++end;
  return end < text.size() && text[end] == ']' ? end + 1 - at : 0;
}

// Length of the expression id at `at`, 0 when the # is something else: a part of a name (`tag#1#305`), a plain text.
std::size_t id_length(std::string_view text, std::size_t at) {
  if (at == 0 || text[at - 1] == ' ' || text[at - 1] == '(' || text[at - 1] == '[') return 0;
  // A subquery has no other name than its number.
  const std::string_view before = text.substr(0, at);
  if (before.ends_with("subquery") || before.ends_with("dynamicpruning")) return 0;
  std::size_t end = at + 1;
  while (end < text.size() && is_digit(text[end])) ++end;
  if (end == at + 1) return 0;
  if (end < text.size() && text[end] == 'L') ++end;
  if (text.substr(end, 2) == "-T") {
    std::size_t delay = end + 2;
    while (delay < text.size() && is_digit(text[delay])) ++delay;
    if (delay > end + 2 && text.substr(delay, 2) == "ms") end = delay + 2;
  }
  if (end < text.size() && (is_word(text[end]) || text[end] == '#')) return 0;
  return end - at;
}

// How many pairs of brackets stand around the whole: counted in one pass, since machines write thousands.
std::size_t wrapping_pairs(std::string_view text) {
  const std::size_t leading = std::min(text.find_first_not_of('('), text.size());
  const std::size_t last = text.find_last_not_of(')');
  const std::size_t trailing = last == std::string_view::npos ? 0 : text.size() - 1 - last;
  std::size_t depth = leading;
  std::size_t pairs = std::min(leading, trailing);
  for (std::size_t i = leading; i + trailing < text.size() && pairs > 0; ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')') pairs = std::min(pairs, --depth);
  }
  return depth == trailing ? pairs : 0;
}

constexpr std::size_t kDeepest = 20;

std::string predicate_text(const ExpressionTree& tree, ExpressionIndex index, std::size_t depth) {
  const auto child = [&](ExpressionIndex at) { return predicate_text(tree, at, depth + 1); };
  if (depth >= kDeepest) return one_line(tree.text(index));
  const ExpressionChildren children = tree.children(index);
  switch (tree.kind(index)) {
    case ExpressionKind::Binary: {
      if (children.size() != 2) break;
      const ExpressionOperator op = tree.op(index);
      std::string text = child(children[0]);
      text += ' ';
      text += operator_symbol(op);
      text += ' ' + child(children[1]);
      const bool is_logic = op == ExpressionOperator::And || op == ExpressionOperator::Or;
      return is_logic && depth > 0 ? "(" + text + ")" : text;
    }
    case ExpressionKind::Not:
      if (children.size() == 1) return "NOT (" + child(children[0]) + ")";
      break;
    case ExpressionKind::In: {
      std::string text;
      for (const ExpressionIndex at : children) {
        const bool is_value = at == children.front();
        const std::string_view before = is_value ? "" : text.ends_with('(') ? "" : ", ";
        text += before;
        text += child(at);
        if (is_value) text += " IN (";
      }
      return text + ")";
    }
    case ExpressionKind::Call: {
      if (children.empty()) break;
      const std::string_view call = tree.name(index);
      const std::string first = child(children[0]);
      if (call == "IsNotNull") return first + " IS NOT NULL";
      if (call == "IsNull") return first + " IS NULL";
      if (children.size() != 2) break;
      const std::string second = child(children[1]);
      if (call == "StringStartsWith") return first + " LIKE " + second + "%";
      if (call == "StringEndsWith") return first + " LIKE %" + second;
      if (call == "StringContains") return first + " LIKE %" + second + "%";
      break;
    }
    default: break;  // what sources list are predicates; all else is shown as printed
  }
  return one_line(tree.text(index));
}

}  // namespace

std::string readable(std::string_view text) {
  const std::size_t pairs = wrapping_pairs(text);
  text = text.substr(pairs, text.size() - 2 * pairs);
  std::string result;
  result.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t skipped = text[i] == '#' ? id_length(text, i) : text[i] == ',' ? subquery_id_length(text, i) : 0;
    if (skipped > 0) {
      i += skipped;
    } else {
      result += text[i++];
    }
  }
  return one_line(result);
}

std::string readable_predicate(const ExpressionTree& tree, ExpressionIndex index) {
  return index == kNoExpression ? std::string() : predicate_text(tree, index, 0);
}

}  // namespace planvet::render
