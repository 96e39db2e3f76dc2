// How messages speak of a plan's parts: names as people know them, expressions without ids, numbers with units.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/plan/expression_list.hpp"
#include "analyzer/plan/plan_tree.hpp"
#include "analyzer/plan/views.hpp"

namespace planvet::rules {

// `(n#1 = 5)` is "(n = 5)". Cut in the middle of what is longer than `limit` bytes.
[[nodiscard]] std::string plain(std::string_view expression, std::size_t limit = 120);

// Several columns: "a, b, c and 4 more".
[[nodiscard]] std::string plain_list(const ItemList& items, std::size_t shown = 4);

// "1.5 billion", "40,000", "7"
[[nodiscard]] std::string count_text(double count);

// "retail.sales" when one scan with a name stands below, subqueries and cached plans left out; else empty.
[[nodiscard]] std::string_view only_table(const PlanTree& plan, NodeId id);

// The same as SQL writes it, `retail`.`my-table` with backticks where needed; empty where that scan reads paths.
[[nodiscard]] std::string sql_table(const PlanTree& plan, NodeId id);

// ANALYZE TABLE takes it: the one scan below is none of a V2 source or of a database.
[[nodiscard]] bool can_be_analyzed(const PlanTree& plan, NodeId id);

// "retail.sales", else "the right side".
[[nodiscard]] std::string side_text(const Join& join, Side side);

// What a hint calls a table: the last part of its name.
[[nodiscard]] std::string_view short_name(std::string_view table);

// A column as SQL writes it: with backticks where its name needs them.
[[nodiscard]] std::string sql_column(std::string_view name);

// What sql_column() gives, between words: as code where it has backticks, which must not be taken for the marks of code.
[[nodiscard]] std::string in_prose(std::string_view column);

// `db.my-table` as SQL writes it: db.`my-table`
[[nodiscard]] std::string sql_table(std::string_view table);

// A key of a join or an aggregate as SQL writes it, without expression ids.
[[nodiscard]] std::string sql_key(std::string_view printed);

}  // namespace planvet::rules
