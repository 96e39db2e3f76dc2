#include "analyzer/read/plan_info_json_tree.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <unordered_map>

#include "analyzer/dialect/dialect.hpp"
#include "analyzer/plan/characters.hpp"
#include "analyzer/read/arguments.hpp"
#include "analyzer/read/plan_info_json_graph.hpp"

namespace planvet::read::plan_info {
namespace {

// "!Project [..]" misses an input, "'Project" is not analysed: the mark is no part of the name.
std::string_view without_state_mark(std::string_view line) {
  if (line.starts_with('!') || line.starts_with('\'')) line.remove_prefix(1);
  return line;
}

// "WholeStageCodegen (3)"; Spark 2 prints no number.
std::int32_t stage_number(std::string_view name) {
  const std::size_t bracket = name.find('(');
  if (bracket == std::string_view::npos) return kCodegenWithoutNumber;
  std::int32_t number = kCodegenWithoutNumber;
  std::from_chars(name.data() + bracket + 1, name.data() + name.size(), number);
  return number;
}

bool is_reused(OperatorKind kind) {
  return kind == OperatorKind::ReusedExchange || kind == OperatorKind::ReusedSubquery;
}

Link link_to(OperatorKind parent, OperatorKind child, bool has_relation) {
  if (child == OperatorKind::ReusedSubquery) return Link::ReusedSubquery;
  if (family(child) == OperatorFamily::Subquery) return Link::Subquery;
  const bool is_cache = parent == OperatorKind::InMemoryTableScan || parent == OperatorKind::InMemoryRelation;
  return is_cache && !has_relation ? Link::CachedPlan : Link::Child;
}

}  // namespace

Span TextWriter::append(JsonString string) {
  const auto begin = static_cast<std::uint32_t>(text_.size());
  if (string.exists()) append_decoded(bytes_, string, text_, map_);
  const auto end = static_cast<std::uint32_t>(text_.size());
  text_.push_back('\n');
  return {begin, end};
}

Span TextWriter::append_mark(std::uint32_t in_bytes) {
  const auto begin = static_cast<std::uint32_t>(text_.size());
  map_.append(begin, in_bytes);
  text_.push_back('\n');
  return {begin, begin};
}

TreeReader::TreeReader(std::string_view bytes, const Plan& plan)
    : bytes_(bytes), plan_(plan), hashes_(subtree_hashes(bytes, plan)) {
  drop_repeated();
}

// Finds what ReusedExchange and ReusedSubquery read. The repeated tree below them is dropped where the original stands
// elsewhere in the plan; where it does not, the first repetition is all there is of it. A subquery that two expressions
// mention is one subquery, too: before a query runs, Spark 4 shows it below the filter and below the scan.
void TreeReader::drop_repeated() {
  const auto size = static_cast<std::uint32_t>(plan_.nodes.size());
  is_dropped_.assign(size, true);
  is_optimized_out_.assign(size, false);
  is_mention_.assign(size, false);
  reads_.assign(size, kNone);
  std::vector<OperatorKind> kinds(size);
  bool has_reused = false;
  for (std::uint32_t at = 0; at < size; ++at) {
    kinds[at] = dialect::resolve(without_blanks(decoded(bytes_, plan_.nodes[at].node_name))).kind;
    has_reused = has_reused || is_reused(kinds[at]);
  }

  // Accumulators are the application's own ids: equal ones are one operator. Subqueries have none.
  std::map<std::vector<std::int64_t>, std::uint32_t> by_accumulators;
  std::unordered_map<std::uint64_t, std::uint32_t> by_hash;
  std::map<std::string, std::uint32_t, std::less<>> subqueries;  // by "Subquery subquery#7"
  const auto accumulators = [&](std::uint32_t at) {
    const Node& node = plan_.nodes[at];
    const auto begin = plan_.accumulators.begin();
    std::vector<std::int64_t> ids(begin + node.metrics_begin, begin + std::max(node.metrics_begin, node.metrics_end));
    std::sort(ids.begin(), ids.end());
    return ids;
  };
  std::vector<std::uint32_t> reused;
  std::vector<std::uint32_t> open;
  // In the order of the tree: subqueries before inputs. SparkPlanInfo has them behind.
  const auto keep = [&](std::uint32_t root) {
    for (open.assign(1, root); !open.empty();) {
      const std::uint32_t at = open.back();
      open.pop_back();
      is_dropped_[at] = false;
      if (has_reused) {  // nothing else asks for these
        by_hash.try_emplace(hashes_[at], at);
        if (std::vector<std::int64_t> found = accumulators(at); !found.empty()) by_accumulators.emplace(found, at);
      }
      const std::uint32_t end = plan_.nodes[at].subtree_end;
      if (is_reused(kinds[at]) && at + 1 < end) {
        reused.push_back(at);
        continue;
      }
      if (kinds[at] == OperatorKind::Subquery) {
        std::string name = decoded(bytes_, plan_.nodes[at].simple_string);
        name.resize(std::min(name.size(), name.find(',')));
        const auto [first, is_new] = subqueries.try_emplace(std::move(name), at);
        if (!is_new) {
          is_mention_[at] = true;
          reads_[at] = first->second;
          continue;
        }
      }
      const auto first_input = static_cast<std::ptrdiff_t>(open.size());
      for (std::uint32_t child = at + 1; child < end; child = plan_.nodes[child].subtree_end) open.push_back(child);
      std::stable_partition(open.begin() + first_input, open.end(),
                            [&](std::uint32_t child) { return family(kinds[child]) == OperatorFamily::Subquery; });
      std::reverse(open.begin() + first_input, open.end());
    }
  };
  keep(0);
  for (std::size_t i = 0; i < reused.size(); ++i) {  // keep() adds to it
    const std::uint32_t at = reused[i];
    const std::uint32_t repeated = at + 1;
    if (const auto same = by_accumulators.find(accumulators(repeated)); same != by_accumulators.end()) {
      reads_[at] = same->second;
    } else if (const auto equal = by_hash.find(hashes_[repeated]); equal != by_hash.end()) {
      reads_[at] = equal->second;
    } else {
      reads_[at] = repeated;
      is_optimized_out_[repeated] = true;
      keep(repeated);
    }
  }
}

void TreeReader::write_text(TextWriter& writer) {
  lines_.resize(plan_.nodes.size());
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    const Node& node = plan_.nodes[i];
    if (!is_dropped_[i])
      lines_[i].text = writer.append(node.simple_string.exists() ? node.simple_string : node.node_name);
  }
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    if (is_dropped_[i]) continue;
    Line& line = lines_[i];
    const Node& node = plan_.nodes[i];
    const std::string_view all = writer.text(line.text);
    const std::string_view text = without_state_mark(all);
    const std::string full_name = decoded(bytes_, node.node_name);
    const std::string_view name = without_blanks(full_name);
    const auto skipped = static_cast<std::uint32_t>(all.size() - text.size());
    if (!name.empty() && text.starts_with(name)) {
      line.name = {line.text.begin + skipped, line.text.begin + skipped + static_cast<std::uint32_t>(name.size())};
    } else if (name.empty()) {
      const std::string_view printed = split_one_line(text).printed_name;
      line.name = {line.text.begin + skipped, line.text.begin + skipped + static_cast<std::uint32_t>(printed.size())};
    }
    const bool is_cut = text.find("...") != std::string_view::npos;
    if (line.name.empty() && !name.empty()) line.name = writer.append(node.node_name);
    if (!is_cut) continue;
    for (std::uint32_t row = node.metadata_begin; row < node.metadata_end; ++row) {
      line.metadata.push_back(writer.append(plan_.metadata[row].second));
    }
  }
}

