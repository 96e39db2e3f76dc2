#include "analyzer/snapshot/values.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "analyzer/plan/characters.hpp"
#include "analyzer/plan/expression_list.hpp"

namespace planvet::snapshot {
namespace {

constexpr std::string_view kMask = "?";

struct Replacement {
  std::size_t begin;
  std::size_t end;
  std::string text;
};

std::string replaced(std::string_view text, std::vector<Replacement> replacements) {
  std::sort(replacements.begin(), replacements.end(),
            [](const Replacement& a, const Replacement& b) { return a.begin < b.begin; });
  std::string out;
  std::size_t at = 0;
  for (const Replacement& one : replacements) {
    if (one.begin < at) continue;  // inside of one that is replaced as a whole
    out.append(text.substr(at, one.begin - at)).append(one.text);
    at = one.end;
  }
  return out.append(text.substr(at));
}

bool is_list(AttributeKind kind) {
  const AttributeShape shape = info(kind).shape;
  return shape == AttributeShape::ExpressionList || shape == AttributeShape::PredicateList;
}

bool is_expression(AttributeKind kind) { return is_list(kind) || info(kind).shape == AttributeShape::Expression; }

bool says_nothing(std::string_view literal) { return literal == "true" || literal == "false" || literal == "null"; }

class Mask {
 public:
  Mask(std::string_view text, const ExpressionParser& parser) : text_(text), parser_(parser) {}

  void add_expression(std::string_view part, bool keeps_last_argument) {
    const ExpressionTree tree = parser_.expression(part);
    if (tree.size() == 0) return;
    const ExpressionIndex root = tree.root();
    ExpressionIndex kept = kNoExpression;
    if (keeps_last_argument) {
      for (const ExpressionIndex child : tree.children(root)) kept = child;
    }
    add_tree(tree, root, kept);
  }

  void add_tree(const ExpressionTree& tree, ExpressionIndex root, ExpressionIndex kept = kNoExpression) {
    tree.for_each(root, [&](ExpressionIndex at) {
      switch (tree.kind(at)) {
        case ExpressionKind::Literal:
        case ExpressionKind::Interval:
        case ExpressionKind::Opaque:
          if (at != kept && !says_nothing(tree.text(at))) cover(tree.text(at));
          break;
        case ExpressionKind::Attribute:
        case ExpressionKind::Alias: add_name(tree.name(at)); break;
        default: break;
      }
    });
  }

  [[nodiscard]] std::string text() && { return replaced(text_, std::move(replacements_)); }

 private:
  // A generated column name is an expression, literals and all: sum(CASE WHEN (state = open) ..)#12.
  void add_name(std::string_view name) {
    if (name.find_first_of("('\"=<>") == std::string_view::npos) return;
    add_expression(name, false);
  }

  void cover(std::string_view part) {
    if (part.empty()) return;
    const auto begin = static_cast<std::size_t>(part.data() - text_.data());
    replacements_.push_back({begin, begin + part.size(), std::string(kMask)});
  }

  std::string_view text_;
  const ExpressionParser& parser_;
  std::vector<Replacement> replacements_;
};

// SQL and other prose: quoted texts and numbers.
std::string mask_words(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '\'') {
      std::size_t end = text.find('\'', at + 1);
      end = end == std::string_view::npos ? text.size() : end + 1;
      out += kMask;
      at = end;
    } else if (is_digit(c) && (at == 0 || (!is_word(text[at - 1]) && text[at - 1] != '#'))) {
      while (at < text.size() && (is_word(text[at]) || text[at] == '.')) ++at;
      out += kMask;
    } else {
      out += c;
      ++at;
    }
  }
  return out;
}

bool is_unordered_list(AttributeKind kind) {
  switch (kind) {
    case AttributeKind::PartitionFilters:
    case AttributeKind::DataFilters:
    case AttributeKind::PushedFilters:
    case AttributeKind::RequiredDataFilters:
    case AttributeKind::OptionalDataFilters:
    case AttributeKind::DictionaryFilters:
    case AttributeKind::RuntimeFilters:
    case AttributeKind::CachePredicates: return true;
    default: return false;
  }
}

void sort_by_text(std::vector<std::string>& items, Identifiers& identifiers, bool are_pushed = false) {
  std::vector<std::pair<std::string, std::string>> keyed;
  keyed.reserve(items.size());
  for (std::string& item : items) {
    std::string key = are_pushed ? identifiers.pushed(item) : identifiers.sort_key(item);
    keyed.emplace_back(std::move(key), std::move(item));
  }
  std::stable_sort(keyed.begin(), keyed.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t at = 0; at < items.size(); ++at) items[at] = std::move(keyed[at].second);
}

