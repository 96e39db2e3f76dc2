#include "analyzer/render/operator_text.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/core.h>

#include "analyzer/plan/characters.hpp"
#include "analyzer/plan/expression_list.hpp"
#include "analyzer/plan/quantity.hpp"
#include "analyzer/plan/views.hpp"
#include "analyzer/render/glyphs.hpp"
#include "analyzer/render/pushed.hpp"
#include "analyzer/render/quantity.hpp"
#include "analyzer/render/readable.hpp"
#include "analyzer/render/style.hpp"

namespace planvet::render {

namespace {

constexpr std::size_t kMostItems = 8;

class Writer {
 public:
  Writer(const PlanTree& tree, const Drawing& drawing, std::uint32_t drawn, const OperatorTextOptions& options)
      : tree_(tree), drawing_(drawing), drawn_(drawing.nodes[drawn]), node_(tree[drawn_.node]), options_(options) {}

  OperatorText write();

 private:
  [[nodiscard]] const Attribute* find(AttributeKind kind) const { return tree_.find(node_.id, kind); }
  [[nodiscard]] bool is_set(AttributeKind kind) const {
    const Attribute* attribute = find(kind);
    return attribute != nullptr && attribute->text == "true";
  }
  // Without ids; with them where everything is wanted.
  [[nodiscard]] std::string shown(std::string_view text) const {
    return options_.verbose ? one_line(text) : readable(text);
  }
  [[nodiscard]] std::string value(AttributeKind kind) const {
    const Attribute* attribute = find(kind);
    return attribute == nullptr ? std::string() : shown(attribute->text) + std::string(cut_mark(*attribute));
  }
  [[nodiscard]] static std::string_view cut_mark(const Attribute& attribute) {
    return attribute.completeness == Completeness::Truncated ? " (cut)" : "";
  }
  [[nodiscard]] std::string joined(const std::vector<std::string>& items) const;
  [[nodiscard]] std::vector<std::string> items(AttributeKind kind) const;
  [[nodiscard]] std::string list(AttributeKind kind) const;
  [[nodiscard]] std::string sort_list(AttributeKind kind) const;
  [[nodiscard]] std::size_t column_count(AttributeKind kind) const;

  void add(std::string text, Tone tone = Tone::Plain) {
    if (!text.empty()) out_.details.push_back({std::move(text), tone});
  }
  void add_labelled(std::string_view label, std::string text) {
    if (!text.empty()) add(std::string(label) + ' ' + text);
  }

  void add_join();
  void add_filter();
  void add_scan();
  void add_exchange();
  void add_broadcast();
  void add_aggregate();
  void add_project();
  void add_window();
  void add_limit();
  void add_expand();
  void add_reuse();
  void add_arguments();
  void add_family();
  void add_statistics();
  void add_marks();
  [[nodiscard]] std::string without_name(std::string text) const;
  [[nodiscard]] std::string title() const;
  [[nodiscard]] std::string label() const;
  [[nodiscard]] std::string requirer() const;

