#include "analyzer/read/eventlog/plan_event_line.hpp"

#include "analyzer/read/eventlog/compact_json.hpp"

namespace planvet::read::eventlog {
namespace {

using plan_info::JsonString;
using plan_info::Plan;

// Deeper ones are left to the parser that knows what is too deep.
constexpr int kDeepestUsualPlan = 400;

// {"name":"number of output rows","accumulatorId":42,"metricType":"sum"}
bool read_metric(CompactJson& json, std::int64_t& accumulator, std::string_view& name, std::string_view& type) {
  return json.take(R"({"name":")") && json.raw_string(name) && json.take(R"(,"accumulatorId":)") &&
         json.integer(accumulator) && json.take(R"(,"metricType":")") && json.raw_string(type) && json.take("}");
}

bool has_escape(std::string_view raw) { return raw.find('\\') != std::string_view::npos; }

// The metrics of a plan's nodes; the rest is only looked at.
bool read_declarations(CompactJson& json, std::vector<MetricDeclaration>& metrics, int depth) {
  if (depth > kDeepestUsualPlan) return false;
  return json.for_each_member([&](std::string_view key) {
    if (key == "children") {
      return json.for_each_element([&] { return read_declarations(json, metrics, depth + 1); });
    }
    if (key != "metrics") return json.skip_value();
    return json.for_each_element([&] {
      MetricDeclaration& metric = metrics.emplace_back();
      return read_metric(json, metric.accumulator, metric.name, metric.type) && !has_escape(metric.name) &&
             !has_escape(metric.type);
    });
  });
}

// The nodes of a plan, as ranges of the text that it stands in.
class PlanRanges {
 public:
  PlanRanges(const char* text, CompactJson& json, Plan& plan) : text_(text), json_(json), plan_(plan) {}

  bool read_node(std::uint32_t parent, int depth) {
    if (depth > kDeepestUsualPlan) return false;
    const auto at = static_cast<std::uint32_t>(plan_.nodes.size());
    plan_.nodes.emplace_back().parent = parent;
    const bool is_usual = json_.for_each_member([&](std::string_view key) {
      if (key == "nodeName") return read_string(plan_.nodes[at].node_name);
      if (key == "simpleString") return read_string(plan_.nodes[at].simple_string);
      if (key == "children") return json_.for_each_element([&] { return read_node(at, depth + 1); });
      if (key == "metadata") return read_metadata(at);
      if (key == "metrics") return read_accumulators(at);
      return json_.skip_value();
    });
    plan_.nodes[at].subtree_end = static_cast<std::uint32_t>(plan_.nodes.size());
    return is_usual;
  }

 private:
  [[nodiscard]] JsonString range_of(std::string_view raw) const {
    const auto begin = static_cast<std::uint32_t>(raw.data() - text_);
    return {begin, begin + static_cast<std::uint32_t>(raw.size())};
  }

  bool read_string(JsonString& into) {
    std::string_view raw;
    if (!json_.take("\"") || !json_.raw_string(raw)) return false;
    into = range_of(raw);
    return true;
  }

  bool read_metadata(std::uint32_t at) {
    plan_.nodes[at].metadata_begin = static_cast<std::uint32_t>(plan_.metadata.size());
    const bool is_usual = json_.for_each_member([&](std::string_view key) {
      JsonString content;
      if (!read_string(content)) return false;
      plan_.metadata.emplace_back(range_of(key), content);
      return true;
    });
    plan_.nodes[at].metadata_end = static_cast<std::uint32_t>(plan_.metadata.size());
    return is_usual;
  }

  bool read_accumulators(std::uint32_t at) {
    plan_.nodes[at].metrics_begin = static_cast<std::uint32_t>(plan_.accumulators.size());
    std::string_view ignored;
    const bool is_usual =
        json_.for_each_element([&] { return read_metric(json_, plan_.accumulators.emplace_back(), ignored, ignored); });
    plan_.nodes[at].metrics_end = static_cast<std::uint32_t>(plan_.accumulators.size());
    return is_usual;
  }

  const char* text_;
  CompactJson& json_;
  Plan& plan_;
};

bool read_plan(CompactJson& json, std::string_view& plan, std::vector<MetricDeclaration>& metrics) {
  const char* const begin = json.position();
  if (!read_declarations(json, metrics, 0)) return false;
  plan = {begin, static_cast<std::size_t>(json.position() - begin)};
  return true;
}

bool read_text(CompactJson& json, std::string& text) {
  std::string_view raw;
  if (!json.take("\"") || !json.raw_string(raw)) return false;
  text = has_escape(raw) ? plan_info::decoded(raw, {0, static_cast<std::uint32_t>(raw.size())}) : std::string(raw);
  return true;
}

}  // namespace

bool read_usual(std::string_view line, ExecutionStart& event, std::vector<MetricDeclaration>& metrics) {
  CompactJson json(line);
  metrics.clear();
  const bool is_usual = json.for_each_member([&](std::string_view key) {
    if (key == "executionId") return json.integer(event.execution);
    if (key == "rootExecutionId") return json.take("null") || json.integer(event.root_execution.emplace());
    if (key == "description") return read_text(json, event.description);
    if (key == "time") return json.integer(event.time);
    if (key == "sparkPlanInfo") return event.plan.empty() && read_plan(json, event.plan, metrics);
    if (key != "modifiedConfigs") return json.skip_value();
    return json.for_each_member([&](std::string_view name) {
      event.conf.emplace_back(name, std::string());
      return read_text(json, event.conf.back().second);
    });
  });
  return is_usual && json.is_at_end() && event.execution >= 0;
}

bool read_usual(std::string_view line, AdaptiveUpdate& event, std::vector<MetricDeclaration>& metrics) {
  CompactJson json(line);
  metrics.clear();
  const bool is_usual = json.for_each_member([&](std::string_view key) {
    if (key == "executionId") return json.integer(event.execution);
    if (key == "sparkPlanInfo") return event.plan.empty() && read_plan(json, event.plan, metrics);
    return json.skip_value();
  });
  return is_usual && json.is_at_end() && event.execution >= 0 && !event.plan.empty();
}

bool read_usual_plan(std::string_view text, std::string_view plan, Plan& into) {
  CompactJson json(plan);
  return PlanRanges(text.data(), json, into).read_node(plan_info::kNone, 0) && json.is_at_end();
}

}  // namespace planvet::read::eventlog
