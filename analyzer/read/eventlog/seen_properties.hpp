// The properties of the session, which every start of a job and of a stage repeats: a hundred of them, and two or three
// differ from those of the line before. What is the same is compared and not read again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/read/eventlog/compact_json.hpp"

namespace planvet::read::eventlog {

class SeenProperties {
 public:
  // `json` stands before the object. False: something about it is unusual. Nothing is written to `execution` where it
  // names none.
  [[nodiscard]] bool read(CompactJson& json, std::optional<std::int64_t>& execution);

 private:
  [[nodiscard]] bool read_all(CompactJson& json, std::optional<std::int64_t>& execution);
  [[nodiscard]] bool read_others(CompactJson& json, std::optional<std::int64_t>& execution);

  std::string text_;                       // of the object, behind its opening brace
  std::vector<std::size_t> ends_;          // of its members, each behind its comma or the closing brace
  std::size_t execution_at_ = 0;           // which member names the execution, if one does
  std::optional<std::int64_t> execution_;  // that it names
  std::size_t others_ = 0;                 // how many members of the last object were not as here
};

}  // namespace planvet::read::eventlog
