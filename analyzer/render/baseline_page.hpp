// `planvet baseline show`: what is accepted, what is new, what is gone.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analyzer/report/baseline.hpp"

namespace planvet::render {

enum class EntryState : std::uint8_t {
  Known,      // accepted, and still there
  New,        // there, and not accepted
  Gone,       // accepted, and no longer there
  NotJudged,  // accepted; its plan was not among the inputs, or its rule could not run
};

struct ShownEntry {
  BaselineEntry entry;
  EntryState state = EntryState::Known;
};

struct ShownBaseline {
  std::string file;
  std::vector<ShownEntry> entries;
};

[[nodiscard]] std::string baselines_text(const std::vector<ShownBaseline>& all);
[[nodiscard]] std::string baselines_json(const std::vector<ShownBaseline>& all);

}  // namespace planvet::render
