// From what is printed behind an operator's name, and from the lines of its detail block, to attributes: the one place
// for all readers.
#pragma once

#include <string_view>

#include "analyzer/plan/plan_tree.hpp"

namespace planvet::read {

// A line of a tree in one-line modes, or a `simpleString`: from the name to the end of the line.
//
//   SortMergeJoin(skew=true) [a#1], [b#2], Inner        FileScan parquet db.t[a#1] Batched: true, DataFilters: [..], ..
//   ^ printed name           ^ arguments                ^ printed name  ^ arguments
struct NodeText {
  std::string_view
      printed_name;  // Spark's nodeName where it can be told: "FileScan parquet db.t" is "Scan parquet db.t" there,
                     // but a view of the text cannot be: it stays "FileScan parquet db.t" here
  std::string_view arguments;  // the rest, blanks trimmed
};
// Splits where the operator's name ends: needs the list of known names, since names and arguments hold blanks.
[[nodiscard]] NodeText split_one_line(std::string_view line);

// Decodes the arguments of a one-line operator into attributes of `node` (kind, engine and printed_name are set).
void decode_one_line(PlanBuilder& builder, PlanBuilder::Handle node, std::string_view arguments);

// The name of a formatted tree line, "BroadcastHashJoin Inner BuildRight": join type, build side, `(skew=true)` become
// attributes; the return value is the nodeName alone ("BroadcastHashJoin").
std::string_view decode_formatted_name(PlanBuilder& builder, PlanBuilder::Handle node, std::string_view text);

// What stands behind the id of a formatted tree line: ", Statistics(..)", ", coalesced", " (columnarIn=..)".
void decode_formatted_tail(PlanBuilder& builder, PlanBuilder::Handle node, std::string_view tail);

// One field of a detail block: "Left keys [1]: [a#1]" is label "Left keys", count 1, value "[a#1]". Values may hold line
// breaks. A line without a key (Iceberg's description) has an empty label.
void decode_block_field(PlanBuilder& builder, PlanBuilder::Handle node, std::string_view label, std::uint32_t count,
                        std::string_view value);

}  // namespace planvet::read
