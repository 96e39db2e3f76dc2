// Spark itself: its names are in operators.def. Classes (toJSON) have the suffix Exec.
#include "analyzer/dialect/vendors.hpp"

namespace planvet::dialect {
namespace {

constexpr std::string_view kSuffixes[] = {"Exec"};

}  // namespace

constinit const Dialect kSpark{Engine::Spark, {}, kSuffixes, {}, {}};

}  // namespace planvet::dialect
