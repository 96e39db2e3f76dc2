#include "analyzer/read/expression_reader.hpp"

#include <charconv>
#include <cstddef>
#include <string_view>

#include "analyzer/read/expression_builder.hpp"
#include "analyzer/read/infix_operator.hpp"
#include "grammar/expression_action.hpp"

namespace planvet {

namespace {

ExpressionFlag with(ExpressionFlag flags, ExpressionFlag flag, bool is_set) { return is_set ? flags | flag : flags; }

std::uint64_t to_uint(std::string_view digits) {
  std::uint64_t value = kNoExprId;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return value;
}

// The consumer of expression_action.hpp.
class ExpressionConsumer {
 public:
  explicit ExpressionConsumer(ExpressionBuilder& builder) : build_(builder) {}

  void begin(const char* at) { build_.open(build_.offset(at)); }
  void end() { build_.close(); }

  void begin_right(const char* at, grammar::infix_operator op) {
    begin(at);
    build_.frame().op = to_operator(op);
  }
  void end_right() {
    const ExpressionBuilder::Frame frame = build_.close();
    const std::uint32_t end_of_right = build_.root().end;
    build_.parent(
        {.kind = ExpressionKind::Binary, .op = frame.op, .begin = build_.root_before().begin, .end = end_of_right},
        build_.root_count() - 2);
  }

  void leaf(const grammar::run_token& run, const char* end) {
    ExpressionNode node{.begin = build_.offset(run.begin), .end = build_.offset(end)};
    node.name_begin = node.begin;
    node.name_end = build_.offset(run.name_end);
    if (run.kind == grammar::run_kind::attribute) {
      node.kind = ExpressionKind::Attribute;
      set_id(node, run.id);
    } else {
      set_literal(node);
    }
    build_.leaf(node);
  }

  void rename(const char* name_end, const grammar::id_token& id, const char* end) {
    build_.drop_parts();
    ExpressionNode node{.kind = ExpressionKind::Attribute, .begin = build_.frame().begin, .end = build_.offset(end)};
    node.name_begin = node.begin;
    node.name_end = build_.offset(name_end);
    set_id(node, id);
    build_.leaf(node);
  }

  // The right side of a comparison is a literal, whatever it looks like; elsewhere nobody knows.
  void opaque(const char* end) {
    build_.drop_parts();
    ExpressionNode node{.begin = build_.frame().begin, .end = build_.offset(end)};
    if (is_comparison(build_.frame().op)) {
      node.kind = ExpressionKind::Literal;
      node.name_begin = node.begin;
      node.name_end = node.end;
    }
    build_.leaf(node);
  }

  void group(const char* end) {
    build_.close();
    ExpressionNode& node = build_.root();
    node.begin = build_.frame().begin;
    node.end = build_.offset(end);
    node.flags = node.flags | ExpressionFlag::Parenthesised;
    if (node.kind == ExpressionKind::Literal) {
      // Spark has no brackets around a literal: they are its own.
      node.name_begin = node.begin;
      node.name_end = node.end;
    }
  }
  void opaque_group(const char* end) {
    build_.close();
    build_.drop_parts();
    build_.leaf({.begin = build_.frame().begin, .end = build_.offset(end)});
  }

  void open_call(const char* name_begin, const char* name_end) {
    if (*name_begin == '\'') ++name_begin;
    build_.frame().name_begin = build_.offset(name_begin);
    build_.frame().name_end = build_.offset(name_end);
  }
  void distinct() { build_.frame().flags = ExpressionFlag::Distinct; }
  void close_call(const char* end) { close(kind_of_call(), end); }
  void cast_type(const char* begin, const char* end) {
    build_.frame().name_begin = build_.offset(begin);
    build_.frame().name_end = build_.offset(end);
  }
  void close_cast(const char* end) { close(ExpressionKind::Cast, end); }
  void close_list(const char* end) { close(ExpressionKind::List, end); }

  void negate(const char* at) {
    build_.parent({.kind = ExpressionKind::Not, .begin = build_.offset(at), .end = build_.root().end},
                  build_.root_count() - 1);
  }
  void minus(const char* at) {
    const std::uint32_t begin = build_.offset(at);
    ExpressionNode& operand = build_.root();
    if (operand.kind == ExpressionKind::Literal) {  // the text -abc
      operand.begin = begin;
      operand.name_begin = begin;
      return;
    }
    build_.parent(
        {.kind = ExpressionKind::Call, .begin = begin, .end = operand.end, .name_begin = begin, .name_end = begin + 1},
        build_.root_count() - 1);
  }
  void close_case(const char* end) { close(ExpressionKind::Case, end); }
  void close_if(const char* end) { close(ExpressionKind::If, end); }

