#pragma once

// A Catalyst expression as Spark prints it: a flat arena in post-order over the printed text.
//
//   text            ((n#1 = 5) AND isnotnull(s#2))
//   index            0     1    2       3     4            5
//   node             n#1   5    eq      s#2   isnotnull    and      <- the root is the last node
//   first_child      -     -    0       -     3            2
//   next_sibling     1     -    4       -     -            -
//   subtree_begin    0     1    0       3     3            0        <- a subtree is [subtree_begin, index]
//
// Nodes view the text they were read from; nothing is copied, so the text must outlive the tree. What could not be read
// is an Opaque node like any other. Nothing here recurses: chains of a thousand ANDs occur in machine-made filters.

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace planvet {

enum class ExpressionIndex : std::uint32_t {};

inline constexpr ExpressionIndex kNoExpression{0xFFFFFFFFU};
inline constexpr std::uint64_t kNoExprId = 0xFFFFFFFFFFFFFFFFU;

constexpr std::uint32_t to_number(ExpressionIndex index) { return static_cast<std::uint32_t>(index); }

enum class ExpressionKind : std::uint8_t {
  Attribute,            // a#1, max(val)#12L, ts#3-T10000ms: name() is the part before '#'; a pushed filter's has no id
  Literal,              // 5, 2024-01-05, John Smith: Spark prints no quotes; V2 filters do (name() is without them)
  Call,                 // name(children)
  Binary,               // (left op right)
  Not,                  // NOT child
  Cast,                 // cast(child as type), ansi_cast, try_cast: name() is the type, function_name() the function
  In,                   // child IN (children): the first child is the value
  InSet,                // child INSET children: the same, longer
  Like,                 // value LIKE pattern [ESCAPE c]: name() is the pattern (also the second child)
  RLike,                // value RLIKE pattern, RLIKE(value, pattern)
  Case,                 // CASE WHEN a THEN b .. [ELSE c] END: children as printed; an odd number has the ELSE
  If,                   // if (a) b else c: three children
  Alias,                // child AS name#id
  Field,                // child.name
  Item,                 // child[index]: two children
  LambdaFunction,       // lambdafunction(body, variables.., hidden)
  LambdaVariable,       // lambda x_0#12
  Subquery,             // Subquery subquery#7, [id=#30]; ReusedSubquery ..; dynamicpruning#9 [k#3]; list#104 []
  SortOrder,            // child ASC NULLS FIRST
  WindowExpression,     // function windowspecdefinition(..): two children
  WindowSpecification,  // windowspecdefinition(partitions.., orders.., frame)
  FilterClause,         // aggregate FILTER (WHERE condition): two children
  Ordinal,              // input[0, int, true]: name() is the type
  Outer,                // outer(a#1)
  Unresolved,           // 'a.b of a logical plan: name() is without the quote
  Interval,             // INTERVAL '1' DAY
  Star,                 // *
  List,                 // [a, b]: an array literal or a list argument
  More,                 // ... 12 more fields, as an item of a list that Spark cut: number() is 12
  Opaque,               // could not be read
};

enum class ExpressionOperator : std::uint8_t {
  None,
  And,
  Or,
  Equal,
  NullSafeEqual,
  NotEqual,
  Greater,
  GreaterOrEqual,
  Less,
  LessOrEqual,
  Add,
  Subtract,
  Multiply,
  Divide,
  Modulo,
  IntegralDivide,
  BitAnd,
  BitOr,
  BitXor,
  ShiftLeft,
  ShiftRight,
  ShiftRightUnsigned,
};

enum class ExpressionFlag : std::uint16_t {
  None = 0,
  Long = 1U << 0U,          // a#1L: the attribute is a bigint
  Distinct = 1U << 1U,      // count(distinct a#1)
  Descending = 1U << 2U,    // DESC
  NullsFirst = 1U << 3U,    // NULLS FIRST
  NullsLast = 1U << 4U,     // NULLS LAST
  Nullable = 1U << 5U,      // input[0, int, true]
  Reused = 1U << 6U,        // ReusedSubquery
  Quoted = 1U << 7U,        // a literal in quotes (V2 filters), a column in backticks
  FullyPushed = 1U << 8U,   // *EqualTo(A,5): the source evaluates the predicate completely (root of a pushed filter)
  Parenthesised = 1U << 9U  // printed in brackets
};

constexpr ExpressionFlag operator|(ExpressionFlag a, ExpressionFlag b) {
  return static_cast<ExpressionFlag>(static_cast<std::uint16_t>(a) | static_cast<std::uint16_t>(b));
}

struct ExpressionNode {
  ExpressionKind kind = ExpressionKind::Opaque;
  ExpressionOperator op = ExpressionOperator::None;
  ExpressionFlag flags = ExpressionFlag::None;
  std::uint32_t begin = 0;  // offsets in the tree's text
  std::uint32_t end = 0;
  std::uint32_t name_begin = 0;
  std::uint32_t name_end = 0;
  ExpressionIndex first_child = kNoExpression;
  ExpressionIndex next_sibling = kNoExpression;
  ExpressionIndex subtree_begin{};
  std::uint64_t number = kNoExprId;  // expression id; ordinal; watermarks and counts as number() says
};

class ExpressionTree;

// for (ExpressionIndex child : tree.children(i))
class ExpressionChildren {
 public:
  class Iterator {
   public:
    using value_type = ExpressionIndex;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::forward_iterator_tag;
    using pointer = const ExpressionIndex*;
    using reference = ExpressionIndex;

    Iterator() = default;
    Iterator(const ExpressionNode* nodes, ExpressionIndex at) : nodes_(nodes), at_(at) {}
    ExpressionIndex operator*() const { return at_; }
    Iterator& operator++() {
      at_ = nodes_[to_number(at_)].next_sibling;
      return *this;
    }
    Iterator operator++(int) {
      Iterator old = *this;
      ++*this;
      return old;
    }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.at_ == b.at_; }

   private:
    const ExpressionNode* nodes_ = nullptr;
    ExpressionIndex at_ = kNoExpression;
  };

  ExpressionChildren(const ExpressionNode* nodes, ExpressionIndex first) : nodes_(nodes), first_(first) {}
  Iterator begin() const { return {nodes_, first_}; }
  Iterator end() const { return {nodes_, kNoExpression}; }
  bool empty() const { return first_ == kNoExpression; }
  std::size_t size() const;  // counts
  ExpressionIndex front() const { return first_; }
  ExpressionIndex operator[](std::size_t n) const;  // kNoExpression if there are fewer; counts

 private:
  const ExpressionNode* nodes_;
  ExpressionIndex first_;
};

