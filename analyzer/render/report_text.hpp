// `planvet check` for people: findings with carets on their own text, notes, and a summary that never calls well what
// was not read.
#pragma once

#include <string>

#include "analyzer/render/style.hpp"
#include "analyzer/report/report.hpp"

namespace planvet::render {

struct ReportTextOptions {
  Style style;
  bool statistics = false;  // also: how often each rule fired
};

[[nodiscard]] std::string report_text(const Report& report, const ReportTextOptions& options);

}  // namespace planvet::render