std::string sort_in_sets(std::string_view text, const ExpressionParser& parser) {
  if (text.find(" INSET ") == std::string_view::npos) return std::string(text);
  const ExpressionTree tree = parser.expression(text);
  if (tree.size() == 0) return std::string(text);
  std::vector<Replacement> replacements;
  tree.for_each(tree.root(), [&](ExpressionIndex at) {
    if (tree.kind(at) != ExpressionKind::InSet || tree.is_truncated(at)) return;
    std::vector<std::string_view> values;
    for (const ExpressionIndex child : tree.children(at)) values.push_back(tree.text(child));
    if (values.size() < 2) return;
    values.erase(values.begin());  // the value that is looked for
    std::vector<std::string_view> sorted = values;
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t n = 0; n < values.size(); ++n) {
      const auto begin = static_cast<std::size_t>(values[n].data() - text.data());
      replacements.push_back({begin, begin + values[n].size(), std::string(sorted[n])});
    }
  });
  return replaced(text, std::move(replacements));
}

std::string sort_conjuncts(std::string_view text, const ExpressionParser& parser, Identifiers& identifiers) {
  std::string sorted_sets = sort_in_sets(text, parser);
  const ExpressionTree tree = parser.expression(sorted_sets);
  if (tree.size() == 0 || tree.contains_opaque(tree.root()) || tree.is_truncated(tree.root())) return sorted_sets;
  const std::vector<ExpressionIndex> operands = tree.conjuncts(tree.root());
  if (operands.size() < 2) return sorted_sets;
  std::vector<std::string> parts;
  for (const ExpressionIndex operand : operands) parts.emplace_back(tree.text(operand));
  sort_by_text(parts, identifiers);
  std::string out(parts.size() - 1, '(');
  out += parts[0];
  for (std::size_t at = 1; at < parts.size(); ++at) out.append(" AND ").append(parts[at]).append(")");
  return out;
}

}  // namespace

std::string mask_literals(std::string_view text, AttributeKind kind, const ExpressionParser& parser) {
  switch (kind) {
    case AttributeKind::Limit:
    case AttributeKind::Offset:
    case AttributeKind::NumPartitions:
    case AttributeKind::PushedLimit:
    case AttributeKind::PushedOffset:
    case AttributeKind::ReadSchema:
    case AttributeKind::Range:
    case AttributeKind::Location:
    case AttributeKind::BroadcastMode:
    case AttributeKind::BroadcastIndex:
    case AttributeKind::EvalType:
    case AttributeKind::StorageLevel:
    case AttributeKind::SubqueryName:
    case AttributeKind::StateInfo:
    case AttributeKind::StateFormat:
    case AttributeKind::SelectedBuckets:
    case AttributeKind::Bucketed:
    case AttributeKind::AdvisorySize: return std::string(text);
    default: break;
  }
  if (kind == AttributeKind::Table && text.find(' ') == std::string_view::npos) return std::string(text);
  const bool holds_expressions = is_expression(kind) || text.find('#') != std::string_view::npos;
  if (!holds_expressions) return mask_words(text);
  Mask mask(text, parser);
  if (info(kind).shape == AttributeShape::PredicateList) {
    for (const ExpressionTree& tree : parser.pushed_filters(text)) {
      if (tree.size() > 0) mask.add_tree(tree, tree.root());
    }
  } else if (is_list(kind) || !is_expression(kind)) {
    for (const std::string_view item : split_list(text).items) mask.add_expression(item, false);
  } else {
    mask.add_expression(text, kind == AttributeKind::Partitioning);
  }
  return std::move(mask).text();
}

std::string sort_unordered(std::string_view text, const Attribute& attribute, const ExpressionParser& parser,
                           Identifiers& identifiers) {
  if (!attribute.is_whole()) return std::string(text);
  if (attribute.kind == AttributeKind::Condition || attribute.kind == AttributeKind::JoinCondition) {
    return sort_conjuncts(text, parser, identifiers);
  }
  if (!is_unordered_list(attribute.kind) || !text.starts_with('[') || !text.ends_with(']')) return std::string(text);
  const ItemList list = split_list(text);
  if (list.is_truncated || !list.is_balanced || list.items.size() < 2) return std::string(text);
  std::vector<std::string> items;
  for (const std::string_view item : list.items) items.push_back(sort_in_sets(item, parser));
  sort_by_text(items, identifiers, attribute.kind == AttributeKind::PushedFilters);
  std::string out = "[";
  for (std::size_t at = 0; at < items.size(); ++at) out.append(at == 0 ? "" : ", ").append(items[at]);
  return out + "]";
}

}  // namespace planvet::snapshot
