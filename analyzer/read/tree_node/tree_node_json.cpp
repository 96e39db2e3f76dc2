#include "analyzer/read/tree_node/tree_node_json.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "analyzer/dialect/dialect.hpp"
#include "analyzer/read/arguments.hpp"
#include "analyzer/read/json_tree.hpp"
#include "analyzer/read/tree_node/expression_text.hpp"
#include "analyzer/read/tree_node/operator_line.hpp"

namespace planvet::read {
namespace {

using namespace tree_node;
using Index = JsonTree::Index;
using Handle = PlanBuilder::Handle;

// An operator, before there is a text for views to point into.
struct Draft {
  Index object = JsonTree::kNone;
  std::uint32_t parent = UINT32_MAX;
  Link link = Link::Root;
  std::int32_t codegen_stage = kNoCodegen;
  std::uint32_t reuses = UINT32_MAX;
  std::string name;
  Span line;
  Span name_span;
  Span table;
};

class TreeNodeReading {
 public:
  explicit TreeNodeReading(const std::shared_ptr<const SourceBytes>& bytes)
      : bytes_(bytes),
        repaired_(plan_info::repaired_utf8(bytes->bytes())),
        json_(repaired_ ? std::string_view(*repaired_) : bytes->bytes()) {}

  PlanDocument read() {
    PlanDocument document;
    document.input = InputKind::TreeNodeJson;
    if (!json_.empty()) read_plans();
    write_text();
    std::vector<Note> notes = find_notes();
    auto source = std::make_shared<const Source>(bytes_, std::move(text_), std::move(map_));
    document.source = source;
    document.is_complete = notes.empty();  // also of an adaptive plan: its exchanges are missing
    document.notes = std::move(notes);
    if (!drafts_.empty() && !is_logical_) document.fragments.push_back({FragmentRole::Only, build(*source)});
    return document;
  }

 private:
  struct Plan {
    Index array;
    std::uint32_t parent;
    Link link;
  };

  void read_plans() {
    std::vector<Plan> plans{{0, UINT32_MAX, Link::Root}};
    for (std::size_t at = 0; at < plans.size(); ++at) {
      const Plan plan = plans[at];
      read_plan(plan, plans);
    }
    for (const auto& [draft, signature] : reused_exchanges_) {
      const auto found = exchanges_.find(signature);
      if (found != exchanges_.end()) drafts_[draft].reuses = found->second;
    }
  }

  // The operators of one array; plans inside of expressions come later.
  void read_plan(const Plan& plan, std::vector<Plan>& plans) {
    struct Open {
      std::uint32_t draft;
      std::int64_t missing;
    };
    std::vector<Open> open;
    bool is_first = true;
    for (const Index object : json_.children(plan.array)) {
      if (!json_.is_object(object)) continue;
      while (!open.empty() && open.back().missing == 0) open.pop_back();
      if (open.empty() && !is_first) {
        has_loose_nodes_ = true;  // more operators than the counts say
        return;
      }
      const std::uint32_t parent = is_first ? plan.parent : open.back().draft;
      const Link link = is_first ? plan.link : Link::Child;
      if (!open.empty()) --open.back().missing;
      is_first = false;
      const std::int64_t count = std::max<std::int64_t>(json_.integer(object, "num-children").value_or(0), 0);
      const std::uint32_t draft = add(object, parent, link);
      if (drafts_[draft].link != Link::ReusedSubquery) find_plans(object, draft, plans);
      open.push_back({draft, count});
      // A mention of a subquery whose plan was read before.
      if (drafts_[draft].link == Link::ReusedSubquery && drafts_[draft].reuses != UINT32_MAX) return;
    }
    for (const Open& rest : open) is_cut_ |= rest.missing > 0;
  }

