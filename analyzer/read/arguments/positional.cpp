// Arguments without labels: each goes to the next attribute of the operator's signature that can have it.
#include "analyzer/read/arguments/acceptance.hpp"
#include "analyzer/read/arguments/node_attributes.hpp"
#include "analyzer/read/arguments/signature.hpp"

namespace planvet::read {
namespace {

constexpr std::size_t kNoPlace = static_cast<std::size_t>(-1);

// `HashedRelationBroadcastMode(List(input[0, int, true]),true)`: built for a NOT IN join.
bool is_null_aware_mode(std::string_view mode) {
  const std::size_t list = mode.find("List(");
  if (list == std::string_view::npos) return false;
  const std::size_t behind = behind_closing(mode, list + 4);
  if (behind == std::string_view::npos) return false;
  std::string_view rest = mode.substr(behind);
  while (rest.starts_with(',') || rest.starts_with(' ')) rest.remove_prefix(1);
  return rest.starts_with("true");
}

// Databricks broadcasts through a shuffle to one partition that says so; of Photon's chain the map stage says it and the
// sink below is what counts. Which of the two is decoded first depends on the mode; a stage that was first is known by
// its broadcast mode.
void mark_executor_broadcast(NodeAttributes& attributes, std::string_view arguments) {
  constexpr std::string_view kOrigin = "EXECUTOR_BROADCAST";
  PlanBuilder& builder = attributes.builder();
  const PlanBuilder::Handle here = attributes.handle();
  if (attributes.kind() == OperatorKind::PhotonShuffleMapStage) {
    const std::size_t origin = arguments.find(kOrigin);
    if (origin == std::string_view::npos) return;
    attributes.add(AttributeKind::BroadcastMode, arguments.substr(origin, kOrigin.size()));
    const PlanBuilder::Handle below = here + 1;  // trees are read from the top
    if (below < builder.size() && builder.parent(below) == here &&
        builder.node(below).kind == OperatorKind::ShuffleExchange) {
      builder.node(below).kind = OperatorKind::BroadcastExchange;
    }
  } else if (attributes.node().engine == Engine::Spark) {
    if (arguments.find(kOrigin) == std::string_view::npos) return;
    builder.node(here).kind = OperatorKind::BroadcastExchange;
  } else {
    const PlanBuilder::Handle above = builder.parent(here);
    if (above != PlanBuilder::kNone && builder.node(above).kind == OperatorKind::PhotonShuffleMapStage &&
        builder.has_attribute(above, AttributeKind::BroadcastMode)) {
      builder.node(here).kind = OperatorKind::BroadcastExchange;
    }
  }
}

// Takes each item to its place among the attributes that the signature still has.
class Assignment {
 public:
  Assignment(const Signature& signature, bool keys_are_attributes)
      : signature_(signature), keys_are_attributes_(keys_are_attributes) {}

  // kNoPlace: no attribute can have the item. Forward first; a skipped one is taken when nothing later fits.
  std::size_t place(std::string_view item) {
    for (std::size_t at = next_; at < signature_.size; ++at) {
      if (fits(at, item)) return take(at);
    }
    for (std::size_t at = 0; at < next_ && at < signature_.size; ++at) {
      if (fits(at, item)) return take(at);
    }
    return kNoPlace;
  }

 private:
  [[nodiscard]] bool fits(std::size_t at, std::string_view item) const {
    if ((taken_ & (1U << at)) != 0 || !accepts(signature_.attributes[at], item)) return false;
    if (signature_.attributes[at] == AttributeKind::Offset && is_open(AttributeKind::Limit)) return false;
    return signature_.attributes[at] != AttributeKind::GroupingKeys || !keys_are_attributes_ || lists_attributes(item);
  }
  // The only number is the limit, wherever it stands: "PhotonTopK [a#1 ASC NULLS FIRST], 5".
  [[nodiscard]] bool is_open(AttributeKind kind) const {
    for (std::size_t at = 0; at < signature_.size; ++at) {
      if (signature_.attributes[at] == kind) return (taken_ & (1U << at)) == 0;
    }
    return false;
  }
  std::size_t take(std::size_t at) {
    taken_ |= 1U << at;
    next_ = at + 1;
    return at;
  }
  const Signature& signature_;
  bool keys_are_attributes_;
  std::size_t next_ = 0;
  unsigned taken_ = 0;
};

// The numbers of a state operator, `Append, 0, 0, 2`: watermarks as far as they go, the last one is the version of the
// state's format.
class StateNumbers {
 public:
  void take(NodeAttributes& attributes, std::string_view number) {
    const bool is_next = !text_.empty() && text_.data() + text_.size() + 2 == number.data();
    if (!is_next) flush(attributes, false);
    text_ = is_next ? std::string_view(text_.data(), text_.size() + 2 + number.size()) : number;
  }
  void flush(NodeAttributes& attributes, bool ends_with_format) {
    if (ends_with_format && !text_.empty()) {
      const std::size_t comma = text_.rfind(", ");
      const bool is_alone = comma == std::string_view::npos;
      attributes.add(AttributeKind::StateFormat, is_alone ? text_ : text_.substr(comma + 2));
      text_ = is_alone ? std::string_view{} : text_.substr(0, comma);
    }
    if (!text_.empty()) attributes.add(AttributeKind::Watermark, text_);
    text_ = {};
  }

