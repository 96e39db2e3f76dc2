#pragma once

// What the rules of pushed_filter.hpp tell their consumer: operands in the order of the text, and what they become.

#include "grammar/pushed_filter.hpp"

namespace planvet::grammar {

template <typename Rule>
struct pushed_filter_action : peg::nothing<Rule> {};

template <>
struct pushed_filter_action<v1_filter> : peg::limit_depth<kMaximumDepth> {};
template <>
struct pushed_filter_action<v2_operand> : peg::limit_depth<kMaximumDepth> {};
template <>
struct pushed_filter_action<v2_condition> : peg::limit_depth<kMaximumDepth> {};

// clang-format off
#define PLANVET_TELL( Rule, Call )                                             \
  template <>                                                                  \
  struct pushed_filter_action<Rule> {                                          \
    template <typename Input, typename Consumer>                               \
    static void apply([[maybe_unused]] const Input& in, [[maybe_unused]] scanner& state, Consumer& consumer) { \
      consumer.Call;                                                           \
    }                                                                          \
  }

PLANVET_TELL(fully_pushed, fully_pushed());
PLANVET_TELL(v1_and, open_pair(in.begin(), infix_operator::and_));
PLANVET_TELL(v1_or, open_pair(in.begin(), infix_operator::or_));
PLANVET_TELL(v1_pair_closes, close_pair(in.end()));
PLANVET_TELL(v1_not, negate(in.begin(), in.end()));
PLANVET_TELL(v1_begins, begin(in.begin()));
PLANVET_TELL(v1_name, name(in.begin(), in.end()));
PLANVET_TELL(v1_column, column(in.begin(), in.end()));
PLANVET_TELL(v1_in_column, column(in.begin(), in.end()));
PLANVET_TELL(v1_value, value(in.begin(), in.end()));
PLANVET_TELL(v1_item, value(in.begin(), in.end()));
PLANVET_TELL(v1_last_value, value(in.begin(), in.end()));
PLANVET_TELL(v1_in, close_in(in.end()));
PLANVET_TELL(v1_leaf, close_leaf(in.end()));
PLANVET_TELL(v1_odd_leaf, close_leaf(in.end()));

PLANVET_TELL(v2_quoted, quoted(in.begin(), in.end()));
PLANVET_TELL(v2_binary, binary(in.begin()));
PLANVET_TELL(v2_begins, begin(in.begin()));
PLANVET_TELL(v2_ends, end());
PLANVET_TELL(v2_leaf, word(state.run.begin, in.end()));
PLANVET_TELL(v2_call_opens, name(state.run.begin, state.run.name_end));
PLANVET_TELL(v2_call_closes, close_call(in.end()));
PLANVET_TELL(v2_cast_type, name(in.begin(), in.end()));
PLANVET_TELL(v2_cast_closes, close_cast(in.end()));
PLANVET_TELL(v2_is_null, is_null(in.end()));
PLANVET_TELL(v2_is_not_null, is_not_null(in.end()));
PLANVET_TELL(v2_in_opens, begin(in.begin()));
PLANVET_TELL(v2_in_closes, close_in_list(in.end()));
PLANVET_TELL(v2_not_in, negate_last());
PLANVET_TELL(v2_like_closes, close_like(in.end()));
PLANVET_TELL(v2_not_like, negate_last());
PLANVET_TELL(v2_relation, begin_right(in.end(), state.op));
PLANVET_TELL(v2_logic, begin_right(in.end(), state.op));
PLANVET_TELL(v2_right_ends, end_right());
PLANVET_TELL(v2_group_opens, begin(in.end()));
PLANVET_TELL(v2_group_closes, group(in.end()));
PLANVET_TELL(v2_not, negate(in.begin(), in.end()));

#undef PLANVET_TELL
// clang-format on

}  // namespace planvet::grammar
