#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/plan/expression_list.hpp"
#include "analyzer/read/expression_builder.hpp"
#include "analyzer/read/expression_reader.hpp"
#include "analyzer/read/infix_operator.hpp"
#include "grammar/pushed_filter_action.hpp"

namespace planvet {

namespace {

// org.apache.spark.sql.sources: every class but And, Or, Not and In.
struct FilterClass {
  std::string_view name;
  std::size_t operands;
  ExpressionOperator op = ExpressionOperator::None;
};

constexpr std::array kFilterClasses{
    FilterClass{"EqualTo", 2, ExpressionOperator::Equal},
    FilterClass{"EqualNullSafe", 2, ExpressionOperator::NullSafeEqual},
    FilterClass{"GreaterThan", 2, ExpressionOperator::Greater},
    FilterClass{"GreaterThanOrEqual", 2, ExpressionOperator::GreaterOrEqual},
    FilterClass{"LessThan", 2, ExpressionOperator::Less},
    FilterClass{"LessThanOrEqual", 2, ExpressionOperator::LessOrEqual},
    FilterClass{"IsNull", 1},
    FilterClass{"IsNotNull", 1},
    FilterClass{"StringStartsWith", 2},
    FilterClass{"StringEndsWith", 2},
    FilterClass{"StringContains", 2},
    FilterClass{"AlwaysTrue", 0},
    FilterClass{"AlwaysFalse", 0},
};

const FilterClass* find_filter_class(std::string_view name) {
  const auto* const found = std::find_if(kFilterClasses.begin(), kFilterClasses.end(),
                                         [name](const FilterClass& one) { return one.name == name; });
  return found == kFilterClasses.end() ? nullptr : found;
}

bool is_value(std::string_view word) {
  if (word == "true" || word == "false" || word == "null" || word == "NULL" || word == "NaN") return true;
  const std::size_t sign = word.starts_with('-') ? 1 : 0;
  return word.size() > sign && word[sign] >= '0' && word[sign] <= '9';
}

// The consumer of pushed_filter_action.hpp.
class PushedFilterConsumer {
 public:
  explicit PushedFilterConsumer(ExpressionBuilder& builder) : build_(builder) {}

  bool is_understood() const { return is_understood_; }
  bool is_fully_pushed() const { return is_fully_pushed_; }

  void fully_pushed() { is_fully_pushed_ = true; }

  void begin(const char* at) { build_.open(build_.offset(at)); }
  void end() { build_.close(); }
  void name(const char* begin, const char* end) {
    build_.frame().name_begin = build_.offset(begin);
    build_.frame().name_end = build_.offset(end);
  }

  // V1
  void open_pair(const char* at, grammar::infix_operator op) {
    begin(at);
    build_.frame().op = to_operator(op);
  }
  void close_pair(const char* end) {
    const ExpressionBuilder::Frame frame = build_.close();
    build_.parent({.kind = ExpressionKind::Binary, .op = frame.op, .begin = frame.begin, .end = build_.offset(end)},
                  frame.roots);
  }
  void column(const char* begin, const char* end) {
    build_.drop_parts();  // of an attempt at In
    add_column(begin, end);
  }
  void value(const char* begin, const char* end) {
    ExpressionNode node{.kind = ExpressionKind::Literal, .begin = build_.offset(begin), .end = build_.offset(end)};
    node.name_begin = node.begin;
    node.name_end = node.end;
    build_.leaf(node);
  }
  void close_in(const char* end) {
    const ExpressionBuilder::Frame frame = build_.close();
    build_.parent({.kind = ExpressionKind::In, .begin = frame.begin, .end = build_.offset(end)}, frame.roots);
  }
  void close_leaf(const char* end) {
    const ExpressionBuilder::Frame frame = build_.close();
    const FilterClass* filter = find_filter_class(build_.slice(frame.name_begin, frame.name_end));
    if (filter == nullptr || build_.root_count() - frame.roots < filter->operands) {
      // The text around it goes on and counts on an operand here, whatever became of it.
      is_understood_ = false;
      build_.keep_roots(frame.nodes, frame.roots);
      build_.leaf({.kind = ExpressionKind::Opaque, .begin = frame.begin, .end = build_.offset(end)});
      return;
    }
    ExpressionNode node{.kind = ExpressionKind::Call, .begin = frame.begin, .end = build_.offset(end)};
    if (filter->op != ExpressionOperator::None) {
      node.kind = ExpressionKind::Binary;
      node.op = filter->op;
    } else {
      node.name_begin = frame.name_begin;
      node.name_end = frame.name_end;
    }
    if (filter->operands == 0) build_.keep_roots(frame.nodes, frame.roots);
    if (filter->operands == 1 && build_.root_count() - frame.roots == 2) {
      // IsNotNull(x,y): what follows the comma is of the column's name.
      const std::uint32_t end_of_name = build_.root().end;
      build_.pop_root();
      build_.root().end = end_of_name;
      build_.root().name_end = end_of_name;
    }
    build_.parent(node, frame.roots);
  }
  void negate(const char* begin, const char* end) {
    build_.parent({.kind = ExpressionKind::Not, .begin = build_.offset(begin), .end = build_.offset(end)},
                  build_.root_count() - 1);
  }

