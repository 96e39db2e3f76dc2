// What could not be read, on standard error.
#pragma once

#include <iosfwd>
#include <vector>

#include "analyzer/report/report.hpp"

namespace planvet::cli {

void print_input_errors(const std::vector<InputError>& errors, std::ostream& err);

}  // namespace planvet::cli
