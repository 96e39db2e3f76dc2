// One read of a cached relation, by one query: only all queries of an application side by side tell what the cache is good
// for (rules/application.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "analyzer/report/finding.hpp"

namespace planvet {

struct CacheRead {
  std::string cache;                // what fills it: the scans of its plan. Two caches of the same scans look alike
  std::string what;                 // "the cached rows of shop.sales"
  std::string filter;               // right above the read, without ids; empty: none
  bool is_source_pushable = false;  // a source of the cached plan would take the filter
  bool reads_columns = true;        // no: count(*), which is how caches are filled
  bool is_nested = false;           // read to fill another cache
  std::optional<std::int32_t> first_job;  // of the query; nothing: it ran none
  Finding finding;                        // on the read, in case there is something to say; message and fix are to come
};

}  // namespace planvet
