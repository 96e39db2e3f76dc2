#pragma once

// Catalyst expressions, wherever Spark prints them: explain lines, detail blocks, JSON simpleString.
//
//   ((isnotnull(a#1) AND (name#2 = John Smith)) AND s#3 LIKE k%)
//    ||         |         |      |  |                    |
//    ||         |         core   |  rhs, a text run      match_tail
//    ||         argument         infix
//    |+- open_group twice: the left spine of ANDs is read in a loop, not by recursion
//
// Operators are always in brackets, so there is no precedence. String literals and column names are neither quoted nor
// restricted, so the grammar is total: an item that does not end where its list goes on becomes one opaque item, a group
// one opaque group; only a bracket without a partner (or too deep a nest) gives up the whole text, by throwing.
// It is linear: alternatives differ in their first token, and what was read once is never read again: where an
// alternative fails late, what follows is skipped, not parsed.

#include <utility>

#include "grammar/lexical.hpp"

namespace planvet::grammar {

// What ends an item, beside a closing bracket and the end of the text.
enum stop : unsigned {
  stop_comma = 1U << 0U,     // IN (a,b), [a,b]
  stop_argument = 1U << 1U,  // f(a, b): a comma and a blank, so that x,y#3 is one column
  stop_infix = 1U << 2U,     // the left side of (a = b)
  stop_and_or = 1U << 3U,    // LIKE and INSET have no brackets of their own
  stop_case = 1U << 4U,      // WHEN THEN ELSE END
  stop_else = 1U << 5U,      // if (a) b else c
  stop_as = 1U << 6U,        // cast(a as int)
  stop_suffix = 1U << 7U,    // a AS b#1, a ASC NULLS FIRST
  stop_escape = 1U << 8U,    // a LIKE b ESCAPE 'c'
  in_group = 1U << 9U,       // no stop: says that there are brackets around, and ANDs may follow
};

enum class infix_operator : std::uint8_t {
  and_,
  or_,
  equal,
  null_safe_equal,
  not_equal,
  greater,
  greater_or_equal,
  less,
  less_or_equal,
  add,
  subtract,
  multiply,
  divide,
  modulo,
  integral_divide,
  bit_and,
  bit_or,
  bit_xor,
  shift_left,
  shift_right,
  shift_right_unsigned
};

enum class run_kind : std::uint8_t { text, attribute, call };

// A run of text up to what ends it: a column with its id, the name before `f(`, or a literal.
struct run_token {
  run_kind kind = run_kind::text;
  const char* begin = nullptr;
  const char* name_end = nullptr;  // attribute: the '#'; else the end
  id_token id;
};

struct sort_token {
  bool is_descending = false;
  bool nulls_first = false;
  bool nulls_last = false;
};

// The grammar's own state: where an item ends, and the last token.
struct scanner {
  unsigned stops = stop_suffix;
  run_token run;
  infix_operator op = infix_operator::equal;
  sort_token sort;
};

// A bracket without a partner: nothing behind it can be trusted.
struct unbalanced {};

struct infix_token {
  std::size_t length = 0;  // 0: no operator here
  infix_operator op = infix_operator::equal;
};

// ` = `, ` AND `, ...: always between blanks. `at` is the first blank.
inline infix_token read_infix(const char* at, const char* end) {
  const auto is = [&](std::string_view word) { return starts_with(at + 1, end, word); };
  if (end - at < 3) return {};
  switch (at[1]) {
    case '=':
      if (is("= ")) return {3, infix_operator::equal};
      break;
    case 'A':
      if (is("AND ")) return {5, infix_operator::and_};
      break;
    case 'O':
      if (is("OR ")) return {4, infix_operator::or_};
      break;
    case '>':
      if (is("> ")) return {3, infix_operator::greater};
      if (is(">= ")) return {4, infix_operator::greater_or_equal};
      if (is(">> ")) return {4, infix_operator::shift_right};
      if (is(">>> ")) return {5, infix_operator::shift_right_unsigned};
      break;
    case '<':
      if (is("< ")) return {3, infix_operator::less};
      if (is("<= ")) return {4, infix_operator::less_or_equal};
      if (is("<=> ")) return {5, infix_operator::null_safe_equal};
      if (is("<< ")) return {4, infix_operator::shift_left};
      if (is("<> ")) return {4, infix_operator::not_equal};
      break;
    case '+':
      if (is("+ ")) return {3, infix_operator::add};
      break;
    case '-':
      if (is("- ")) return {3, infix_operator::subtract};
      break;
    case '*':
      if (is("* ")) return {3, infix_operator::multiply};
      break;
    case '/':
      if (is("/ ")) return {3, infix_operator::divide};
      break;
    case '%':
      if (is("% ")) return {3, infix_operator::modulo};
      break;
    case 'd':
      if (is("div ")) return {5, infix_operator::integral_divide};
      break;
    case '&':
      if (is("& ")) return {3, infix_operator::bit_and};
      if (is("&& ")) return {4, infix_operator::and_};
      break;
    case '|':
      if (is("| ")) return {3, infix_operator::bit_or};
      if (is("|| ")) return {4, infix_operator::or_};
      break;
    case '^':
      if (is("^ ")) return {3, infix_operator::bit_xor};
      break;
    case '!':
      if (is("!= ")) return {4, infix_operator::not_equal};
      break;
    default: break;
  }
  return {};
}

// ` ASC NULLS FIRST`, ` DESC`: the length with its blank, 0 if it is something else.
inline std::size_t read_sort(const char* at, const char* end, sort_token& sort) {
  sort = {};
  const char* p = at;
  if (starts_with(p, end, " ASC")) {
    p += 4;
  } else if (starts_with(p, end, " DESC")) {
    sort.is_descending = true;
    p += 5;
  } else {
    return 0;
  }
  if (starts_with(p, end, " NULLS FIRST")) {
    sort.nulls_first = true;
    p += 12;
  } else if (starts_with(p, end, " NULLS LAST")) {
    sort.nulls_last = true;
    p += 11;
  }
  if (p < end && class_of(*p) != character::comma && class_of(*p) != character::close) return 0;
  return static_cast<std::size_t>(p - at);
}

// Whether the words behind the blank at `at` belong to what is around the item.
inline bool ends_at_blank(const char* at, const char* end, unsigned stops) {
  if ((stops & (stop_case | stop_and_or | stop_else | stop_as | stop_escape)) == 0) return false;
  if ((stops & stop_case) != 0 && (starts_with(at, end, " WHEN ") || starts_with(at, end, " THEN ") ||
                                   starts_with(at, end, " ELSE ") || starts_with(at, end, " END")))
    return true;
  if ((stops & stop_and_or) != 0 && (starts_with(at, end, " AND ") || starts_with(at, end, " OR "))) return true;
  if ((stops & stop_else) != 0 && starts_with(at, end, " else ")) return true;
  if ((stops & stop_as) != 0 && starts_with(at, end, " as ")) return true;
  return (stops & stop_escape) != 0 && starts_with(at, end, " ESCAPE '");
}

// Whether an item that was understood ends at `at`.
inline bool ends_item(const char* at, const char* end, unsigned stops) {
  if (at == end) return true;
  switch (class_of(*at)) {
    case character::close: return true;
    case character::comma: return (stops & (stop_comma | stop_argument)) != 0;
    case character::blank: return ends_at_blank(at, end, stops);
    case character::other:
    case character::word:
    case character::open:
    case character::hash: return false;
  }
  return false;
}

// Whether unquoted text ends at the comma or blank at `at`: a literal may hold both.
inline bool ends_text(const char* at, const char* end, unsigned stops) {
  if (*at == ',') {
    if ((stops & stop_comma) != 0) return true;
    return (stops & stop_argument) != 0 && (at + 1 == end || at[1] == ' ');
  }
  if (ends_at_blank(at, end, stops)) return true;
  if ((stops & stop_infix) != 0) {
    if (read_infix(at, end).length > 0) return true;
    const char next = at + 1 < end ? at[1] : ' ';
    if (next == 'I' && (starts_with(at, end, " IN ") || starts_with(at, end, " INSET "))) return true;
    if ((next == 'L' || next == 'R') && (starts_with(at, end, " LIKE ") || starts_with(at, end, " RLIKE ")))
      return true;
  }
  if ((stops & stop_suffix) != 0) {
    sort_token ignored;
    return starts_with(at, end, " AS ") || read_sort(at, end, ignored) > 0;
  }
  return false;
}

// Over one character or one bracketed part; throws at a bracket without a partner.
inline const char* step(const char* at, const char* end) {
  if (class_of(*at) != character::open || is_byte_array(at, end)) return at + 1;
  const char* behind = skip_brackets(at, end);
  if (behind == nullptr) throw unbalanced{};
  return behind;
}

// Up to the end of the item, whatever it holds.
inline const char* skip_item(const char* at, const char* end, unsigned stops) {
  while (at < end && !ends_item(at, end, stops)) at = step(at, end);
  return at;
}

inline bool starts_function_name(char c) {
  return (class_of(c) == character::word && !is_digit(c)) || c == '<' || c == '\'' || c == '$';
}

inline bool continues_function_name(char c) {
  return c == '.' || c == '$' || c == '<' || c == '>' || c == ':' || c == '@' || c == '/' || c == '\'';
}

inline const char* read_run(const char* at, const char* end, unsigned stops, run_token& run) {
  run = {};
  run.begin = at;
  const char* p = at;
  bool is_function_name = p < end && starts_function_name(*p);
  while (p < end) {
    switch (class_of(*p)) {
      case character::word: ++p; break;
      case character::other:
        is_function_name = is_function_name && continues_function_name(*p);
        ++p;
        break;
      case character::hash:
        run.id = read_id(p, end);
        if (run.id.end != nullptr) {
          run.kind = run_kind::attribute;
          run.name_end = p;
          return run.id.end;
        }
        ++p;
        break;
      case character::open:
        if (*p == '(' && is_function_name) {
          run.kind = run_kind::call;
          run.name_end = p;
          return p;
        }
        is_function_name = false;
        p = step(p, end);
        break;
      case character::close: run.name_end = p; return p;
      case character::comma:
      case character::blank:
        if (ends_text(p, end, stops)) {
          run.name_end = p;
          return p;
        }
        is_function_name = false;
        ++p;
        break;
    }
  }
  run.name_end = p;
  return p;
}

// Up to the id that ends a generated name: `rank() OVER (..)#12`; null if the item ends without one.
inline const char* find_id(const char* at, const char* end, unsigned stops, id_token& id) {
  while (at < end) {
    const character c = class_of(*at);
    if (c == character::hash) {
      id = read_id(at, end);
      if (id.end != nullptr) return at;
    }
    if (c == character::close) return nullptr;
    if ((c == character::comma || c == character::blank) && ends_text(at, end, stops)) return nullptr;
    at = step(at, end);
  }
  return nullptr;
}

// A rule that scans by hand: `Scan::scan(begin, end, scanner)` gives the new place, or null. For analyze<> it is `Like`.
template <typename Scan, typename Like>
struct scanned {
  using rule_t = typename Like::rule_t;
  using subs_t = typename Like::subs_t;