  const PlanTree& tree_;
  const Drawing& drawing_;
  const DrawnNode& drawn_;
  const PlanNode& node_;
  const OperatorTextOptions& options_;
  OperatorText out_;
};

std::string Writer::joined(const std::vector<std::string>& items) const {
  return comma_list(items, options_.verbose ? items.size() : kMostItems);
}

std::vector<std::string> Writer::items(AttributeKind kind) const {
  std::vector<std::string> result;
  const Attribute* attribute = find(kind);
  if (attribute == nullptr) return result;
  const ItemList list =
      split_list(attribute->text, attribute->is_whole() && attribute->count > 0 ? attribute->count : kAnyCount);
  for (const std::string_view item : list.items) result.push_back(shown(item));
  if (list.missing > 0) {
    result.push_back(fmt::format("+{} not printed", list.missing));
  } else if (!attribute->is_whole()) {
    result.emplace_back("(cut)");
  }
  return result;
}

std::string Writer::list(AttributeKind kind) const { return joined(items(kind)); }

// Spark's defaults are left out: `a ASC NULLS FIRST` is `a`.
std::string Writer::sort_list(AttributeKind kind) const {
  std::vector<std::string> orders = items(kind);
  if (!options_.verbose) {
    for (std::string& order : orders) {
      constexpr std::string_view kAscending = " ASC NULLS FIRST";
      constexpr std::string_view kDescending = " DESC NULLS LAST";
      if (order.ends_with(kAscending)) order.resize(order.size() - kAscending.size());
      if (order.ends_with(kDescending)) order.replace(order.size() - kDescending.size(), kDescending.size(), " DESC");
    }
  }
  return joined(orders);
}

std::size_t Writer::column_count(AttributeKind kind) const {
  const Attribute* attribute = find(kind);
  if (attribute == nullptr) return 0;
  if (attribute->count > 0) return attribute->count;
  const ItemList list = split_list(attribute->text);
  return list.items.size() + static_cast<std::size_t>(list.missing);
}

void Writer::add_join() {
  std::string text = value(AttributeKind::JoinType);
  const Attribute* side = find(AttributeKind::BuildSide);
  const std::vector<std::string> left = items(AttributeKind::LeftKeys);
  const std::vector<std::string> right = items(AttributeKind::RightKeys);
  if (!left.empty() || !right.empty()) {
    std::vector<std::string> keys;
    for (std::size_t i = 0; i < std::max(left.size(), right.size()); ++i) {
      const std::string a = i < left.size() ? left[i] : "?";
      const std::string b = i < right.size() ? right[i] : "?";
      keys.push_back(a == b ? a : a + " = " + b);
    }
    text += (text.empty() ? "on " : " on ") + joined(keys);
  }
  add(std::move(text));
  add_labelled("if", value(AttributeKind::JoinCondition));
  if (side != nullptr) {
    const bool is_left = side->text.find("Left") != std::string_view::npos;
    add(is_left ? "builds left" : "builds right");
  }
  if (is_set(AttributeKind::IsSkewJoin)) add("skewed partitions split", Tone::Attention);
  const std::optional<Join> join = Join::of(tree_, node_.id);
  if (join && join->is_null_aware()) add("NOT IN (null-aware)", Tone::Attention);
}

void Writer::add_filter() {
  const std::vector<FilterPart> parts = filter_parts(tree_, node_.id, options_.parser);
  if (parts.empty()) {
    add(value(AttributeKind::Condition));
    return;
  }
  const auto shows = [&](const FilterPart& part) { return options_.verbose || !part.is_null_test; };
  const bool only_null_tests = std::ranges::none_of(parts, shows);
  std::vector<const FilterPart*> pushed;
  std::vector<const FilterPart*> kept;
  std::vector<const FilterPart*> unknown;  // also: no source below
  std::size_t null_tests = 0;
  for (const FilterPart& part : parts) {
    if (!only_null_tests && !shows(part)) {
      ++null_tests;
      continue;
    }
    auto& group = part.pushed == Answer::Yes ? pushed : part.pushed == Answer::No ? kept : unknown;
    group.push_back(&part);
  }
  const auto text = [&](const std::vector<const FilterPart*>& group) {
    std::string result;
    for (const FilterPart* part : group) {
      if (!result.empty()) result += " AND ";
      result += part->is_or && group.size() > 1 ? "(" + readable(part->text) + ")" : shown(part->text);
    }
    return result;
  };
  add(text(unknown));
  if (!kept.empty()) add("not pushed: " + text(kept), Tone::Attention);
  if (!pushed.empty()) add("pushed: " + text(pushed));
  if (null_tests > 0) add(fmt::format("+ {} null test{}", null_tests, null_tests == 1 ? "" : "s"), Tone::Dim);
}

void Writer::add_scan() {
  const std::size_t columns = column_count(AttributeKind::Output);
  if (columns > 0) add(fmt::format("{} column{}", columns, columns == 1 ? "" : "s"));
  if (const Attribute* filters = find(AttributeKind::PartitionFilters)) {
    std::vector<std::string> conditions = items(AttributeKind::PartitionFilters);
    // Spark adds a null test beside each real condition.
    const auto is_test = [](const std::string& text) { return text.starts_with("isnotnull("); };
    if (!options_.verbose && !std::ranges::all_of(conditions, is_test)) std::erase_if(conditions, is_test);
    if (!conditions.empty())
      add("partitions: " + joined(conditions));
    else if (filters->is_whole() && options_.verbose)
      add("no partition filter");
  }
  const std::vector<std::string> pushed = pushed_predicates(tree_, node_.id, options_.parser);
  if (!pushed.empty()) add("pushed: " + joined(pushed));
  add_labelled("runtime filters:", list(AttributeKind::RuntimeFilters));
  for (const auto& [kind, label] :
       {std::pair{AttributeKind::PushedAggregates, "pushed aggregates:"},
        std::pair{AttributeKind::PushedLimit, "pushed limit:"}, std::pair{AttributeKind::PushedTopN, "pushed top n:"},
        std::pair{AttributeKind::PushedJoins, "pushed joins:"}}) {
    const std::string text = value(kind);
    if (text != "[]") add_labelled(label, text);
  }
  const Attribute* bucketed = find(AttributeKind::Bucketed);
  if (bucketed != nullptr && bucketed->text.starts_with("true")) add("bucketed");
  const Attribute* batched = find(AttributeKind::Batched);
  if (batched != nullptr && batched->text == "false") add("row by row", Tone::Dim);
  if (options_.verbose) add_labelled("at", value(AttributeKind::Location));
}

// Who needs the rows placed like that: the nearest operator above that is more than a step of its own.
std::string Writer::requirer() const {
  for (std::uint32_t at = drawn_.parent; at != DrawnNode::kNone; at = drawing_.nodes[at].parent) {
    const PlanNode& above = tree_[drawing_.nodes[at].node];
    const OperatorFamily kind = family(above.kind);
    const Attribute* is_global = tree_.find(above.id, AttributeKind::IsGlobal);
    const bool is_local_sort = above.kind == OperatorKind::Sort && (is_global == nullptr || is_global->text != "true");
    if (kind == OperatorFamily::Project || kind == OperatorFamily::Filter || is_local_sort) continue;
    return one_line(above.printed_name.substr(0, above.printed_name.find('(')));  // SortMergeJoin(skew=true)
  }
  return {};
}

// `hashpartitioning(a#1, b#2, 200)` -> "by hash of a, b into 200".
std::string partitioning_text(std::string_view text) {
  const std::size_t open = text.find('(');
  const std::string_view function = text.substr(0, open);
  if (function == "SinglePartition") return "into one partition";
  if (open == std::string_view::npos || !text.ends_with(')')) return readable(text);
  ItemList arguments = split_list(text.substr(open + 1, text.size() - open - 2));
  if (arguments.items.empty()) return readable(text);
  const std::string count(arguments.items.back());
  arguments.items.pop_back();
  std::string keys;
  for (const std::string_view item : arguments.items) {
    if (!keys.empty()) keys += ", ";
    std::string key = readable(item);
    constexpr std::string_view kAscending = " ASC NULLS FIRST";
    if (key.ends_with(kAscending)) key.resize(key.size() - kAscending.size());
    keys += key;
  }
  if (function == "hashpartitioning") return fmt::format("by hash of {} into {}", keys, count);
  if (function == "rangepartitioning") return fmt::format("by range of {} into {}", keys, count);
  if (function == "RoundRobinPartitioning") return fmt::format("round robin into {}", count);
  return readable(text);
}

void Writer::add_exchange() {
  const Attribute* partitioning = find(AttributeKind::Partitioning);
  if (partitioning != nullptr)
    add((options_.verbose ? one_line(partitioning->text) : partitioning_text(partitioning->text)) +
        std::string(cut_mark(*partitioning)));
  const Attribute* origin = find(AttributeKind::ShuffleOrigin);
  if (origin == nullptr) return;
  if (origin->text == "ENSURE_REQUIREMENTS") {
    const std::string operator_name = requirer();
    add(operator_name.empty() ? "required by the query" : "required by " + operator_name);
  } else if (origin->text.starts_with("REPARTITION_BY")) {
    add("asked for by repartition", Tone::Attention);
  } else if (origin->text.starts_with("REBALANCE")) {
    add("asked for by rebalance", Tone::Attention);
  } else if (origin->text == "REQUIRED_BY_STATEFUL_OPERATOR") {
    add("required by the streaming state");
  } else {
    add(one_line(origin->text));
  }
}

// `HashedRelationBroadcastMode(List(cast(input[0, int, true] as bigint)),false)`: the keys are ordinals.
void Writer::add_broadcast() {
  const Attribute* mode = find(AttributeKind::BroadcastMode);
  if (mode == nullptr) return;
  if (options_.verbose) {
    add(one_line(mode->text));
  } else if (mode->text.starts_with("HashedRelation")) {
    add("to every executor, hashed");
  } else if (mode->text.starts_with("Identity")) {
    add("to every executor");
  }
}

void Writer::add_aggregate() {
  const std::vector<std::string> functions = items(AttributeKind::Functions);
  const auto starts = [&](std::string_view prefix) {
    return std::ranges::any_of(functions, [&](const std::string& text) { return text.starts_with(prefix); });
  };
  if (starts("partial_"))
    add("partial");
  else if (starts("merge_"))
    add("merges partial results");
  const std::string keys = list(AttributeKind::GroupingKeys);
  if (!keys.empty())
    add("by " + keys);
  else if (!functions.empty())
    add("of all rows");
  if (!functions.empty()) {
    std::vector<std::string> shown = functions;
    if (!options_.verbose) {
      for (std::string& text : shown)
        for (const std::string_view prefix : {"partial_", "merge_"})
          if (text.starts_with(prefix)) text.erase(0, prefix.size());
    }
    add(joined(shown));
  } else if (!keys.empty()) {
    add("distinct");
  }
}

// What a projection computes says more than what it passes on.
void Writer::add_project() {
  const std::vector<std::string> all = items(AttributeKind::ProjectList);
  if (all.empty()) {
    const std::size_t columns = column_count(AttributeKind::Output);
    if (columns > 0) add(fmt::format("{} column{}", columns, columns == 1 ? "" : "s"));
    return;
  }
  std::vector<std::string> computed;
  for (const std::string& item : all)
    if (item.find(" AS ") != std::string::npos) computed.push_back(item);
  if (options_.verbose || (computed.empty() && all.size() <= kMostItems)) {
    add(joined(all));
    return;
  }
  add(fmt::format("{} column{}", column_count(AttributeKind::ProjectList), all.size() == 1 ? "" : "s"));
  if (!computed.empty()) add(joined(computed));
}

// `row_number() windowspecdefinition(k, ts ASC NULLS FIRST, ..) AS r`: the specification stands in the two lists.
std::string without_specification(std::string text) {
  constexpr std::string_view kBegin = " windowspecdefinition(";
  const std::size_t begin = text.find(kBegin);
  if (begin == std::string::npos) return text;
  std::size_t depth = 1;
  std::size_t end = begin + kBegin.size();
  for (; end < text.size() && depth > 0; ++end) {
    if (text[end] == '(') ++depth;
    if (text[end] == ')') --depth;
  }
  return text.erase(begin, end - begin);
}

void Writer::add_window() {
  std::vector<std::string> expressions = items(AttributeKind::WindowExpressions);
  if (!options_.verbose)
    for (std::string& expression : expressions) expression = without_specification(std::move(expression));
  add(joined(expressions));
  const std::string partitions = list(AttributeKind::PartitionSpec);
  if (!partitions.empty())
    add("partition by " + partitions);
  else if (find(AttributeKind::WindowExpressions) != nullptr && !options_.verbose)
    add("no partition", Tone::Attention);
  add_labelled("order by", sort_list(AttributeKind::OrderSpec));
  add_labelled("at most", value(AttributeKind::Limit));
}

void Writer::add_limit() {
  add(value(AttributeKind::Limit));
  add_labelled("offset", value(AttributeKind::Offset));
  add_labelled("order by", sort_list(AttributeKind::SortOrder));
}

void Writer::add_expand() {
  const std::size_t lists = column_count(AttributeKind::Projections);
  if (lists > 0) add(fmt::format("every row {} times", lists));
}

void Writer::add_reuse() {
  if (node_.reuses != kNoNode && index(node_.reuses) < tree_.size()) {
    const PlanNode& original = tree_[node_.reuses];
    std::string text = "reuses " + one_line(original.printed_name);
    if (original.operator_id) text += fmt::format(" ({})", *original.operator_id);
    add(std::move(text));
    return;
  }
  if (const Attribute* id = find(AttributeKind::ReusesOperatorId)) {
    add(fmt::format("reuses ({})", one_line(id->text)));
    return;
  }
  add_labelled("reuses", value(AttributeKind::ReusedOperator));
}

void Writer::add_arguments() {
  std::string text = value(AttributeKind::Arguments);
  if (!text.empty()) {
    add(without_name(std::move(text)));
    return;
  }
  constexpr std::array kSaidElsewhere = {AttributeKind::Output,
                                         AttributeKind::Input,
                                         AttributeKind::StatisticsSize,
                                         AttributeKind::StatisticsRows,
                                         AttributeKind::StatisticsIsRuntime,
                                         AttributeKind::PlanId};
  for (const Attribute& attribute : tree_.attributes(node_.id)) {
    if (std::ranges::find(kSaidElsewhere, attribute.kind) != kSaidElsewhere.end()) continue;
    add(shown(attribute.text) + std::string(cut_mark(attribute)));
  }
}

// Formatted plans print the whole of some operators as their argument: `Range (0, 10, step=1, splits=Some(2))`.
std::string Writer::without_name(std::string text) const {
  const std::string prefix = fmt::format("{} (", info(node_.kind).name);
  if (!text.starts_with(prefix) || !text.ends_with(')')) return text;
  return text.substr(prefix.size(), text.size() - prefix.size() - 1);
}

void Writer::add_family() {
  switch (family(node_.kind)) {
    case OperatorFamily::Join: return add_join();
    case OperatorFamily::Filter: return add_filter();
    case OperatorFamily::Scan: return add_scan();
    case OperatorFamily::Exchange:
      return node_.kind == OperatorKind::BroadcastExchange ? add_broadcast() : add_exchange();
    case OperatorFamily::Aggregate: return add_aggregate();
    case OperatorFamily::Project: return add_project();
    case OperatorFamily::Window: return add_window();
    case OperatorFamily::Limit: return add_limit();
    case OperatorFamily::Expand: return add_expand();
    case OperatorFamily::Reuse: return add_reuse();
    case OperatorFamily::Sort:
      add(is_set(AttributeKind::IsGlobal) ? "global" : "within partitions");
      return add_labelled("by", sort_list(AttributeKind::SortOrder));
    case OperatorFamily::Cache: {
      const std::size_t columns = column_count(AttributeKind::Output);
      if (columns > 0) add(fmt::format("{} column{}", columns, columns == 1 ? "" : "s"));
      return add_labelled("filter", list(AttributeKind::CachePredicates));
    }
    case OperatorFamily::Generate:
      add(value(AttributeKind::Generator));
      if (is_set(AttributeKind::IsOuter)) add("outer");
      return add_labelled("gives", list(AttributeKind::GeneratorOutput));
    case OperatorFamily::Union: return;
    case OperatorFamily::Subquery:
      return node_.kind == OperatorKind::ReusedSubquery ? add_reuse() : add(value(AttributeKind::SubqueryName));
    case OperatorFamily::ShuffleRead: return add(value(AttributeKind::ShuffleRead));
    case OperatorFamily::QueryStage: return add(value(AttributeKind::StageId));
    case OperatorFamily::Unknown:
    case OperatorFamily::Local:
    case OperatorFamily::Adaptive:
    case OperatorFamily::Transition:
    case OperatorFamily::Python:
    case OperatorFamily::Object:
    case OperatorFamily::State:
    case OperatorFamily::Write:
    case OperatorFamily::Command:
    case OperatorFamily::Structural:
    case OperatorFamily::Logical:
    case OperatorFamily::Other: return add_arguments();
  }
}

std::string rows_text(std::string_view text) {
  const std::optional<std::int64_t> rows = parse_printed_rows(text);
  return rows ? format_quantity(static_cast<double>(*rows), "rows") : one_line(text) + " rows";
}

// The stage around an exchange knows what went through it.
void Writer::add_statistics() {
  std::vector<NodeId> nodes = drawn_.folded;
  nodes.push_back(node_.id);
  for (const NodeId id : nodes) {
    const Attribute* size = tree_.find(id, AttributeKind::StatisticsSize);
    const Attribute* rows = tree_.find(id, AttributeKind::StatisticsRows);
    if (size == nullptr && rows == nullptr) continue;
    std::string text;
    if (size != nullptr) text = one_line(size->text);
    if (rows != nullptr) text += (text.empty() ? "" : ", ") + rows_text(rows->text);
    // What went through is the second thing that one wants to know, and should not be cut with the rest.
    const auto second = out_.details.begin() + (out_.details.empty() ? 0 : 1);
    out_.details.insert(second, {std::move(text), Tone::Plain});
    return;
  }
}

std::string_view transition_text(OperatorKind kind) {
  if (kind == OperatorKind::ColumnarToRow) return "to rows";
  return kind == OperatorKind::RowToColumnar ? "to columns" : "to other columns";
}

// What the folded nodes would have said; stages, codegen and adapters say nothing that gutter and sizes do not.
void Writer::add_marks() {
  for (const NodeId id : drawn_.folded) {
    const OperatorFamily kind = family(tree_[id].kind);
    if (kind == OperatorFamily::ShuffleRead) {
      const Attribute* read = tree_.find(id, AttributeKind::ShuffleRead);
      add(read == nullptr || read->text.empty() ? "read adaptively" : "read " + one_line(read->text), Tone::Dim);
    } else if (kind == OperatorFamily::Transition) {
      add(std::string(transition_text(tree_[id].kind)), Tone::Dim);
    } else if (kind == OperatorFamily::Adaptive && drawn_.link != Link::Root) {
      add("adaptive", Tone::Dim);  // the root's flag is in the heading
    }
  }
  if (node_.engine != Engine::Spark) add(std::string(planvet::name(node_.engine)), Tone::Attention);
  if (node_.is_logical) add("not planned yet", Tone::Dim);
}

std::string Writer::title() const {
  if (node_.kind == OperatorKind::Unknown) return one_line(node_.printed_name) + " (unknown)";
  std::string printed = one_line(node_.printed_name);
  if (family(node_.kind) != OperatorFamily::Scan) return printed.empty() ? std::string(info(node_.kind).name) : printed;
  if (node_.kind != OperatorKind::FileSourceScan || options_.verbose) return printed;
  const Attribute* table = find(AttributeKind::Table);
  const Attribute* format = find(AttributeKind::Format);
  // "Scan parquet db.t", "FileScan parquet db.t"
  std::string word = format != nullptr ? lower_case(one_line(format->text)) : std::string();
  if (const std::size_t blank = printed.find(' '); word.empty() && blank != std::string::npos)
    word = printed.substr(blank + 1, printed.find(' ', blank + 1) - blank - 1);
  std::string text = "Scan";
  if (!word.empty()) text += ' ' + word;
  if (table != nullptr && !table->text.empty()) {
    // The catalog that every session has says nothing.
    constexpr std::string_view kDefaultCatalog = "spark_catalog.";
    std::string_view name = table->text;
    if (name.starts_with(kDefaultCatalog)) name.remove_prefix(kDefaultCatalog.size());
    return text + ' ' + one_line(name);
  }
  if (const Attribute* location = find(AttributeKind::Location)) {
    // `InMemoryFileIndex(1 paths)[file:/data/lake/items]`: the first path is name enough.
    const std::size_t open = location->text.rfind('[');
    if (open != std::string_view::npos) {
      std::string_view path = location->text.substr(open + 1);
      path = path.substr(0, path.find_first_of(",]"));
      if (!path.empty()) return text + ' ' + one_line(path);
    }
  }
  return text;
}

std::string Writer::label() const {
  switch (drawn_.link) {
    case Link::Root:
    case Link::Child: return {};
    case Link::Subquery:
      for (const NodeId id : drawn_.folded) {
        const Attribute* name = tree_.find(id, AttributeKind::SubqueryName);
        if (name != nullptr) return readable(name->text);
      }
      return "subquery";
    case Link::ReusedSubquery: return "reused subquery";
    case Link::CachedPlan: return "cached plan";
  }
  return {};
}

OperatorText Writer::write() {
  out_.label = label();
  out_.name = title();
  add_family();
  add_statistics();
  add_marks();
  return std::move(out_);
}

}  // namespace

OperatorText operator_text(const PlanTree& tree, const Drawing& drawing, std::uint32_t drawn,
                           const OperatorTextOptions& options) {
  return Writer(tree, drawing, drawn, options).write();
}

}  // namespace planvet::render
