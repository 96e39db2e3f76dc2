// The lists cannot rot. Every operator and each of its spellings, every attribute and each of its labels, every vendor
// name, rule, note, input kind and output format occurs in something that a person has read: a plan of the corpus, a
// fixture with its golden, a transcript. What does not is an exception below, by name and with its reason; an exception
// that is covered after all fails too, so those lists can only shrink.

#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "analyzer/cli/options.hpp"
#include "analyzer/dialect/dialect.hpp"
#include "analyzer/read/reader.hpp"
#include "rules/rule.hpp"
#include "tests/support/damage.hpp"
#include "tests/support/event_logs.hpp"
#include "tests/support/files.hpp"

namespace planvet::test {
namespace {

struct Exception {
  std::string_view thing;
  std::string_view why;
};

constexpr Exception kSpellingExceptions[] = {
    {"RunnableCommand", "stands for every name that ends in Command"},
};

// Everything that occurs in the plans of the corpus and of the fixtures, by the names that the tables use.
struct Seen {
  std::size_t files = 0;
  std::size_t operators = 0;
  std::set<OperatorKind> kinds;
  std::map<OperatorKind, std::set<std::string>> printed;  // whole names as printed
  std::set<std::string> vendor_names;                     // the same, of vendors' operators
  std::set<Engine> engines;
  std::set<AttributeKind> attributes;
  std::set<std::string> labels;
  std::set<NoteKind> notes;
  std::set<InputKind> inputs;

  void add(const PlanTree& tree) {
    for (const PlanNode& node : tree.nodes()) {
      ++operators;
      kinds.insert(node.kind);
      engines.insert(node.engine);
      printed[node.kind].emplace(node.printed_name);
      if (node.engine != Engine::Spark) vendor_names.emplace(node.printed_name);
      for (const Attribute& attribute : tree.attributes(node.id)) {
        attributes.insert(attribute.kind);
        if (!attribute.label.empty()) labels.emplace(attribute.label);
      }
    }
  }

  void add(const PlanDocument& document) {
    inputs.insert(document.input);
    for (const Fragment& fragment : document.fragments) add(fragment.tree);
    for (const PlanTree& tree : document.logical_plans) add(tree);
    for (const PlanTree& tree : document.optimized_out) add(tree);
    for (const Note& note : document.notes) notes.insert(note.kind);
  }
};

void add_text(std::string path, std::string text, Seen& all) {
  const auto bytes = std::make_shared<const SourceBytes>(std::move(path), std::move(text));
  read::read_input(bytes, [&](PlanDocument&& document) { all.add(document); });
  ++all.files;
}

const Seen& seen() {
  static const Seen result = [] {
    Seen all;
    for (const char* pattern : {"corpus/**/*.txt", "corpus/**/*.planinfo.json", "corpus/**/event.json",
                                "tests/explain/*.txt", "tests/rules/*.txt"}) {
      for (const std::string& path : source_files(pattern)) {
        add_text(path, read_file(source_path(path)), all);
      }
    }
    for (const EventLogCase& log : all_log_cases()) {
      for (const PlanDocument& document : read_case(log).documents) all.add(document);
      add_text("sql.json", decompressed_file(log.directory + "/sql.json.zst"), all);
      ++all.files;
    }
    for (const std::string& path : source_files("corpus/tree_node_json/*.zst")) {
      const std::string lines = decompressed_file(source_path(path).string());
      for (const std::string_view line : split_lines(lines)) {
        if (!line.empty()) add_text("plan.json", nlohmann::json::parse(line)["toJSON"].dump(), all);
      }
    }
    return all;
  }();
  return result;
}

std::vector<std::string_view> split(std::string_view names) {
  std::vector<std::string_view> result;
  while (!names.empty()) {
    const std::size_t end = std::min(names.find('|'), names.size());
    result.push_back(names.substr(0, end));
    names.remove_prefix(std::min(end + 1, names.size()));
  }
  return result;
}

// Is `printed` that spelling of operators.def? A '*' allows more words behind it.
bool is_spelling(std::string_view spelling, std::string_view printed) {
  const bool is_prefix = spelling.ends_with('*');
  if (is_prefix) spelling.remove_suffix(1);
  if (!printed.starts_with(spelling)) return false;
  const std::string_view rest = printed.substr(spelling.size());
  if (rest.empty()) return !spelling.ends_with(' ');
  if (spelling.ends_with(' ')) return true;
  if (rest.front() == '(' || rest.front() == '[') return true;  // "SortMergeJoin(skew=true)"
  return rest == " " || (is_prefix && rest.front() == ' ');
}

template <typename Names>
bool any_is_spelling(std::string_view spelling, const Names& names) {
  return std::any_of(names.begin(), names.end(), [&](const auto& name) { return is_spelling(spelling, name); });
}

// Holds a list against what occurs and against its exceptions.
class Coverage {
 public:
  Coverage(std::string_view what, std::span<const Exception> exceptions) : what_(what), exceptions_(exceptions) {}
  Coverage(const Coverage&) = delete;
  Coverage& operator=(const Coverage&) = delete;

