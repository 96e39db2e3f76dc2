// `cast(column as target) op literal`, said of the column itself. A cast is no renaming: text is ordered letter by
// letter, a narrowing cast cuts fractions off, a day is 24 hours long. What has no such form is said to have none.
#pragma once

#include <string>
#include <string_view>

#include "analyzer/plan/expression.hpp"

namespace planvet::rules {

struct CastRewrite {
  bool is_pushable = false;  // Spark would push what `fix` says
  std::string fix;
};

// `op` None: not a comparison with a literal. `type` empty: unknown.
[[nodiscard]] CastRewrite rewrite_of_cast(std::string_view column, std::string_view type, std::string_view target,
                                          ExpressionOperator op, std::string_view literal);

// A literal of the plan as SQL writes one of that type. Spark prints no quotes.
[[nodiscard]] std::string sql_literal(std::string_view printed, std::string_view type);
[[nodiscard]] std::string sql_text(std::string_view text);  // 'it''s'
[[nodiscard]] bool is_number(std::string_view literal);
[[nodiscard]] bool is_text_type(std::string_view type);

}  // namespace planvet::rules
