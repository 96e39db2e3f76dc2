// SparkPlanInfo as JSON: the object alone, an array of such, or the SQL events of an event log that carry it.
#pragma once

#include "analyzer/read/reader.hpp"

namespace planvet::read {

extern const Reader kPlanInfoJson;

}  // namespace planvet::read