  // V2
  void quoted(const char* begin, const char* end) {
    build_.leaf({.kind = ExpressionKind::Literal,
                 .flags = ExpressionFlag::Quoted,
                 .begin = build_.offset(begin),
                 .end = build_.offset(end),
                 .name_begin = build_.offset(begin) + 1,
                 .name_end = build_.offset(end) - 1});
  }
  void binary(const char* begin) {  // the X in front of what was told as quoted
    ExpressionNode& node = build_.root();
    node.begin = build_.offset(begin);
    node.name_begin = node.begin;
    node.name_end = node.end;
    node.flags = ExpressionFlag::None;
  }
  void word(const char* begin, const char* end) {
    is_understood_ =
        is_understood_ && !build_.slice(build_.offset(begin), build_.offset(end)).starts_with("CASE WHEN ");
    if (is_value(build_.slice(build_.offset(begin), build_.offset(end)))) {
      value(begin, end);
    } else {
      add_column(begin, end);
    }
  }
  void close_call(const char* end) { close(ExpressionKind::Call, end); }
  void close_cast(const char* end) { close(ExpressionKind::Cast, end); }
  void is_null(const char* end) { null_test(end, 7); }
  void is_not_null(const char* end) { null_test(end, 11); }
  void close_in_list(const char* end) {
    const ExpressionBuilder::Frame frame = build_.close();
    ExpressionNode node{.kind = ExpressionKind::In, .end = build_.offset(end)};
    node.begin = build_.root_at(frame.roots - 1).begin;
    build_.parent(node, frame.roots - 1);
  }
  void close_like(const char* end) {
    ExpressionNode node{.kind = ExpressionKind::Like, .begin = build_.root_before().begin, .end = build_.offset(end)};
    node.name_begin = build_.root().name_begin;
    node.name_end = build_.root().name_end;
    build_.parent(node, build_.root_count() - 2);
  }
  void negate_last() {
    build_.parent({.kind = ExpressionKind::Not, .begin = build_.root().begin, .end = build_.root().end},
                  build_.root_count() - 1);
  }
  void begin_right(const char* at, grammar::infix_operator op) { open_pair(at, op); }
  void end_right() {
    const ExpressionBuilder::Frame frame = build_.close();
    const std::uint32_t end = build_.root().end;
    build_.parent({.kind = ExpressionKind::Binary, .op = frame.op, .begin = build_.root_before().begin, .end = end},
                  build_.root_count() - 2);
  }
  void group(const char* end) {
    const ExpressionBuilder::Frame frame = build_.close();
    build_.root().begin = frame.begin - 1;
    build_.root().end = build_.offset(end);
  }

 private:
  void add_column(const char* begin, const char* end) {
    ExpressionNode node{.kind = ExpressionKind::Attribute, .begin = build_.offset(begin), .end = build_.offset(end)};
    node.name_begin = node.begin;
    node.name_end = node.end;
    const std::string_view name = build_.slice(node.begin, node.end);
    if (name.size() > 2 && name.front() == '`' && name.find('`', 1) == name.size() - 1) {
      node.flags = ExpressionFlag::Quoted;
      ++node.name_begin;
      --node.name_end;
    }
    build_.leaf(node);
  }
  void null_test(const char* end, std::uint32_t length) {
    const std::uint32_t at = build_.offset(end);
    build_.parent({.kind = ExpressionKind::Call,
                   .begin = build_.root().begin,
                   .end = at,
                   .name_begin = at - length,
                   .name_end = at},
                  build_.root_count() - 1);
  }
  void close(ExpressionKind kind, const char* end) {
    const ExpressionBuilder::Frame& frame = build_.frame();
    build_.parent({.kind = kind,
                   .begin = frame.begin,
                   .end = build_.offset(end),
                   .name_begin = frame.name_begin,
                   .name_end = frame.name_end},
                  frame.roots);
  }