  template <peg::apply_mode, peg::rewind_mode, template <typename...> class, template <typename...> class,
            typename ParseInput, typename... States>
  static bool match(ParseInput& in, scanner& state, States&&...) {
    const char* to = Scan::scan(in.current(), in.end(), state);
    if (to == nullptr) return false;
    in.bump_in_this_line(static_cast<std::size_t>(to - in.current()));
    return true;
  }
};

using maybe_text = peg::star<peg::any>;
using some_text = peg::plus<peg::any>;

// Rules in a scope with other stops: those of `Scope::stops(outer)`.
template <typename Scope, typename... Rules>
struct within {
  using rule_t = typename peg::seq<Rules...>::rule_t;
  using subs_t = peg::type_list<Rules...>;

  template <peg::apply_mode A, peg::rewind_mode M, template <typename...> class Action,
            template <typename...> class Control, typename ParseInput, typename... States>
  static bool match(ParseInput& in, scanner& state, States&&... states) {
    const unsigned outer = std::exchange(state.stops, Scope::stops(state.stops));
    const bool matched = (Control<Rules>::template match<A, M, Action, Control>(in, state, states...) && ...);
    state.stops = outer;
    return matched;
  }
};

template <unsigned Stops>
struct scope {
  static unsigned stops(unsigned) { return Stops; }
};

struct group_scope : scope<stop_infix | in_group> {};
struct argument_scope : scope<stop_argument | stop_suffix> {};
struct list_scope : scope<stop_comma | stop_suffix> {};
struct element_scope : scope<0> {};
struct case_scope : scope<stop_case> {};
struct branch_scope : scope<stop_else> {};
struct cast_scope : scope<stop_as | stop_argument> {};
// The right side of an operator: its text goes on to the end of the group, `(name#1 = Tom AND Jerry)`.
struct right_scope {
  static unsigned stops(unsigned outer) { return outer & ~(stop_infix | stop_suffix); }
};
struct pattern_scope {
  static unsigned stops(unsigned outer) {
    return right_scope::stops(outer) | stop_escape | ((outer & in_group) != 0 ? stop_and_or : 0U);
  }
};
struct value_scope {
  static unsigned stops(unsigned outer) {
    return right_scope::stops(outer) | stop_argument | ((outer & in_group) != 0 ? stop_and_or : 0U);
  }
};

// seq< Rules... > that stays where it is when it fails: what follows is then skipped, never read again.
template <typename... Rules>
struct forward {
  using rule_t = typename peg::seq<Rules...>::rule_t;
  using subs_t = peg::type_list<Rules...>;

