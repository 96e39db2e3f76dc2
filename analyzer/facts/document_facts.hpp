// What is known beside one plan: the user's facts and the document's own header lines, the latter winning.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "analyzer/facts/facts.hpp"
#include "analyzer/plan/document.hpp"
#include "analyzer/plan/plan_tree.hpp"

namespace planvet {

struct ConfValue {
  std::string_view text;
  bool is_set = false;  // said by the user or the document; else the default of the version
};

class DocumentFacts {
 public:
  // Both must outlive this.
  DocumentFacts(const Facts& facts, const PlanDocument& document);

  // As said: the document's, else the user's.
  [[nodiscard]] std::optional<SparkVersion> version() const { return version_; }
  // No older than this: as said, or proven by what only newer versions print (version_proof.hpp).
  [[nodiscard]] std::optional<SparkVersion> least_version() const;
  [[nodiscard]] bool is_at_least(int major, int minor) const;  // false where not known
  [[nodiscard]] bool is_before(int major, int minor) const;    // false where not known

  // The value that holds. Nothing when the key was not said and its default differs between the possible versions.
  [[nodiscard]] std::optional<ConfValue> conf(std::string_view key) const;
  [[nodiscard]] std::optional<bool> conf_flag(std::string_view key) const;
  [[nodiscard]] std::optional<double> conf_bytes(std::string_view key) const;  // "-1" is -1
  [[nodiscard]] std::optional<double> conf_number(std::string_view key) const;
  [[nodiscard]] bool is_conf_set(std::string_view key) const;

  [[nodiscard]] const TableFact* table(std::string_view name) const;

 private:
  const Facts& facts_;
  const PlanDocument& document_;
  std::optional<SparkVersion> version_;
  mutable std::optional<SparkVersion> least_version_;
  mutable bool is_proof_looked_for_ = false;  // the whole plan has to be gone through: only when somebody asks
};

}  // namespace planvet
