#include "analyzer/snapshot/layout.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace planvet::snapshot {
namespace {

constexpr std::uint32_t kNone = UINT32_MAX;

bool is_wrapper(OperatorKind kind) {
  return kind == OperatorKind::WholeStageCodegen || kind == OperatorKind::InputAdapter;
}

bool ran(const PlanTree& tree, NodeId id) {
  const Attribute* flag = tree.find(id, AttributeKind::IsFinalPlan);
  return flag != nullptr && flag->text == "true";
}

// "subquery#7654", "dynamicpruning#12": how expressions call it.
std::string_view name_of_hosted(std::string_view expression) {
  for (const std::string_view mark : {std::string_view("subquery#"), std::string_view("dynamicpruning#")}) {
    const std::size_t found = expression.find(mark);
    if (found == std::string_view::npos) continue;
    std::size_t end = found + mark.size();
    while (end < expression.size() && expression[end] >= '0' && expression[end] <= '9') ++end;
    return expression.substr(found, end - found);
  }
  return {};
}

// What stands where: a plan that is taken in place of the children of an AdaptiveSparkPlan.
struct Place {
  const PlanTree* tree;
  NodeId id;
  friend bool operator==(const Place&, const Place&) = default;
};
struct PlaceHash {
  std::size_t operator()(const Place& place) const {
    return std::hash<const void*>()(place.tree) * 31 + index(place.id);
  }
};

class LayoutBuilder {
 public:
  LayoutBuilder(const PlanDocument& document, bool wants_final) : document_(document), wants_final_(wants_final) {
    is_current_ = !document.fragments.empty() && document.fragments.front().role == FragmentRole::Current;
    if (!wants_final) {
      find_initial_plans();
      find_hosted();
    }
  }

  Layout build() {
    for (const Fragment* fragment : judged_fragments(document_)) {
      expand(fragment->tree, NodeId{0}, kNone);
    }
    if (wants_final_) {
      for (const PlanTree& tree : document_.optimized_out) {
        if (tree.empty()) continue;
        const std::size_t before = layout_.roots.size();
        expand(tree, NodeId{0}, kNone);
        layout_.optimized_out.insert(layout_.optimized_out.end(),
                                     layout_.roots.begin() + static_cast<std::ptrdiff_t>(before), layout_.roots.end());
        layout_.roots.resize(before);
      }
    }
    for (const std::uint32_t root : layout_.roots) give_numbers(root);
    number_hosted(0);
    const std::size_t main_size = layout_.in_order.size();
    for (const std::uint32_t root : layout_.optimized_out) give_numbers(root);
    number_hosted(main_size);
    return std::move(layout_);
  }

 private:
  struct Pending {
    const PlanTree* tree;
    NodeId root;
    std::uint32_t parent;
  };

  // The plan before the run stands behind the one that ran, below the same AdaptiveSparkPlan. So, in the order of the
  // text, each initial plan belongs to the last adaptive node that has none yet.
  void find_initial_plans() {
    struct Mark {
      std::uint32_t offset;
      const PlanTree* tree;
      NodeId id;
      bool is_initial;
    };
    std::vector<Mark> marks;
    for (const Fragment& fragment : document_.fragments) {
      for (const PlanNode& node : fragment.tree.nodes()) {
        if (node.id == NodeId{0} && fragment.role == FragmentRole::Initial) {
          marks.push_back({node.span.begin, &fragment.tree, node.id, true});
        }
        if (node.kind != OperatorKind::AdaptiveSparkPlan) continue;
        const bool is_outermost = is_current_ && &fragment == &document_.fragments.front() && !has_adaptive_;
        has_adaptive_ = true;
        if (ran(fragment.tree, node.id) || is_outermost) {
          marks.push_back({node.span.begin, &fragment.tree, node.id, false});
        }
      }
    }
    std::stable_sort(marks.begin(), marks.end(), [](const Mark& a, const Mark& b) { return a.offset < b.offset; });
    std::vector<Mark> open;
    for (const Mark& mark : marks) {
      if (!mark.is_initial) {
        open.push_back(mark);
      } else if (!open.empty()) {
        initial_.emplace(Place{open.back().tree, open.back().id}, mark.tree);
        open.pop_back();
      }
    }
  }

  // Formatted text prints a subquery once, below the operator that ran it.
  void find_hosted() {
    for (const Fragment* fragment : judged_fragments(document_)) {
      for (const PlanNode& node : fragment->tree.nodes()) {
        if (node.link != Link::Subquery || !node.operator_id) continue;
        const Attribute* hosting = fragment->tree.find(node.id, AttributeKind::HostingExpression);
        const std::string_view name = hosting == nullptr ? std::string_view{} : name_of_hosted(hosting->text);
        if (!name.empty()) hosted_.push_back({name, {&fragment->tree, node.id}});
      }
    }
  }

  void expand(const PlanTree& tree, NodeId root, std::uint32_t parent) {
    std::vector<Pending> pending{{&tree, root, parent}};
    while (!pending.empty()) {
      const Pending next = pending.back();
      pending.pop_back();
      expand_one(next, pending);
    }
  }

