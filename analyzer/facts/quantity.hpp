// A number of rows or bytes, where it is known from, and in which direction it can be trusted.
#pragma once

#include "analyzer/plan/evidence_source.hpp"

namespace planvet {

struct Quantity {
  double value = 0;
  EvidenceSource source = EvidenceSource::Plan;
  bool is_at_most = true;   // it is no more than that
  bool is_at_least = true;  // and no less; both: exact
};

}  // namespace planvet
