#include "analyzer/read/eventlog/stage_event_line.hpp"

#include <algorithm>

namespace planvet::read::eventlog {
namespace {

// Longer ones are not remembered.
constexpr std::size_t kLongestHead = std::size_t{1} << 16U;

// What has escapes would have to be decoded.
bool read_plain_text(CompactJson& json, std::string_view& text) {
  return json.take("\"") && json.raw_string(text) && text.find('\\') == std::string_view::npos;
}

bool read_time(CompactJson& json, std::optional<std::int64_t>& time) { return json.integer(time.emplace()); }

// Hundreds of them stand behind stages that are complete, and nothing of them is used.
bool skip_accumulable(CompactJson& json) {
  std::int64_t ignored = 0;
  if (!json.take(R"({"ID":)") || !json.integer(ignored) || !json.take(R"(,"Name":")") || !json.skip_string()) {
    return false;
  }
  if (!json.take(R"(,"Value":)") || !json.skip_value()) return false;
  if (!json.take(R"(,"Internal":)") || !json.skip_value()) return false;
  if (!json.take(R"(,"Count Failed Values":)") || !json.skip_value()) return false;
  return json.take("}") || json.take(R"(,"Metadata":"sql"})");
}

}  // namespace

bool StageEventLine::read(std::string_view line, JobStart& event) {
  CompactJson json(line);
  if (!json.take(R"({"Event":"SparkListenerJobStart","Job ID":)") || !json.integer(event.job)) return false;
  if (event.job < 0 || !json.take(R"(,"Submission Time":)") || !json.integer(event.time)) return false;
  if (!json.take(R"(,"Stage Infos":)")) return false;
  if (!json.for_each_element([&] { return read_stage(json, event.stages.emplace_back()); })) return false;
  if (!json.take(R"(,"Stage IDs":)")) return false;
  if (!json.for_each_element([&] { return json.integer(event.stage_ids.emplace_back()); })) return false;
  return json.take(R"(,"Properties":)") && properties_.read(json, event.execution) && json.take("}") &&
         json.is_at_end();
}

bool StageEventLine::read(std::string_view line, StageInfo& event) {
  CompactJson json(line);
  const bool is_submitted = json.take(R"({"Event":"SparkListenerStageSubmitted","Stage Info":)");
  if (!is_submitted && !json.take(R"({"Event":"SparkListenerStageCompleted","Stage Info":)")) return false;
  if (!read_stage(json, event) || event.stage < 0) return false;
  std::optional<std::int64_t> ignored;
  if (json.take(R"(,"Properties":)") && !properties_.read(json, ignored)) return false;
  return json.take("}") && json.is_at_end();
}

bool StageEventLine::read_stage(CompactJson& json, StageInfo& stage) {
  const char* const begin = json.position();
  const bool is_known = take_head(json, stage);
  if (!is_known && !json.take("{")) return false;
  bool is_head = !is_known;
  std::string_view key;
  while (!json.take("}")) {
    const bool is_first = json.position() == begin + 1;
    if (!is_first && !json.take(",")) return false;
    if (!json.take("\"") || !json.raw_string(key) || !json.take(":") || !read_member(json, key, stage)) return false;
    if (is_head && key == "Details") {
      remember({begin, static_cast<std::size_t>(json.position() - begin)}, stage);
      is_head = false;
    }
  }
  return true;
}

bool StageEventLine::read_member(CompactJson& json, std::string_view key, StageInfo& stage) {
  if (key == "Stage ID") return json.integer(stage.stage);
  if (key == "Stage Attempt ID") return json.integer(stage.attempt);
  if (key == "Number of Tasks") return json.integer(stage.tasks);
  if (key == "Stage Name") return read_plain_text(json, stage.name);
  if (key == "Failure Reason") return read_plain_text(json, stage.failure);
  if (key == "Submission Time") return read_time(json, stage.submission_time);
  if (key == "Completion Time") return read_time(json, stage.completion_time);
  if (key == "RDD Info") return json.for_each_element([&] { return read_rdd(json, stage); });
  if (key == "Accumulables") return json.for_each_element([&] { return skip_accumulable(json); });
  return key == "Details" ? details_.skip_value(json) : json.skip_value();
}

bool StageEventLine::read_rdd(CompactJson& json, StageInfo& stage) {
  if (!json.take("{")) return false;
  const char* rest = nullptr;
  bool is_first = true;
  std::string_view key;
  while (!json.take("}")) {
    if (!is_first && !json.take(",")) return false;
    is_first = false;
    if (!json.take("\"") || !json.raw_string(key) || !json.take(":")) return false;
    if (key == "RDD ID") {
      std::int64_t id = -1;
      if (rest != nullptr || !json.integer(id)) return false;
      stage.rdd = std::max(stage.rdd, id);
    } else if (!json.skip_value()) {
      return false;
    }
    if (key != "Parent IDs") continue;
    if (rdd_rest_.take(json)) return true;
    rest = json.position();
  }
  if (rest != nullptr) rdd_rest_.remember({rest, static_cast<std::size_t>(json.position() - rest)});
  return true;
}

bool StageEventLine::take_head(CompactJson& json, StageInfo& stage) const {
  const CompactJson before = json;
  if (!json.take(R"({"Stage ID":)") || !json.integer(stage.stage)) {
    json = before;
    return false;
  }
  json = before;
  for (const Head& head : heads_) {
    if (head.stage.stage != stage.stage || !json.take(std::string_view(head.text))) continue;
    stage = head.stage;
    stage.name = head.name;
    return true;
  }
  return false;
}

void StageEventLine::remember(std::string_view text, const StageInfo& stage) {
  if (text.size() > kLongestHead || stage.stage < 0) return;
  const auto same_stage =
      std::find_if(heads_.begin(), heads_.end(), [&](const Head& head) { return head.stage.stage == stage.stage; });
  Head& head = same_stage != heads_.end() ? *same_stage : heads_[next_head_++ % heads_.size()];
  head.text = text;
  head.name = stage.name;
  head.stage = stage;
  head.stage.name = {};
}

}  // namespace planvet::read::eventlog
