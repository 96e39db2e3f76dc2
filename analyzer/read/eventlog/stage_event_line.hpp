// Starts of jobs, and stages that are submitted or completed, as every Spark since 2.4 writes them. Most of such a line
// is of no use (call stacks, RDDs, the session's properties) or stood in one before: it is passed over without a parser
// of JSON.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "analyzer/read/eventlog/compact_json.hpp"
#include "analyzer/read/eventlog/events.hpp"
#include "analyzer/read/eventlog/seen_properties.hpp"
#include "analyzer/read/eventlog/seen_text.hpp"

namespace planvet::read::eventlog {

class StageEventLine {
 public:
  // `line` has kPadding bytes behind it, `event` is new. False: not such a line, or anything about it is unusual; what
  // `event` holds then means nothing. Views live until the next line.
  [[nodiscard]] bool read(std::string_view line, JobStart& event);
  [[nodiscard]] bool read(std::string_view line, StageInfo& event);

 private:
  // What a stage is, as the start of its job has it. The stage's own events repeat it, and have more behind it.
  //   {"Stage ID":2,..,"RDD Info":[..],"Parent IDs":[],"Details":".."
  struct Head {
    std::string text;
    std::string name;
    StageInfo stage;
  };
  [[nodiscard]] bool read_stage(CompactJson& json, StageInfo& stage);
  [[nodiscard]] bool read_member(CompactJson& json, std::string_view key, StageInfo& stage);
  [[nodiscard]] bool read_rdd(CompactJson& json, StageInfo& stage);
  [[nodiscard]] bool take_head(CompactJson& json, StageInfo& stage) const;
  void remember(std::string_view text, const StageInfo& stage);

  SeenProperties properties_;
  SeenText details_;   // call stacks
  SeenText rdd_rest_;  // of RDDs, what stands behind their ids
  std::array<Head, 32> heads_;
  std::size_t next_head_ = 0;  // which one is forgotten next
};

}  // namespace planvet::read::eventlog