  void expand_one(const Pending& what, std::vector<Pending>& pending) {
    const PlanTree& tree = *what.tree;
    std::unordered_map<std::uint32_t, std::uint32_t> places;  // node -> operator, or its parent's for wrappers
    const NodeId end = tree.node(what.root).subtree_end;
    for (NodeId id = what.root; id < end;) {
      const PlanNode& node = tree.node(id);
      std::uint32_t parent = what.parent;
      if (id != what.root) {
        const auto above = places.find(index(node.parent));
        parent = above == places.end() ? what.parent : above->second;
      }
      if (is_wrapper(node.kind)) {
        places[index(id)] = parent;
        id = next(id);
        continue;
      }
      const std::uint32_t place = add(tree, node, id == what.root && what.parent != kNone, parent);
      places[index(id)] = place;
      attach_hosted(tree, node, place, pending);
      const auto initial = initial_.find({&tree, id});
      if (initial == initial_.end()) {
        id = next(id);
        continue;
      }
      layout_.operators[place].part = AdaptivePart::None;
      layout_.operators[place].is_replanned = true;
      pending.push_back({initial->second, NodeId{0}, place});
      id = node.subtree_end;
    }
  }

  std::uint32_t add(const PlanTree& tree, const PlanNode& node, bool is_moved_root, std::uint32_t parent) {
    Operator made;
    made.tree = &tree;
    made.id = node.id;
    if (node.kind == OperatorKind::AdaptiveSparkPlan) {
      if (ran(tree, node.id)) {
        made.part = AdaptivePart::Final;
        if (initial_.find({&tree, node.id}) == initial_.end() && !wants_final_) layout_.lacks_plan_before_run = true;
      } else if (is_current_ && wants_final_ && layout_.operators.empty()) {
        made.part = AdaptivePart::Current;
      }
    }
    const auto place = static_cast<std::uint32_t>(layout_.operators.size());
    layout_.operators.push_back(std::move(made));
    if (parent == kNone) {
      layout_.roots.push_back(place);
    } else if ((node.link == Link::Subquery || node.link == Link::ReusedSubquery) &&
               (!is_moved_root || node.link != Link::Root)) {
      layout_.operators[parent].subqueries.push_back(place);
    } else {
      layout_.operators[parent].inputs.push_back(place);
    }
    return place;
  }

  // The plan before the run mentions a subquery that the text shows below the plan that ran.
  void attach_hosted(const PlanTree& tree, const PlanNode& node, std::uint32_t place, std::vector<Pending>& pending) {
    if (hosted_.empty() || !is_initial(tree)) return;
    for (const Attribute& attribute : tree.attributes(node.id)) {
      for (auto& [name, where] : hosted_) {
        if (where.tree == nullptr) continue;
        const std::size_t found = attribute.text.find(name);
        if (found == std::string_view::npos) continue;
        const std::size_t behind = found + name.size();
        if (behind < attribute.text.size() && attribute.text[behind] >= '0' && attribute.text[behind] <= '9') continue;
        pending.push_back({where.tree, where.id, place});
        where.tree = nullptr;  // once
      }
    }
  }

  [[nodiscard]] bool is_initial(const PlanTree& tree) const {
    return std::any_of(document_.fragments.begin(), document_.fragments.end(), [&](const Fragment& fragment) {
      return &fragment.tree == &tree && fragment.role == FragmentRole::Initial;
    });
  }

  // Inputs first, then the operator.
  void give_numbers(std::uint32_t root) {
    struct Step {
      std::uint32_t place;
      std::size_t next_input;
    };
    std::vector<Step> open{{root, 0}};
    while (!open.empty()) {
      Operator& at = layout_.operators[open.back().place];
      if (open.back().next_input < at.inputs.size()) {
        const std::uint32_t input = at.inputs[open.back().next_input++];
        open.push_back({input, 0});
        continue;
      }
      layout_.in_order.push_back(open.back().place);
      at.number = static_cast<std::uint32_t>(layout_.in_order.size());
      open.pop_back();
    }
  }

  void number_hosted(std::size_t from) {
    for (std::size_t at = from; at < layout_.in_order.size(); ++at) {
      const std::uint32_t host = layout_.in_order[at];
      const std::vector<std::uint32_t> subqueries = layout_.operators[host].subqueries;
      for (const std::uint32_t root : subqueries) {
        layout_.hosted.push_back({host, root});
        const PlanNode& node = layout_.operators[root].node();
        if (node.link != Link::ReusedSubquery) give_numbers(root);
      }
    }
  }

  const PlanDocument& document_;
  bool wants_final_;
  bool is_current_ = false;
  bool has_adaptive_ = false;
  Layout layout_;
  std::unordered_map<Place, const PlanTree*, PlaceHash> initial_;
  std::vector<std::pair<std::string_view, Place>> hosted_;
};

}  // namespace

Layout lay_out(const PlanDocument& document, bool wants_final) { return LayoutBuilder(document, wants_final).build(); }

}  // namespace planvet::snapshot
