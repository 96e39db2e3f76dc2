// `executedPlan.toJSON`: the operators in pre-order, each with its number of inputs and its constructor's arguments.
//
//   [{"class":"..ProjectExec","num-children":1,"projectList":[[..]],"child":0},
//    {"class":"..FileSourceScanExec","num-children":0,"output":[[..]],..}]
//
// Operators become the lines that Spark prints, and those are decoded as all others are. File formats, locations and
// what was pushed into sources are not in the JSON. Of an adaptive plan it has the input alone, before
// exchanges and sorts were put in: as documents these are not complete.
#pragma once

#include "analyzer/read/reader.hpp"

namespace planvet::read {

extern const Reader kTreeNodeJson;

}  // namespace planvet::read