  std::uint32_t add(Index object, std::uint32_t parent, Link link) {
    const auto at = static_cast<std::uint32_t>(drafts_.size());
    Draft draft;
    draft.object = object;
    draft.parent = parent;
    draft.link = link;
    draft.name = std::string(class_of(json_, object));
    is_logical_ |= json_.raw(json_.string_range(object, "class")).find(".plans.logical.") != std::string_view::npos;
    if (parent != UINT32_MAX) draft.codegen_stage = codegen_below_[parent];
    const bool is_frame = draft.name == "WholeStageCodegenExec";
    const bool is_border = draft.name == "InputAdapter" || draft.link != Link::Child;
    if (is_frame || is_border) draft.codegen_stage = kNoCodegen;
    codegen_below_.push_back(is_frame ? stage_number(object) : draft.codegen_stage);
    if (draft.name == "SubqueryExec" || draft.name == "SubqueryBroadcastExec") {
      const auto [first, is_new] = subqueries_.try_emplace(json_.string(object, "name"), at);
      if (!is_new) {
        draft.link = Link::ReusedSubquery;
        draft.reuses = first->second;
      }
    }
    if (draft.name == "ReusedSubqueryExec") {
      draft.link = Link::ReusedSubquery;
      const std::vector<Index> inner = json_.children(json_.find(object, "child"));
      const auto found = subqueries_.find(inner.empty() ? std::string() : json_.string(inner.front(), "name"));
      if (found != subqueries_.end()) draft.reuses = found->second;
    }
    if (draft.name == "ReusedExchangeExec") reused_exchanges_.emplace_back(at, signature(json_.find(object, "child")));
    if (draft.name.ends_with("ExchangeExec") && draft.name != "ReusedExchangeExec")
      exchanges_.try_emplace(signature_at(object), at);
    drafts_.push_back(std::move(draft));
    return at;
  }

  [[nodiscard]] std::int32_t stage_number(Index object) const {
    const std::int64_t number = json_.integer(object, "codegenStageId").value_or(kCodegenWithoutNumber);
    return static_cast<std::int32_t>(std::clamp<std::int64_t>(number, kCodegenWithoutNumber, INT32_MAX));
  }

  void find_plans(Index object, std::uint32_t draft, std::vector<Plan>& plans) const {
    for (const Index member : json_.children(object)) {
      if (json_.key(member) == "inputPlan" && is_tree_node(json_, member)) {
        plans.push_back({member, draft, Link::Child});
        continue;
      }
      if (json_.key(member) == "child") continue;  // of reused ones
      for (const Index plan : plans_inside(json_, member)) plans.push_back({plan, draft, Link::Subquery});
    }
  }

  // Equal ones are the same exchange: it is printed again below what reuses it.
  [[nodiscard]] std::string signature(Index array) const {
    const std::vector<Index> nodes = json_.children(array);
    return nodes.empty() ? std::string() : signature_at(nodes.front());
  }
  [[nodiscard]] std::string signature_at(Index object) const {
    const OperatorLine line = operator_line(json_, object);
    return line.name + " " + line.arguments;
  }

  void write_text() {
    for (Draft& draft : drafts_) {
      const OperatorLine line = operator_line(json_, draft.object);
      const bool is_glued =
          line.arguments.starts_with('(') && (line.name.ends_with("Aggregate") || line.name == "TakeOrderedAndProject");
      draft.line = append(line.name + (is_glued || line.arguments.empty() ? "" : " ") + line.arguments, draft.object);
      draft.name_span = {draft.line.begin, draft.line.begin + static_cast<std::uint32_t>(line.name.size())};
      const Index table = json_.find(draft.object, "tableIdentifier");
      if (!json_.is_object(table)) continue;
      std::string name;
      for (const std::string_view part : {"catalog", "database", "table"}) {
        const std::string text = json_.string(table, part);
        if (!text.empty()) name += (name.empty() ? "" : ".") + text;
      }
      if (!name.empty()) draft.table = append(name, table);
    }
  }

  Span append(std::string text, Index where) {
    std::replace(text.begin(), text.end(), '\n', ' ');
    const auto begin = static_cast<std::uint32_t>(text_.size());
    map_.append(begin, json_[where].text.begin, 0);
    text_ += text;
    const auto end = static_cast<std::uint32_t>(text_.size());
    text_.push_back('\n');
    return {begin, end};
  }

  Span append_mark(std::uint32_t in_bytes) {
    const auto begin = static_cast<std::uint32_t>(text_.size());
    map_.append(begin, in_bytes, 0);
    text_.push_back('\n');
    return {begin, begin};
  }

