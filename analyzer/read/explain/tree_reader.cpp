#include "analyzer/read/explain/tree_reader.hpp"

#include <algorithm>

#include "analyzer/dialect/dialect.hpp"
#include "analyzer/read/arguments.hpp"
#include "analyzer/read/arguments/items.hpp"
#include "analyzer/read/explain/tree_structure.hpp"

namespace planvet::read::explain {
namespace {

using Handle = PlanBuilder::Handle;
constexpr std::uint32_t kConnectorWidth = 3;
constexpr std::size_t kMostScanLines = 100;

class TreeReader {
 public:
  TreeReader(const Passage& passage, bool is_logical)
      : passage_(passage),
        text_(passage.text),
        lines_(passage.lines),
        is_logical_(is_logical),
        builder_(passage.builder) {}

  PrintedTree read(std::size_t first) {
    const std::size_t end = find_end(first);
    collect(first, end);
    const std::vector<std::uint32_t> parents = assign_parents(items_);
    tree_.parts.push_back({});
    placed_.resize(items_.size());
    for (std::uint32_t at = 0; at < items_.size(); ++at) {
      if (items_[at].is_header) {
        open_part(at, parents[at]);
      } else {
        add(at, parents[at]);
      }
    }
    note_tail(end);
    tree_.next_line = end;
    return std::move(tree_);
  }

 private:
  // Which lines an item was made of.
  struct Extent {
    std::size_t first;
    std::size_t last;
    std::uint32_t name_begin;
  };
  // What became of an item.
  struct Placed {
    Handle handle = PlanBuilder::kNone;  // of a header: its AdaptiveSparkPlan
    std::uint32_t part = 0;              // the part that children of it stand in
    bool is_dropped = false;
  };

  [[nodiscard]] std::string_view view(Span span) const { return passage_.view(span); }

  // Where the tree ends, and whether it is a formatted one.
  std::size_t find_end(std::size_t first) {
    std::size_t with_id = 0;
    std::size_t without_id = 0;
    std::size_t at = first;
    std::size_t end = first;
    for (; at < lines_.size(); ++at) {
      const Line& line = lines_[at];
      const bool is_tree = line.kind == LineKind::Tree || line.kind == LineKind::AdaptiveHeader;
      const bool has_name = line.kind == LineKind::Tree || line.kind == LineKind::Plain;
      if (line.kind == LineKind::Blank) {
        // A blank line ends a tree unless more of it follows (double-spaced pastes).
        std::size_t next = at;
        while (next < lines_.size() && lines_[next].kind == LineKind::Blank) ++next;
        if (next == lines_.size() ||
            (lines_[next].kind != LineKind::Tree && lines_[next].kind != LineKind::AdaptiveHeader))
          break;
        continue;
      }
      if (line.kind == LineKind::Banner || line.kind == LineKind::SubqueryHead || line.kind == LineKind::SubplanHead ||
          line.kind == LineKind::OwnHeader || line.kind == LineKind::Cut || line.kind == LineKind::Java) {
        break;
      }
      if (line.kind == LineKind::BlockHead && with_id > without_id) break;
      if (has_name) ++(line.has_id_mark ? with_id : without_id);
      if (is_tree || at == first || (line.kind == LineKind::Plain && is_operator_name(line))) {
        end = last_line_of_node(at) + 1;
        at = end - 1;
      } else if (at == end && lines_[at - 1].kind == LineKind::AdaptiveHeader) {
        end = last_line_of_node(at) + 1;  // the root below a header
        at = end - 1;
      }
      // Other lines count only when more of the tree follows them; `end` stays behind them until then.
    }
    tree_.is_formatted = with_id > 0 && with_id >= without_id;
    return std::max(end, first + 1);
  }