  void check(std::string_view thing, bool occurs) {
    ++count_;
    covered_ += occurs ? 1U : 0U;
    const auto found = std::find_if(exceptions_.begin(), exceptions_.end(),
                                    [&](const Exception& exception) { return exception.thing == thing; });
    const bool is_exception = found != exceptions_.end();
    if (is_exception) used_.insert(found->thing);
    if (occurs && is_exception) ADD_FAILURE() << what_ << " '" << thing << "' is covered: take it off the exceptions";
    if (!occurs && !is_exception) ADD_FAILURE() << what_ << " '" << thing << "' occurs in no plan, golden or fixture";
  }

  ~Coverage() {
    std::printf("[ coverage ] %.*s: %zu of %zu, %zu exceptions\n", static_cast<int>(what_.size()), what_.data(),
                covered_, count_, exceptions_.size());
    EXPECT_GT(covered_, 0U) << what_;
    for (const Exception& exception : exceptions_) {
      EXPECT_TRUE(used_.contains(exception.thing)) << what_ << " '" << exception.thing << "' is in no list any more";
      EXPECT_FALSE(exception.why.empty()) << exception.thing;
    }
  }

 private:
  std::string_view what_;
  std::span<const Exception> exceptions_;
  std::set<std::string_view> used_;
  std::size_t count_ = 0;
  std::size_t covered_ = 0;
};

TEST(Coverage, Operators) {
  std::printf("[ coverage ] %zu operators in %zu files\n", seen().operators, seen().files);
  Coverage coverage("operator", {});
  for (const OperatorInfo& info : operator_table()) coverage.check(info.name, seen().kinds.contains(info.kind));
}

TEST(Coverage, Spellings) {
  Coverage coverage("spelling", kSpellingExceptions);
  for (const OperatorInfo& info : operator_table()) {
    const auto printed = seen().printed.find(info.kind);
    for (const std::string_view spelling : split(info.names)) {
      coverage.check(spelling, printed != seen().printed.end() && any_is_spelling(spelling, printed->second));
    }
  }
}

TEST(Coverage, Engines) {
  Coverage coverage("engine", {});
  for (const dialect::Dialect* dialect : dialect::dialects()) {
    coverage.check(name(dialect->engine), seen().engines.contains(dialect->engine));
  }
}

TEST(Coverage, VendorNames) {
  Coverage coverage("vendor name", {});
  for (const dialect::Dialect* dialect : dialect::dialects()) {
    for (const dialect::NameMapping& mapping : dialect->irregular) {
      const std::string spelling = std::string(mapping.printed) + "*";
      coverage.check(mapping.printed, any_is_spelling(spelling, seen().vendor_names));
    }
  }
}

TEST(Coverage, Attributes) {
  Coverage coverage("attribute", {});
  for (const AttributeInfo& info : attribute_table()) {
    coverage.check(info.json_name, seen().attributes.contains(info.kind));
  }
}

TEST(Coverage, Labels) {
  Coverage coverage("label", {});
  for (const AttributeInfo& info : attribute_table()) {
    for (const std::string_view label : split(info.labels)) {
      coverage.check(label, seen().labels.contains(std::string(label)));
    }
  }
}

TEST(Coverage, Rules) {
  std::set<std::string> reported;
  for (const std::string& path : source_files("tests/rules/*.findings")) {
    const std::string golden = read_file(source_path(path));
    std::string_view rest = golden;
    while (!rest.empty()) {
      if (rest.starts_with("PV")) reported.emplace(rest.substr(0, 5));
      const std::size_t end = rest.find('\n');
      rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    }
  }
  Coverage coverage("rule", {});
  for (const rules::Rule* rule : rules::catalogue()) {
    if (rule->info.needs_event_log) continue;
    coverage.check(rule->info.code, reported.contains(std::string(rule->info.code)));
  }
}

TEST(Coverage, Notes) {
  Coverage coverage("note", {});
  for (const NoteKind kind : {NoteKind::TruncatedPlan, NoteKind::IncompleteLog, NoteKind::UnknownOperator,
                              NoteKind::UnreadablePart, NoteKind::NotFinalPlan}) {
    coverage.check(code(kind), seen().notes.contains(kind));
  }
  EXPECT_EQ(rules::note_catalogue().size(), 5U) << "name the new one above";
}

// The formats that a command's help offers: "  --format text|json  Output format".
std::vector<std::string> formats_of(const std::string& command) {
  const std::vector<std::string> arguments = {command, "--help"};
  const cli::Options options = cli::parse_options(arguments, {});
  const auto* help = std::get_if<cli::Announcement>(&options);
  EXPECT_NE(help, nullptr) << command;
  if (help == nullptr) return {};
  constexpr std::string_view kFlag = "--format ";
  std::string_view text = help->text;
  text.remove_prefix(std::min(text.find(kFlag), text.size() - kFlag.size()) + kFlag.size());
  std::vector<std::string> formats;
  for (const std::string_view format : split(text.substr(0, text.find_first_of(" \n")))) formats.emplace_back(format);
  EXPECT_GE(formats.size(), 2U) << command;
  return formats;
}

// Transcripts of the command line (tests/cli/*.session) hold a command and all that it prints.
TEST(Coverage, OutputFormats) {
  std::set<std::string> run;  // "tree json"
  for (const std::string& path : source_files("tests/cli/*.session")) {
    std::istringstream lines(read_file(source_path(path)));
    for (std::string line; std::getline(lines, line);) {
      if (!line.starts_with("$ ") || line.find("planvet") == std::string::npos) continue;
      std::istringstream words(line.substr(line.find("planvet")));
      std::string command = "check";
      std::string format = "text";
      for (std::string word; words >> word;) {
        if (word == "tree") command = "tree";
        if (word == "rule" || word == "rules") command = "rules";
        if (word == "--format") words >> format;
      }
      run.insert(command + " " + format);
    }
  }
  Coverage coverage("output format", {});
  for (const std::string command : {"check", "tree", "rules"}) {
    for (const std::string& format : formats_of(command)) {
      const std::string thing = command + " " + format;
      coverage.check(thing, run.contains(thing));
    }
  }
}

TEST(Coverage, InputKinds) {
  Coverage coverage("input kind", {});
  for (int number = 0; number <= static_cast<int>(InputKind::EventLog); ++number) {
    const auto kind = static_cast<InputKind>(number);
    coverage.check(name(kind), seen().inputs.contains(kind));
  }
}

}  // namespace
}  // namespace planvet::test
