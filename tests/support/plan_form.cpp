#include "tests/support/plan_form.hpp"

#include "tests/support/golden.hpp"

namespace planvet::test {
namespace {

// One-line modes call a file scan "FileScan parquet t"; everywhere else it is "Scan parquet t".
// And where the name of a V2 writer ends and its arguments begin cannot be told there: "AppendData noop-table NoopWrite".
std::string_view comparable_name(const PlanNode& node) {
  std::string_view printed = node.printed_name;
  if (printed.starts_with("FileScan ")) printed.remove_prefix(4);
  while (printed.ends_with(' ')) printed.remove_suffix(1);
  if (printed.ends_with("Exec")) printed.remove_suffix(4);  // one line says MergeRowsExec, the rest MergeRows
  if (family(node.kind) == OperatorFamily::Write) printed = printed.substr(0, printed.find(' '));
  return printed;
}

bool is_list(AttributeKind kind) {
  const AttributeShape shape = info(kind).shape;
  return shape == AttributeShape::ExpressionList || shape == AttributeShape::PredicateList;
}

}  // namespace

Form make_form(const PlanTree& tree, const std::function<Treatment(const PlanNode&)>& treatment, NodeId root) {
  Form form;
  form.tree = &tree;
  if (tree.empty()) return form;
  // For each node of the tree: where its children hang in the form, and by which link if the node was spliced.
  struct Place {
    std::uint32_t at = UINT32_MAX;
    Link link = Link::Child;
  };
  std::vector<Place> places(tree.size());
  for (NodeId id = root; index(id) < index(tree.node(root).subtree_end);) {
    const PlanNode& node = tree.node(id);
    const Place above = id == root ? Place{} : places[index(node.parent)];
    const Link own = id == root ? Link::Root : node.link;
    // What hangs on a spliced subquery wrapper is the subquery.
    const Link link = own == Link::Child && above.link != Link::Child ? above.link : own;
    const Treatment what = treatment(node);
    switch (what) {
      case Treatment::Cut: id = node.subtree_end; continue;
      case Treatment::Splice: places[index(id)] = {above.at, link == Link::Root ? Link::Child : link}; break;
      case Treatment::Keep:
      case Treatment::Leaf:
        places[index(id)] = {static_cast<std::uint32_t>(form.nodes.size()), Link::Child};
        form.nodes.push_back({id, above.at, above.at == UINT32_MAX ? Link::Root : link});
        break;
    }
    id = what == Treatment::Leaf ? node.subtree_end : next(id);
  }
  return form;
}

namespace {

// `other`, if given, is what the form is compared with.
std::string lines_of(const Form& form, const Form* other) {
  const auto stage_of = [](const Form& of, std::size_t i) { return of.tree->node(of.nodes[i].id).codegen_stage; };
  std::string result;
  std::vector<std::size_t> depths;
  for (std::size_t i = 0; i < form.nodes.size(); ++i) {
    const FormNode& node = form.nodes[i];
    const PlanNode& at = form.tree->node(node.id);
    const std::size_t depth = node.parent == UINT32_MAX ? 0 : depths[node.parent] + 1;
    depths.push_back(depth);
    result += std::string(depth * 2, ' ');
    if (node.link != Link::Child && node.link != Link::Root) result += "~" + std::string(name(node.link)) + " ";
    if (at.engine != Engine::Spark) result += std::string(name(at.engine)) + " ";
    if (at.is_logical) result += "logical ";
    result += info(at.kind).name;
    result += " '" + std::string(comparable_name(at)) + "'";
    if (at.codegen_stage != kNoCodegen) {
      const bool is_any = other != nullptr && i < other->nodes.size() &&
                          (stage_of(form, i) == kCodegenWithoutNumber || stage_of(*other, i) == kCodegenWithoutNumber);
      result += is_any ? " *" : " *" + std::to_string(at.codegen_stage);
    }
    result += "\n";
  }
  return result;
}

}  // namespace

std::string text(const Form& form) { return lines_of(form, nullptr); }

FormComparison compare(const Form& expected, const Form& actual) {
  FormComparison result;
  const std::string expected_text = lines_of(expected, &actual);
  const std::string actual_text = lines_of(actual, &expected);
  result.is_equal = expected_text == actual_text && !expected.nodes.empty();
  if (!result.is_equal) {
    result.difference = expected.nodes.empty() ? "nothing to compare\n" : line_diff(expected_text, actual_text);
    return result;
  }
  result.operators = expected.nodes.size();
  for (std::size_t i = 0; i < expected.nodes.size(); ++i) {
    if (expected.nodes[i].parent != UINT32_MAX) ++result.edges;
  }
  return result;
}

std::string normalised(const Attribute& attribute) {
  std::string result(attribute.text);
  if (!is_list(attribute.kind)) return result;
  // Blanks behind commas are all that differs.
  std::string tight;
  for (std::size_t i = 0; i < result.size(); ++i) {
    tight += result[i];
    if (result[i] == ',' && i + 1 < result.size() && result[i + 1] == ' ') ++i;
  }
  return tight;
}

AttributeComparison compare_attributes(const Form& expected, const Form& actual) {
  AttributeComparison result;
  const std::size_t pairs = std::min(expected.nodes.size(), actual.nodes.size());
  for (std::size_t i = 0; i < pairs; ++i) {
    const NodeId left = expected.nodes[i].id;
    const NodeId right = actual.nodes[i].id;
    for (const Attribute& attribute : expected.tree->attributes(left)) {
      if (attribute.kind == AttributeKind::Other || !attribute.is_whole()) continue;
      const Attribute* other = actual.tree->find(right, attribute.kind);
      AttributeDifference difference{attribute.kind, left, right, normalised(attribute),
                                     other == nullptr ? "" : normalised(*other)};
      if (other == nullptr) {
        result.missing.push_back(std::move(difference));
      } else if (other->is_whole()) {
        ++result.compared;
        if (difference.expected != difference.actual) result.differences.push_back(std::move(difference));
      }
    }
  }
  return result;
}

}  // namespace planvet::test