  std::size_t last_line_of_node(std::size_t at) {
    const Line& line = lines_[at];
    if (line.kind == LineKind::AdaptiveHeader || line.has_id_mark) return at;
    const std::size_t last = passage_.last_line_of_value(at, line.name.begin);
    if (last != at) return last;
    if (const std::size_t schema = last_line_of_scan(at); schema != at) return schema;
    // A formatted name with a line break in it (JDBC queries) has its id on a later line.
    for (std::size_t next = at + 1; next < lines_.size() && next - at < 50; ++next) {
      if (lines_[next].kind != LineKind::Plain && lines_[next].kind != LineKind::Field) break;
      if (lines_[next].kind == LineKind::Plain && lines_[next].has_id_mark &&
          dialect::resolve(view(lines_[next].name)).kind == OperatorKind::Unknown &&
          bracket_depth(text_.substr(line.name.begin, lines_[next].whole.end - line.name.begin)) == 0 &&
          bracket_depth(view(line.name)) > 0) {
        return next;
      }
    }
    return at;
  }

  // A scan's filters are cut at 100 characters, closing brackets and all; where a literal in them holds line breaks only
  // the schema, which stands last, tells where the scan ends.
  [[nodiscard]] std::size_t last_line_of_scan(std::size_t at) const {
    constexpr std::string_view kSchema = "ReadSchema: ";
    const std::string_view text = view(lines_[at].name);
    const std::size_t filters = text.rfind("Filters: [");
    if (filters == std::string_view::npos || text.find(kSchema) != std::string_view::npos) return at;
    if (bracket_depth(text.substr(filters)) == 0) return at;  // Iceberg's scans have filters and no schema
    for (std::size_t next = at + 1; next < lines_.size() && next - at < kMostScanLines; ++next) {
      const std::string_view line = view(lines_[next].whole);
      if (line.find("Scan ") != std::string_view::npos && lines_[next].kind == LineKind::Tree &&
          line.find("Filters: [") != std::string_view::npos) {
        break;
      }
      if (line.find(kSchema) != std::string_view::npos) return next;
    }
    return at;
  }

  [[nodiscard]] bool is_operator_name(const Line& line) const {
    const std::string_view name = line.has_id_mark ? view(line.name) : split_one_line(view(line.name)).printed_name;
    return !name.empty() && dialect::resolve(trim(name)).kind != OperatorKind::Unknown;
  }
  // A line without a connector that is a node all the same: the paste lost its connectors.
  [[nodiscard]] bool is_operator(const Line& line) const {
    if (line.kind != LineKind::Plain) return false;
    return (tree_.is_formatted && line.has_id_mark) || (!tree_.is_formatted && is_operator_name(line));
  }

  void collect(std::size_t first, std::size_t end) {
    bool expects_root = true;  // the next line without a connector is a root: the tree's or a part's
    for (std::size_t at = first; at < end; ++at) {
      const Line& line = lines_[at];
      if (line.kind == LineKind::Blank) continue;
      TreeItem item;
      item.connector = line.connector;
      item.column = line.column;
      if (line.kind == LineKind::AdaptiveHeader) {
        item.is_header = true;
        item.part = line.part;
        items_.push_back(item);
        extents_.push_back({at, at, line.whole.begin});
        expects_root = true;
        continue;
      }
      if (line.kind != LineKind::Tree && !expects_root && !is_operator(line)) {
        tree_.strays.push_back(line.whole);
        continue;
      }
      expects_root = false;
      const std::size_t last = last_line_of_node(at);
      const bool has_name = line.kind == LineKind::Tree || line.kind == LineKind::Plain;
      std::uint32_t name_begin = has_name ? line.name.begin : line.whole.begin;
      while (name_begin < line.whole.end && text_[name_begin] == ' ') ++name_begin;
      if (line.kind == LineKind::Tree) item.column += kConnectorWidth;
      item.text = text_.substr(name_begin, lines_[last].whole.end - name_begin);
      const bool has_id = tree_.is_formatted && lines_[last].has_id_mark;
      const std::string_view name = has_id ? trim(text_.substr(name_begin, lines_[last].name.end - name_begin))
                                           : split_one_line(trim(item.text)).printed_name;
      item.kind = dialect::resolve(name).kind;
      items_.push_back(item);
      extents_.push_back({at, last, name_begin});
      at = last;
    }
  }

  // Text right below the last operator, in the middle of whose arguments its line ends: a line that was wrapped.
  void note_tail(std::size_t end) {
    if (tree_.is_formatted || items_.empty() || items_.back().is_header || end >= lines_.size()) return;
    if (lines_[end].kind != LineKind::Plain && lines_[end].kind != LineKind::Field) return;
    const std::string_view text = trim(items_.back().text);
    if (text.ends_with(',') || bracket_depth(text) > 0) tree_.strays.push_back(lines_[end].whole);
  }

