// Spark's own functions. A registered Scala or Hive UDF prints nothing but its name, so only this list tells it apart.
#pragma once

#include <string_view>

namespace planvet::rules {

[[nodiscard]] bool is_builtin_function(std::string_view name);  // ignoring case

// A function of the user, by the name that a call prints: `UDF`, Hive's, and every plain word that is none of Spark's.
[[nodiscard]] bool is_user_function(std::string_view name);

// rand(), uuid() and what depends on the partition: never pushed.
[[nodiscard]] bool is_non_deterministic_function(std::string_view name);

}  // namespace planvet::rules
