#include "analyzer/read/eventlog/plan_event_parser.hpp"

#include "analyzer/read/eventlog/json_value.hpp"
#include "analyzer/read/eventlog/plan_event_line.hpp"

namespace planvet::read::eventlog {
namespace {

using json::is;
using json::ondemand::raw_json_string;
using json::ondemand::value;

// Deeper plans than any real one; their parser calls itself.
constexpr int kDeepestPlan = 2000;

// False: an object that does not end. What is no object (null) has no text.
bool read_object_text(value member, std::string_view& text) {
  json::ondemand::json_type type{};
  if (member.type().get(type) != simdjson::SUCCESS) return false;
  if (type != json::ondemand::json_type::object) return true;
  json::ondemand::object object;
  return member.get_object().get(object) == simdjson::SUCCESS && object.raw_json().get(text) == simdjson::SUCCESS;
}

bool read_metric(value member, MetricDeclaration& metric) {
  return json::for_each_member(member, [&](const raw_json_string& key, value inner) {
    if (is(key, "name"))
      metric.name = json::text_of(inner);
    else if (is(key, "accumulatorId"))
      json::read_integer(inner, metric.accumulator);
    else if (is(key, "metricType"))
      metric.type = json::text_of(inner);
    return true;
  });
}

bool read_metrics(value members, std::vector<MetricDeclaration>& metrics) {
  return json::for_each_element(members, [&](value member) { return read_metric(member, metrics.emplace_back()); });
}

bool read_metrics_below(value node, std::vector<MetricDeclaration>& metrics, int depth) {
  if (depth > kDeepestPlan) return false;
  return json::for_each_member(node, [&](const raw_json_string& key, value member) {
    if (is(key, "metrics")) return read_metrics(member, metrics);
    if (!is(key, "children")) return true;
    return json::for_each_element(member, [&](value child) { return read_metrics_below(child, metrics, depth + 1); });
  });
}

// Pairs of accumulator and value.
bool read_updates(value pairs, std::vector<AccumulatorUpdate>& updates) {
  return json::for_each_element(pairs, [&](value pair) {
    AccumulatorUpdate update;
    int position = 0;
    const bool is_whole = json::for_each_element(pair, [&](value number) {
      json::read_integer(number, position == 0 ? update.accumulator : update.value);
      ++position;
      return true;
    });
    if (position == 2) updates.push_back(update);
    return is_whole;
  });
}

class PlanReader {
 public:
  PlanReader(std::string_view text, plan_info::Plan& plan) : text_(text), plan_(plan) {}

  bool read_node(value node, std::uint32_t parent, int depth) {
    if (depth > kDeepestPlan) return false;
    const auto at = static_cast<std::uint32_t>(plan_.nodes.size());
    plan_.nodes.emplace_back().parent = parent;
    plan_.nodes[at].subtree_end = at + 1;
    const bool is_whole = json::for_each_member(node, [&](const raw_json_string& key, value member) {
      if (is(key, "nodeName")) return read_string(member, plan_.nodes[at].node_name);
      if (is(key, "simpleString")) return read_string(member, plan_.nodes[at].simple_string);
      if (is(key, "children"))
        return json::for_each_element(member, [&](value child) { return read_node(child, at, depth + 1); });
      if (is(key, "metadata")) return read_metadata(member, at);
      if (is(key, "metrics")) return read_accumulators(member, at);
      return true;
    });
    plan_.nodes[at].subtree_end = static_cast<std::uint32_t>(plan_.nodes.size());
    return is_whole;
  }

 private:
  // The range between the quotes; the string is checked, since nobody will do that later.
  bool read_string(value member, plan_info::JsonString& into) {
    const std::string_view token = member.raw_json_token();
    std::string_view decoded;
    if (member.get_string().get(decoded) != simdjson::SUCCESS) return token.starts_with("null");
    const std::size_t last = token.rfind('"');
    into.begin = static_cast<std::uint32_t>(token.data() - text_.data()) + 1;
    into.end = into.begin + static_cast<std::uint32_t>(last) - 1;
    return true;
  }

  bool read_metadata(value members, std::uint32_t at) {
    plan_.nodes[at].metadata_begin = static_cast<std::uint32_t>(plan_.metadata.size());
    const bool is_whole = json::for_each_member(members, [&](const raw_json_string& key, value member) {
      const std::string_view key_text = json::key_text(key);
      plan_info::JsonString name;
      name.begin = static_cast<std::uint32_t>(key_text.data() - text_.data());
      name.end = name.begin + static_cast<std::uint32_t>(key_text.size());
      plan_info::JsonString content;
      if (!read_string(member, content)) return false;
      plan_.metadata.emplace_back(name, content);
      return true;
    });
    plan_.nodes[at].metadata_end = static_cast<std::uint32_t>(plan_.metadata.size());
    return is_whole;
  }

  bool read_accumulators(value members, std::uint32_t at) {
    plan_.nodes[at].metrics_begin = static_cast<std::uint32_t>(plan_.accumulators.size());
    const bool is_whole = json::for_each_element(members, [&](value member) {
      return json::for_each_member(member, [&](const raw_json_string& key, value inner) {
        if (is(key, "accumulatorId")) json::read_integer(inner, plan_.accumulators.emplace_back(-1));
        return true;
      });
    });
    plan_.nodes[at].metrics_end = static_cast<std::uint32_t>(plan_.accumulators.size());
    return is_whole;
  }