class ExpressionTree {
 public:
  ExpressionTree() = default;
  ExpressionTree(std::string_view source, std::vector<ExpressionNode> nodes)
      : source_(source), nodes_(std::move(nodes)) {}

  bool empty() const { return nodes_.empty(); }
  std::size_t size() const { return nodes_.size(); }
  std::string_view source() const { return source_; }
  const std::vector<ExpressionNode>& nodes() const { return nodes_; }

  // The last node; kNoExpression for an empty tree (a default-made one: parsing always gives a node).
  ExpressionIndex root() const {
    return nodes_.empty() ? kNoExpression : ExpressionIndex{static_cast<std::uint32_t>(nodes_.size() - 1)};
  }

  const ExpressionNode& operator[](ExpressionIndex index) const { return nodes_[to_number(index)]; }
  ExpressionKind kind(ExpressionIndex index) const { return (*this)[index].kind; }
  ExpressionOperator op(ExpressionIndex index) const { return (*this)[index].op; }
  bool has(ExpressionIndex index, ExpressionFlag flag) const {
    return (static_cast<unsigned>((*this)[index].flags) & static_cast<unsigned>(flag)) != 0;
  }

  // As printed, with its own brackets.
  std::string_view text(ExpressionIndex index) const { return slice((*this)[index].begin, (*this)[index].end); }
  // Attribute, Alias, LambdaVariable, Subquery: the name before '#'. Call: the function. Field: the field.
  // Cast, Ordinal: the type. Like: the pattern. Literal: the value without quotes. Empty for others.
  std::string_view name(ExpressionIndex index) const {
    return slice((*this)[index].name_begin, (*this)[index].name_end);
  }
  // Call, LambdaFunction, ..: name(); Cast: cast, ansi_cast or try_cast; WindowExpression, FilterClause, Alias: that of
  // the function inside.
  std::string_view function_name(ExpressionIndex index) const;
  // #12 of an attribute, alias, lambda variable, subquery; kNoExprId without one.
  std::uint64_t expr_id(ExpressionIndex index) const;
  // Ordinal: the position; More: how many are missing; else kNoExprId.
  std::uint64_t number(ExpressionIndex index) const { return (*this)[index].number; }
  // -T10000ms of an attribute, in milliseconds; -1 without one.
  std::int64_t watermark_delay_ms(ExpressionIndex index) const;

