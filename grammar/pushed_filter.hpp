#pragma once

// Predicates as data sources print them: no ids, no types, columns by name.
//
//   *Or(EqualTo(a,5),In(b, [1,2]))     classes of org.apache.spark.sql.sources (V1); values unquoted
//   (a = 5 OR b IN (1, 2))             V2 sources and Iceberg; text in quotes
//
// A predicate that does not fit either is not read, and its consumer makes it opaque.

#include "grammar/expression.hpp"

namespace planvet::grammar {

struct v1_scan {
  // Up to the comma or bracket behind a column; `a.b` in backticks may hold both.
  struct column {
    static const char* scan(const char* at, const char* end, scanner&) {
      while (at < end && *at != ',' && class_of(*at) != character::close) {
        if (*at == '`') {
          do ++at;
          while (at < end && *at != '`');
          if (at == end) return nullptr;
          ++at;
        } else {
          at = step(at, end);
        }
      }
      return at;
    }
  };
  struct value {
    static const char* scan(const char* at, const char* end, scanner&) {
      while (at < end && class_of(*at) != character::close) at = step(at, end);
      return at;
    }
  };
  struct item {
    static const char* scan(const char* at, const char* end, scanner&) {
      while (at < end && *at != ',' && class_of(*at) != character::close) at = step(at, end);
      return at;
    }
  };
  // In(x,y, [1,2]): the column may hold commas, the list begins with ", [".
  struct in_column {
    static const char* scan(const char* at, const char* end, scanner&) {
      const std::string_view text(at, static_cast<std::size_t>(end - at));
      const std::size_t list = text.find(", [");
      return list == std::string_view::npos ? nullptr : at + list;
    }
  };
  // The value of the only predicate: up to the last bracket, whatever stands before it.
  struct last_value {
    static const char* scan(const char* at, const char* end, scanner&) {
      return at < end && end[-1] == ')' ? end - 1 : nullptr;
    }
  };
};

struct v2_scan {
  static bool ends(const char* at, const char* end) {
    if (class_of(*at) == character::close) return true;
    if (*at == ',') return at + 1 < end && at[1] == ' ';
    if (*at != ' ') return false;
    if (read_infix(at, end).length > 0) return true;
    for (const std::string_view word :
         {" IS NULL", " IS NOT NULL", " IN (", " NOT IN (", " LIKE '", " NOT LIKE '", " == ", " AS "})
      if (starts_with(at, end, word)) return true;
    return false;
  }
  struct run {
    static const char* scan(const char* at, const char* end, scanner& state) {
      const char* p = at;
      bool is_name = true;
      state.run = {};
      state.run.begin = at;
      while (p < end && !ends(p, end)) {
        if (*p == '\'') return nullptr;
        if (*p == '(') {
          if (is_name) break;
          return nullptr;
        }
        is_name = is_name && *p != ' ';
        if (*p == '`') {
          do ++p;
          while (p < end && *p != '`');
          if (p == end) return nullptr;
          ++p;
        } else {
          p = *p == '[' ? step(p, end) : p + 1;
        }
      }
      state.run.kind = p < end && *p == '(' ? run_kind::call : run_kind::text;
      state.run.name_end = p;
      return p > at ? p : nullptr;
    }
  };
  struct relation {
    static const char* scan(const char* at, const char* end, scanner& state) {
      if (starts_with(at, end, " == ")) {
        state.op = infix_operator::equal;
        return at + 4;
      }
      const char* behind = scan_infix::scan(at, end, state);
      return state.op == infix_operator::and_ || state.op == infix_operator::or_ ? nullptr : behind;
    }
  };
  struct logic {
    static const char* scan(const char* at, const char* end, scanner& state) {
      const char* behind = scan_infix::scan(at, end, state);
      return state.op == infix_operator::and_ || state.op == infix_operator::or_ ? behind : nullptr;
    }
  };
};

// clang-format off

// V1
struct fully_pushed : peg::one< '*' > {};
struct v1_filter;

struct v1_and : peg::string< 'A', 'n', 'd', '(' > {};
struct v1_or : peg::string< 'O', 'r', '(' > {};
struct v1_pair_opens : peg::sor< v1_and, v1_or > {};
struct v1_pair_closes : peg::one< ')' > {};
struct v1_pair_rest : peg::seq< peg::one< ',' >, v1_filter, v1_pair_closes > {};
struct v1_not : peg::seq< peg::string< 'N', 'o', 't', '(' >, v1_filter, peg::one< ')' > > {};

struct v1_name : peg::plus< peg::alpha > {};
struct v1_column : scanned< v1_scan::column, maybe_text > {};
struct v1_value : scanned< v1_scan::value, maybe_text > {};
struct v1_item : scanned< v1_scan::item, maybe_text > {};
struct v1_in_column : scanned< v1_scan::in_column, maybe_text > {};
struct v1_last_value : scanned< v1_scan::last_value, maybe_text > {};
struct v1_in : peg::seq< peg::string< 'I', 'n', '(' >, v1_in_column, peg::string< ',', ' ', '[' >, peg::sor< peg::one< ']' >, peg::seq< peg::list< v1_item, peg::one< ',' > >, peg::one< ']' > > >, peg::one< ')' > > {};
struct v1_leaf : peg::seq< v1_name, peg::one< '(' >, peg::sor< peg::one< ')' >, peg::seq< v1_column, peg::opt< peg::one< ',' >, v1_value >, peg::one< ')' > > > > {};
struct v1_begins : peg::success {};
struct v1_first : peg::sor< v1_not, peg::seq< v1_begins, peg::sor< v1_in, v1_leaf > > > {};
struct v1_filter : spine< v1_pair_opens, v1_first, v1_pair_rest > {};

struct v1_pushed : peg::seq< peg::opt< fully_pushed >, v1_filter, peg::eof > {};
// EqualTo(name,a) b)
struct v1_odd_leaf : peg::seq< v1_name, peg::one< '(' >, v1_column, peg::one< ',' >, v1_last_value, peg::one< ')' > > {};
struct v1_odd_pushed : peg::seq< peg::opt< fully_pushed >, v1_begins, v1_odd_leaf, peg::eof > {};

// V2
struct v2_condition;
struct v2_quoted : peg::seq< peg::one< '\'' >, peg::star< peg::sor< peg::string< '\'', '\'' >, peg::not_one< '\'' > > >, peg::one< '\'' > > {};
struct v2_binary : peg::seq< peg::one< 'X' >, v2_quoted > {};
struct v2_run : scanned< v2_scan::run, some_text > {};
struct v2_leaf : peg::success {};
struct v2_call_opens : peg::one< '(' > {};
struct v2_call_closes : peg::one< ')' > {};
struct v2_cast_type : peg::plus< peg::not_one< ')' > > {};
struct v2_cast_closes : peg::one< ')' > {};
struct v2_arguments : peg::sor< v2_call_closes, peg::seq< v2_condition, peg::sor< peg::seq< peg::string< ' ', 'A', 'S', ' ' >, v2_cast_type, v2_cast_closes >, peg::seq< peg::star< separator, v2_condition >, v2_call_closes > > > > {};
struct v2_begins : peg::success {};
struct v2_ends : peg::success {};
struct v2_core : peg::sor< v2_quoted, v2_binary, peg::seq< v2_begins, v2_run, peg::sor< peg::seq< is_call, v2_call_opens, v2_arguments >, v2_leaf >, v2_ends > > {};

struct v2_is_null : peg::string< ' ', 'I', 'S', ' ', 'N', 'U', 'L', 'L' > {};
struct v2_is_not_null : peg::string< ' ', 'I', 'S', ' ', 'N', 'O', 'T', ' ', 'N', 'U', 'L', 'L' > {};
struct v2_list : peg::seq< v2_condition, peg::star< separator, v2_condition > > {};
struct v2_in_opens : peg::string< ' ', 'I', 'N', ' ', '(' > {};
struct v2_in_closes : peg::one< ')' > {};
struct v2_in : peg::seq< v2_in_opens, peg::sor< v2_in_closes, peg::seq< v2_list, v2_in_closes > > > {};
struct v2_not_in : peg::seq< peg::string< ' ', 'N', 'O', 'T' >, v2_in > {};
struct v2_escape : peg::seq< peg::string< ' ', 'E', 'S', 'C', 'A', 'P', 'E', ' ', '\'' >, peg::any, peg::one< '\'' > > {};
struct v2_like_closes : peg::success {};
struct v2_like : peg::seq< peg::string< ' ', 'L', 'I', 'K', 'E', ' ' >, v2_quoted, peg::opt< v2_escape >, v2_like_closes > {};
struct v2_not_like : peg::seq< peg::string< ' ', 'N', 'O', 'T' >, v2_like > {};
struct v2_match : peg::sor< v2_is_null, v2_is_not_null, v2_in, v2_not_in, v2_like, v2_not_like > {};

// = and < bind tighter than AND and OR, which are in brackets or all of one kind.
struct v2_relation : scanned< v2_scan::relation, some_text > {};
struct v2_logic : scanned< v2_scan::logic, some_text > {};
struct v2_right_ends : peg::success {};
struct v2_operand;
struct v2_term;
struct v2_relation_tail : peg::seq< v2_relation, v2_operand, v2_right_ends > {};
struct v2_logic_tail : peg::seq< v2_logic, v2_term, v2_right_ends > {};
struct v2_level : peg::seq< peg::opt< v2_match >, peg::star< v2_relation_tail >, peg::star< v2_logic_tail > > {};

struct v2_group_opens : peg::one< '(' > {};
struct v2_group_closes : peg::one< ')' > {};
struct v2_group_rest : peg::seq< v2_level, v2_group_closes > {};
struct v2_not_word : peg::string< 'N', 'O', 'T', ' ' > {};
struct v2_not : peg::seq< v2_not_word, v2_term > {};
struct v2_first : peg::sor< v2_not, peg::seq< peg::not_at< v2_not_word >, v2_core > > {};
struct v2_operand : spine< v2_group_opens, v2_first, v2_group_rest > {};
struct v2_term : peg::seq< v2_operand, peg::opt< v2_match >, peg::star< v2_relation_tail > > {};
struct v2_condition : peg::seq< v2_operand, v2_level > {};
struct v2_pushed : peg::seq< v2_condition, peg::eof > {};
// clang-format on

}  // namespace planvet::grammar
