// The order of a document's findings: by position, then rule.
#pragma once

#include <vector>

#include "analyzer/report/finding.hpp"

namespace planvet {

// Equal ones stay as they are.
void put_in_order(std::vector<Finding>& findings);

}  // namespace planvet
