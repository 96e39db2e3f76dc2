#pragma once

// What the rules of expression.hpp tell their consumer. Positions are pointers into the text.
//
//   begin(at)                       an operand begins: everything told until end() is its parts
//   end()
//   begin_right(at, operator)       the same for the right side of an operator; end_right() makes the pair
//   leaf(run, end)                  a column, or a literal
//   rename(name_end, id, end)       the operand is a column with the operand's text as its name: max(val)#12
//   opaque(end)                     the operand was not understood up to here
//   group(end), opaque_group(end)   the operand's brackets close
//   open_call(..) .. close_call     and so on: what is open takes the operands told in between
//
// Nothing is told that could be taken back but by rename, opaque and opaque_group, which drop the operand's parts.

#include "grammar/expression.hpp"

namespace planvet::grammar {

template <typename Rule>
struct expression_action : peg::nothing<Rule> {};

// Every way around goes through one of these; a call costs two.
template <>
struct expression_action<operand> : peg::limit_depth<2 * kMaximumDepth> {};
template <>
struct expression_action<item_body> : peg::limit_depth<2 * kMaximumDepth> {};
template <>
struct expression_action<predicate> : peg::limit_depth<2 * kMaximumDepth> {};

// clang-format off
#define PLANVET_TELL( Rule, Call )                                             \
  template <>                                                                  \
  struct expression_action<Rule> {                                             \
    template <typename Input, typename Consumer>                               \
    static void apply([[maybe_unused]] const Input& in, [[maybe_unused]] scanner& state, Consumer& consumer) { \
      consumer.Call;                                                           \
    }                                                                          \
  }

PLANVET_TELL(operand_begins, begin(in.begin()));
PLANVET_TELL(operand_ends, end());
PLANVET_TELL(rest_of_item, opaque(in.end()));
PLANVET_TELL(rest_of_name, rename(state.run.name_end, state.run.id, in.end()));
PLANVET_TELL(generated_id, rename(state.run.name_end, state.run.id, in.end()));

PLANVET_TELL(open_group, begin(in.end()));
PLANVET_TELL(group_closes, group(in.end()));
PLANVET_TELL(odd_group_closes, opaque_group(in.end()));

PLANVET_TELL(leaf, leaf(state.run, in.end()));
PLANVET_TELL(call_opens, open_call(state.run.begin, state.run.name_end));
PLANVET_TELL(distinct, distinct());
PLANVET_TELL(call_closes, close_call(in.end()));
PLANVET_TELL(cast_type, cast_type(in.begin(), in.end()));
PLANVET_TELL(cast_closes, close_cast(in.end()));
PLANVET_TELL(list_closes, close_list(in.end()));

PLANVET_TELL(not_form, negate(in.begin()));
PLANVET_TELL(minus_form, minus(in.begin()));
PLANVET_TELL(case_closes, close_case(in.end()));
PLANVET_TELL(if_closes, close_if(in.end()));
PLANVET_TELL(lambda_variable, lambda_variable(in.begin(), in.end()));
PLANVET_TELL(subquery, subquery(in.begin(), in.end()));
PLANVET_TELL(interval, interval(in.begin(), in.end()));
PLANVET_TELL(ordinal, ordinal(in.begin(), in.end()));

PLANVET_TELL(type_note, widen(in.end()));
PLANVET_TELL(field_name, field(in.begin(), in.end()));
PLANVET_TELL(element_closes, element(in.end()));
PLANVET_TELL(filter_closes, filter_clause(in.end()));
PLANVET_TELL(window_word, open_window(in.begin() + 1, in.end() - 1));
PLANVET_TELL(window_closes, close_window(in.end()));
PLANVET_TELL(subquery_list_opens, open_subquery_list());
PLANVET_TELL(subquery_list_closes, close_subquery_list(in.end()));

PLANVET_TELL(in_list_opens, begin(in.begin()));
PLANVET_TELL(in_list_closes, close_in(in.end()));
PLANVET_TELL(in_subquery, in_subquery());
PLANVET_TELL(in_set_opens, begin(in.begin()));
PLANVET_TELL(in_set_closes, close_in_set(in.end()));
PLANVET_TELL(like_closes, close_like(in.end()));
PLANVET_TELL(rlike_closes, close_rlike(in.end()));

PLANVET_TELL(sign, begin_right(in.end(), state.op));
PLANVET_TELL(infix, begin_right(in.end(), state.op));
PLANVET_TELL(right_ends, end_right());
PLANVET_TELL(alias_name, alias(state.run, in.end()));
PLANVET_TELL(sort, sort(state.sort, in.end()));

#undef PLANVET_TELL
// clang-format on

}  // namespace planvet::grammar
