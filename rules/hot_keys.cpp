#include "rules/hot_keys.hpp"

#include <string_view>

#include <fmt/core.h>

#include "analyzer/report/fix_parts.hpp"
#include "rules/shuffle_calls.hpp"
#include "rules/wording.hpp"

namespace planvet::rules {

std::string hot_keys(const PlanTree& plan, const Exchange& exchange) {
  const Partitioning what = partitioning_of(exchange);
  std::string columns;
  for (const std::string_view key : what.keys) columns += (columns.empty() ? "" : ", ") + sql_key(key);
  const std::string table = sql_table(plan, exchange.id());
  const bool is_known = what.kind == PartitioningKind::Hash && !columns.empty() && !table.empty() &&
                        columns.find("...") == std::string::npos;
  return is_known ? "find the hot keys: " + code(fmt::format("SELECT {0}, count(*) FROM {1} GROUP BY {0} ORDER BY "
                                                             "count(*) DESC LIMIT 10",
                                                             columns, table))
                  : std::string("count the rows of each key, most frequent first");
}

}  // namespace planvet::rules
