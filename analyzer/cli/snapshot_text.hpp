// The documents of one input as the text of a snapshot file.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "analyzer/plan/document.hpp"
#include "analyzer/snapshot/snapshot.hpp"

namespace planvet::cli {

// Reads what it wrote: what the input lost and the snapshot's own text cannot show is said in its headers.
[[nodiscard]] snapshot::Snapshot snapshot_text(std::span<const PlanDocument* const> documents,
                                               const snapshot::Options& options);

// The documents of a text that is in memory.
[[nodiscard]] std::vector<PlanDocument> read_documents(const std::string& path, std::string text);

}  // namespace planvet::cli