  ExpressionChildren children(ExpressionIndex index) const { return {nodes_.data(), (*this)[index].first_child}; }
  ExpressionIndex child(ExpressionIndex index, std::size_t n) const { return children(index)[n]; }

  // Both see all nodes of a subtree, children before parents.
  template <typename Visit>
  void for_each(ExpressionIndex root, Visit&& visit) const {
    if (root == kNoExpression) return;
    for (std::uint32_t i = to_number((*this)[root].subtree_begin); i <= to_number(root); ++i) visit(ExpressionIndex{i});
  }
  // The attributes that a subtree refers to, repeats included; not the ids that aliases make.
  template <typename Visit>
  void for_each_attribute(ExpressionIndex root, Visit&& visit) const {
    for_each(root, [&](ExpressionIndex index) {
      if (kind(index) == ExpressionKind::Attribute) visit(index);
    });
  }

  bool contains(ExpressionIndex root, ExpressionKind kind) const;
  bool contains_opaque(ExpressionIndex root) const { return contains(root, ExpressionKind::Opaque); }
  // A list inside was cut by Spark: what is missing could be anything.
  bool is_truncated(ExpressionIndex root) const { return contains(root, ExpressionKind::More); }
  bool refers_to(ExpressionIndex root, std::uint64_t expr_id) const;

  // An attribute, or fields and items of one: a#1, a#1.b, a#1[0].
  bool is_column(ExpressionIndex index) const;
  // A literal or an interval.
  bool is_constant(ExpressionIndex index) const;
  // The attribute below fields, items and casts; kNoExpression if there is something else.
  ExpressionIndex column_below_casts(ExpressionIndex index) const;
  ExpressionIndex below_alias(ExpressionIndex index) const;  // the child of an alias, else the node itself

  // The operands of nested ANDs (also 2.x &&), left to right; one element for anything else.
  std::vector<ExpressionIndex> conjuncts(ExpressionIndex root) const { return operands(root, ExpressionOperator::And); }
  std::vector<ExpressionIndex> disjuncts(ExpressionIndex root) const { return operands(root, ExpressionOperator::Or); }

  // The test language: and(isnotnull(a#1), gt(a#1, 5)); names that are no words in backticks, text literals in quotes,
  // opaque text as ?"text".
  std::string dump() const;
  std::string dump(ExpressionIndex root) const;

 private:
  std::string_view slice(std::uint32_t begin, std::uint32_t end) const { return source_.substr(begin, end - begin); }
  std::vector<ExpressionIndex> operands(ExpressionIndex root, ExpressionOperator op) const;

  std::string_view source_;
  std::vector<ExpressionNode> nodes_;
};

// `a#1`, `order id#301L`, `tag#1#305`, `ts#3-T600000ms`: one column of an output or key list, read from the right
// without a grammar, because names are unrestricted there. An empty name and kNoExprId if it is no attribute.
struct AttributeText {
  std::string_view name;
  std::uint64_t expr_id = kNoExprId;
  bool is_long = false;
};
AttributeText read_attribute_text(std::string_view item);

std::string_view operator_name(ExpressionOperator op);      // "eq": the dump's
std::string_view operator_symbol(ExpressionOperator op);    // "=": Spark's
bool is_comparison(ExpressionOperator op);                  // = <=> != > >= < <=
ExpressionOperator flipped(ExpressionOperator comparison);  // 5 < a is a > 5
ExpressionOperator negated(ExpressionOperator comparison);  // NOT (a > 5) is a <= 5; None for <=>

}  // namespace planvet
