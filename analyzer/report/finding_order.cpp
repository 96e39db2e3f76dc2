#include "analyzer/report/finding_order.hpp"

#include <algorithm>
#include <tuple>

namespace planvet {

void put_in_order(std::vector<Finding>& findings) {
  std::stable_sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
    return std::tie(a.span.begin, a.rule->code) < std::tie(b.span.begin, b.rule->code);
  });
}

}  // namespace planvet