  void lambda_variable(const char* begin, const char* end) {
    ExpressionNode node = span(ExpressionKind::LambdaVariable, begin, end);
    const std::string_view text = build_.slice(node.begin, node.end);
    const std::size_t hash = text.find('#');
    node.name_begin = node.begin + static_cast<std::uint32_t>(text.find(' ')) + 1;
    node.name_end = node.begin + static_cast<std::uint32_t>(hash);
    node.number = to_uint(text.substr(hash + 1));
    build_.leaf(node);
  }
  void subquery(const char* begin, const char* end) {
    ExpressionNode node = span(ExpressionKind::Subquery, begin, end);
    const std::string_view text = build_.slice(node.begin, node.end);
    const std::size_t hash = text.find('#');
    node.name_begin = node.begin + static_cast<std::uint32_t>(text.rfind(' ', hash)) + 1;
    node.name_end = node.begin + static_cast<std::uint32_t>(hash);
    node.number = to_uint(text.substr(hash + 1));
    node.flags = with(node.flags, ExpressionFlag::Reused, text.starts_with("Reused"));
    build_.leaf(node);
  }
  void interval(const char* begin, const char* end) { build_.leaf(span(ExpressionKind::Interval, begin, end)); }
  void ordinal(const char* begin, const char* end) {
    ExpressionNode node = span(ExpressionKind::Ordinal, begin, end);
    const std::string_view text = build_.slice(node.begin, node.end);
    const std::size_t type = text.find(", ") + 2;
    node.name_begin = node.begin + static_cast<std::uint32_t>(type);
    node.name_end = node.begin + static_cast<std::uint32_t>(text.rfind(", "));
    node.number = to_uint(text.substr(text.find('[') + 1));
    node.flags = with(node.flags, ExpressionFlag::Nullable, text.ends_with("true]"));
    build_.leaf(node);
  }

  void field(const char* begin, const char* end) {
    column_instead_of_alias();
    build_.parent({.kind = ExpressionKind::Field,
                   .begin = build_.root().begin,
                   .end = build_.offset(end),
                   .name_begin = build_.offset(begin),
                   .name_end = build_.offset(end)},
                  build_.root_count() - 1);
  }
  void widen(const char* end) { build_.root().end = build_.offset(end); }
  void element(const char* end) {
    if (build_.root_before().kind == ExpressionKind::Alias) {
      const ExpressionNode index = build_.root();
      build_.pop_root();
      column_instead_of_alias();
      build_.leaf({.kind = index.kind,
                   .flags = index.flags,
                   .begin = index.begin,
                   .end = index.end,
                   .name_begin = index.name_begin,
                   .name_end = index.name_end,
                   .number = index.number});
    }
    build_.parent({.kind = ExpressionKind::Item, .begin = build_.root_before().begin, .end = build_.offset(end)},
                  build_.root_count() - 2);
  }
  void filter_clause(const char* end) {
    build_.parent(
        {.kind = ExpressionKind::FilterClause, .begin = build_.root_before().begin, .end = build_.offset(end)},
        build_.root_count() - 2);
  }
  void open_window(const char* name_begin, const char* name_end) {
    begin(name_begin);
    open_call(name_begin, name_end);
  }
  void close_window(const char* end) {
    close(ExpressionKind::WindowSpecification, end);
    build_.close();
    build_.parent(
        {.kind = ExpressionKind::WindowExpression, .begin = build_.root_before().begin, .end = build_.offset(end)},
        build_.root_count() - 2);
  }
  void open_subquery_list() {
    const ExpressionNode attribute = build_.root();
    build_.drop_parts();
    build_.frame().name_begin = attribute.name_begin;
    build_.frame().name_end = attribute.name_end;
    build_.frame().number = attribute.number;
  }
  void close_subquery_list(const char* end) { close(ExpressionKind::Subquery, end); }

  void close_in(const char* end) { close_set(ExpressionKind::In, end); }
  void in_subquery() {
    build_.parent({.kind = ExpressionKind::In, .begin = build_.root_before().begin, .end = build_.root().end},
                  build_.root_count() - 2);
  }
  void close_in_set(const char* end) { close_set(ExpressionKind::InSet, end); }
  void close_like(const char* end) { close_match(ExpressionKind::Like, end); }
  void close_rlike(const char* end) { close_match(ExpressionKind::RLike, end); }

