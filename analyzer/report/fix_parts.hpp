// The fix of a finding is prose with code in it, as in Markdown; this takes the code out, for tests and for tools.
//
//   add the hint `/*+ BROADCAST(store) */`, or `SET spark.sql.autoBroadcastJoinThreshold=83886080`
//
// What a span of code is, its beginning says; nothing else marks it:
//
//   SELECT .., SET k=v, ANALYZE TABLE ..        Sql         a whole statement (one of the upper-case words in fix_parts.cpp)
//   /*+ BROADCAST(t) */                         Hint        stands behind SELECT
//   WHERE .., GROUP BY .., JOIN t ON ..         Clause      stands behind FROM t
//   df.join(..), .repartition(8), broadcast(t)  Python      a leading dot stands behind a DataFrame
//   [rules.exchange-count] max = 12             Toml        planvet.toml
//   all else: (n > 5), date_trunc('day', ts)    Expression  SQL: a column, a predicate
//
// Every span is whole and valid as it stands: no `..`, no `<value>`. What only the reader can know is a named parameter,
// as SQL has them (`dt >= :first`), or is left to the prose.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace planvet {

enum class FixLanguage : std::uint8_t { Sql, Hint, Clause, Expression, Python, Toml };
[[nodiscard]] std::string_view name(FixLanguage language);  // "sql", "hint", ..

struct FixPart {
  FixLanguage language = FixLanguage::Expression;
  std::string_view text;  // without its backticks
};

// The code in a fix, in order.
[[nodiscard]] std::vector<FixPart> fix_parts(std::string_view fix);

// The text as code: in backticks, in more of them where it holds some itself.
[[nodiscard]] std::string code(std::string_view text);

}  // namespace planvet
