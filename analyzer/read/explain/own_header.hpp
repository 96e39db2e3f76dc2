// Lines of ours above a plan: what bare text cannot say.
//
//   -- planvet: spark 3.5.9
//   -- planvet: spark 3.3.0+                                        a snapshot's: that version or a newer one
//   -- planvet: name daily_sales
//   -- planvet: conf spark.sql.autoBroadcastJoinThreshold=-1
//   -- planvet: allow exchange-count nightly job, budget agreed
//   -- planvet: note PV904 the top of the plan is missing           a snapshot's: of the text that it was made from
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/plan/document.hpp"
#include "analyzer/read/explain/lines.hpp"

namespace planvet::read::explain {

// Version and conf hold for every plan below them in the same input, name and allow lines for the next plan only.
class OwnHeaders {
 public:
  void add(std::string_view text, const Line& line);
  void apply_to(PlanDocument& document);

 private:
  std::optional<SparkVersion> version_;
  std::optional<SparkVersion> least_version_;
  std::vector<std::pair<std::string, std::string>> conf_;
  std::string name_;
  std::vector<AllowLine> allows_;
  std::vector<Note> notes_;
  bool has_lost_ = false;  // a note line of the next plan
};

}  // namespace planvet::read::explain