  void alias(const grammar::run_token& run, const char* end) {
    column_instead_of_alias();
    ExpressionNode node{.kind = ExpressionKind::Alias, .begin = build_.root().begin, .end = build_.offset(end)};
    node.name_begin = build_.offset(run.begin);
    node.name_end = build_.offset(run.name_end);
    if (run.kind == grammar::run_kind::attribute) set_id(node, run.id);
    build_.parent(node, build_.root_count() - 1);
  }
  void sort(const grammar::sort_token& sort, const char* end) {
    ExpressionNode node{.kind = ExpressionKind::SortOrder, .begin = build_.root().begin, .end = build_.offset(end)};
    node.flags = with(node.flags, ExpressionFlag::Descending, sort.is_descending);
    node.flags = with(node.flags, ExpressionFlag::NullsFirst, sort.nulls_first);
    node.flags = with(node.flags, ExpressionFlag::NullsLast, sort.nulls_last);
    build_.parent(node, build_.root_count() - 1);
  }

 private:
  ExpressionNode span(ExpressionKind kind, const char* begin, const char* end) const {
    return {.kind = kind, .begin = build_.offset(begin), .end = build_.offset(end)};
  }

  static void set_id(ExpressionNode& node, const grammar::id_token& id) {
    if (id.has_number) node.number = id.number;
    node.flags = with(node.flags, ExpressionFlag::Long, id.is_long);
  }

  void set_literal(ExpressionNode& node) const {
    const std::string_view text = build_.slice(node.begin, node.end);
    node.kind = ExpressionKind::Literal;
    if (text.size() > 1 && text.front() == '\'' && text.back() != '\'') {
      node.kind = ExpressionKind::Unresolved;
      ++node.name_begin;
    } else if (text == "*") {
      node.kind = ExpressionKind::Star;
      node.name_end = node.name_begin;
    } else if (text.starts_with("...") && (text.size() == 3 || text.ends_with(" more fields"))) {
      node.kind = ExpressionKind::More;
      if (text.size() > 4) node.number = to_uint(text.substr(4));
      node.name_end = node.name_begin;
    }
  }

  ExpressionKind kind_of_call() {
    const std::string_view name = build_.slice(build_.frame().name_begin, build_.frame().name_end);
    if (name == "lambdafunction") return ExpressionKind::LambdaFunction;
    if (name == "windowspecdefinition") return ExpressionKind::WindowSpecification;
    if (name == "outer") return ExpressionKind::Outer;
    if (name == "RLIKE") return ExpressionKind::RLike;
    return ExpressionKind::Call;
  }

  // A node over everything told since the frame was opened, which stays open.
  void close(ExpressionKind kind, const char* end) {
    const ExpressionBuilder::Frame& frame = build_.frame();
    build_.parent({.kind = kind,
                   .flags = frame.flags,
                   .begin = frame.begin,
                   .end = build_.offset(end),
                   .name_begin = frame.name_begin,
                   .name_end = frame.name_end,
                   .number = frame.number},
                  frame.roots);
  }

  // The value stands in front of the frame.
  void close_set(ExpressionKind kind, const char* end) {
    const ExpressionBuilder::Frame frame = build_.close();
    ExpressionNode node{.kind = kind, .end = build_.offset(end)};
    node.begin = build_.root_at(frame.roots - 1).begin;
    build_.parent(node, frame.roots - 1);
  }
  void close_match(ExpressionKind kind, const char* end) {
    ExpressionNode node{.kind = kind, .begin = build_.root_before().begin, .end = build_.offset(end)};
    node.name_begin = build_.root().begin;
    node.name_end = build_.root().end;
    build_.parent(node, build_.root_count() - 2);
  }

  // `f(x) AS a#7[0]`, `f(x) AS a#7 AS b#8`: what looked like an alias is a column of that name.
  void column_instead_of_alias() {
    if (build_.root().kind != ExpressionKind::Alias) return;
    ExpressionNode node = build_.root();
    build_.drop_parts();
    node.kind = ExpressionKind::Attribute;
    node.name_begin = node.begin;
    node.first_child = kNoExpression;
    build_.leaf(node);
  }

  ExpressionBuilder& build_;
};

}  // namespace

ExpressionTree parse_expression(std::string_view text) {
  text = text.substr(0, ExpressionBuilder::kLongestText);
  ExpressionBuilder builder(text);
  bool is_read = false;
  try {
    ExpressionConsumer consumer(builder);
    grammar::scanner state;
    grammar::text_input input = grammar::make_input(text);
    is_read = grammar::peg::parse<grammar::whole_expression, grammar::expression_action>(input, state, consumer);
  } catch (const grammar::unbalanced&) {
  } catch (const grammar::peg::parse_error&) {  // too deep
  }
  if (!is_read) {
    builder.drop_everything();
    builder.leaf({.end = static_cast<std::uint32_t>(text.size())});
  }
  return std::move(builder).finish();
}

}  // namespace planvet