  [[nodiscard]] bool says_cut(Handle handle) const {
    return std::any_of(attribute_table().begin(), attribute_table().end(), [&](const AttributeInfo& known) {
      const Attribute* const attribute = builder_.find_attribute(handle, known.kind);
      return attribute != nullptr && !attribute->is_whole();
    });
  }

  // Whether the line that a node was read from lost its end, and no attribute says so.
  [[nodiscard]] bool breaks_off(std::uint32_t at, Handle handle, bool ends_with_id) const {
    const PlanNode& node = builder_.node(handle);
    if (is_logical_ || node.is_logical) return false;
    if (tree_.is_formatted) return !ends_with_id;
    const std::string_view text = trim(items_[at].text);
    // A scan of files says what it puts out, then more, and ends with the schema that it reads.
    if (text.starts_with("FileScan ") && !text.ends_with(" more fields")) {
      const auto has = [&](AttributeKind kind) { return builder_.has_attribute(handle, kind); };
      const bool says_more =
          has(AttributeKind::Batched) || has(AttributeKind::ScanDescription) || text.ends_with("...");
      if (!has(AttributeKind::Output) || (says_more && !has(AttributeKind::ReadSchema))) return true;
    }
    if (text.ends_with("...")) return !says_cut(handle);
    return node.kind == OperatorKind::Unknown && text == node.printed_name && dialect::begins_a_name(text);
  }

  void open_part(std::uint32_t at, std::uint32_t host) {
    const TreeItem& header = items_[at];
    const Placed outer = host == kNoItem ? Placed{} : placed_[host];
    PrintedPart part{header.part, true, outer.handle, outer.part};
    part.is_alone = std::none_of(tree_.parts.begin(), tree_.parts.end(), [&](const PrintedPart& other) {
      return other.is_adaptive && other.host == part.host && part.host != PlanBuilder::kNone;
    });
    tree_.parts.push_back(part);
    placed_[at] = {outer.handle, static_cast<std::uint32_t>(tree_.parts.size() - 1), outer.is_dropped};
  }

  void add(std::uint32_t at, std::uint32_t above) {
    const Extent& extent = extents_[at];
    const Line& line = lines_[extent.first];
    const Line& last_line = lines_[extent.last];
    const bool ends_with_id = last_line.has_id_mark && tree_.is_formatted;
    const Placed outer = above == kNoItem ? Placed{} : placed_[above];
    const bool is_initial_root = above != kNoItem && items_[above].is_header && tree_.parts[outer.part].is_superseded();

    PlanNode node;
    node.codegen_stage = line.codegen;
    node.is_logical = is_logical_;
    node.span = {extent.name_begin, last_line.whole.end};
    if (ends_with_id && last_line.id != kNoId) node.operator_id = last_line.id;
    const Handle parent = is_initial_root ? PlanBuilder::kNone : outer.handle;
    const Handle handle = builder_.add(parent, node);
    decode(handle, extent.name_begin, last_line, ends_with_id);
    set_link(handle, parent);
    if (breaks_off(at, handle, ends_with_id)) tree_.cuts.push_back(builder_.node(handle).span);
    if (parent != PlanBuilder::kNone && !items_[above].is_header &&
        items_[at].column > items_[above].column + kConnectorWidth && !may_stand_deeper(handle, parent)) {
      tree_.gaps.push_back(builder_.node(handle).span);
    }

    Placed& placed = placed_[at];
    placed = {handle, outer.part, outer.is_dropped};
    if (!placed.is_dropped && is_repeated_subquery(handle, placed.part)) {
      placed.is_dropped = true;
      builder_.set_parent(handle, PlanBuilder::kNone);
    }
    if (placed.is_dropped) return;
    if (is_initial_root) {
      tree_.initial_roots.push_back(handle);
    } else if (parent == PlanBuilder::kNone) {
      tree_.roots.push_back(handle);
    }
    tree_.nodes.push_back({handle, ends_with_id ? last_line.id : kNoId, placed.part});
  }

