// Whether all queries of an application are known, for rules that judge them together.
#pragma once

#include "analyzer/cli/pipeline.hpp"
#include "analyzer/report/report.hpp"
#include "rules/application.hpp"

namespace planvet::cli {

// Of a query: something of it is lost.
[[nodiscard]] bool has_gaps(const DocumentReport& query);

// `has_gaps`: one of its queries has.
[[nodiscard]] rules::ApplicationRun application_run(const read::EventLogResult& log, const std::string& error,
                                                    bool has_gaps);

}  // namespace planvet::cli
