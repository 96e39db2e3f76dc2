#include "rules/precedence.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

#include <fmt/core.h>

#include "rules/saving.hpp"

namespace planvet::rules {
namespace {

constexpr Precedence kPrecedence[] = {
#define PLANVET_PRECEDES(winner, loser) {winner, loser},
#include "rules/rules.def"
    {"", ""}};

bool is_about(const Finding& finding, NodeId node) {
  return finding.node == node ||
         std::find(finding.also_about.begin(), finding.also_about.end(), node) != finding.also_about.end();
}

bool have_one_cause(const Finding& a, const Finding& b) {
  if (a.fragment != b.fragment) return false;
  return is_about(b, a.node) ||
         std::any_of(a.also_about.begin(), a.also_about.end(), [&](NodeId node) { return is_about(b, node); });
}

}  // namespace

std::span<const Precedence> precedences() { return std::span(kPrecedence).first(std::size(kPrecedence) - 1); }

void merge_by_precedence(std::vector<Finding>& findings, std::span<const Precedence> precedences) {
  std::vector<std::size_t> winner_of(findings.size());
  for (std::size_t loser = 0; loser < findings.size(); ++loser) {
    winner_of[loser] = loser;
    for (std::size_t winner = 0; winner < findings.size(); ++winner) {
      const bool gives_way = std::any_of(precedences.begin(), precedences.end(), [&](const Precedence& row) {
        return row.winner == findings[winner].rule->code && row.loser == findings[loser].rule->code;
      });
      if (!gives_way || !have_one_cause(findings[winner], findings[loser])) continue;
      winner_of[loser] = winner;
      break;
    }
  }
  for (std::size_t i = 0; i < findings.size(); ++i) {
    std::size_t last = winner_of[i];
    for (std::size_t step = 0; step < findings.size() && winner_of[last] != last; ++step) last = winner_of[last];
    if (last == i) continue;
    std::vector<NodeId> saved = saved_nodes(findings[last]);
    const std::vector<NodeId> more = saved_nodes(findings[i]);
    saved.insert(saved.end(), more.begin(), more.end());
    findings[last].saves = std::move(saved);
    findings[last].severity = std::max(findings[last].severity, findings[i].severity);
    findings[last].related.push_back(
        {findings[i].node, findings[i].span,
         fmt::format("also {} {}: {}", findings[i].rule->code, findings[i].rule->name, findings[i].message)});
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (winner_of[i] != i) continue;
    if (kept != i) findings[kept] = std::move(findings[i]);
    ++kept;
  }
  findings.resize(kept);
}

}  // namespace planvet::rules