void TreeReader::build(const Source& source, bool show_ids) {
  tree_ = build_tree(source, 0, show_ids);
  for (std::uint32_t at = 0; at < plan_.nodes.size(); ++at) {
    if (is_optimized_out_[at]) optimized_out_.push_back(build_tree(source, at, show_ids));
  }
  find_role();
}

PlanTree TreeReader::build_tree(const Source& source, std::uint32_t root, bool show_ids) {
  const std::vector<std::uint32_t> ids = show_ids ? graph_ids(bytes_, plan_, hashes_) : std::vector<std::uint32_t>();
  PlanBuilder builder;
  std::vector<PlanBuilder::Handle> handles(plan_.nodes.size(), PlanBuilder::kNone);
  std::vector<std::int32_t> codegen_below(plan_.nodes.size(), kNoCodegen);  // what a node's inputs belong to
  const std::uint32_t end = plan_.nodes[root].subtree_end;

  for (std::uint32_t at = root; at < end; ++at) {
    const Node& info = plan_.nodes[at];
    if (is_dropped_[at] || (is_optimized_out_[at] && at != root)) {
      at = info.subtree_end - 1;
      continue;
    }
    const Line& line = lines_[at];
    PlanNode node;
    node.span = line.text;
    node.printed_name = without_blanks(source.text(line.name));
    const bool is_name_in_line = line.name.end <= line.text.end;
    std::string_view name_in_line =
        is_name_in_line ? node.printed_name : split_one_line(without_state_mark(source.text(line.text))).printed_name;
    if (is_name_in_line) {
      // nodeName drops what the class name ends in, some lines do not: "MergeRowsExec[..]".
      constexpr std::string_view kExec = "Exec";
      const std::string_view behind = source.text().substr(line.name.end, line.text.end - line.name.end);
      if (behind.starts_with(kExec))
        name_in_line = source.text().substr(line.name.begin, name_in_line.size() + kExec.size());
    }
    node.name_span = source.span_of(name_in_line);
    const dialect::OperatorName resolved = dialect::resolve(node.printed_name);
    node.kind = resolved.kind;
    node.engine = resolved.engine;
    if (show_ids && ids[at] != kNone) node.operator_id = ids[at];

    PlanBuilder::Handle parent = PlanBuilder::kNone;
    if (at != root) {
      parent = handles[info.parent];
      const PlanNode& above = builder.node(parent);
      node.link = link_to(above.kind, node.kind, node.kind == OperatorKind::InMemoryRelation);
      // Spark 4 shows the optimizer's plan below a relation that proved empty, and the stages that had run below that.
      node.is_logical = above.kind == OperatorKind::EmptyRelation ||
                        (above.is_logical && family(node.kind) != OperatorFamily::QueryStage);
      if (is_mention_[at]) node.link = Link::ReusedSubquery;
      if (node.link == Link::Child) node.codegen_stage = codegen_below[info.parent];
    }
    codegen_below[at] = node.codegen_stage;
    if (node.kind == OperatorKind::WholeStageCodegen) codegen_below[at] = stage_number(node.printed_name);
    if (node.kind == OperatorKind::WholeStageCodegen || node.kind == OperatorKind::InputAdapter) {
      node.codegen_stage = kNoCodegen;
      if (node.kind == OperatorKind::InputAdapter) codegen_below[at] = kNoCodegen;
    }
    handles[at] = builder.add(parent, node);
    add_attributes(source, at, builder, handles[at], name_in_line);
  }
  for (std::uint32_t at = root; at < end; ++at) {
    if (handles[at] == PlanBuilder::kNone || reads_[at] == kNone) continue;
    const PlanBuilder::Handle original = handles[reads_[at]];
    if (original != PlanBuilder::kNone) builder.set_reuses(handles[at], original);
  }
  return builder.finish(handles[root]);
}

