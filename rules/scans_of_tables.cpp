#include "rules/scans_of_tables.hpp"

#include <algorithm>
#include <utility>

namespace planvet::rules {

void ScansOfTables::add(const Scan& scan, Finding finding) {
  const Attribute* const place = scan.find(AttributeKind::Location);
  const bool is_by_place = scan.table().empty() && place != nullptr && place->is_whole();
  const std::string_view table = is_by_place ? place->text : scan.table();
  const auto group = std::find_if(groups_.begin(), groups_.end(), [&](const Group& other) {
    return !table.empty() && other.table == table && other.finding.reasons == finding.reasons;
  });
  if (group == groups_.end()) {
    groups_.push_back({table, std::move(finding), &scan.node(), {}});
    return;
  }
  const PlanNode* other = &scan.node();
  if (finding.severity > group->finding.severity) {
    group->finding = std::move(finding);
    std::swap(other, group->node);
  }
  group->others.push_back(other);
}

void ScansOfTables::report() {
  for (Group& group : groups_) {
    Finding& finding = reporter_.report(*group.node, group.finding.severity, std::move(group.finding.message));
    finding.fix = std::move(group.finding.fix);
    finding.reasons = std::move(group.finding.reasons);
    finding.evidence = std::move(group.finding.evidence);
    for (const PlanNode* const other : group.others) {
      finding.related.push_back({other->id, other->name_span, "the same of this scan"});
      finding.also_about.push_back(other->id);
    }
  }
  groups_.clear();
}

}  // namespace planvet::rules
