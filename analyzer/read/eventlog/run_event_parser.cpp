#include "analyzer/read/eventlog/run_event_parser.hpp"

#include <algorithm>

#include "analyzer/read/eventlog/json_value.hpp"
#include "analyzer/read/eventlog/stage_event_line.hpp"

namespace planvet::read::eventlog {
namespace {

using json::is;
using json::ondemand::raw_json_string;
using json::ondemand::value;

// An RDD is made after those that it is computed from, so the stage's own has the largest id.
bool read_stage(value info, StageInfo& stage) {
  return json::for_each_member(info, [&](const raw_json_string& key, value member) {
    if (is(key, "Stage ID"))
      json::read_integer(member, stage.stage);
    else if (is(key, "Stage Attempt ID"))
      json::read_integer(member, stage.attempt);
    else if (is(key, "Number of Tasks"))
      json::read_integer(member, stage.tasks);
    else if (is(key, "Stage Name"))
      stage.name = json::text_of(member);
    else if (is(key, "Failure Reason"))
      stage.failure = json::text_of(member);
    else if (is(key, "Submission Time"))
      json::read_time(member, stage.submission_time);
    else if (is(key, "Completion Time"))
      json::read_time(member, stage.completion_time);
    else if (is(key, "RDD Info"))
      return json::for_each_element(member, [&](value rdd) {
        return json::for_each_member(rdd, [&](const raw_json_string& inner, value number) {
          std::int64_t id = -1;
          if (is(inner, "RDD ID")) json::read_integer(number, id);
          stage.rdd = std::max(stage.rdd, id);
          return true;
        });
      });
    return true;
  });
}

void read_properties(value properties, JobStart& event) {
  json::for_each_member(properties, [&](const raw_json_string& key, value member) {
    std::int64_t id = 0;
    if (is(key, "spark.sql.execution.id") && json::read_quoted_integer(member, id)) event.execution = id;
    return true;
  });
}

}  // namespace

struct RunEventParser::State {
  StageEventLine usual;
  json::ondemand::parser parser;

  template <typename Visit>
  bool visit(std::string_view line, const Visit& visit_member) {
    json::ondemand::document document;
    if (parser.iterate(json::padded(line)).get(document) != simdjson::SUCCESS) return false;
    json::ondemand::object object;
    if (document.get_object().get(object) != simdjson::SUCCESS) return false;
    return json::for_each_member(object, visit_member);
  }
};

RunEventParser::RunEventParser() : state_(std::make_unique<State>()) {}
RunEventParser::~RunEventParser() = default;

bool RunEventParser::parse(std::string_view line, JobStart& event) {
  event = JobStart();
  return state_->usual.read(line, event) || parse_any(line, event);
}

bool RunEventParser::parse_any(std::string_view line, JobStart& event) {
  event = JobStart();
  const bool is_whole = state_->visit(line, [&](const raw_json_string& key, value member) {
    if (is(key, "Job ID"))
      json::read_integer(member, event.job);
    else if (is(key, "Submission Time"))
      json::read_integer(member, event.time);
    else if (is(key, "Properties"))
      read_properties(member, event);
    else if (is(key, "Stage IDs"))
      return json::for_each_element(member, [&](value number) {
        json::read_integer(number, event.stage_ids.emplace_back(-1));
        return true;
      });
    else if (is(key, "Stage Infos"))
      return json::for_each_element(member, [&](value info) { return read_stage(info, event.stages.emplace_back()); });
    return true;
  });
  return is_whole && event.job >= 0;
}

bool RunEventParser::parse(std::string_view line, JobEnd& event) {
  event = JobEnd();
  const bool is_whole = state_->visit(line, [&](const raw_json_string& key, value member) {
    if (is(key, "Job ID"))
      json::read_integer(member, event.job);
    else if (is(key, "Completion Time"))
      json::read_integer(member, event.time);
    else if (is(key, "Job Result"))
      return json::for_each_member(member, [&](const raw_json_string& inner, value text) {
        if (is(inner, "Result")) event.has_succeeded = json::text_of(text) == "JobSucceeded";
        return true;
      });
    return true;
  });
  return is_whole && event.job >= 0;
}

bool RunEventParser::parse(std::string_view line, StageInfo& event) {
  event = StageInfo();
  return state_->usual.read(line, event) || parse_any(line, event);
}

bool RunEventParser::parse_any(std::string_view line, StageInfo& event) {
  event = StageInfo();
  const bool is_whole = state_->visit(line, [&](const raw_json_string& key, value member) {
    return !is(key, "Stage Info") || read_stage(member, event);
  });
  return is_whole && event.stage >= 0;
}

bool RunEventParser::parse(std::string_view line, Environment& event) {
  event = Environment();
  return state_->visit(line, [&](const raw_json_string& key, value member) {
    if (is(key, "JVM Information")) {
      return json::for_each_member(member, [&](const raw_json_string& name, value text) {
        if (is(name, "Scala Version")) json::read_text(text, event.scala_version);
        return true;
      });
    }
    if (!is(key, "Spark Properties")) return true;
    return json::for_each_member(member, [&](const raw_json_string& name, value text) {
      event.spark_properties.emplace_back(json::key_text(name), json::text_of(text));
      return true;
    });
  });
}

bool RunEventParser::parse(std::string_view line, ApplicationStart& event) {
  event = ApplicationStart();
  return state_->visit(line, [&](const raw_json_string& key, value member) {
    if (is(key, "App Name"))
      json::read_text(member, event.name);
    else if (is(key, "App ID"))
      json::read_text(member, event.id);
    else if (is(key, "App Attempt ID"))
      json::read_text(member, event.attempt);
    else if (is(key, "Timestamp"))
      json::read_integer(member, event.time);
    return true;
  });
}

bool RunEventParser::parse(std::string_view line, ApplicationEnd& event) {
  event = ApplicationEnd();
  return state_->visit(line, [&](const raw_json_string& key, value member) {
    if (is(key, "Timestamp")) json::read_integer(member, event.time);
    return true;
  });
}

bool RunEventParser::parse_log_start(std::string_view line, std::string& spark_version) {
  return state_->visit(line, [&](const raw_json_string& key, value member) {
    if (is(key, "Spark Version")) json::read_text(member, spark_version);
    return true;
  });
}

}  // namespace planvet::read::eventlog
