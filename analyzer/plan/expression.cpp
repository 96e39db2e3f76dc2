#include "analyzer/plan/expression.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "analyzer/plan/characters.hpp"

namespace planvet {

namespace {

// Bytes above 127 belong to UTF-8 letters.
bool is_name_byte(char c) { return is_word(c) || static_cast<signed char>(c) < 0; }

struct OperatorRow {
  ExpressionOperator op;
  std::string_view name;
  std::string_view symbol;
};

constexpr std::array kExpressionOperators{
    OperatorRow{ExpressionOperator::None, "none", ""},
    OperatorRow{ExpressionOperator::And, "and", "AND"},
    OperatorRow{ExpressionOperator::Or, "or", "OR"},
    OperatorRow{ExpressionOperator::Equal, "eq", "="},
    OperatorRow{ExpressionOperator::NullSafeEqual, "nseq", "<=>"},
    OperatorRow{ExpressionOperator::NotEqual, "ne", "!="},
    OperatorRow{ExpressionOperator::Greater, "gt", ">"},
    OperatorRow{ExpressionOperator::GreaterOrEqual, "ge", ">="},
    OperatorRow{ExpressionOperator::Less, "lt", "<"},
    OperatorRow{ExpressionOperator::LessOrEqual, "le", "<="},
    OperatorRow{ExpressionOperator::Add, "add", "+"},
    OperatorRow{ExpressionOperator::Subtract, "sub", "-"},
    OperatorRow{ExpressionOperator::Multiply, "mul", "*"},
    OperatorRow{ExpressionOperator::Divide, "div", "/"},
    OperatorRow{ExpressionOperator::Modulo, "mod", "%"},
    OperatorRow{ExpressionOperator::IntegralDivide, "idiv", "div"},
    OperatorRow{ExpressionOperator::BitAnd, "bitand", "&"},
    OperatorRow{ExpressionOperator::BitOr, "bitor", "|"},
    OperatorRow{ExpressionOperator::BitXor, "bitxor", "^"},
    OperatorRow{ExpressionOperator::ShiftLeft, "shl", "<<"},
    OperatorRow{ExpressionOperator::ShiftRight, "shr", ">>"},
    OperatorRow{ExpressionOperator::ShiftRightUnsigned, "ushr", ">>>"},
};

const OperatorRow& row(ExpressionOperator op) { return kExpressionOperators[static_cast<std::size_t>(op)]; }

// Numbers, booleans and null are dumped bare, all other literals in quotes.
bool is_bare_value(std::string_view text) {
  if (text == "true" || text == "false" || text == "null" || text == "NaN") return true;
  if (text.starts_with('-')) text.remove_prefix(1);
  if (text == "Infinity") return true;
  if (text.empty() || !is_digit(text.front())) return false;
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error != std::errc::invalid_argument && end == text.data() + text.size();
}

void append_quoted(std::string& out, std::string_view text, char quote) {
  out += quote;
  for (const char c : text) {
    if (c == quote || c == '\\') out += '\\';
    if (c == '\n') {
      out += "\\n";
    } else {
      out += c;
    }
  }
  out += quote;
}

void append_name(std::string& out, std::string_view name) {
  const bool is_plain = !name.empty() && std::all_of(name.begin(), name.end(), is_name_byte) && !is_digit(name.front());
  if (is_plain) {
    out += name;
  } else {
    append_quoted(out, name, '`');
  }
}

void append_id(std::string& out, const ExpressionTree& tree, ExpressionIndex index) {
  if (tree.expr_id(index) == kNoExprId) return;
  out += '#';
  out += std::to_string(tree.expr_id(index));
  if (tree.has(index, ExpressionFlag::Long)) out += 'L';
  if (const std::int64_t delay = tree.watermark_delay_ms(index); delay >= 0) {
    out += "-T";
    out += std::to_string(delay);
    out += "ms";
  }
}

// What stands before the children, with the opening bracket if the node has brackets.
void append_head(std::string& out, const ExpressionTree& tree, ExpressionIndex index) {
  switch (tree.kind(index)) {
    case ExpressionKind::Attribute:
      append_name(out, tree.name(index));
      append_id(out, tree, index);
      return;
    case ExpressionKind::Literal:
      if (is_bare_value(tree.name(index)) && !tree.has(index, ExpressionFlag::Quoted)) {
        out += tree.name(index);
      } else {
        append_quoted(out, tree.name(index), '"');
      }
      return;
    case ExpressionKind::Call:
      out += tree.name(index);
      out += tree.has(index, ExpressionFlag::Distinct) ? "(distinct " : "(";
      return;
    case ExpressionKind::Binary:
      out += operator_name(tree.op(index));
      out += '(';
      return;
    case ExpressionKind::Not: out += "not("; return;
    case ExpressionKind::Cast:
      out += tree.function_name(index);
      out += '(';
      return;
    case ExpressionKind::In: out += "in("; return;
    case ExpressionKind::InSet: out += "inset("; return;
    case ExpressionKind::Like: out += "like("; return;
    case ExpressionKind::RLike: out += "rlike("; return;
    case ExpressionKind::Case: out += "case("; return;
    case ExpressionKind::If: out += "if("; return;
    case ExpressionKind::Alias: out += "as("; return;
    case ExpressionKind::Field: out += "field("; return;
    case ExpressionKind::Item: out += "item("; return;
    case ExpressionKind::LambdaFunction: out += "lambda("; return;
    case ExpressionKind::LambdaVariable:
      out += "variable ";
      append_name(out, tree.name(index));
      append_id(out, tree, index);
      return;
    case ExpressionKind::Subquery:
      out += tree.has(index, ExpressionFlag::Reused) ? "reused(" : "subquery(";
      out += tree.name(index);
      append_id(out, tree, index);
      if (!tree.children(index).empty()) out += ", ";
      return;
    case ExpressionKind::SortOrder:
      out += tree.has(index, ExpressionFlag::Descending) ? "desc" : "asc";
      if (tree.has(index, ExpressionFlag::NullsFirst)) out += "_nulls_first";
      if (tree.has(index, ExpressionFlag::NullsLast)) out += "_nulls_last";
      out += '(';
      return;
    case ExpressionKind::WindowExpression: out += "over("; return;
    case ExpressionKind::WindowSpecification: out += "window("; return;
    case ExpressionKind::FilterClause: out += "filter("; return;
    case ExpressionKind::Ordinal:
      out += "input(";
      out += std::to_string(tree.number(index));
      out += ", ";
      out += tree.name(index);
      if (tree.has(index, ExpressionFlag::Nullable)) out += ", nullable";
      return;
    case ExpressionKind::Outer: out += "outer("; return;
    case ExpressionKind::Unresolved:
      out += '\'';
      append_name(out, tree.name(index));
      return;
    case ExpressionKind::Interval:
      out += "interval ";
      append_quoted(out, tree.text(index), '"');
      return;
    case ExpressionKind::Star: out += '*'; return;
    case ExpressionKind::List: out += '['; return;
    case ExpressionKind::More:
      out += "...";
      if (tree.number(index) != kNoExprId) out += std::to_string(tree.number(index));
      return;
    case ExpressionKind::Opaque:
      out += '?';
      append_quoted(out, tree.text(index), '"');
      return;
  }
}

std::string_view closing(ExpressionKind kind) {
  switch (kind) {
    case ExpressionKind::Attribute:
    case ExpressionKind::Literal:
    case ExpressionKind::LambdaVariable:
    case ExpressionKind::Unresolved:
    case ExpressionKind::Interval:
    case ExpressionKind::Star:
    case ExpressionKind::More:
    case ExpressionKind::Opaque: return "";
    case ExpressionKind::List: return "]";
    case ExpressionKind::Call:
    case ExpressionKind::Binary:
    case ExpressionKind::Not:
    case ExpressionKind::Cast:
    case ExpressionKind::In:
    case ExpressionKind::InSet:
    case ExpressionKind::Like:
    case ExpressionKind::RLike:
    case ExpressionKind::Case:
    case ExpressionKind::If:
    case ExpressionKind::Alias:
    case ExpressionKind::Field:
    case ExpressionKind::Item:
    case ExpressionKind::LambdaFunction:
    case ExpressionKind::Subquery:
    case ExpressionKind::SortOrder:
    case ExpressionKind::WindowExpression:
    case ExpressionKind::WindowSpecification:
    case ExpressionKind::FilterClause:
    case ExpressionKind::Ordinal:
    case ExpressionKind::Outer: return ")";
  }
  return "";
}

void append_tail(std::string& out, const ExpressionTree& tree, ExpressionIndex index) {
  const ExpressionKind kind = tree.kind(index);
  if (kind == ExpressionKind::Cast) {
    out += " as ";
    out += tree.name(index);
  } else if (kind == ExpressionKind::Field || kind == ExpressionKind::Alias) {
    out += ", ";
    append_name(out, tree.name(index));
    append_id(out, tree, index);
  }
  out += closing(kind);
}

}  // namespace

std::size_t ExpressionChildren::size() const { return static_cast<std::size_t>(std::distance(begin(), end())); }

ExpressionIndex ExpressionChildren::operator[](std::size_t n) const {
  for (const ExpressionIndex child : *this)
    if (n-- == 0) return child;
  return kNoExpression;
}

std::string_view ExpressionTree::function_name(ExpressionIndex index) const {
  while (kind(index) == ExpressionKind::Alias || kind(index) == ExpressionKind::WindowExpression ||
         kind(index) == ExpressionKind::FilterClause)
    index = (*this)[index].first_child;
  if (kind(index) == ExpressionKind::Cast) {
    std::string_view head = text(index);
    head.remove_prefix(std::min(head.find_first_not_of("('"), head.size()));
    return head.substr(0, head.find('('));
  }
  const bool is_function = kind(index) == ExpressionKind::Call || kind(index) == ExpressionKind::LambdaFunction ||
                           kind(index) == ExpressionKind::WindowSpecification || kind(index) == ExpressionKind::Outer;
  return is_function ? name(index) : std::string_view{};
}

std::uint64_t ExpressionTree::expr_id(ExpressionIndex index) const {
  const bool has_id = kind(index) == ExpressionKind::Attribute || kind(index) == ExpressionKind::Alias ||
                      kind(index) == ExpressionKind::LambdaVariable || kind(index) == ExpressionKind::Subquery;
  return has_id ? number(index) : kNoExprId;
}

std::int64_t ExpressionTree::watermark_delay_ms(ExpressionIndex index) const {
  if (kind(index) != ExpressionKind::Attribute || number(index) == kNoExprId) return -1;
  std::string_view rest = slice((*this)[index].name_end, (*this)[index].end);
  const std::size_t mark = rest.find("-T");
  if (mark == std::string_view::npos) return -1;
  rest.remove_prefix(mark + 2);
  std::int64_t delay = -1;
  std::from_chars(rest.data(), rest.data() + rest.size(), delay);
  return delay;
}

bool ExpressionTree::contains(ExpressionIndex root, ExpressionKind kind) const {
  if (root == kNoExpression) return false;
  const auto first = nodes_.begin() + to_number((*this)[root].subtree_begin);
  const auto last = nodes_.begin() + to_number(root) + 1;
  return std::any_of(first, last, [kind](const ExpressionNode& node) { return node.kind == kind; });
}

bool ExpressionTree::refers_to(ExpressionIndex root, std::uint64_t expr_id) const {
  bool found = false;
  for_each_attribute(root, [&](ExpressionIndex index) { found = found || number(index) == expr_id; });
  return found;
}

bool ExpressionTree::is_column(ExpressionIndex index) const {
  while (index != kNoExpression && (kind(index) == ExpressionKind::Field || kind(index) == ExpressionKind::Item))
    index = (*this)[index].first_child;
  return index != kNoExpression && kind(index) == ExpressionKind::Attribute;
}

bool ExpressionTree::is_constant(ExpressionIndex index) const {
  return kind(index) == ExpressionKind::Literal || kind(index) == ExpressionKind::Interval;
}

ExpressionIndex ExpressionTree::column_below_casts(ExpressionIndex index) const {
  while (index != kNoExpression && (kind(index) == ExpressionKind::Cast || kind(index) == ExpressionKind::Field ||
                                    kind(index) == ExpressionKind::Item))
    index = (*this)[index].first_child;
  return index != kNoExpression && kind(index) == ExpressionKind::Attribute ? index : kNoExpression;
}

ExpressionIndex ExpressionTree::below_alias(ExpressionIndex index) const {
  return index != kNoExpression && kind(index) == ExpressionKind::Alias ? (*this)[index].first_child : index;
}

std::vector<ExpressionIndex> ExpressionTree::operands(ExpressionIndex root, ExpressionOperator op) const {
  std::vector<ExpressionIndex> found;
  std::vector<ExpressionIndex> open;
  if (root != kNoExpression) open.push_back(root);
  while (!open.empty()) {
    const ExpressionIndex index = open.back();
    open.pop_back();
    const ExpressionNode& node = (*this)[index];
    if (node.kind != ExpressionKind::Binary || node.op != op) {
      found.push_back(index);
      continue;
    }
    open.push_back((*this)[node.first_child].next_sibling);
    open.push_back(node.first_child);
  }
  return found;
}

std::string ExpressionTree::dump() const { return dump(root()); }

std::string ExpressionTree::dump(ExpressionIndex root) const {
  std::string out;
  if (root == kNoExpression) return out;
  std::vector<ExpressionIndex> path;
  ExpressionIndex at = root;
  for (;;) {
    append_head(out, *this, at);
    if (const ExpressionIndex first = (*this)[at].first_child; first != kNoExpression) {
      path.push_back(at);
      at = first;
      continue;
    }
    append_tail(out, *this, at);
    while (!path.empty() && (*this)[at].next_sibling == kNoExpression) {
      at = path.back();
      path.pop_back();
      append_tail(out, *this, at);
    }
    if (path.empty()) return out;
    out += ", ";
    at = (*this)[at].next_sibling;
  }
}

AttributeText read_attribute_text(std::string_view item) {
  std::string_view rest = item;
  if (rest.ends_with("ms")) {
    std::string_view head = rest.substr(0, rest.size() - 2);
    while (!head.empty() && is_digit(head.back())) head.remove_suffix(1);
    if (head.ends_with("-T")) rest = head.substr(0, head.size() - 2);
  }
  AttributeText attribute;
  if (rest.ends_with('L')) {
    attribute.is_long = true;
    rest.remove_suffix(1);
  }
  std::size_t digits = rest.size();
  while (digits > 0 && is_digit(rest[digits - 1])) --digits;
  if (digits == rest.size() || digits == 0 || rest[digits - 1] != '#') return {};
  const auto [end, error] = std::from_chars(rest.data() + digits, rest.data() + rest.size(), attribute.expr_id);
  if (error != std::errc{} || end != rest.data() + rest.size()) return {};
  attribute.name = rest.substr(0, digits - 1);
  return attribute;
}

std::string_view operator_name(ExpressionOperator op) { return row(op).name; }
std::string_view operator_symbol(ExpressionOperator op) { return row(op).symbol; }

bool is_comparison(ExpressionOperator op) {
  return op >= ExpressionOperator::Equal && op <= ExpressionOperator::LessOrEqual;
}

ExpressionOperator flipped(ExpressionOperator comparison) {
  if (comparison == ExpressionOperator::Greater) return ExpressionOperator::Less;
  if (comparison == ExpressionOperator::GreaterOrEqual) return ExpressionOperator::LessOrEqual;
  if (comparison == ExpressionOperator::Less) return ExpressionOperator::Greater;
  if (comparison == ExpressionOperator::LessOrEqual) return ExpressionOperator::GreaterOrEqual;
  return comparison;
}

ExpressionOperator negated(ExpressionOperator comparison) {
  if (comparison == ExpressionOperator::Equal) return ExpressionOperator::NotEqual;
  if (comparison == ExpressionOperator::NotEqual) return ExpressionOperator::Equal;
  if (comparison == ExpressionOperator::Greater) return ExpressionOperator::LessOrEqual;
  if (comparison == ExpressionOperator::GreaterOrEqual) return ExpressionOperator::Less;
  if (comparison == ExpressionOperator::Less) return ExpressionOperator::GreaterOrEqual;
  if (comparison == ExpressionOperator::LessOrEqual) return ExpressionOperator::Greater;
  return ExpressionOperator::None;
}

}  // namespace planvet
