// Any bytes as an expression, as a list and as pushed filters: no crash, no broken tree, bounded time.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "analyzer/plan/expression.hpp"
#include "analyzer/plan/expression_list.hpp"
#include "analyzer/plan/predicate.hpp"
#include "analyzer/read/expression_reader.hpp"

namespace {

void check(bool holds) {
  if (!holds) std::abort();
}

void check_tree(const planvet::ExpressionTree& tree) {
  check(!tree.empty());
  check(to_number(tree[tree.root()].subtree_begin) == 0);
  for (std::uint32_t i = 0; i < tree.size(); ++i) {
    const planvet::ExpressionIndex index{i};
    check(tree[index].begin <= tree[index].end && tree[index].end <= tree.source().size());
    check(tree[index].name_begin <= tree[index].name_end && tree[index].name_end <= tree.source().size());
    std::uint32_t next = to_number(tree[index].subtree_begin);
    for (const planvet::ExpressionIndex child : tree.children(index)) {
      check(to_number(tree[child].subtree_begin) == next);
      next = to_number(child) + 1;
    }
    check(next == i);
  }
  check(!tree.conjuncts(tree.root()).empty());
  tree.dump();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const planvet::ExpressionTree tree = planvet::parse_expression(text);
  check_tree(tree);
  for (const std::string_view item : planvet::split_list(text).items)
    check(item.empty() || (item.data() >= text.data() && item.data() + item.size() <= text.data() + text.size()));
  planvet::split_list(text, size % 5);
  planvet::read_attribute_text(text);

  // Both halves of `condition | filter`.
  const std::size_t bar = text.find(" | ");
  const std::string_view list = bar == std::string_view::npos ? text : text.substr(bar + 3);
  const planvet::ExpressionTree condition = planvet::parse_expression(text.substr(0, bar));
  for (const planvet::ExpressionTree& filter : planvet::parse_pushed_filters(list)) {
    check_tree(filter);
    planvet::same_predicate(condition, condition.root(), filter, filter.root());
    planvet::is_null_test(filter, filter.root());
  }
  return 0;
}