void TreeReader::add_attributes(const Source& source, std::uint32_t at, PlanBuilder& builder,
                                PlanBuilder::Handle handle, std::string_view name_in_line) {
  const PlanNode& node = builder.node(handle);
  if (node.kind == OperatorKind::WholeStageCodegen || node.kind == OperatorKind::InputAdapter) return;
  const std::string_view line = source.text(node.span);
  const auto behind_name =
      name_in_line.empty() ? 0 : static_cast<std::size_t>(name_in_line.data() + name_in_line.size() - line.data());
  const std::string_view arguments = without_blanks(line.substr(behind_name));
  const Line& spans = lines_[at];
  if (spans.metadata.empty()) {
    decode_one_line(builder, handle, arguments);
    return;
  }
  // Metadata is never cut; the line is. Take what the line has whole, and the rest from there.
  PlanBuilder scratch;
  PlanNode copy = node;
  copy.link = Link::Root;
  const PlanBuilder::Handle scratch_handle = scratch.add(PlanBuilder::kNone, copy);
  decode_one_line(scratch, scratch_handle, arguments);
  const PlanTree from_line = scratch.finish(scratch_handle);
  PlanBuilder metadata_scratch;
  const PlanBuilder::Handle metadata_handle = metadata_scratch.add(PlanBuilder::kNone, copy);
  for (std::size_t i = 0; i < spans.metadata.size(); ++i) {
    const auto& key = plan_.metadata[plan_.nodes[at].metadata_begin + i].first;
    // The label is viewed by attributes that no list names: it must stand in the text, which keys do not.
    const std::string label = decoded(bytes_, key);
    decode_block_field(metadata_scratch, metadata_handle, label, 0, source.text(spans.metadata[i]));
  }
  const PlanTree from_metadata = metadata_scratch.finish(metadata_handle);
  const std::span<const Attribute> whole = from_metadata.attributes(NodeId{0});
  for (const Attribute& attribute : from_line.attributes(NodeId{0})) {
    const auto better = std::find_if(whole.begin(), whole.end(), [&](const Attribute& candidate) {
      return candidate.kind == attribute.kind && candidate.is_whole() && attribute.kind != AttributeKind::Other &&
             !attribute.is_whole();
    });
    if (better == whole.end()) {
      builder.add_attribute(handle, attribute);
    } else {
      Attribute taken = *better;
      taken.label = attribute.label;
      builder.add_attribute(handle, taken);
    }
  }
  for (const Attribute& attribute : whole) {
    if (attribute.kind == AttributeKind::Other || builder.has_attribute(handle, attribute.kind)) continue;
    Attribute taken = attribute;
    taken.label = {};
    builder.add_attribute(handle, taken);
  }
}