  std::vector<Note> find_notes() {
    std::vector<Note> notes;
    if (is_logical_) {
      notes.push_back({NoteKind::UnreadablePart,
                       {},
                       "this is the JSON of a logical plan: give that of the physical one, "
                       "df.queryExecution.executedPlan.toJSON"});
    }
    for (const Draft& draft : drafts_) {
      if (draft.name != "AdaptiveSparkPlanExec" || draft.link == Link::Subquery || is_logical_) continue;
      notes.push_back(
          {NoteKind::NotFinalPlan, draft.name_span,
           "toJSON of an adaptive plan holds only its input, also after it ran: the plan before exchanges and "
           "sorts were put in and before adaptive execution changed it; df.explain(\"formatted\") has both"});
      break;
    }
    if (const auto& error = json_.error(); error) {
      notes.push_back({error->is_end ? NoteKind::TruncatedPlan : NoteKind::UnreadablePart, append_mark(error->offset),
                       fmt::format("the JSON {}: while reading {}; the plan is read up to here",
                                   error->is_end ? "ends too early" : "is not well-formed", error->message)});
    } else if (is_cut_) {
      notes.push_back({NoteKind::TruncatedPlan, {}, "operators are missing: an operator says that it has more inputs"});
    }
    if (has_loose_nodes_) {
      notes.push_back({NoteKind::UnreadablePart, {}, "operators follow that are inputs of none: they were left out"});
    }
    if (repaired_) {
      notes.push_back(
          {NoteKind::UnreadablePart, {}, "the JSON is not UTF-8: bytes that could not be read are shown as '?'"});
    }
    return notes;
  }

  PlanTree build(const Source& source) const {
    PlanBuilder builder;
    for (const Draft& draft : drafts_) {
      PlanNode node;
      node.span = draft.line;
      node.name_span = draft.name_span;
      node.printed_name = source.text(draft.name_span);
      const dialect::OperatorName resolved = dialect::resolve(node.printed_name);
      node.kind = resolved.kind;
      node.engine = resolved.engine;
      node.link = draft.link;
      node.codegen_stage = draft.codegen_stage;
      const Handle handle = builder.add(draft.parent == UINT32_MAX ? PlanBuilder::kNone : draft.parent, node);
      if (node.kind == OperatorKind::WholeStageCodegen || node.kind == OperatorKind::InputAdapter) continue;
      std::string_view arguments = source.text(draft.line).substr(node.printed_name.size());
      arguments.remove_prefix(std::min(arguments.size(), arguments.find_first_not_of(' ')));
      decode_one_line(builder, handle, arguments);
      if (node.kind == OperatorKind::FileSourceScan && !builder.has_attribute(handle, AttributeKind::PushedFilters)) {
        // Not in the JSON, which is not the same as none.
        Attribute unknown;
        unknown.kind = AttributeKind::PushedFilters;
        unknown.completeness = Completeness::Unparsed;
        unknown.text = source.text({draft.line.end, draft.line.end});
        builder.add_attribute(handle, unknown);
      }
      if (!draft.table.empty() && !builder.has_attribute(handle, AttributeKind::Table)) {
        Attribute table;
        table.kind = AttributeKind::Table;
        table.text = source.text(draft.table);
        builder.add_attribute(handle, table);
      }
    }
    for (Handle handle = 0; handle < drafts_.size(); ++handle) {
      if (drafts_[handle].reuses != UINT32_MAX) builder.set_reuses(handle, drafts_[handle].reuses);
    }
    return builder.finish(0);
  }

  std::shared_ptr<const SourceBytes> bytes_;
  std::optional<std::string> repaired_;
  JsonTree json_;
  std::vector<Draft> drafts_;
  std::vector<std::int32_t> codegen_below_;
  std::map<std::string, std::uint32_t> subqueries_;
  std::map<std::string, std::uint32_t> exchanges_;
  std::vector<std::pair<std::uint32_t, std::string>> reused_exchanges_;
  std::string text_;
  OffsetMap map_;
  bool is_logical_ = false;
  bool is_cut_ = false;
  bool has_loose_nodes_ = false;
};

bool looks_like(std::string_view bytes) {
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
  const std::size_t first = bytes.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || bytes[first] != '[') return false;
  const std::string_view head = bytes.substr(first, 400);
  return head.find("\"class\"") != std::string_view::npos && head.find("\"num-children\"") != std::string_view::npos;
}

void read(const std::shared_ptr<const SourceBytes>& bytes, const DocumentSink& sink) {
  sink(TreeNodeReading(bytes).read());
}

}  // namespace

const Reader kTreeNodeJson{
    "JSON of executedPlan.toJSON",
    "an array with `\"class\"` and `\"num-children\"` (executedPlan.toJSON)",
    looks_like,
    read,
};

}  // namespace planvet::read
