// [[suppress]] at work: marks the findings that it accepts, and remembers which of them did anything.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "analyzer/config/settings.hpp"
#include "analyzer/io/path_pattern.hpp"
#include "analyzer/report/report.hpp"

namespace planvet::cli {

class Suppressions {
 public:
  explicit Suppressions(const Date& today) : today_(today) {}

  // `path`: the canonical one of the document's input.
  void apply(DocumentReport& report, const config::Settings& settings, const std::string& path);

  // Those that do nothing. `covered`: canonical folders that were searched whole, where "no plan" is the truth.
  [[nodiscard]] std::vector<SuppressionProblem> problems(const std::vector<std::string>& covered) const;

 private:
  struct State {
    Suppression suppression;
    io::PathPatterns patterns;
    bool is_expired = false;
    bool has_plan = false;
    bool was_judged = false;  // its rule ran on a plan, with all the evidence that it needs
    bool is_used = false;
  };
  State& state_of(const Suppression& suppression);

  Date today_;
  std::map<std::tuple<std::string, std::uint32_t, std::uint32_t>, State> states_;  // by place
};

// In UTC: the same day for everybody.
[[nodiscard]] Date today();

}  // namespace planvet::cli
