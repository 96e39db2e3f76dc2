// How to find the keys that most rows of a shuffle share.
#pragma once

#include <string>

#include "analyzer/plan/views.hpp"

namespace planvet::rules {

// "find the hot keys: `SELECT store_id, count(*) ..`"; in words where keys or table are not known.
[[nodiscard]] std::string hot_keys(const PlanTree& plan, const Exchange& exchange);

}  // namespace planvet::rules
