// Can this text be that attribute? Spark drops empty arguments, so positions shift; what tells arguments apart is what
// they look like.
#pragma once

#include <string_view>

#include "analyzer/plan/operator.hpp"

namespace planvet::read {

[[nodiscard]] bool accepts(AttributeKind kind, std::string_view item);

// `[k#1, x#2L]`, not `[sum(x#2L)]`: its first item is a column.
[[nodiscard]] bool lists_attributes(std::string_view list);
[[nodiscard]] bool is_join_type(std::string_view word);            // Inner, LeftSemi, ExistenceJoin(exists#12)
[[nodiscard]] std::string_view build_side(std::string_view word);  // "BuildLeft" of GpuBuildLeft; empty: it is none
[[nodiscard]] bool is_flag(std::string_view word);
[[nodiscard]] bool is_integer(std::string_view word);
// N of `[plan_id=N]` and `[id=#N]`; empty: it is neither.
[[nodiscard]] std::string_view plan_id(std::string_view item);

}  // namespace planvet::read
