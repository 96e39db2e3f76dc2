// `planvet annotate` for people: numbers on the left, the tree of `planvet tree` on the right, a bar for each stage.
//
//     rows     bytes    time
//   ████████████▌      62 %           ╌╌ stage 8 · 1.9 s · 4 tasks
//    6,012                    3 *5 │ SortMergeJoin  Inner on product_id
//   12,011            18 ms   5 *3 ├─┬ Sort  within partitions
//   ███▌               17 %        │ │ ╌╌ stage 6 · 0.5 s · 4 tasks
//   12,011   1.1 MiB  40 ms   7    │ │ Exchange  by hash of product_id into 8
//                                  │ │   warning: ... [wide-shuffle PV303]
#pragma once

#include <string>

#include "analyzer/render/annotated_plan.hpp"
#include "analyzer/render/style.hpp"

namespace planvet::render {

[[nodiscard]] std::string annotated_text(const AnnotatedPlan& plan, const Style& style);

// The tables alone, without heading and remarks: for a block of code.
[[nodiscard]] std::string annotated_table(const AnnotatedPlan& plan, const Style& style);

}  // namespace planvet::render
