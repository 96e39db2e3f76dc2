// A report made by hand that has one of everything a format can be asked to show: all severities, a suppressed and an
// accepted finding, reasons, evidence, related places, several lines of fix, notes, an input that cannot be read, an
// event log without lines.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "analyzer/report/report.hpp"

namespace planvet::test {

// The rules and notes that the reports speak of.
[[nodiscard]] std::vector<const RuleInfo*> small_rules();

[[nodiscard]] Report small_report();
[[nodiscard]] Report clean_report();

// Names, paths and messages with everything that a format gives a meaning: quotes, pipes, brackets, control characters,
// bytes that are no UTF-8, line breaks, mentions, commands of build servers.
[[nodiscard]] Report strange_report();

// So many findings of each severity in one plan.
[[nodiscard]] Report large_report(std::size_t of_each);

}  // namespace planvet::test