  template <peg::apply_mode A, peg::rewind_mode, template <typename...> class Action,
            template <typename...> class Control, typename ParseInput, typename... States>
  static bool match(ParseInput& in, States&&... states) {
    return (Control<Rules>::template match<A, peg::rewind_mode::dontcare, Action, Control>(in, states...) && ...);
  }
};

// Open{n} First Close{n}: what R := Open R Close / First would read, without recursion.
template <typename Open, typename First, typename Close>
struct spine {
  using rule_t = typename peg::seq<peg::star<Open>, First, peg::star<Close>>::rule_t;
  using subs_t = peg::type_list<peg::star<Open>, First, peg::star<Close>>;

  template <peg::apply_mode A, peg::rewind_mode, template <typename...> class Action,
            template <typename...> class Control, typename ParseInput, typename... States>
  static bool match(ParseInput& in, scanner& state, States&&... states) {
    constexpr auto kMode = peg::rewind_mode::dontcare;
    std::size_t depth = 0;
    while (Control<Open>::template match<A, kMode, Action, Control>(in, state, states...)) ++depth;
    const unsigned outer = state.stops;
    if (depth > 0) state.stops = group_scope::stops(outer);
    bool matched = Control<First>::template match<A, kMode, Action, Control>(in, state, states...);
    for (; matched && depth > 0; --depth)
      matched = Control<Close>::template match<A, kMode, Action, Control>(in, state, states...);
    state.stops = outer;
    return matched;
  }
};

struct scan_run {
  static const char* scan(const char* at, const char* end, scanner& state) {
    return read_run(at, end, state.stops, state.run);
  }
};
struct scan_call {
  static const char* scan(const char* at, const char*, scanner& state) {
    return state.run.kind == run_kind::call ? at : nullptr;
  }
};
struct scan_cast {
  static const char* scan(const char* at, const char*, scanner& state) {
    std::string_view name(state.run.begin, static_cast<std::size_t>(at - state.run.begin));
    if (name.starts_with('\'')) name.remove_prefix(1);
    return name == "cast" || name == "try_cast" || name == "ansi_cast" ? at : nullptr;
  }
};
struct scan_item_end {
  static const char* scan(const char* at, const char* end, scanner& state) {
    return ends_item(at, end, state.stops) ? at : nullptr;
  }
};
// The cheap half of it: most operands are followed by a bracket.
struct scan_closer {
  static const char* scan(const char* at, const char* end, scanner&) {
    return at == end || class_of(*at) == character::close ? at : nullptr;
  }
};
struct scan_rest {
  static const char* scan(const char* at, const char* end, scanner& state) { return skip_item(at, end, state.stops); }
};
struct scan_group_rest {
  static const char* scan(const char* at, const char* end, scanner&) {
    while (at < end && class_of(*at) != character::close) at = step(at, end);
    if (at == end) throw unbalanced{};
    return at + 1;
  }
};
// Items leave nothing in front of the bracket that ends their list.
struct scan_closing {
  static const char* scan(const char* at, const char* end, scanner&) {
    if (at == end) throw unbalanced{};
    return class_of(*at) == character::close ? at + 1 : nullptr;
  }
};
struct scan_type {
  static const char* scan(const char* at, const char* end, scanner&) {
    while (at < end && class_of(*at) != character::close) at = step(at, end);
    return at;
  }
};
// What the next character rules out, before longer looks.
struct scan_postfix_start {
  static const char* scan(const char* at, const char* end, scanner&) {
    if (at == end) return nullptr;
    if (*at == '#' || *at == '.' || *at == '[' || *at == ':') return at;
    return *at == ' ' && at + 1 < end && (at[1] == 'F' || at[1] == 'w' || at[1] == '[') ? at : nullptr;
  }
};
struct scan_match_start {
  static const char* scan(const char* at, const char* end, scanner&) {
    if (end - at < 2 || *at != ' ') return nullptr;
    return at[1] == 'I' || at[1] == 'L' || at[1] == 'R' ? at : nullptr;
  }
};
// `ts#3: timestamp` of an EventTimeWatermark: the type belongs to the column.
struct scan_type_note {
  static const char* scan(const char* at, const char* end, scanner& state) {
    if (state.run.kind != run_kind::attribute || state.run.id.end != at || !starts_with(at, end, ": ")) return nullptr;
    return skip_item(at, end, state.stops);
  }
};
struct scan_infix {
  static const char* scan(const char* at, const char* end, scanner& state) {
    if (at == end || *at != ' ') return nullptr;
    const infix_token token = read_infix(at, end);
    if (token.length == 0 || ends_at_blank(at, end, state.stops)) return nullptr;
    state.op = token.op;
    return at + token.length;
  }
};
// Spark prints `ts#1 + INTERVAL '1' DAY` without brackets; everything else has them.
struct scan_sign {
  static const char* scan(const char* at, const char* end, scanner& state) {
    if (end - at < 3 || at[0] != ' ' || (at[1] != '+' && at[1] != '-') || at[2] != ' ') return nullptr;
    state.op = at[1] == '+' ? infix_operator::add : infix_operator::subtract;
    return at + 3;
  }
};
struct scan_sort {
  static const char* scan(const char* at, const char* end, scanner& state) {
    const std::size_t length = read_sort(at, end, state.sort);
    return length > 0 ? at + length : nullptr;
  }
};
struct scan_id {
  static const char* scan(const char* at, const char* end, scanner& state) {
    if (at == end || *at != '#') return nullptr;
    state.run = {run_kind::attribute, nullptr, at, read_id(at, end)};
    return state.run.id.end;
  }
};
struct scan_name_rest {
  static const char* scan(const char* at, const char* end, scanner& state) {
    if (ends_item(at, end, state.stops) || *at == ',' || (*at == ' ' && ends_text(at, end, state.stops)))
      return nullptr;
    id_token id;
    const char* hash = find_id(at, end, state.stops, id);
    if (hash == nullptr) return nullptr;
    state.run = {run_kind::attribute, nullptr, hash, id};
    return id.end;
  }
};
// Up to `#12`; an alias of an unresolved plan has no id and goes to the end of the item.
struct scan_alias_name {
  static const char* scan(const char* at, const char* end, scanner& state) {
    id_token id;
    const char* hash = find_id(at, end, state.stops & ~stop_suffix, id);
    const char* to = hash != nullptr ? id.end : skip_item(at, end, state.stops);
    state.run = {.kind = hash != nullptr ? run_kind::attribute : run_kind::text,
                 .begin = at,
                 .name_end = hash != nullptr ? hash : to,
                 .id = id};
    return to;
  }
};
struct scan_field_name {
  static const char* scan(const char* at, const char* end, scanner& state) {
    const char* p = at;
    while (p < end) {
      const character c = class_of(*p);
      if (c == character::close || c == character::hash || *p == '.' || *p == '[') break;
      if ((c == character::comma || c == character::blank) &&
          (ends_item(p, end, state.stops) || ends_text(p, end, state.stops | stop_infix | stop_suffix)))
        break;
      p = step(p, end);
    }
    return p > at ? p : nullptr;
  }
};
// -a#1 and -(a#1 + b#2), but not -5
struct scan_minus {
  static const char* scan(const char* at, const char* end, scanner&) {
    if (end - at < 2 || (*at != '-' && *at != '~')) return nullptr;
    const bool is_operand = at[1] == '(' || (class_of(at[1]) == character::word && !is_digit(at[1]));
    return is_operand ? at + 1 : nullptr;
  }
};
// exists#12 [a#1], dynamicpruning#9 [k#3], list#104 []
struct scan_subquery_list {
  static const char* scan(const char* at, const char* end, scanner& state) {
    if (!starts_with(at, end, " [") || state.run.kind != run_kind::attribute || state.run.begin == nullptr)
      return nullptr;
    const std::string_view name(state.run.begin, static_cast<std::size_t>(state.run.name_end - state.run.begin));
    const bool is_subquery =
        name.ends_with("subquery") || name == "exists" || name == "list" || name == "dynamicpruning";
    return is_subquery ? at + 2 : nullptr;
  }
};

// clang-format off
struct run : scanned< scan_run, maybe_text > {};
struct is_call : scanned< scan_call, peg::success > {};
struct is_cast : scanned< scan_cast, peg::success > {};
struct item_end : scanned< scan_item_end, peg::success > {};
struct closer : scanned< scan_closer, peg::success > {};
struct closing : scanned< scan_closing, peg::any > {};

// Told to the consumer: an operand begins here; everything since then is one operand.
struct operand_begins : peg::success {};
struct operand_ends : peg::success {};
struct rest_of_item : scanned< scan_rest, maybe_text > {};         // not understood: the operand is opaque up to here
struct rest_of_name : scanned< scan_name_rest, some_text > {};    // f(x) OVER (..)#12: a column with an odd name

struct operand;
struct level;

// One item of a list, or all of a text: read, or else opaque.
struct item_body : peg::seq< operand_begins, operand, level, peg::sor< item_end, rest_of_item >, operand_ends > {};
template< typename Scope > struct item : within< Scope, item_body > {};
template< typename Scope > struct items : peg::seq< item< Scope >, peg::star< separator, item< Scope > > > {};

// NOT x, -x, the c of if (a) b else c: binds tighter than operators, but takes IN and LIKE along.
struct tight_level;
struct predicate : peg::seq< operand_begins, operand, tight_level, operand_ends > {};

// f(a, b), count(distinct a#1), cast(a#1 as decimal(10,2))
struct call_opens : peg::one< '(' > {};
struct call_closes : closing {};
struct distinct : peg::string< 'd', 'i', 's', 't', 'i', 'n', 'c', 't', ' ' > {};
struct more_arguments : peg::seq< peg::star< separator, item< argument_scope > >, call_closes > {};
struct arguments : peg::seq< peg::opt< distinct >, peg::sor< call_closes, peg::seq< item< argument_scope >, more_arguments > > > {};
struct cast_type : scanned< scan_type, some_text > {};
struct cast_closes : closing {};
struct cast_arguments : peg::seq< item< cast_scope >, peg::sor< peg::seq< peg::string< ' ', 'a', 's', ' ' >, cast_type, cast_closes >, more_arguments > > {};
struct call : peg::sor< peg::seq< is_cast, call_opens, cast_arguments >, peg::seq< call_opens, arguments > > {};

// Everything that starts with a word starts here: a column, a call, a literal.
struct leaf : peg::success {};
struct text : peg::seq< run, peg::sor< peg::seq< is_call, call >, leaf > > {};

// [a, b]
struct list_opens : peg::one< '[' > {};
struct list_closes : closing {};
struct list : peg::seq< peg::not_at< peg::string< '[', 'B', '@' > >, list_opens, peg::sor< list_closes, peg::seq< items< list_scope >, list_closes > > > {};

// The words that change how the text goes on.
struct not_word : peg::string< 'N', 'O', 'T', ' ' > {};
struct not_form : peg::seq< not_word, predicate > {};

struct case_word : peg::string< 'C', 'A', 'S', 'E', ' ', 'W', 'H', 'E', 'N', ' ' > {};
struct case_branch : peg::seq< item< case_scope >, peg::string< ' ', 'T', 'H', 'E', 'N', ' ' >, item< case_scope > > {};
struct case_else : peg::seq< peg::string< ' ', 'E', 'L', 'S', 'E', ' ' >, item< case_scope > > {};
struct case_closes : peg::string< ' ', 'E', 'N', 'D' > {};
struct case_body : forward< case_branch, peg::star< peg::string< ' ', 'W', 'H', 'E', 'N', ' ' >, case_branch >, peg::opt< case_else >, case_closes > {};
struct case_form : peg::seq< case_word, peg::sor< case_body, rest_of_item > > {};

struct if_word : peg::string< 'i', 'f', ' ', '(' > {};
struct if_closes : peg::success {};
struct if_body : forward< item< group_scope >, peg::string< ')', ' ' >, item< branch_scope >, peg::string< ' ', 'e', 'l', 's', 'e', ' ' >, predicate, if_closes > {};
struct if_form : peg::seq< if_word, peg::sor< if_body, rest_of_item > > {};

struct id_number : peg::seq< peg::one< '#' >, digits > {};
struct lambda_name : peg::plus< peg::not_one< '#', ' ', ',', '(', ')' > > {};
struct lambda_variable : peg::seq< peg::string< 'l', 'a', 'm', 'b', 'd', 'a', ' ' >, lambda_name, id_number > {};

struct reused : peg::string< 'R', 'e', 'u', 's', 'e', 'd', 'S', 'u', 'b', 'q', 'u', 'e', 'r', 'y', ' ' > {};
struct subquery_word : peg::string< 'S', 'u', 'b', 'q', 'u', 'e', 'r', 'y', ' ' > {};
struct subquery_name : peg::plus< peg::not_one< '#', ' ', ',', '(', ')' > > {};
struct subquery_plan : peg::seq< peg::string< ',', ' ', '[', 'i', 'd', '=', '#' >, digits, peg::one< ']' > > {};
struct subquery : peg::seq< peg::sor< peg::seq< reused, peg::opt< subquery_word > >, subquery_word >, subquery_name, id_number, peg::opt< subquery_plan > > {};

struct interval_unit : peg::seq< peg::one< ' ' >, peg::sor< peg::string< 'Y', 'E', 'A', 'R' >, peg::string< 'M', 'O', 'N', 'T', 'H' >, peg::string< 'D', 'A', 'Y' >, peg::string< 'H', 'O', 'U', 'R' >, peg::string< 'M', 'I', 'N', 'U', 'T', 'E' >, peg::string< 'S', 'E', 'C', 'O', 'N', 'D' >, peg::string< 'T', 'O' > > > {};
struct interval : peg::seq< peg::string< 'I', 'N', 'T', 'E', 'R', 'V', 'A', 'L', ' ', '\'' >, peg::until< peg::one< '\'' > >, peg::plus< interval_unit > > {};

struct ordinal_type : peg::until< peg::at< peg::string< ',', ' ' >, peg::sor< peg::string< 't', 'r', 'u', 'e' >, peg::string< 'f', 'a', 'l', 's', 'e' > >, peg::one< ']' > > > {};
struct ordinal : peg::seq< peg::string< 'i', 'n', 'p', 'u', 't', '[' >, digits, peg::string< ',', ' ' >, ordinal_type, peg::string< ',', ' ' >, peg::plus< peg::lower >, peg::one< ']' > > {};

struct word_form : peg::seq< peg::at< peg::one< 'N', 'C', 'i', 'l', 'R', 'S', 'I' > >, peg::sor< not_form, case_form, if_form, ordinal, lambda_variable, subquery, interval > > {};

struct minus : scanned< scan_minus, peg::any > {};
struct minus_form : peg::seq< minus, predicate > {};

struct core : peg::sor< word_form, list, minus_form, text > {};

// Behind an operand, closely bound.
struct generated_id : scanned< scan_id, some_text > {};           // max(val)#12: the whole operand is a column's name
struct field_name : scanned< scan_field_name, some_text > {};
struct field : peg::seq< peg::one< '.' >, field_name > {};
struct element_closes : closing {};
struct element : peg::seq< peg::one< '[' >, item< element_scope >, element_closes > {};
struct filter_word : peg::string< ' ', 'F', 'I', 'L', 'T', 'E', 'R', ' ', '(', 'W', 'H', 'E', 'R', 'E', ' ' > {};
struct filter_closes : closing {};
struct filter_clause : peg::seq< filter_word, item< group_scope >, filter_closes > {};
struct window_word : peg::string< ' ', 'w', 'i', 'n', 'd', 'o', 'w', 's', 'p', 'e', 'c', 'd', 'e', 'f', 'i', 'n', 'i', 't', 'i', 'o', 'n', '(' > {};
struct window_closes : closing {};
struct window_clause : peg::seq< window_word, peg::sor< window_closes, peg::seq< items< argument_scope >, window_closes > > > {};
struct subquery_list_opens : scanned< scan_subquery_list, peg::any > {};
struct subquery_list_closes : closing {};
struct subquery_list : peg::seq< subquery_list_opens, peg::sor< subquery_list_closes, peg::seq< items< list_scope >, subquery_list_closes > > > {};
struct type_note : scanned< scan_type_note, some_text > {};
struct postfix_start : scanned< scan_postfix_start, peg::success > {};
struct postfix : peg::seq< postfix_start, peg::sor< generated_id, field, element, filter_clause, window_clause, subquery_list, type_note > > {};

// Behind an operand, without brackets of its own.
struct in_list_opens : peg::string< ' ', 'I', 'N', ' ', '(' > {};
struct in_list_closes : closing {};
struct in_list : peg::seq< in_list_opens, peg::sor< in_list_closes, peg::seq< items< list_scope >, in_list_closes > > > {};
struct in_word : peg::string< ' ', 'I', 'N', ' ' > {};
struct in_subquery : peg::seq< in_word, predicate > {};
struct in_set_opens : peg::string< ' ', 'I', 'N', 'S', 'E', 'T', ' ' > {};
struct in_set_closes : peg::success {};
struct value_separator : peg::string< ',', ' ' > {};
struct in_set_values : peg::sor< peg::seq< peg::one< '(' >, items< list_scope >, closing >, peg::list< item< value_scope >, value_separator > > {};
struct in_set : peg::seq< in_set_opens, in_set_values, in_set_closes > {};
struct like_word : peg::string< ' ', 'L', 'I', 'K', 'E', ' ' > {};
struct like_closes : peg::success {};
struct escape : peg::seq< peg::string< ' ', 'E', 'S', 'C', 'A', 'P', 'E', ' ', '\'' >, peg::any, peg::one< '\'' > > {};
struct like : peg::seq< like_word, item< pattern_scope >, peg::opt< escape >, like_closes > {};
struct rlike_word : peg::string< ' ', 'R', 'L', 'I', 'K', 'E', ' ' > {};
struct rlike_closes : peg::success {};
struct rlike : peg::seq< rlike_word, item< pattern_scope >, rlike_closes > {};
struct match_start : scanned< scan_match_start, peg::success > {};
struct match_tail : peg::seq< match_start, peg::sor< in_list, in_subquery, in_set, like, rlike > > {};

// a + b, (a = b)
struct sign : scanned< scan_sign, some_text > {};
struct infix : scanned< scan_infix, some_text > {};
struct right_ends : peg::success {};
struct tight_level : peg::sor< closer, peg::seq< peg::star< postfix >, peg::opt< match_tail > > > {};
struct sign_tail : peg::seq< sign, operand, tight_level, right_ends > {};
struct right_level : peg::sor< closer, peg::seq< tight_level, peg::star< sign_tail >, peg::opt< rest_of_name, tight_level > > > {};
struct right : within< right_scope, operand, right_level, peg::sor< item_end, rest_of_item > > {};
struct infix_tail : peg::seq< infix, right, right_ends > {};

// a AS b#1, a ASC NULLS FIRST
struct alias_name : scanned< scan_alias_name, maybe_text > {};
struct alias : peg::seq< peg::string< ' ', 'A', 'S', ' ' >, alias_name > {};
struct sort : scanned< scan_sort, some_text > {};
struct suffix : peg::sor< alias, sort, postfix > {};

struct tail : peg::seq< tight_level, peg::star< sign_tail >, peg::opt< infix_tail >, peg::star< suffix > > {};
struct level : peg::sor< closer, peg::seq< tail, peg::opt< rest_of_name, tail > > > {};

// ((a AND b) AND c): n brackets, the first operand, and n times what follows up to the closing bracket.
struct open_group : peg::one< '(' > {};
struct group_closes : peg::one< ')' > {};
struct odd_group_closes : scanned< scan_group_rest, some_text > {};  // not understood: the group is opaque
struct close_group : peg::seq< level, peg::sor< group_closes, odd_group_closes > > {};
struct operand : spine< open_group, core, close_group > {};

struct whole_expression : peg::seq< item_body, peg::eof > {};
// clang-format on

}  // namespace planvet::grammar
