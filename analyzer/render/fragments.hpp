// Which of a document's fragments are shown.
#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/plan/document.hpp"

namespace planvet::render {

enum class FragmentChoice : std::uint8_t { Final, Initial, All };

// Final: the one that is judged (final, else current, else only). Initial: the initial ones, which adaptive plans alone
// have. In the document's order.
[[nodiscard]] std::vector<const Fragment*> chosen_fragments(const PlanDocument& document, FragmentChoice choice);

}  // namespace planvet::render
