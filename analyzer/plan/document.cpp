#include "analyzer/plan/document.hpp"

namespace planvet {

std::string_view name(InputKind kind) {
  switch (kind) {
    case InputKind::ExplainSimple: return "explain-simple";
    case InputKind::ExplainExtended: return "explain-extended";
    case InputKind::ExplainFormatted: return "explain-formatted";
    case InputKind::ExplainCodegen: return "explain-codegen";
    case InputKind::ExplainCost: return "explain-cost";
    case InputKind::PlanInfoJson: return "plan-info-json";
    case InputKind::SqlRestJson: return "sql-rest-json";
    case InputKind::TreeNodeJson: return "tree-node-json";
    case InputKind::EventLog: return "event-log";
  }
  return "explain-simple";
}

std::string_view name(FragmentRole role) {
  switch (role) {
    case FragmentRole::Only: return "only";
    case FragmentRole::Current: return "current";
    case FragmentRole::Final: return "final";
    case FragmentRole::Initial: return "initial";
  }
  return "only";
}

std::string_view code(NoteKind kind) {
  switch (kind) {
    case NoteKind::TruncatedPlan: return "PV901";
    case NoteKind::IncompleteLog: return "PV902";
    case NoteKind::UnknownOperator: return "PV903";
    case NoteKind::UnreadablePart: return "PV904";
    case NoteKind::NotFinalPlan: return "PV905";
  }
  return "PV904";
}

std::string_view name(NoteKind kind) {
  switch (kind) {
    case NoteKind::TruncatedPlan: return "truncated-plan";
    case NoteKind::IncompleteLog: return "incomplete-log";
    case NoteKind::UnknownOperator: return "unknown-operator";
    case NoteKind::UnreadablePart: return "unreadable-part";
    case NoteKind::NotFinalPlan: return "not-final-plan";
  }
  return "unreadable-part";
}

std::vector<const Fragment*> judged_fragments(const PlanDocument& document) {
  std::vector<const Fragment*> judged;
  for (const FragmentRole role : {FragmentRole::Final, FragmentRole::Current, FragmentRole::Only}) {
    for (const Fragment& fragment : document.fragments) {
      if (fragment.role == role && !fragment.tree.empty()) judged.push_back(&fragment);
    }
    if (!judged.empty()) break;
  }
  return judged;
}

const Fragment* judged_fragment(const PlanDocument& document) {
  const std::vector<const Fragment*> judged = judged_fragments(document);
  return judged.empty() ? nullptr : judged.front();
}

}  // namespace planvet
