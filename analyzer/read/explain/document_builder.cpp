#include "analyzer/read/explain/document_builder.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include <fmt/core.h>

#include "analyzer/dialect/dialect.hpp"
#include "analyzer/read/arguments.hpp"
#include "analyzer/read/explain/photon_broadcasts.hpp"
#include "analyzer/read/explain/rebuild.hpp"

namespace planvet::read::explain {
namespace {

using Handle = PlanBuilder::Handle;

bool can_start_tree(const Line& line) {
  return line.kind == LineKind::Plain || line.kind == LineKind::Tree || line.kind == LineKind::AdaptiveHeader ||
         line.kind == LineKind::Field;
}

// The first line from `at` on that is not blank.
std::size_t skip_blank(std::span<const Line> lines, std::size_t at) {
  while (at < lines.size() && lines[at].kind == LineKind::Blank) ++at;
  return at;
}

// "[plan_id=12]", "[id=#30]": the number, or an empty view.
std::string_view plan_id_in(std::string_view text) {
  for (const std::string_view mark : {std::string_view("plan_id="), std::string_view("id=#")}) {
    const auto found = text.rfind(mark);
    if (found == std::string_view::npos) continue;
    const auto begin = found + mark.size();
    auto end = begin;
    while (end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
    return text.substr(begin, end - begin);
  }
  return {};
}

}  // namespace

DocumentBuilder::DocumentBuilder(std::string_view text, std::span<const Line> lines, bool heads_need_blank,
                                 Balance& balance)
    : text_(text),
      lines_(lines),
      passage_{text, lines, builder_, balance},
      block_reader_(passage_, heads_need_blank, ids_) {}

void DocumentBuilder::note(NoteKind kind, Span span, std::string message) {
  if (kind != NoteKind::UnknownOperator && kind != NoteKind::NotFinalPlan) lost_something_ = true;
  notes_.push_back({kind, span, std::move(message)});
}

void DocumentBuilder::register_ids(const PrintedTree& tree) {
  for (const PrintedNode& node : tree.nodes) {
    if (node.id != kNoId) ids_.add(node.id, node.handle);
  }
}

std::size_t DocumentBuilder::add_physical(std::size_t at) {
  const std::size_t first = skip_blank(lines_, at);
  if (first == lines_.size() || !can_start_tree(lines_[first])) return at;
  physical_.push_back(read_tree(passage_, first, false));
  register_ids(physical_.back());
  return physical_.back().next_line;
}

std::size_t DocumentBuilder::add_logical(std::size_t at) {
  std::size_t first = skip_blank(lines_, at);
  if (first == lines_.size() || !can_start_tree(lines_[first])) return at;
  // The analyzed plan has the schema on a line of its own above its root.
  while (first + 1 < lines_.size() && lines_[first].kind != LineKind::Tree && can_start_tree(lines_[first + 1]) &&
         lines_[first + 1].kind != LineKind::Tree) {
    ++first;
  }
  logical_.push_back(read_tree(passage_, first, true));
  if (!has_cost_) {
    const PrintedTree& tree = logical_.back();
    has_cost_ =
        !tree.nodes.empty() &&
        view(builder_.node(tree.nodes.front().handle).span).find("Statistics(sizeInBytes=") != std::string_view::npos;
  }
  return logical_.back().next_line;
}

std::size_t DocumentBuilder::add_hosted(std::size_t at) {
  const Line& head = lines_[at];
  const std::string_view expression = view(head.value);
  for_each_subquery_name(expression, [&](std::string_view name) { hosted_names_.insert(name); });
  Handle host = head.id == kNoId ? PlanBuilder::kNone : ids_.first(head.id);
  if (host == PlanBuilder::kNone && !physical_.empty() && !physical_.front().roots.empty()) {
    host = physical_.front().roots.front();
    if (head.id != kNoId) {
      note(NoteKind::UnreadablePart, head.whole,
           fmt::format("operator ({}), which hosts this subquery, is not in the plan; its place is unknown", head.id));
    }
  }
  Attribute hosting;
  hosting.kind = AttributeKind::HostingExpression;
  hosting.text = expression;

  const std::size_t first = at + 1;
  const bool has_tree = first < lines_.size() && can_start_tree(lines_[first]) && lines_[first].kind != LineKind::Field;
  if (!has_tree) {
    // "ReusedSubquery Subquery subquery#12, [id=#30]": a mention of a subquery that is printed elsewhere.
    constexpr std::string_view kReused = "ReusedSubquery";
    const auto found = expression.find(kReused);
    if (found != std::string_view::npos && host != PlanBuilder::kNone) {
      PlanNode node;
      node.kind = OperatorKind::ReusedSubquery;
      node.link = Link::ReusedSubquery;
      node.printed_name = expression.substr(found, kReused.size());
      const std::uint32_t begin = head.value.begin + static_cast<std::uint32_t>(found);
      node.name_span = {begin, begin + static_cast<std::uint32_t>(kReused.size())};
      node.span = {begin, head.whole.end};
      const Handle handle = builder_.add(host, node);
      builder_.add_attribute(handle, hosting);
    } else if (found == std::string_view::npos) {
      note(NoteKind::UnreadablePart, head.whole, "the plan of this subquery is missing");
    }
    return first;
  }

  PrintedTree tree = read_tree(passage_, first, false);
  const std::size_t next = tree.next_line;
  if (tree.nodes.empty()) return next;
  // The same subquery hosted by two operators is printed twice, the second time without blocks. It runs once.
  const PrintedNode& root = tree.nodes.front();
  if (root.id != kNoId && ids_.first(root.id) != PlanBuilder::kNone) return next;
  register_ids(tree);
  for (const Handle handle : tree.roots) {
    builder_.set_parent(handle, host);
    builder_.node(handle).link = Link::Subquery;
    builder_.add_attribute(handle, hosting);
  }
  tree.roots.clear();
  hosted_.push_back(std::move(tree));
  return next;
}

void DocumentBuilder::note_lost_host(std::size_t at) {
  note(NoteKind::UnreadablePart, lines_[at].whole, "the plan that hosts this subquery is missing");
}

std::size_t DocumentBuilder::add_optimized_out(std::size_t at) {
  const std::size_t first = skip_blank(lines_, at + 1);
  if (first == lines_.size() || !can_start_tree(lines_[first])) return at + 1;
  optimized_out_.push_back(read_tree(passage_, first, false));
  register_ids(optimized_out_.back());
  return optimized_out_.back().next_line;
}

std::size_t DocumentBuilder::add_block(std::size_t at) {
  blocks_.push_back(at);
  return block_reader_.read(at);
}

std::size_t DocumentBuilder::add_explanation(std::size_t at, std::size_t end) {
  const std::string_view title = view(lines_[at].name);
  const std::uint32_t begin = at + 1 < lines_.size() ? lines_[at + 1].whole.begin : lines_[at].whole.end;
  const std::uint32_t stop = end > at + 1 ? lines_[end - 1].whole.end : begin;
  explanations_.emplace_back(title, text_.substr(begin, stop - begin));
  if (title.starts_with("Extended Information")) {
    const std::size_t first = skip_blank(lines_, at + 1);
    // Comet closes the section with a count.
    if (title.find("Comet") != std::string_view::npos &&
        text_.substr(begin, stop - begin).find("accelerated ") == std::string_view::npos) {
      note(NoteKind::TruncatedPlan, lines_[at].whole,
           "the end of this section is missing: reasons of fallbacks may be lost");
    }
    if (first < end && can_start_tree(lines_[first])) {
      extended_.push_back(read_tree(passage_.up_to(end), first, true));
    }
  }
  return end;
}

void DocumentBuilder::add_cut(Span span) {
  is_cut_ = true;
  note(NoteKind::TruncatedPlan, span,
       "the plan text was cut here (spark.sql.maxPlanStringLength): what stood behind it is unknown");
}

// A plan whose tree is lost: blocks come in the order of their ids, leaves first, and each kind has a known number of
// inputs, so a stack puts them together.
void DocumentBuilder::build_from_blocks() {
  if (!physical_.empty() || block_reader_.orphans().empty()) return;
  std::vector<OrphanBlock> orphans = block_reader_.orphans();
  std::stable_sort(orphans.begin(), orphans.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
  PrintedTree tree;
  tree.is_formatted = true;
  tree.parts.push_back({});
  std::vector<Handle> open;
  std::uint32_t last_id = kNoId;
  for (const OrphanBlock& orphan : orphans) {
    if (orphan.id == last_id) continue;
    last_id = orphan.id;
    const Line& head = lines_[orphan.line];
    const dialect::OperatorName known = dialect::resolve(view(head.name));
    PlanNode node;
    node.kind = known.kind;
    node.engine = known.engine;
    node.printed_name = view(head.name);
    node.name_span = head.name;
    node.span = head.whole;
    node.block = head.whole;
    node.operator_id = head.id;
    if (head.codegen >= 0) node.codegen_stage = head.codegen;
    const Handle handle = builder_.add(PlanBuilder::kNone, node);
    block_reader_.read_fields(orphan.line, handle);
    ids_.add(head.id, handle);
    int arity = info(known.kind).arity;
    if (known.kind == OperatorKind::Unknown) arity = 1;
    if (arity < 0) arity = static_cast<int>(open.size());
    std::vector<Handle> inputs;
    while (arity-- > 0 && !open.empty()) {
      inputs.push_back(open.back());
      open.pop_back();
    }
    for (const Handle input : inputs) {
      builder_.set_parent(input, handle);
      builder_.node(input).link = Link::Child;
    }
    open.push_back(handle);
    tree.nodes.push_back({handle, head.id, 0});
  }
  tree.roots = open;
  const Span place = lines_[orphans.front().line].whole;
  physical_.push_back(std::move(tree));
  note(NoteKind::UnreadablePart, place,
       "the tree of the plan is missing; it was put together from the order of the detail blocks");
}

// Commands print the logical plan that they will run below themselves, EmptyRelation the one that it replaced, UnionLoop
// the one that it repeats: their names equal physical ones, but nothing of them runs here.
void DocumentBuilder::mark_logical_nodes() {
  const auto mark = [&](const PrintedTree& tree) {
    for (const PrintedNode& printed : tree.nodes) {
      const Handle parent = builder_.parent(printed.handle);
      if (parent == PlanBuilder::kNone) continue;
      const PlanNode& above = builder_.node(parent);
      PlanNode& node = builder_.node(printed.handle);
      constexpr std::string_view kExecute = "Execute ";
      const bool is_own_logical_plan =
          above.printed_name.starts_with(kExecute) && node.printed_name == above.printed_name.substr(kExecute.size());
      const bool is_replaced_plan = above.kind == OperatorKind::EmptyRelation || above.kind == OperatorKind::UnionLoop;
      const bool is_below_logical =
          above.is_logical && node.link == Link::Child && above.printed_name != std::string_view("LogicalQueryStage");
      if (is_own_logical_plan || is_replaced_plan || is_below_logical) node.is_logical = true;
    }
  };
  for (const PrintedTree& tree : physical_) mark(tree);
  for (const PrintedTree& tree : hosted_) mark(tree);
  for (const PrintedTree& tree : optimized_out_) mark(tree);
}

void DocumentBuilder::rebuild_damaged_trees() {
  bool has_rebuilt = false;
  for (PrintedTree& tree : physical_) {
    tree.wrong_inputs = count_wrong_inputs(tree, builder_);
    if (tree.wrong_inputs == 0 || !rebuild_if_better(tree, builder_)) continue;
    has_rebuilt = true;
    note(NoteKind::UnreadablePart, builder_.node(tree.nodes.front().handle).span,
         tree.is_formatted ? "the indentation of the plan is damaged; its tree was put together from the operator ids"
                           : "the indentation of the plan is damaged; its tree was put together from the number of "
                             "inputs that each operator has");
  }
  for (PrintedTree& tree : hosted_) tree.wrong_inputs = count_wrong_inputs(tree, builder_);
  if (!has_rebuilt) return;
  mark_logical_nodes();
  for (PrintedTree& tree : physical_) {
    if (tree.wrong_inputs > 0) tree.wrong_inputs = count_wrong_inputs(tree, builder_);
  }
}

// "Subquery subquery#7, [id=#30]" in two places of a plan is one subquery: Spark 4 prints it below the filter and below
// the scan as long as the query has not run. The second is a mention of the first. Comet's text names none of them:
// there each is one of its own.
void DocumentBuilder::drop_repeated_subqueries() {
  for (const PrintedTree& tree : physical_) {
    if (tree.is_formatted) continue;
    std::map<std::pair<Handle, std::string_view>, Handle> first_by_name;
    std::unordered_map<Handle, Handle> mentions;
    for (const PrintedNode& printed : tree.nodes) {
      const Handle parent = builder_.parent(printed.handle);
      if (mentions.contains(parent)) builder_.set_parent(printed.handle, PlanBuilder::kNone);
      const PlanNode& node = builder_.node(printed.handle);
      if (node.kind != OperatorKind::Subquery) continue;
      const std::string_view text = view(node.span);
      const std::string_view name = text.substr(0, text.find(','));
      if (name.find(' ') == std::string_view::npos) continue;
      Handle root = printed.handle;
      while (builder_.parent(root) != PlanBuilder::kNone) root = builder_.parent(root);
      const auto [first, is_new] = first_by_name.try_emplace({root, name}, printed.handle);
      if (is_new) continue;
      mentions.emplace(printed.handle, first->second);
      builder_.node(printed.handle).link = Link::ReusedSubquery;
      builder_.set_reuses(printed.handle, first->second);
    }
  }
}

void DocumentBuilder::resolve_reuses() {
  for (const auto& [handle, id] : block_reader_.reuses()) {
    const Handle original = ids_.first(id);
    if (original != PlanBuilder::kNone) builder_.set_reuses(handle, original);
  }
  // One-line modes: the reused exchange is named by its plan id, or (Comet) by nothing but its whole line.
  std::unordered_map<std::string_view, Handle> by_plan_id;
  std::unordered_map<std::string_view, Handle> by_line;
  std::vector<Handle> reused;
  const auto collect = [&](const PrintedTree& tree) {
    if (tree.is_formatted) return;
    for (const PrintedNode& printed : tree.nodes) {
      const PlanNode& node = builder_.node(printed.handle);
      if (node.kind == OperatorKind::ReusedExchange || node.kind == OperatorKind::ReusedSubquery) {
        reused.push_back(printed.handle);
        continue;
      }
      const OperatorFamily kin = family(node.kind);
      if (kin != OperatorFamily::Exchange && kin != OperatorFamily::Subquery) continue;
      const std::string_view id = plan_id_in(view(node.span));
      if (!id.empty()) by_plan_id.emplace(id, printed.handle);
      const bool has_run = !tree.parts[printed.part].is_superseded();
      if (id.empty() && has_run && kin == OperatorFamily::Exchange) by_line.emplace(view(node.span), printed.handle);
    }
  };
  for (const PrintedTree& tree : physical_) collect(tree);
  for (const Handle handle : reused) {
    const std::string_view id = plan_id_in(view(builder_.node(handle).span));
    if (!id.empty()) {
      const auto found = by_plan_id.find(id);
      if (found != by_plan_id.end()) builder_.set_reuses(handle, found->second);
    } else if (const Attribute* const original = builder_.find_attribute(handle, AttributeKind::ReusedOperator)) {
      const auto found = by_line.find(original->text);
      if (found != by_line.end()) builder_.set_reuses(handle, found->second);
    }
  }
}

// Codegen mode prints a stage with everything below it, other stages included, and then those again. The largest are
// kept: each operator once.
void DocumentBuilder::drop_contained_subtrees() {
  if (!is_codegen_ || physical_.size() < 2) return;
  std::vector<PrintedTree> kept;
  std::stable_sort(physical_.begin(), physical_.end(),
                   [](const PrintedTree& a, const PrintedTree& b) { return a.nodes.size() > b.nodes.size(); });
  std::unordered_set<std::string_view> printed;
  for (PrintedTree& tree : physical_) {
    if (tree.nodes.empty()) continue;
    if (printed.contains(view(builder_.node(tree.nodes.front().handle).span))) continue;
    for (const PrintedNode& node : tree.nodes) printed.insert(view(builder_.node(node.handle).span));
    kept.push_back(std::move(tree));
  }
  physical_ = std::move(kept);
}

// Comet prints the plan a second time, with the reasons behind the operators that stayed on Spark's side.
void DocumentBuilder::attach_fallback_reasons() {
  if (physical_.empty()) return;
  for (const PrintedTree& second : extended_) {
    std::size_t at = 0;
    const std::vector<PrintedNode>& nodes = physical_.front().nodes;
    for (const PrintedNode& printed : second.nodes) {
      const PlanNode& copy = builder_.node(printed.handle);
      const std::string_view line = view(copy.span);
      constexpr std::string_view kReason = "[COMET: ";
      const auto begin = line.find(kReason);
      const std::string_view name = copy.printed_name;
      std::size_t match = at;
      while (match < nodes.size() && builder_.node(nodes[match].handle).kind != copy.kind) ++match;
      if (match == nodes.size()) continue;
      at = match + 1;
      if (begin == std::string_view::npos || name.empty()) continue;
      Attribute reason;
      reason.kind = AttributeKind::FallbackReason;
      const auto text_begin = begin + kReason.size();
      const auto end = line.rfind(']');
      reason.text = line.substr(
          text_begin, end == std::string_view::npos || end < text_begin ? std::string_view::npos : end - text_begin);
      builder_.add_attribute(nodes[match].handle, reason);
    }
  }
}

void DocumentBuilder::add_fragments(PlanDocument& document) {
  const auto feeds_root = [&](Handle handle) {
    for (; builder_.parent(handle) != PlanBuilder::kNone; handle = builder_.parent(handle)) {
      if (builder_.node(handle).link != Link::Child) return false;
    }
    return true;
  };
  const auto role_of = [&](const PrintedTree& tree) {
    // The outermost adaptive node on the way down decides; subqueries and cached plans have flags of their own.
    for (const PrintedPart& part : tree.parts) {
      if (!part.is_adaptive || part.outer != 0 || part.host == PlanBuilder::kNone || !feeds_root(part.host)) continue;
      if (part.part == AdaptivePart::Final) return FragmentRole::Final;
      if (part.part == AdaptivePart::Current) return FragmentRole::Current;
    }
    return FragmentRole::Only;
  };
  // The plan that the query began with comes before those that its cached plans and subqueries began with.
  const auto initial_roots_of = [&](const PrintedTree& tree) {
    std::vector<Handle> result = tree.initial_roots;
    if (result.size() < 2) return result;
    std::unordered_set<Handle> outermost;
    for (const PrintedNode& printed : tree.nodes) {
      const PrintedPart& part = tree.parts[printed.part];
      if (part.is_adaptive && part.outer == 0 && part.host != PlanBuilder::kNone && feeds_root(part.host)) {
        outermost.insert(printed.handle);
      }
    }
    std::stable_partition(result.begin(), result.end(), [&](Handle root) { return outermost.contains(root); });
    return result;
  };
  // One list of roots: the builder puts its nodes in order once for all of them.
  std::vector<Handle> roots;
  std::vector<FragmentRole> roles;
  for (const PrintedTree& tree : physical_) {
    roots.insert(roots.end(), tree.roots.begin(), tree.roots.end());
    roles.resize(roots.size(), role_of(tree));
  }
  for (const std::vector<PrintedTree>* trees : {&physical_, &hosted_}) {
    for (const PrintedTree& tree : *trees) {
      const std::vector<Handle> initial = initial_roots_of(tree);
      roots.insert(roots.end(), initial.begin(), initial.end());
    }
  }
  roles.resize(roots.size(), FragmentRole::Initial);
  for (const PrintedTree& tree : optimized_out_) roots.insert(roots.end(), tree.roots.begin(), tree.roots.end());
  const std::size_t logical = roots.size();
  for (const PrintedTree& tree : logical_) roots.insert(roots.end(), tree.roots.begin(), tree.roots.end());

  std::vector<PlanTree> trees = builder_.finish(roots);
  for (std::size_t at = 0; at < trees.size(); ++at) {
    if (at < roles.size()) {
      document.fragments.push_back({roles[at], std::move(trees[at])});
    } else {
      (at < logical ? document.optimized_out : document.logical_plans).push_back(std::move(trees[at]));
    }
  }
}

// Of the plans that adaptive execution began with: their subqueries may have become others.
std::unordered_set<Handle> DocumentBuilder::superseded_nodes() const {
  std::unordered_set<Handle> result;
  for (const std::vector<PrintedTree>* trees : {&physical_, &hosted_}) {
    for (const PrintedTree& tree : *trees) {
      std::vector<bool> is_superseded;
      for (const PrintedPart& part : tree.parts) {
        const bool outer = part.outer < is_superseded.size() && is_superseded[part.outer];
        is_superseded.push_back(outer || part.is_superseded());
      }
      for (const PrintedNode& node : tree.nodes) {
        if (is_superseded[node.part]) result.insert(node.handle);
      }
    }
  }
  return result;
}

void DocumentBuilder::add_notes(PlanDocument& document) {
  std::unordered_set<std::string_view> unknown;
  std::size_t roots = 0;
  const auto check_tree = [&](const PrintedTree& tree) {
    for (const Span stray : tree.strays) {
      note(NoteKind::UnreadablePart, stray, "this line inside the plan is no operator; it was passed over");
    }
    for (const Span cut : tree.cuts) {
      note(NoteKind::TruncatedPlan, cut, "the line of this operator breaks off; what it says further is unknown");
    }
    for (const Span gap : tree.gaps) {
      note(NoteKind::UnreadablePart, gap, "this operator stands too deep: a line between it and its parent is missing");
    }
    std::unordered_set<Handle> parents;
    for (const PrintedNode& printed : tree.nodes) parents.insert(builder_.parent(printed.handle));
    for (const PrintedNode& printed : tree.nodes) {
      const PlanNode& node = builder_.node(printed.handle);
      if (node.kind == OperatorKind::AdaptiveSparkPlan && !parents.contains(printed.handle)) {
        note(NoteKind::TruncatedPlan, node.span, "the plan below this line is missing");
      }
      if (node.is_logical || node.kind != OperatorKind::Unknown) continue;
      if (!unknown.insert(node.printed_name).second) continue;
      if (node.printed_name.empty()) {
        note(NoteKind::UnreadablePart, node.span, "the name of an operator is missing here");
        continue;
      }
      note(NoteKind::UnknownOperator, node.name_span,
           fmt::format("operator {} is not known; rules pass it over", node.printed_name));
    }
  };
  for (const PrintedTree& tree : physical_) {
    roots += is_codegen_ ? 0 : tree.roots.size();
    check_tree(tree);
  }
  for (const PrintedTree& tree : hosted_) check_tree(tree);

  if (roots > 1) {
    note(NoteKind::UnreadablePart, builder_.node(physical_.front().roots.front()).span,
         fmt::format("the top of the plan is missing: {} parts of it do not hang together", roots));
  } else if (roots == 1 && !is_codegen_) {
    const PlanNode& root = builder_.node(physical_.front().roots.front());
    // A root stands without connector; a connector above everything else means that its parent is lost.
    const std::string_view before = text_.substr(0, root.span.begin);
    const auto line_begin = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
    const std::string_view prefix = before.substr(line_begin);
    if (prefix.find("+-") != std::string_view::npos || prefix.find(":-") != std::string_view::npos) {
      note(NoteKind::UnreadablePart, root.span, "the top of the plan is missing: this operator's parent was not read");
    }
  }
  for (const PrintedTree& tree : physical_) {
    if (tree.nodes.empty()) continue;
    const std::size_t wrong = tree.wrong_inputs;
    if (wrong > 0) {
      note(NoteKind::UnreadablePart, builder_.node(tree.nodes.back().handle).span,
           fmt::format("{} operator{} not the inputs that {} kind has: lines of the plan are missing or stand in the "
                       "wrong place",
                       wrong, wrong == 1 ? " has" : "s have", wrong == 1 ? "its" : "their"));
    }
  }
  for (const PrintedTree& tree : hosted_) {
    const std::size_t wrong = tree.wrong_inputs;
    if (wrong > 0) {
      note(NoteKind::UnreadablePart, builder_.node(tree.nodes.back().handle).span,
           fmt::format("{} operator{} of a subquery not the inputs that {} kind has", wrong,
                       wrong == 1 ? " has" : "s have", wrong == 1 ? "its" : "their"));
    }
  }

  // Formatted mode: arguments are in the blocks.
  std::size_t without_block = 0;
  Span first_without{};
  const std::vector<bool>& has_block = block_reader_.has_block();
  const auto count_blocks = [&](const PrintedTree& tree) {
    if (!tree.is_formatted) return;
    for (const PrintedNode& printed : tree.nodes) {
      if (printed.id == kNoId) continue;
      if (printed.handle < has_block.size() && has_block[printed.handle]) continue;
      if (without_block++ == 0) first_without = builder_.node(printed.handle).name_span;
    }
  };
  if (!block_reader_.orphans().empty() || !blocks_.empty() || is_formatted()) {
    for (const PrintedTree& tree : physical_) {
      if (!tree.nodes.empty() &&
          builder_.node(tree.nodes.front().handle).block == builder_.node(tree.nodes.front().handle).span)
        continue;
      count_blocks(tree);
    }
    for (const PrintedTree& tree : hosted_) count_blocks(tree);
  }
  if (without_block > 0) {
    note(NoteKind::UnreadablePart, first_without,
         fmt::format("{} operator{} no detail block; conditions, keys and filters of {} are unknown", without_block,
                     without_block == 1 ? " has" : "s have", without_block == 1 ? "it" : "them"));
  }
  // Logical plans below commands have names of physical operators and blocks of their own kind.
  for (const BlockLine& half : block_reader_.halves()) {
    if (!block_reader_.prints_inputs()) break;  // a snapshot of planvet's: it has what is known and no more
    if (builder_.node(half.handle).is_logical || is_cut_) continue;
    const Line& head = lines_[half.line];
    note(NoteKind::TruncatedPlan, head.whole,
         fmt::format("the detail block of operator ({}) breaks off: its last fields are missing", head.id));
  }
  // The subqueries of formatted mode stand behind everything else, where cuts are.
  const std::unordered_set<Handle> superseded = superseded_nodes();
  for (const SubqueryName& name : block_reader_.subquery_names()) {
    if (superseded.contains(name.handle) || !hosted_names_.insert(view(name.span)).second) continue;
    note(NoteKind::TruncatedPlan, name.span, fmt::format("the plan of {} is missing", view(name.span)));
  }
  for (const BlockLine& stray : block_reader_.strays()) {
    if (builder_.node(stray.handle).is_logical) continue;
    note(NoteKind::UnreadablePart, lines_[stray.line].whole, "this line of a detail block belongs to no field");
  }
  const bool built_from_blocks =
      !physical_.empty() && !physical_.front().nodes.empty() && physical_.front().next_line == 0;
  if (!built_from_blocks) {
    for (const OrphanBlock& orphan : block_reader_.orphans()) {
      // Gluten numbers its stage wrappers and prints blocks of them, but no tree lines.
      if (family(dialect::resolve(view(lines_[orphan.line].name)).kind) == OperatorFamily::Structural) continue;
      note(NoteKind::UnreadablePart, lines_[orphan.line].whole,
           fmt::format("no line of the tree shows operator ({}) of this detail block", orphan.id));
    }
  }
  if (is_codegen_) {
    lost_something_ = true;
    if (!physical_.empty() && !physical_.front().nodes.empty()) {
      notes_.push_back({NoteKind::UnreadablePart, builder_.node(physical_.front().nodes.front().handle).span,
                        "codegen mode prints only the fused subtrees: what stands above them is not shown"});
    }
  }
  document.notes = std::move(notes_);
  std::stable_sort(document.notes.begin(), document.notes.end(),
                   [](const Note& a, const Note& b) { return a.span.begin < b.span.begin; });
}

// Fused stages are made when a query runs: codegen mode has nothing to show of an adaptive plan before.
void DocumentBuilder::explain_empty_codegen(PlanDocument& document) const {
  document.is_complete = false;
  document.notes.push_back(
      {NoteKind::UnreadablePart, codegen_head_,
       expected_subtrees_ == 0
           ? "codegen mode prints fused stages only, and there is none: an adaptive plan has none before it runs, and "
             "operators that cannot be fused never have; print the plan with explain(mode=\"formatted\")"
           : fmt::format("codegen mode announces {} fused stages, and none follows", expected_subtrees_)});
}

PlanDocument DocumentBuilder::finish(std::shared_ptr<const Source> source) {
  PlanDocument document;
  document.source = std::move(source);
  build_from_blocks();
  mark_logical_nodes();
  rebuild_damaged_trees();
  drop_contained_subtrees();
  drop_repeated_subqueries();
  resolve_reuses();
  attach_fallback_reasons();
  for (const PrintedTree& tree : physical_) mark_photon_broadcasts(tree, builder_);
  for (const PrintedTree& tree : hosted_) mark_photon_broadcasts(tree, builder_);

  const bool is_formatted =
      std::any_of(physical_.begin(), physical_.end(), [](const PrintedTree& t) { return t.is_formatted; });
  if (is_codegen_) {
    document.input = InputKind::ExplainCodegen;
  } else if (is_formatted) {
    document.input = InputKind::ExplainFormatted;
  } else if (is_extended_ || logical_.size() > 1) {
    document.input = InputKind::ExplainExtended;
  } else if (has_cost_) {
    document.input = InputKind::ExplainCost;
  } else if (!logical_.empty()) {
    document.input = InputKind::ExplainExtended;
  }
  add_fragments(document);
  if (document.fragments.empty()) {
    if (is_codegen_) explain_empty_codegen(document);
    return document;
  }
  add_notes(document);
  document.explanations = std::move(explanations_);
  document.is_complete = !lost_something_;
  return document;
}

}  // namespace planvet::read::explain