// Every node has a line of its own, so a line tells the node. Lines are in the order of nodes.
std::vector<std::uint32_t> TreeReader::plan_nodes(const PlanTree& tree) const {
  std::vector<std::uint32_t> shown;
  shown.reserve(lines_.size());
  for (std::uint32_t at = 0; at < lines_.size(); ++at) {
    if (!is_dropped_[at]) shown.push_back(at);
  }
  std::vector<std::uint32_t> found;
  found.reserve(tree.size());
  for (const PlanNode& node : tree.nodes()) {
    found.push_back(
        *std::lower_bound(shown.begin(), shown.end(), node.span.begin,
                          [&](std::uint32_t at, std::uint32_t begin) { return lines_[at].text.begin < begin; }));
  }
  return found;
}

void TreeReader::find_role() {
  // Only the outermost flag counts: subqueries and cached plans have their own.
  const PlanNode* adaptive = nullptr;
  for (NodeId at{0}; at != kNoNode && adaptive == nullptr; at = tree_.input(at)) {
    if (tree_.node(at).kind == OperatorKind::AdaptiveSparkPlan) adaptive = &tree_.node(at);
  }
  if (adaptive == nullptr) return;
  const Attribute* flag = tree_.find(adaptive->id, AttributeKind::IsFinalPlan);
  if (flag != nullptr && flag->text == "true") {
    role_ = FragmentRole::Final;
    return;
  }
  // A plan with stages has begun to run. Those of cached plans and subqueries say nothing about it.
  for (NodeId at = adaptive->id; index(at) < index(adaptive->subtree_end);) {
    const PlanNode& node = tree_.node(at);
    if (at != adaptive->id && node.link != Link::Child) {
      at = node.subtree_end;
      continue;
    }
    if (family(node.kind) == OperatorFamily::QueryStage) role_ = FragmentRole::Current;
    at = next(at);
  }
  if (flag != nullptr && flag->text == "false") {
    notes_.push_back({NoteKind::NotFinalPlan, adaptive->name_span,
                      "the plan is not final: adaptive execution can still change it, so what only a finished run "
                      "shows (sizes, joins chosen at run time, coalesced partitions) could not be judged"});
  }
}

}  // namespace planvet::read::plan_info
