#include "analyzer/read/explain/block_reader.hpp"

#include <algorithm>

#include "analyzer/read/arguments.hpp"

namespace planvet::read::explain {
namespace {

using Handle = PlanBuilder::Handle;

// Plans of a million operators do not exist; a larger id is damage, and must not cost memory.
constexpr std::uint32_t kLargestId = 1U << 22;

std::string_view trim_end(std::string_view text) {
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// What the block of an operator of Spark's ends with, in all versions; empty where they differ.
std::string_view last_label(const PlanNode& node) {
  if (node.engine != Engine::Spark) return {};
  switch (node.kind) {
    case OperatorKind::Filter: return "Condition";
    case OperatorKind::SortMergeJoin:
    case OperatorKind::BroadcastHashJoin:
    case OperatorKind::ShuffledHashJoin:
    case OperatorKind::BroadcastNestedLoopJoin:
    case OperatorKind::CartesianProduct: return "Join condition";
    case OperatorKind::HashAggregate:
    case OperatorKind::ObjectHashAggregate:
    case OperatorKind::SortAggregate: return "Results";
    case OperatorKind::ShuffleExchange:
    case OperatorKind::BroadcastExchange:
    case OperatorKind::AdaptiveSparkPlan:
    case OperatorKind::TakeOrderedAndProject:
    case OperatorKind::Window:
    case OperatorKind::Sort: return "Arguments";
    case OperatorKind::Project:
    case OperatorKind::ColumnarToRow: return "Input";
    case OperatorKind::FileSourceScan: return "ReadSchema";
    default: return {};
  }
}

// Iceberg's scans describe themselves on a line without a key, and what is not known may do so too.
bool may_have_description(const PlanNode& node) {
  const OperatorFamily kin = family(node.kind);
  return kin == OperatorFamily::Scan || kin == OperatorFamily::Unknown || node.engine != Engine::Spark;
}

}  // namespace

void OperatorIds::add(std::uint32_t id, Handle handle) {
  if (id > kLargestId) return;
  if (first_.size() <= id) first_.resize(std::max<std::size_t>(id + 1, first_.size() * 2), PlanBuilder::kNone);
  if (next_.size() <= handle) next_.resize(std::max<std::size_t>(handle + 1, next_.size() * 2), PlanBuilder::kNone);
  if (last_.size() < first_.size()) last_.resize(first_.size(), PlanBuilder::kNone);
  if (first_[id] == PlanBuilder::kNone) {
    first_[id] = handle;
  } else {
    if (last_[id] == handle) return;
    next_[last_[id]] = handle;
  }
  last_[id] = handle;
}

Handle OperatorIds::first(std::uint32_t id) const { return id < first_.size() ? first_[id] : PlanBuilder::kNone; }

Handle OperatorIds::next(Handle handle) const { return handle < next_.size() ? next_[handle] : PlanBuilder::kNone; }

bool heads_need_blank(std::span<const Line> lines) {
  std::size_t with_blank = 0;
  std::size_t without_blank = 0;
  for (std::size_t at = 1; at < lines.size(); ++at) {
    if (lines[at].kind != LineKind::BlockHead) continue;
    ++(lines[at - 1].kind == LineKind::Blank ? with_blank : without_blank);
  }
  return with_blank >= without_blank;
}

BlockReader::BlockReader(const Passage& passage, bool needs_blank_before_head, const OperatorIds& ids)
    : passage_(passage),
      text_(passage.text),
      lines_(passage.lines),
      ids_(ids),
      builder_(passage.builder),
      needs_blank_before_head_(needs_blank_before_head) {}

bool BlockReader::matches_tree(const Line& head) const {
  const Handle handle = ids_.first(head.id);
  if (handle == PlanBuilder::kNone) return false;
  const std::string_view in_tree = trim_end(builder_.node(handle).printed_name);
  const std::string_view in_block = trim_end(view(head.name));
  return in_tree == in_block || in_tree.starts_with(in_block) || in_block.starts_with(in_tree);
}

bool BlockReader::is_head(std::size_t at) const {
  const Line& line = lines_[at];
  if (line.kind != LineKind::BlockHead || line.id == kNoId) return false;
  if (needs_blank_before_head_ && at > 0 && lines_[at - 1].kind != LineKind::Blank &&
      lines_[at - 1].kind != LineKind::Banner) {
    return false;
  }
  return true;
}

bool BlockReader::ends_block(std::size_t at) const {
  switch (lines_[at].kind) {
    case LineKind::Blank:
    case LineKind::Banner:
    case LineKind::SubqueryHead:
    case LineKind::SubplanHead:
    case LineKind::OwnHeader:
    case LineKind::Cut:
    case LineKind::Java: return true;
    case LineKind::BlockHead: return is_head(at) && matches_tree(lines_[at]);
    case LineKind::Tree:
    case LineKind::Plain:
    case LineKind::AdaptiveHeader:
    case LineKind::Field: return false;
  }
  return false;
}

void BlockReader::apply_head(const Line& head, Handle handle) {
  PlanNode& node = builder_.node(handle);
  node.block = head.whole;
  // A final and an initial plan share the blocks of scans; only the final one's are fused, and marked so in the tree.
  if (head.codegen >= 0 && node.codegen_stage != kNoCodegen) node.codegen_stage = head.codegen;
  if (head.reuses == kNoId) return;
  reuses_.emplace_back(handle, head.reuses);
  constexpr std::string_view kMark = "[Reuses operator id: ";
  const std::string_view line = view(head.whole);
  const std::size_t begin = line.find(kMark) + kMark.size();
  Attribute attribute;
  attribute.kind = AttributeKind::ReusesOperatorId;
  attribute.text = line.substr(begin, line.find(']', begin) - begin);
  builder_.add_attribute(handle, attribute);
}

std::size_t BlockReader::read(std::size_t at) {
  const Line& head = lines_[at];
  if (!matches_tree(head)) {
    orphans_.push_back({head.id, at});
    // Its fields belong to nobody that is known; they are passed over with it.
    std::size_t next = at + 1;
    while (next < lines_.size() && !ends_block(next)) ++next;
    return next;
  }
  const Handle first = ids_.first(head.id);
  if (first < has_block_.size() && has_block_[first]) {
    // A second block of the same operator: a copy (the same plan pasted twice), or text inside a literal.
    std::size_t next = at + 1;
    while (next < lines_.size() && !ends_block(next)) ++next;
    return next;
  }
  std::size_t next = at + 1;
  for (Handle handle = first; handle != PlanBuilder::kNone; handle = ids_.next(handle)) {
    if (has_block_.size() <= handle) has_block_.resize(builder_.size(), false);
    has_block_[handle] = true;
    apply_head(head, handle);
    next = read_fields(at, handle);
  }
  const std::span<const Line> block = lines_.subspan(at + 1, next - at - 1);
  const auto has_field = [&](std::string_view label) {
    return std::any_of(block.begin(), block.end(),
                       [&](const Line& line) { return line.kind == LineKind::Field && view(line.name) == label; });
  };
  if (has_field("Input")) prints_inputs_ = true;
  const std::string_view label = last_label(builder_.node(first));
  if (!label.empty() && !has_field(label)) halves_.push_back({first, at});
  return next;
}

std::size_t BlockReader::read_fields(std::size_t at, Handle handle) {
  std::size_t next = at + 1;
  while (next < lines_.size() && !ends_block(next)) {
    const Line& line = lines_[next];
    const bool has_label = line.kind == LineKind::Field;
    const std::uint32_t value_begin = has_label ? line.value.begin : line.whole.begin;
    std::size_t last = passage_.last_line_of_value(next, value_begin);
    // What has no key continues the value above it: a line break in a literal whose brackets never close.
    while (last + 1 < lines_.size() && has_label && lines_[last + 1].kind != LineKind::Field && !ends_block(last + 1) &&
           bracket_depth(text_.substr(value_begin, lines_[last].whole.end - value_begin)) > 0) {
      ++last;
    }
    // Operators that share a block read it one after the other.
    if (!has_label && !may_have_description(builder_.node(handle)) &&
        std::none_of(strays_.begin(), strays_.end(), [&](const BlockLine& stray) { return stray.line == next; })) {
      strays_.push_back({handle, next});
    }
    const std::string_view value = text_.substr(value_begin, lines_[last].whole.end - value_begin);
    for_each_subquery_name(value, [&](std::string_view name) {
      const auto begin = static_cast<std::uint32_t>(name.data() - text_.data());
      subquery_names_.push_back({handle, {begin, begin + static_cast<std::uint32_t>(name.size())}});
    });
    decode_block_field(builder_, handle, has_label ? view(line.name) : std::string_view(), has_label ? line.count : 0,
                       value);
    next = last + 1;
  }
  return next;
}

}  // namespace planvet::read::explain
