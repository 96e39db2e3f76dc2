#include "analyzer/read/eventlog/task_end_line.hpp"

#include <array>
#include <iterator>

namespace planvet::read::eventlog {
namespace {

// Lines have 40 to 60 of them, and those of one log are the same.
constexpr std::size_t kMostKeys = 500;
// Of stages that run at the same time.
constexpr std::size_t kMostHeads = 4000;
// What is longer is not remembered, and no name in any Spark.
constexpr std::size_t kLongestText = 1000;
constexpr std::size_t kLongestTexts = std::size_t{1} << 19U;  // all of them

constexpr std::size_t kNoGroup = 100;
struct MetricGroup {
  std::string_view name;
  std::size_t outer;
};
// The first one is "Task Metrics" itself. Nothing of the last two is used: as groups they are passed over faster.
constexpr auto kGroups = std::to_array<MetricGroup>({{"", kNoGroup},
                                                     {"Shuffle Read Metrics", 0},
                                                     {"Shuffle Write Metrics", 0},
                                                     {"Input Metrics", 0},
                                                     {"Output Metrics", 0},
                                                     {"Push Based Shuffle", 1},
                                                     {"Task Executor Metrics", kNoGroup}});
constexpr std::size_t kExecutorMetrics = kGroups.size() - 1;

std::int64_t metrics::TaskTotals::*total_of(std::string_view group, std::string_view key) {
#define PLANVET_TASK_TOTAL(field, rest_name, group_name, metric) \
  if (group == (group_name) && key == (metric)) return &metrics::TaskTotals::field;
#include "analyzer/metrics/task_totals.def"
  return nullptr;
}

}  // namespace

bool TaskEndLine::read(std::string_view line, TaskEnd& event) {
  CompactJson json(line);
  if (!json.take(R"({"Event":"SparkListenerTaskEnd","Stage ID":)") || !json.integer(event.stage)) return false;
  if (event.stage < 0 || !json.take(R"(,"Stage Attempt ID":)") || !json.integer(event.attempt)) return false;
  if (!json.take(R"(,"Task Type":")") || !json.skip_string()) return false;
  if (!json.take(R"(,"Task End Reason":{"Reason":"Success"},"Task Info":)") || !read_info(json, event)) return false;
  next_key_ = 0;
  if (json.take(R"(,"Task Executor Metrics":)") && !read_metrics(json, kExecutorMetrics, event.totals)) return false;
  return json.take(R"(,"Task Metrics":)") && read_metrics(json, 0, event.totals) && json.take("}") && json.is_at_end();
}

bool TaskEndLine::read_info(CompactJson& json, TaskEnd& event) {
  if (!json.take(R"({"Task ID":)") || !json.integer(event.task)) return false;
  if (!json.take(R"(,"Index":)") || !json.integer(event.index)) return false;
  if (!json.take(R"(,"Attempt":)") || !json.skip_value()) return false;
  if (json.take(R"(,"Partition ID":)") && !json.integer(event.partition)) return false;
  if (!json.take(R"(,"Launch Time":)") || !json.integer(event.launch_time)) return false;
  if (!json.take(R"(,"Executor ID":")") || !json.skip_string()) return false;
  if (!json.take(R"(,"Host":")") || !json.skip_string()) return false;
  if (!json.take(R"(,"Locality":")") || !json.skip_string() || !json.take(R"(,"Speculative":)")) return false;
  event.is_speculative = json.take("true");
  if (!event.is_speculative && !json.take("false")) return false;
  if (!json.take(R"(,"Getting Result Time":)") || !json.integer(event.getting_result_time)) return false;
  if (!json.take(R"(,"Finish Time":)") || !json.integer(event.finish_time)) return false;
  if (!json.take(R"(,"Failed":false,"Killed":false,"Accumulables":)")) return false;
  return read_accumulables(json, event.updates) && json.take("}");
}

bool TaskEndLine::read_accumulables(CompactJson& json, std::vector<AccumulatorUpdate>& updates) {
  if (!json.take("[")) return false;
  if (json.take("]")) return true;
  last_head_ = 0;
  do {
    const Head* const head = next_head(json);
    if (head == nullptr) return false;
    AccumulatorUpdate update{head->accumulator, 0};
    const bool is_quoted = head->is_quoted || json.take("\"");
    if (!json.integer(update.value) || (is_quoted && !json.take("\""))) return false;
    if (!json.take(R"(,"Value":)") || !json.skip_value()) return false;
    if (!json.take(R"(,"Internal":true,"Count Failed Values":true)")) return false;
    if (json.take("}")) continue;
    if (!json.take(R"(,"Metadata":"sql"})")) return false;
    if (is_quoted) updates.push_back(update);
  } while (json.take(","));
  return json.take("]");
}

const TaskEndLine::Head* TaskEndLine::next_head(CompactJson& json) {
  const std::size_t expected = heads_[last_head_].next;
  if (expected != 0 && json.take(text_of(heads_[expected]))) {
    last_head_ = expected;
    return &heads_[expected];
  }
  const char* const begin = json.position();
  Head head;
  if (!json.take(R"({"ID":)") || !json.integer(head.accumulator)) return nullptr;
  if (!json.take(R"(,"Name":")") || !json.skip_string() || !json.take(R"(,"Update":)")) return nullptr;
  head.is_quoted = json.take("\"");
  const std::string_view text(begin, static_cast<std::size_t>(json.position() - begin));
  if (text.size() > kLongestText) return nullptr;
  if (heads_.size() == kMostHeads || head_texts_.size() > kLongestTexts) {
    heads_.assign(1, Head());
    head_texts_.clear();
    heads_by_accumulator_ = AccumulatorIndex();
    last_head_ = 0;
  }
  const auto [known, is_new] =
      heads_by_accumulator_.insert(head.accumulator, static_cast<std::uint32_t>(heads_.size()));
  if (is_new) heads_.emplace_back();
  Head& found = heads_[known];
  if (text_of(found) != text) {
    head.begin = head_texts_.size();
    head.size = text.size();
    head.next = found.next;
    head_texts_ += text;
    found = head;
  }
  heads_[last_head_].next = known;
  last_head_ = known;
  return &found;
}

bool TaskEndLine::read_metrics(CompactJson& json, std::size_t group, metrics::TaskTotals& totals) {
  if (!json.take("{")) return false;
  if (json.take("}")) return true;
  do {
    const Key* const key = next_key(json, group);
    if (key == nullptr) return false;
    if (key->total != nullptr) {
      if (!json.integer(totals.*(key->total))) return false;
    } else if (key->opens != 0) {
      if (!read_metrics(json, key->opens, totals)) return false;
    } else if (!json.skip_value()) {
      return false;
    }
  } while (json.take(","));
  return json.take("}");
}

const TaskEndLine::Key* TaskEndLine::next_key(CompactJson& json, std::size_t group) {
  if (next_key_ < keys_.size() && keys_[next_key_].group == group && json.take(keys_[next_key_].text))
    return &keys_[next_key_++];
  const char* const begin = json.position();
  if (!json.take("\"") || !json.skip_string() || !json.take(":")) return nullptr;
  const std::string_view text(begin, static_cast<std::size_t>(json.position() - begin));
  if (text.size() > kLongestText) return nullptr;
  for (std::size_t known = 0; known < keys_.size(); ++known) {
    if (keys_[known].group != group || keys_[known].text != text) continue;
    next_key_ = known + 1;
    return &keys_[known];
  }
  if (keys_.size() == kMostKeys) {
    keys_.clear();
    next_key_ = 0;
  }
  const std::string_view name = text.substr(1, text.size() - 3);
  Key key{std::string(text), group, 0, total_of(kGroups[group].name, name)};
  for (std::size_t opened = 1; opened < kGroups.size(); ++opened) {
    if (kGroups[opened].name == name && kGroups[opened].outer == group) key.opens = opened;
  }
  keys_.insert(std::next(keys_.begin(), static_cast<std::ptrdiff_t>(next_key_)), std::move(key));
  return &keys_[next_key_++];
}

}  // namespace planvet::read::eventlog
