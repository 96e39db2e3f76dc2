#include "analyzer/plan/evidence_source.hpp"

namespace planvet {

std::string_view name(EvidenceSource source) {
  switch (source) {
    case EvidenceSource::Measured: return "measured";
    case EvidenceSource::Runtime: return "runtime";
    case EvidenceSource::Estimated: return "estimated";
    case EvidenceSource::Declared: return "declared";
    case EvidenceSource::Plan: return "plan";
  }
  return "plan";
}

}  // namespace planvet
