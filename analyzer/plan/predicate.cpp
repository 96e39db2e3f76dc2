#include "analyzer/plan/predicate.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/plan/characters.hpp"

namespace planvet {

namespace {

bool contains_word(std::string_view text, std::string_view word) {
  const auto found = std::search(text.begin(), text.end(), word.begin(), word.end(),
                                 [](char x, char y) { return to_lower(x) == to_lower(y); });
  return !word.empty() && found != text.end();
}

Answer both(Answer a, Answer b) {
  if (a == Answer::No || b == Answer::No) return Answer::No;
  return a == Answer::Yes && b == Answer::Yes ? Answer::Yes : Answer::Unknown;
}

// ---- Values ----

std::optional<std::int64_t> read_integer(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// 1.50, 1.5 and 01.5 are one number; digits are compared, not doubles, because decimals have up to 38 of them.
std::optional<std::string> normal_number(std::string_view text) {
  std::string out;
  if (text.starts_with('-')) {
    out = "-";
    text.remove_prefix(1);
  }
  const std::size_t exponent_at = text.find_first_of("Ee");
  if (exponent_at != std::string_view::npos && exponent_at > 0) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    std::array<char, 512> digits{};
    const auto written = std::to_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::fixed);
    if (written.ec != std::errc{}) return std::nullopt;
    const auto plain = normal_number({digits.data(), written.ptr});
    return plain ? std::optional(out + *plain) : std::nullopt;
  }
  const std::size_t point = text.find('.');
  std::string_view whole = text.substr(0, point);
  std::string_view fraction = point == std::string_view::npos ? std::string_view{} : text.substr(point + 1);
  if (whole.empty() || !std::all_of(whole.begin(), whole.end(), is_digit)) return std::nullopt;
  if (!std::all_of(fraction.begin(), fraction.end(), is_digit)) return std::nullopt;
  while (whole.size() > 1 && whole.front() == '0') whole.remove_prefix(1);
  while (fraction.ends_with('0')) fraction.remove_suffix(1);
  out += whole;
  if (!fraction.empty()) {
    out += '.';
    out += fraction;
  }
  return out == "-0" ? "0" : out;
}

struct Moment {
  std::int64_t micros = 0;  // since 1970, in an unknown time zone
  bool has_time = false;
};

// Days since 1970-01-01 of the proleptic Gregorian calendar.
std::int64_t to_days(std::int64_t year, std::int64_t month, std::int64_t day) {
  year -= month <= 2 ? 1 : 0;
  const std::int64_t era = (year >= 0 ? year : year - 399) / 400;
  const std::int64_t year_of_era = year - era * 400;
  const std::int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  return era * 146097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719468;
}

// The number of `width` digits at the front, taken away with the character behind it.
std::optional<std::int64_t> take_number(std::string_view& text, std::size_t width) {
  if (text.size() < width) return std::nullopt;
  const auto value = read_integer(text.substr(0, width));
  if (!value || !is_digit(text.front())) return std::nullopt;
  text.remove_prefix(width);
  return value;
}

bool take(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

// 2024-01-05, 2024-01-05 00:00:00[.123], 2024-01-05T00:00[:00][Z]
std::optional<Moment> read_moment(std::string_view text) {
  constexpr std::int64_t kSecond = 1'000'000;
  const auto year = take_number(text, 4);
  if (!year || !take(text, '-')) return std::nullopt;
  const auto month = take_number(text, 2);
  if (!month || !take(text, '-')) return std::nullopt;
  const auto day = take_number(text, 2);
  if (!day) return std::nullopt;
  Moment moment{.micros = to_days(*year, *month, *day) * 86'400 * kSecond};
  if (text.empty()) return moment;
  if (!take(text, ' ') && !take(text, 'T')) return std::nullopt;
  const auto hour = take_number(text, 2);
  if (!hour || !take(text, ':')) return std::nullopt;
  const auto minute = take_number(text, 2);
  if (!minute) return std::nullopt;
  moment.has_time = true;
  moment.micros += (*hour * 3600 + *minute * 60) * kSecond;
  if (take(text, ':')) {
    const auto second = take_number(text, 2);
    if (!second) return std::nullopt;
    moment.micros += *second * kSecond;
  }
  if (take(text, '.')) {
    std::int64_t unit = kSecond / 10;
    for (; !text.empty() && is_digit(text.front()); text.remove_prefix(1), unit /= 10)
      moment.micros += (text.front() - '0') * unit;
  }
  take(text, 'Z');
  return text.empty() ? std::optional(moment) : std::nullopt;
}

constexpr std::int64_t kQuarterHour = 15LL * 60 * 1'000'000;
constexpr std::int64_t kFurthestZone = 14LL * 3600 * 1'000'000;

// The plan prints the session's time zone, a source may print UTC: equal up to an offset that a zone can have.
bool same_instant(std::int64_t a, std::int64_t b) {
  const std::int64_t difference = a > b ? a - b : b - a;
  return difference <= kFurthestZone && difference % kQuarterHour == 0;
}

// 0x1AFF, X'1AFF': the digits.
std::optional<std::string_view> read_binary(std::string_view text) {
  if (text.starts_with("0x")) return text.substr(2);
  if (text.starts_with("X'") && text.ends_with('\'') && text.size() >= 3) return text.substr(2, text.size() - 3);
  return std::nullopt;
}

std::string unquoted(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\'' && i + 1 < text.size() && text[i + 1] == '\'') ++i;
    out += text[i];
  }
  return out;
}

// `printed` is of the plan, `pushed` of the source.
Answer same_value(std::string_view printed, std::string_view pushed) {
  if (printed == pushed) return Answer::Yes;
  if (printed.starts_with("[B@") || pushed.starts_with("[B@")) return Answer::Unknown;
  if (printed.starts_with("INTERVAL ")) return Answer::Unknown;  // a source prints PT24H or P1Y2M
  if (const auto a = read_binary(printed), b = read_binary(pushed); a && b)
    return equal_ignoring_case(*a, *b) ? Answer::Yes : Answer::No;
  const auto moment = read_moment(printed);
  if (moment) {
    if (const auto other = read_moment(pushed)) {
      if (moment->micros == other->micros) return Answer::Yes;
      const bool is_utc = pushed.ends_with('Z');
      return is_utc && same_instant(moment->micros, other->micros) ? Answer::Yes : Answer::No;
    }
    if (const auto raw = read_integer(pushed)) {
      if (!moment->has_time && moment->micros / 86'400'000'000 == *raw) return Answer::Yes;
      return same_instant(moment->micros, *raw) ? Answer::Yes : Answer::No;
    }
    return Answer::No;
  }
  if (const auto a = normal_number(printed), b = normal_number(pushed); a && b)
    return *a == *b ? Answer::Yes : Answer::No;
  return unquoted(pushed) == printed ? Answer::Yes : Answer::No;
}

// ---- Forms ----

// One side of the comparison: a subtree, and whether a NOT stands above it.
struct Part {
  const ExpressionTree* tree = nullptr;
  ExpressionIndex at = kNoExpression;
  bool is_negated = false;

  ExpressionKind kind() const { return tree->kind(at); }
  ExpressionIndex child(std::size_t n) const { return tree->child(at, n); }
};

Part without_not(Part part) {
  while (part.kind() == ExpressionKind::Not) {
    part.at = part.child(0);
    part.is_negated = !part.is_negated;
  }
  return part;
}

bool is_null_test_name(std::string_view name, bool& is_null) {
  if (equal_ignoring_case(name, "isnull") || name == "IS NULL") {
    is_null = true;
    return true;
  }
  is_null = false;
  return equal_ignoring_case(name, "isnotnull") || name == "IS NOT NULL";
}

bool is_text_match(std::string_view name, std::string_view& form) {
  if (name.starts_with("String")) name.remove_prefix(6);
  for (const std::string_view known : {"startswith", "endswith", "contains"})
    if (equal_ignoring_case(name, known)) {
      form = known;
      return true;
    }
  return false;
}

enum class Form : std::uint8_t { Other, Compare, Null, NotNull, In, StartsWith, EndsWith, Contains, Like, Constant };

// A predicate on one column, the same for both ways of printing.
struct Simple {
  Form form = Form::Other;
  ExpressionOperator op = ExpressionOperator::None;  // Compare; a NOT is folded in
  bool is_negated = false;                           // all others
  ExpressionIndex column = kNoExpression;
  std::string value;
  ExpressionIndex value_at = kNoExpression;  // where it is no literal: a subquery
  std::vector<std::string_view> values;      // In
  bool is_cut = false;                       // In
};

void set_text_match(Simple& simple, std::string_view form) {
  simple.form = form == "startswith" ? Form::StartsWith : form == "endswith" ? Form::EndsWith : Form::Contains;
}

// k1% is StartsWith(k1), %1 EndsWith, %1% Contains, k1 an equality; anything else stays a pattern.
void set_pattern(Simple& simple, std::string_view pattern) {
  simple.form = Form::Like;
  simple.value = pattern;
  const bool front = pattern.starts_with('%');
  const bool back = pattern.ends_with('%') && pattern.size() > 1;
  std::string_view inside = pattern;
  if (front) inside.remove_prefix(1);
  if (back) inside.remove_suffix(1);
  if (inside.find_first_of("%_\\") != std::string_view::npos || inside.empty()) return;
  simple.value = inside;
  if (front && back) simple.form = Form::Contains;
  if (front && !back) simple.form = Form::EndsWith;
  if (!front && back) simple.form = Form::StartsWith;
  if (!front && !back) {
    simple.form = Form::Compare;
    simple.op = ExpressionOperator::Equal;
  }
}

void set_comparison(Simple& simple, const ExpressionTree& tree, ExpressionOperator op, ExpressionIndex column,
                    ExpressionIndex value) {
  simple.form = Form::Compare;
  simple.op = op;
  simple.column = column;
  if (tree.kind(value) == ExpressionKind::Literal) {
    simple.value = tree.name(value);
  } else {
    simple.value = tree.text(value);
    simple.value_at = value;
  }
}

// What an engine wraps around a column without changing a comparison: Comet prints
// (knownfloatingpointnormalized(normalizenanandzero(price#1)) > 100.0) for the pushed price > 100.0.
ExpressionIndex without_wrappers(const ExpressionTree& tree, ExpressionIndex index) {
  while (tree.kind(index) == ExpressionKind::Call &&
         (tree.name(index) == "knownfloatingpointnormalized" || tree.name(index) == "normalizenanandzero" ||
          tree.name(index) == "knownnotnull")) {
    const ExpressionIndex inside = tree[index].first_child;
    if (inside == kNoExpression) break;
    index = inside;
  }
  return index;
}

bool is_plain_column(const ExpressionTree& tree, ExpressionIndex index) {
  while (tree.kind(index) == ExpressionKind::Field) index = tree[index].first_child;
  return tree.kind(index) == ExpressionKind::Attribute;
}

bool is_value(const ExpressionTree& tree, ExpressionIndex index) {
  return tree.is_constant(index) || tree.kind(index) == ExpressionKind::List ||
         tree.kind(index) == ExpressionKind::Subquery;
}

void read_call(Simple& simple, const Part& part) {
  const ExpressionTree& tree = *part.tree;
  const std::string_view name = tree.name(part.at);
  const ExpressionIndex first = part.child(0);
  if (equal_ignoring_case(name, "AlwaysTrue") || equal_ignoring_case(name, "AlwaysFalse")) {
    simple.form = Form::Constant;
    simple.value = equal_ignoring_case(name, "AlwaysTrue") ? "true" : "false";
    return;
  }
  if (first == kNoExpression || !is_plain_column(tree, first)) return;
  const ExpressionIndex second = part.child(1);
  bool is_null = false;
  std::string_view form;
  if (is_null_test_name(name, is_null) && second == kNoExpression) {
    simple.form = is_null ? Form::Null : Form::NotNull;
    simple.column = first;
  } else if (equal_ignoring_case(name, "is_nan") && second == kNoExpression) {
    simple.form = Form::Compare;
    simple.op = ExpressionOperator::Equal;
    simple.column = first;
    simple.value = "NaN";
  } else if (is_text_match(name, form) && second != kNoExpression && tree.kind(second) == ExpressionKind::Literal) {
    set_text_match(simple, form);
    simple.column = first;
    simple.value = tree.name(second);
  }
}

void read_in(Simple& simple, const Part& part) {
  const ExpressionTree& tree = *part.tree;
  const ExpressionIndex column = part.child(0);
  if (!is_plain_column(tree, column)) return;
  for (ExpressionIndex item = tree[column].next_sibling; item != kNoExpression; item = tree[item].next_sibling) {
    if (tree.kind(item) == ExpressionKind::More) {
      simple.is_cut = true;
    } else if (tree.kind(item) == ExpressionKind::Literal) {
      simple.values.push_back(tree.name(item));
    } else {
      return;
    }
  }
  simple.form = Form::In;
  simple.column = column;
}

Simple read_simple(Part part) {
  part = without_not(part);
  const ExpressionTree& tree = *part.tree;
  Simple simple{.is_negated = part.is_negated};
  if (is_plain_column(tree, part.at)) {
    simple.form = Form::Compare;
    simple.op = ExpressionOperator::Equal;
    simple.column = part.at;
    simple.value = "true";
  } else if (part.kind() == ExpressionKind::Literal) {
    simple.form = Form::Constant;
    simple.value = tree.name(part.at);
  } else if (part.kind() == ExpressionKind::Binary && is_comparison(tree.op(part.at))) {
    const ExpressionIndex left = without_wrappers(tree, part.child(0));
    const ExpressionIndex right = without_wrappers(tree, part.child(1));
    if (is_plain_column(tree, left) && is_value(tree, right)) {
      set_comparison(simple, tree, tree.op(part.at), left, right);
    } else if (is_plain_column(tree, right) && is_value(tree, left)) {
      set_comparison(simple, tree, flipped(tree.op(part.at)), right, left);
    }
  } else if (part.kind() == ExpressionKind::Call) {
    read_call(simple, part);
  } else if (part.kind() == ExpressionKind::In || part.kind() == ExpressionKind::InSet) {
    read_in(simple, part);
  } else if (part.kind() == ExpressionKind::Like && is_plain_column(tree, part.child(0))) {
    set_pattern(simple, tree.name(part.at));
    simple.column = part.child(0);
  }

  if (simple.form == Form::Compare) {
    // Nothing equals null, so <=> of a value is =; only its negation differs.
    if (simple.op == ExpressionOperator::NullSafeEqual && simple.value != "null" && !simple.is_negated)
      simple.op = ExpressionOperator::Equal;
    if (simple.is_negated && negated(simple.op) != ExpressionOperator::None) {
      simple.op = negated(simple.op);
      simple.is_negated = false;
    }
  }
  if (simple.is_negated && (simple.form == Form::Null || simple.form == Form::NotNull)) {
    simple.form = simple.form == Form::Null ? Form::NotNull : Form::Null;
    simple.is_negated = false;
  }
  return simple;
}

// ---- Comparing ----

// st#4.a is `st.a`; a column that is named so prints with backticks, or (older) without.
std::string column_name(const ExpressionTree& tree, ExpressionIndex column) {
  std::vector<std::string_view> path;
  for (; tree.kind(column) == ExpressionKind::Field; column = tree[column].first_child)
    path.push_back(tree.name(column));
  std::string name(tree.name(column));
  for (; !path.empty(); path.pop_back()) name.append(1, '.').append(path.back());
  return name;
}

std::string without_backticks(std::string_view name) {
  std::string out;
  std::copy_if(name.begin(), name.end(), std::back_inserter(out), [](char c) { return c != '`'; });
  return out;
}

bool same_column(const std::string& printed, std::string_view pushed) {
  return equal_ignoring_case(printed, pushed) ||
         equal_ignoring_case(without_backticks(printed), without_backticks(pushed));
}

Answer same_values(const Simple& printed, const Simple& pushed) {
  if (printed.is_cut || pushed.is_cut) return Answer::Unknown;
  if (printed.values.size() != pushed.values.size()) return Answer::No;
  // In(..) keeps the order of the set or sorts it as text: compare both sorted, and one by one if that fails.
  std::vector<std::string_view> a = printed.values;
  std::vector<std::string_view> b = pushed.values;
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  if (a == b) return Answer::Yes;
  constexpr std::size_t kMostPairs = 100'000;
  if (a.size() * b.size() > kMostPairs) return Answer::Unknown;
  Answer all = Answer::Yes;
  for (const std::string_view value : a) {
    Answer one = Answer::No;
    for (std::size_t i = 0; i < b.size() && one != Answer::Yes; ++i) {
      const Answer same = same_value(value, b[i]);
      if (same != Answer::No) one = same;
      if (same == Answer::Yes) b.erase(b.begin() + static_cast<std::ptrdiff_t>(i));
    }
    all = both(all, one);
  }
  return all;
}

// `GreaterThan(x,y,2)`: names and text hold commas, so a V1 filter cannot be cut without knowing the column.
bool recut_v1(const ExpressionTree& tree, const std::string& printed_column, Simple& pushed) {
  const ExpressionIndex value = tree[pushed.column].next_sibling;
  if (value == kNoExpression || tree.kind(value) != ExpressionKind::Literal) return false;
  if (tree.has(value, ExpressionFlag::Quoted)) return false;
  const std::uint32_t begin = tree[pushed.column].begin;
  const std::string_view arguments = tree.source().substr(begin, tree[value].end - begin);
  if (arguments.size() <= printed_column.size() || arguments[printed_column.size()] != ',') return false;
  if (!equal_ignoring_case(arguments.substr(0, printed_column.size()), printed_column)) return false;
  pushed.value = arguments.substr(printed_column.size() + 1);
  return true;
}

Answer same_simple(const ExpressionTree& printed_tree, const Simple& printed, const ExpressionTree& pushed_tree,
                   Simple pushed) {
  if (printed.form != pushed.form || printed.op != pushed.op || printed.is_negated != pushed.is_negated)
    return Answer::No;
  if (printed.form == Form::Constant)
    return equal_ignoring_case(printed.value, pushed.value) ? Answer::Yes : Answer::No;
  const std::string column = column_name(printed_tree, printed.column);
  if (!same_column(column, column_name(pushed_tree, pushed.column)) && !recut_v1(pushed_tree, column, pushed))
    return Answer::No;
  if (printed.form == Form::Null || printed.form == Form::NotNull) return Answer::Yes;
  if (printed.form == Form::In) return same_values(printed, pushed);
  if (printed.value_at != kNoExpression && printed_tree.kind(printed.value_at) == ExpressionKind::Subquery)
    return pushed.value.find("ubquery#") != std::string::npos ? Answer::Yes : Answer::Unknown;
  return same_value(printed.value, pushed.value);
}

// Structure, names and values: V2 sources also take functions and casts.
Answer same_structure(const ExpressionTree& printed, ExpressionIndex printed_root, const ExpressionTree& pushed,
                      ExpressionIndex pushed_root) {
  struct Pair {
    ExpressionIndex printed;
    ExpressionIndex pushed;
  };
  std::vector<Pair> open{{printed_root, pushed_root}};
  while (!open.empty()) {
    const Pair pair = open.back();
    open.pop_back();
    const ExpressionKind kind = printed.kind(pair.printed);
    if (is_plain_column(printed, pair.printed) && is_plain_column(pushed, pair.pushed)) {
      if (!same_column(column_name(printed, pair.printed), column_name(pushed, pair.pushed))) return Answer::No;
      continue;
    }
    if (kind != pushed.kind(pair.pushed) || printed.op(pair.printed) != pushed.op(pair.pushed)) return Answer::No;
    if (kind == ExpressionKind::Opaque || kind == ExpressionKind::More) return Answer::Unknown;
    if (kind == ExpressionKind::Literal) {
      const Answer same = same_value(printed.name(pair.printed), pushed.name(pair.pushed));
      if (same != Answer::Yes) return same;
      continue;
    }
    if (!equal_ignoring_case(printed.name(pair.printed), pushed.name(pair.pushed))) return Answer::No;
    ExpressionIndex a = printed[pair.printed].first_child;
    ExpressionIndex b = pushed[pair.pushed].first_child;
    for (; a != kNoExpression && b != kNoExpression; a = printed[a].next_sibling, b = pushed[b].next_sibling)
      open.push_back({a, b});
    if (a != b) return Answer::No;
  }
  return Answer::Yes;
}

bool is_unreadable(const Part& part) {
  return part.kind() == ExpressionKind::Opaque || part.kind() == ExpressionKind::More;
}

// Opaque text can only be this predicate if it names one of its columns.
Answer same_opaque(const Part& printed, const Part& pushed) {
  if (pushed.kind() == ExpressionKind::More || printed.kind() == ExpressionKind::More) return Answer::Unknown;
  const bool printed_is_opaque = is_unreadable(printed);
  const Part& read = printed_is_opaque ? pushed : printed;
  const std::string_view text = printed_is_opaque ? printed.tree->text(printed.at) : pushed.tree->text(pushed.at);
  if (printed_is_opaque && is_unreadable(pushed)) return Answer::Unknown;
  Answer answer = Answer::No;
  read.tree->for_each_attribute(read.at, [&](ExpressionIndex index) {
    if (contains_word(text, read.tree->name(index))) answer = Answer::Unknown;
  });
  return answer;
}

// AND or OR once the NOT above is moved inwards; None for anything else.
ExpressionOperator connective(const Part& part) {
  if (part.kind() != ExpressionKind::Binary) return ExpressionOperator::None;
  const ExpressionOperator op = part.tree->op(part.at);
  if (op == ExpressionOperator::And) return part.is_negated ? ExpressionOperator::Or : op;
  if (op == ExpressionOperator::Or) return part.is_negated ? ExpressionOperator::And : op;
  return ExpressionOperator::None;
}

// The operands of one connective, through nested NOTs; `n IS NOT NULL AND n NOT IN (..)` has two.
std::vector<Part> operands(const Part& root, ExpressionOperator op) {
  std::vector<Part> found;
  std::vector<Part> open{root};
  while (!open.empty()) {
    const Part part = without_not(open.back());
    open.pop_back();
    if (connective(part) != op) {
      found.push_back(part);
      continue;
    }
    open.push_back({part.tree, part.child(1), part.is_negated});
    open.push_back({part.tree, part.child(0), part.is_negated});
  }
  return found;
}

Answer same_leaf(const Part& printed, const Part& pushed) {
  if (is_unreadable(printed) || is_unreadable(pushed)) return same_opaque(printed, pushed);
  const Simple a = read_simple(printed);
  const Simple b = read_simple(pushed);
  if (a.form != Form::Other && b.form != Form::Other) return same_simple(*printed.tree, a, *pushed.tree, b);
  if (printed.tree->contains_opaque(printed.at) || pushed.tree->contains_opaque(pushed.at)) return Answer::Unknown;
  if (printed.is_negated != pushed.is_negated) return Answer::No;
  return same_structure(*printed.tree, printed.at, *pushed.tree, pushed.at);
}

// What a null test of the source adds to the same predicate: nothing.
bool is_implied_null_test(const Part& part) { return read_simple(part).form == Form::NotNull; }

// AND and OR alternate a few times in real conditions; what is deeper, or has too many operands in another order, stays
// unanswered.
struct Effort {
  std::size_t comparisons_left = 100'000;
  std::size_t levels_left = 50;
};

Answer same_part(const Part& printed, const Part& pushed, Effort& effort);

// Every operand of one side is one of the other, in any order.
Answer same_operands(const std::vector<Part>& printed, std::vector<Part> pushed, Effort& effort) {
  if (printed.size() != pushed.size()) return Answer::No;
  Answer all = Answer::Yes;
  for (const Part& part : printed) {
    Answer one = Answer::No;
    for (std::size_t i = 0; i < pushed.size() && one != Answer::Yes; ++i) {
      const Answer same = same_part(part, pushed[i], effort);
      if (same != Answer::No) one = same;
      if (same == Answer::Yes) pushed.erase(pushed.begin() + static_cast<std::ptrdiff_t>(i));
    }
    all = both(all, one);
    if (all == Answer::No) return all;
  }
  return all;
}

Answer same_part(const Part& printed_root, const Part& pushed_root, Effort& effort) {
  if (effort.comparisons_left == 0 || effort.levels_left == 0) return Answer::Unknown;
  --effort.comparisons_left;
  const Part printed = without_not(printed_root);
  const Part pushed = without_not(pushed_root);
  const ExpressionOperator op = connective(printed);
  if (op == ExpressionOperator::None && connective(pushed) == ExpressionOperator::And) {
    std::vector<Part> parts = operands(pushed, ExpressionOperator::And);
    std::erase_if(parts, is_implied_null_test);
    return parts.size() == 1 ? same_leaf(printed, parts.front()) : Answer::No;
  }
  if (op != connective(pushed))
    return is_unreadable(printed) || is_unreadable(pushed) ? same_opaque(printed, pushed) : Answer::No;
  if (op == ExpressionOperator::None) return same_leaf(printed, pushed);
  --effort.levels_left;
  const Answer answer = same_operands(operands(printed, op), operands(pushed, op), effort);
  ++effort.levels_left;
  return answer;
}

}  // namespace

Answer same_predicate(const ExpressionTree& condition, ExpressionIndex condition_root, const ExpressionTree& pushed,
                      ExpressionIndex pushed_root) {
  if (condition_root == kNoExpression || pushed_root == kNoExpression) return Answer::Unknown;
  Effort effort;
  return same_part({&condition, condition_root}, {&pushed, pushed_root}, effort);
}

bool is_null_test(const ExpressionTree& tree, ExpressionIndex root) {
  if (root == kNoExpression) return false;
  const Form form = read_simple({&tree, root}).form;
  return form == Form::Null || form == Form::NotNull;
}

}  // namespace planvet