  ExpressionBuilder& build_;
  bool is_understood_ = true;
  bool is_fully_pushed_ = false;
};

template <typename Rule>
bool read_as(ExpressionBuilder& builder) {
  builder.drop_everything();
  try {
    PushedFilterConsumer consumer(builder);
    grammar::scanner state;
    grammar::text_input input = grammar::make_input(builder.source());
    if (!grammar::peg::parse<Rule, grammar::pushed_filter_action>(input, state, consumer)) return false;
    if (consumer.is_fully_pushed()) builder.root().flags = builder.root().flags | ExpressionFlag::FullyPushed;
    return consumer.is_understood();
  } catch (const grammar::unbalanced&) {
    return false;
  } catch (const grammar::peg::parse_error&) {  // too deep
    return false;
  }
}

bool is_v1(std::string_view item) {
  if (item.starts_with('*')) item.remove_prefix(1);
  const std::string_view name = item.substr(0, item.find('('));
  if (name.size() == item.size()) return false;
  return name == "And" || name == "Or" || name == "Not" || name == "In" || find_filter_class(name) != nullptr;
}

// `a = 'x, y', b = 5`: V2 sources quote text, so brackets and commas inside quotes do not count.
std::vector<std::string_view> split_quoted(std::string_view list) {
  std::vector<std::string_view> items;
  std::size_t depth = 0;
  std::size_t begin = 0;
  bool in_quotes = false;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const char c = list[i];
    if (c == '\'') in_quotes = !in_quotes;
    if (in_quotes) continue;
    if (c == '(' || c == '[') ++depth;
    if ((c == ')' || c == ']') && depth > 0) --depth;
    if (depth == 0 && list.compare(i, 2, ", ") == 0) {
      items.push_back(list.substr(begin, i - begin));
      begin = i + 2;
    }
  }
  if (begin < list.size()) items.push_back(list.substr(begin));
  return items;
}

}  // namespace

ExpressionTree parse_pushed_filter(std::string_view text) {
  text = text.substr(0, ExpressionBuilder::kLongestText);
  ExpressionBuilder builder(text);
  const bool is_cut = text.starts_with("... ") || text == "...";
  bool is_read = false;
  if (is_v1(text)) {
    is_read = read_as<grammar::v1_pushed>(builder) || read_as<grammar::v1_odd_pushed>(builder);
  } else if (!is_cut) {
    is_read = read_as<grammar::v2_pushed>(builder);
  }
  if (!is_read) {
    builder.drop_everything();
    ExpressionNode& node = builder.leaf({.kind = is_cut ? ExpressionKind::More : ExpressionKind::Opaque,
                                         .end = static_cast<std::uint32_t>(text.size())});
    if (is_cut && text.size() > 4) std::from_chars(text.data() + 4, text.data() + text.size(), node.number);
  }
  return std::move(builder).finish();
}

std::vector<ExpressionTree> parse_pushed_filters(std::string_view list) {
  if (list.starts_with('[') && list.ends_with(']')) list = list.substr(1, list.size() - 2);
  std::vector<ExpressionTree> filters;
  if (list.starts_with('[')) list.remove_prefix(1);  // the end was cut
  if (list.empty()) return filters;
  const std::vector<std::string_view> items = is_v1(list) ? split_list(list).items : split_quoted(list);
  filters.reserve(items.size());
  for (const std::string_view item : items) filters.push_back(parse_pushed_filter(item));
  if (list.ends_with(" more fields") && is_v1(list)) {
    const std::size_t more = list.rfind("... ");
    if (more != std::string_view::npos) filters.push_back(parse_pushed_filter(list.substr(more)));
  }
  return filters;
}

}  // namespace planvet