 private:
  std::string_view text_;
};

bool has(const Signature& signature, AttributeKind kind) {
  for (const AttributeKind each : signature.list()) {
    if (each == kind) return true;
  }
  return false;
}

// What an attribute's text is, without what only marks it.
std::string_view bare(AttributeKind kind, std::string_view text) {
  switch (kind) {
    case AttributeKind::BuildSide: return build_side(text);
    case AttributeKind::PlanId: return plan_id(text);
    case AttributeKind::IsFinalPlan: return text.substr(std::string_view("isFinalPlan=").size());
    case AttributeKind::IsEmpty: return "true";
    case AttributeKind::SubqueryName: {
      const std::size_t comma = text.rfind(", [id=#");
      return text.substr(0, comma);
    }
    case AttributeKind::StorageLevel: {
      const std::size_t begin = text.find("StorageLevel(");
      if (begin == std::string_view::npos) return text;
      const std::size_t end = text.find(')', begin);
      return end == std::string_view::npos ? text.substr(begin) : text.substr(begin, end + 1 - begin);
    }
    default: return text;
  }
}

void add_item(NodeAttributes& attributes, AttributeKind kind, const Item& item) {
  const std::string_view text = bare(kind, item.text);
  if (kind == AttributeKind::Output && attributes.has(kind)) return;  // the block's own line
  if (kind == AttributeKind::StorageLevel) {
    attributes.add(kind, text);  // a part of the item
  } else {
    attributes.add_item(kind, text, item);
  }
  if (kind == AttributeKind::BroadcastMode && is_null_aware_mode(text)) {
    attributes.add(AttributeKind::IsNullAwareAntiJoin, "true");
  }
  if (kind == AttributeKind::SubqueryName && text.size() < item.text.size()) {
    attributes.add(AttributeKind::PlanId, plan_id(item.text.substr(text.size() + 2)));
  }
  if (kind == AttributeKind::StorageLevel && item.text.ends_with("))")) {  // ..,Some(hot_customers))
    const std::size_t name = item.text.rfind(",Some(");
    if (name != std::string_view::npos) {
      attributes.add(AttributeKind::Table, item.text.substr(name + 6, item.text.size() - name - 8));
    }
  }
}

}  // namespace

bool decode_positional(NodeAttributes& attributes, std::string_view arguments) {
  const Signature& signature =
      signature_of(attributes.kind(), attributes.node().engine);  // a broadcast by sinks has a shuffle's arguments
  if (attributes.kind() == OperatorKind::ShuffleExchange || attributes.kind() == OperatorKind::PhotonShuffleMapStage) {
    mark_executor_broadcast(attributes, arguments);
  }
  if (signature.is_whole_text && info(signature.attributes[0]).shape == AttributeShape::ExpressionList) {
    attributes.add_checked(signature.attributes[0], arguments);
    return true;
  }
  if (signature.is_whole_text) {
    // Comet prints the output before the condition.
    const std::size_t behind = arguments.starts_with('[') ? behind_closing(arguments, 0) : std::string_view::npos;
    if (behind != std::string_view::npos && arguments.substr(behind).starts_with(", ")) {
      attributes.add_checked(AttributeKind::Output, arguments.substr(0, behind));
      arguments.remove_prefix(behind + 2);
    }
    attributes.add(signature.attributes[0], arguments, completeness_of(arguments));
    return true;
  }
  // Engines drop an aggregate's empty keys too: what is left then are its functions.
  Assignment assignment(signature, family(attributes.kind()) == OperatorFamily::Aggregate);
  const bool has_watermark = has(signature, AttributeKind::Watermark);
  const bool has_format = has(signature, AttributeKind::StateFormat);
  // "LimitTransformer 0, 10"
  const bool is_offset_first = attributes.kind() == OperatorKind::GlobalLimit &&
                               attributes.node().engine == Engine::Gluten && arguments.find(',') < arguments.size();
  StateNumbers numbers;
  bool is_all_taken = true;
  for (ItemScanner items(arguments); !items.at_end();) {
    const Item item = items.next();
    if ((has_watermark || has_format) && is_integer(item.text)) {
      numbers.take(attributes, item.text);
      continue;
    }
    if (decode_statistics(attributes, item.text)) continue;
    const std::size_t place = assignment.place(item.text);
    if (place == kNoPlace) {
      const std::string_view id = plan_id(item.text);
      if (!id.empty() && is_integer(id)) {
        if (!attributes.has(AttributeKind::PlanId))
          attributes.add(AttributeKind::PlanId, id);  // Gazelle prints it twice
      } else if (!is_flag(item.text) || family(attributes.kind()) != OperatorFamily::Join) {
        // 4.2 and Databricks print flags of their own behind a join.
        is_all_taken = false;
      }
      continue;
    }
    AttributeKind kind = signature.attributes[place];
    if (is_offset_first) kind = kind == AttributeKind::Limit ? AttributeKind::Offset : AttributeKind::Limit;
    if (kind == AttributeKind::ReusedOperator || kind == AttributeKind::PruningPlan) {  // a whole line: all the rest
      attributes.add(kind, arguments.substr(static_cast<std::size_t>(item.text.data() - arguments.data())));
      return is_all_taken;
    }
    add_item(attributes, kind, item);
  }
  numbers.flush(attributes, has_format);
  return is_all_taken;
}

}  // namespace planvet::read