  // Plans that are arguments of an operator stand two levels below it; an input that does has lost its parent.
  [[nodiscard]] bool may_stand_deeper(Handle handle, Handle parent) const {
    const PlanNode& node = builder_.node(handle);
    const PlanNode& above = builder_.node(parent);
    if (node.link != Link::Child || is_logical_ || above.kind == OperatorKind::Unknown) return true;
    if (above.kind == OperatorKind::UnionLoop) return true;  // the anchor and the step of a recursion
    switch (family(above.kind)) {
      case OperatorFamily::Command:
      case OperatorFamily::Write:
      case OperatorFamily::Cache:
      case OperatorFamily::Local:
      case OperatorFamily::Logical: return true;
      default: return family(node.kind) == OperatorFamily::Logical;
    }
  }

  void decode(Handle handle, std::uint32_t name_begin, const Line& last_line, bool ends_with_id) {
    if (ends_with_id) {
      const std::uint32_t name_end = last_line.name.end;
      const std::string_view printed = trim(text_.substr(name_begin, name_end - name_begin));
      const std::string_view name = decode_formatted_name(builder_, handle, printed);
      name_node(handle, name);
      const std::string_view tail = view(last_line.value);
      if (!tail.empty()) decode_formatted_tail(builder_, handle, tail);
      return;
    }
    const std::uint32_t end = builder_.node(handle).span.end;
    const NodeText parts = split_one_line(trim(text_.substr(name_begin, end - name_begin)));
    name_node(handle, parts.printed_name);
    if (!parts.arguments.empty()) decode_one_line(builder_, handle, parts.arguments);
  }

  void name_node(Handle handle, std::string_view printed) {
    PlanNode& node = builder_.node(handle);
    // A connector with nothing behind it: the name is empty, and its place is the connector's end.
    if (printed.empty()) printed = text_.substr(node.span.begin, 0);
    const auto begin = static_cast<std::uint32_t>(printed.data() - text_.data());
    node.printed_name = printed;
    node.name_span = {begin, begin + static_cast<std::uint32_t>(printed.size())};
    const dialect::OperatorName known = dialect::resolve(printed);
    node.kind = known.kind;
    node.engine = known.engine;
  }

  void set_link(Handle handle, Handle parent) {
    PlanNode& node = builder_.node(handle);
    if (parent == PlanBuilder::kNone) {
      node.link = Link::Root;
    } else if (node.kind == OperatorKind::ReusedSubquery) {
      node.link = Link::ReusedSubquery;
    } else if (family(node.kind) == OperatorFamily::Subquery) {
      node.link = Link::Subquery;
    } else if (node.kind == OperatorKind::InMemoryRelation ||
               builder_.node(parent).kind == OperatorKind::InMemoryTableScan) {  // without it in snapshots of JSON
      node.link = Link::CachedPlan;
    } else {
      node.link = Link::Child;
    }
  }

  // One-line modes print a subquery again below every operator whose expressions mention it (4.x: the Filter and the
  // scan that the same condition was pushed into). It runs once and is listed once in each plan.
  bool is_repeated_subquery(Handle handle, std::uint32_t part) {
    const PlanNode& node = builder_.node(handle);
    if (node.kind != OperatorKind::Subquery && node.kind != OperatorKind::SubqueryBroadcast) return false;
    if (tree_.is_formatted) return false;
    const std::string_view line = view(node.span);
    if (line.find("[id=#") == std::string_view::npos) return false;
    bool is_initial = false;
    for (std::uint32_t at = part;; at = tree_.parts[at].outer) {
      if (tree_.parts[at].is_superseded()) is_initial = true;
      if (at == 0) break;
    }
    return !(is_initial ? seen_initial_ : seen_).insert(line).second;
  }

  Passage passage_;
  std::string_view text_;
  std::span<const Line> lines_;
  bool is_logical_;
  PlanBuilder& builder_;
  PrintedTree tree_;
  std::vector<TreeItem> items_;
  std::vector<Extent> extents_;
  std::vector<Placed> placed_;
  std::unordered_set<std::string_view> seen_;
  std::unordered_set<std::string_view> seen_initial_;
};

}  // namespace

PrintedTree read_tree(const Passage& passage, std::size_t first, bool is_logical) {
  return TreeReader(passage, is_logical).read(first);
}

}  // namespace planvet::read::explain
