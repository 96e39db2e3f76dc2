// What other programs read. The fields are a promise: all of them are always there, unknown is null, never 0. Fields may
// be added; renaming or removing one raises kSchemaVersion.
#pragma once

#include <span>
#include <string>

#include "analyzer/plan/document.hpp"
#include "analyzer/render/fragments.hpp"
#include "analyzer/report/report.hpp"

namespace planvet::render {

inline constexpr int kSchemaVersion = 1;

// `planvet check --format json`. A finding's `document` is an index into the documents of `planvet tree --format json`
// for the same inputs, its `node` one into the nodes of that document's fragment.
[[nodiscard]] std::string report_json(const Report& report);

// `planvet tree --format json`.
[[nodiscard]] std::string tree_json(std::span<const PlanDocument* const> documents, FragmentChoice choice);

// The same, and each node of a final or current plan also has what was measured: `metrics` and `stages`.
[[nodiscard]] std::string annotate_json(std::span<const PlanDocument* const> documents);

}  // namespace planvet::render