  std::string_view text_;
  plan_info::Plan& plan_;
};

}  // namespace

struct PlanEventParser::State {
  json::ondemand::parser parser;

  template <typename Visit>
  bool visit(std::string_view line, const Visit& visit_member) {
    json::ondemand::document document;
    if (parser.iterate(json::padded(line)).get(document) != simdjson::SUCCESS) return false;
    json::ondemand::object object;
    if (document.get_object().get(object) != simdjson::SUCCESS) return false;
    return json::for_each_member(object, visit_member);
  }

  template <typename Visit>
  bool visit_root(std::string_view text, const Visit& visit_value) {
    json::ondemand::document document;
    json::ondemand::value root;
    if (parser.iterate(json::padded(text)).get(document) != simdjson::SUCCESS) return false;
    if (document.get_value().get(root) != simdjson::SUCCESS) return false;
    return visit_value(root);
  }

  bool parse_metrics(std::string_view plan, std::vector<MetricDeclaration>& metrics) {
    return visit_root(plan, [&](value root) { return read_metrics_below(root, metrics, 0); });
  }
};

PlanEventParser::PlanEventParser() : state_(std::make_unique<State>()) {}
PlanEventParser::~PlanEventParser() = default;

bool PlanEventParser::parse(std::string_view line, ExecutionStart& event, std::vector<MetricDeclaration>& metrics) {
  event = ExecutionStart();
  return read_usual(line, event, metrics) || parse_any(line, event, metrics);
}

bool PlanEventParser::parse_any(std::string_view line, ExecutionStart& event, std::vector<MetricDeclaration>& metrics) {
  event = ExecutionStart();
  metrics.clear();
  const bool is_whole = state_->visit(line, [&](const raw_json_string& key, value member) {
    if (is(key, "executionId"))
      json::read_integer(member, event.execution);
    else if (is(key, "rootExecutionId"))
      json::read_time(member, event.root_execution);
    else if (is(key, "description"))
      json::read_text(member, event.description);
    else if (is(key, "time"))
      json::read_integer(member, event.time);
    else if (is(key, "sparkPlanInfo"))
      return read_object_text(member, event.plan);
    else if (is(key, "modifiedConfigs"))
      return json::for_each_member(member, [&](const raw_json_string& name, value text) {
        event.conf.emplace_back(json::key_text(name), json::text_of(text));
        return true;
      });
    return true;
  });
  if (!is_whole || event.execution < 0) {
    event.execution = -1;
    return false;
  }
  return event.plan.empty() || state_->parse_metrics(event.plan, metrics);
}

bool PlanEventParser::parse(std::string_view line, ExecutionEnd& event) {
  event = ExecutionEnd();
  const bool is_whole = state_->visit(line, [&](const raw_json_string& key, value member) {
    if (is(key, "executionId"))
      json::read_integer(member, event.execution);
    else if (is(key, "time"))
      json::read_integer(member, event.time);
    else if (is(key, "errorMessage"))
      json::read_text(member, event.error);
    return true;
  });
  return is_whole && event.execution >= 0;
}

bool PlanEventParser::parse(std::string_view line, AdaptiveUpdate& event, std::vector<MetricDeclaration>& metrics) {
  event = AdaptiveUpdate();
  return read_usual(line, event, metrics) || parse_any(line, event, metrics);
}

bool PlanEventParser::parse_any(std::string_view line, AdaptiveUpdate& event, std::vector<MetricDeclaration>& metrics) {
  event = AdaptiveUpdate();
  metrics.clear();
  const bool is_whole = state_->visit(line, [&](const raw_json_string& key, value member) {
    if (is(key, "executionId"))
      json::read_integer(member, event.execution);
    else if (is(key, "sparkPlanInfo"))
      return read_object_text(member, event.plan);
    return true;
  });
  return is_whole && event.execution >= 0 && !event.plan.empty() && state_->parse_metrics(event.plan, metrics);
}

bool PlanEventParser::parse(std::string_view line, AdaptiveMetrics& event) {
  event = AdaptiveMetrics();
  const bool is_whole = state_->visit(line, [&](const raw_json_string& key, value member) {
    if (is(key, "executionId"))
      json::read_integer(member, event.execution);
    else if (is(key, "sqlPlanMetrics"))
      return read_metrics(member, event.metrics);
    return true;
  });
  return is_whole && event.execution >= 0;
}

bool PlanEventParser::parse(std::string_view line, DriverUpdates& event) {
  event = DriverUpdates();
  const bool is_whole = state_->visit(line, [&](const raw_json_string& key, value member) {
    if (is(key, "executionId"))
      json::read_integer(member, event.execution);
    else if (is(key, "accumUpdates"))
      return read_updates(member, event.updates);
    return true;
  });
  return is_whole && event.execution >= 0;
}

bool PlanEventParser::parse_plan(std::string_view text, std::string_view plan, plan_info::Plan& into) {
  into = plan_info::Plan();
  return read_usual_plan(text, plan, into) || parse_any_plan(text, plan, into);
}

bool PlanEventParser::parse_any_plan(std::string_view text, std::string_view plan, plan_info::Plan& into) {
  into = plan_info::Plan();
  PlanReader reader(text, into);
  return state_->visit_root(plan, [&](value root) { return reader.read_node(root, plan_info::kNone, 0); });
}

}  // namespace planvet::read::eventlog
