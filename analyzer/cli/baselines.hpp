// Baselines of a run: which one holds for which plan, which findings it knows, which of its entries are gone.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "analyzer/cli/judging.hpp"
#include "analyzer/report/baseline.hpp"

namespace planvet::cli {

class Baselines {
 public:
  // `file` of the command line; empty: what the settings say, else the default beside planvet.toml.
  Baselines(Judging& judging, std::string file) : judging_(judging), file_(std::move(file)) {}

  // Reads those that hold for the inputs. A missing one has no entries, unless it was asked for by name and `must_exist`.
  // Empty: done; else what is wrong.
  [[nodiscard]] std::string read(const Inputs& inputs, bool must_exist);

  void mark(Inputs& inputs) const;

  struct Entry {
    BaselineEntry entry;
    bool is_covered = false;  // its plan was read and its rule ran
    bool is_found = false;    // and the finding is still there
    bool is_file_gone = false;
    [[nodiscard]] bool is_stale() const { return is_covered && !is_found; }
  };
  struct File {
    std::vector<Entry> entries;
    std::vector<BaselineEntry> found;  // all findings of the inputs that it is for
    bool exists = false;
  };
  [[nodiscard]] const std::map<std::string, File>& files() const { return files_; }
  [[nodiscard]] std::vector<StaleEntry> stale_entries() const;

 private:
  [[nodiscard]] std::string file_for(const std::string& path);
  [[nodiscard]] std::string read_file(const std::string& name, bool must_exist);
  void add_findings(const InputResult& result, File& file, const std::string& folder) const;
  void judge_entries(const Inputs& inputs);

  Judging& judging_;
  std::string file_;
  std::map<std::string, File> files_;
  std::map<std::string, std::string> file_of_;  // input -> baseline
};

}  // namespace planvet::cli
