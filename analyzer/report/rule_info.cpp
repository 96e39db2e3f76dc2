#include "analyzer/report/rule_info.hpp"

namespace planvet {

std::string_view name(Severity severity) {
  switch (severity) {
    case Severity::Info: return "info";
    case Severity::Warning: return "warning";
    case Severity::Error: return "error";
  }
  return "info";
}

}  // namespace planvet
