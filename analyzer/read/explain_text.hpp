// The reader of explain output in every mode, however damaged, with whatever prose around it.
#pragma once

#include <memory>
#include <string_view>

#include "analyzer/read/reader.hpp"

namespace planvet::read {

extern const Reader kExplainText;

// Explain text that is already decoded and needs no repair: `physicalPlanDescription` of an event. Documents get
// `source` as theirs.
void read_explain_text(const std::shared_ptr<const Source>& source, const DocumentSink& sink);

}  // namespace planvet::read
