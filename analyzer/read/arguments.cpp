#include "analyzer/read/arguments.hpp"

#include "analyzer/dialect/dialect.hpp"
#include "analyzer/read/arguments/acceptance.hpp"
#include "analyzer/read/arguments/node_attributes.hpp"
#include "analyzer/read/arguments/signature.hpp"

namespace planvet::read {
namespace {

constexpr std::string_view kSkew = "(skew=true)";
constexpr std::string_view kCoordinator = "(coordinator id: ";  // of an Exchange in 2.x

std::size_t end_of_word(std::string_view text, std::size_t from) {
  while (from < text.size() && text[from] != ' ' && text[from] != '(' && text[from] != '[') ++from;
  return from;
}

// Where a scan's name ends and its output list begins.
std::size_t end_of_scan_name(std::string_view line, std::size_t word_end) {
  std::size_t from = word_end;
  if (line.substr(from).starts_with(" [") && line.substr(0, from).ends_with("Scan")) {
    // Comet's implementation: a bracketed word with another word behind it.
    const std::size_t behind = behind_closing(line, from + 1);
    const std::string_view inside = behind == std::string_view::npos ? "" : line.substr(from + 2, behind - from - 3);
    const bool is_word = !inside.empty() && inside.find_first_of("#, ") == std::string_view::npos;
    if (is_word && behind < line.size() && line[behind] == ' ') from = behind;
  }
  constexpr std::string_view kPartitions = ") [numPartitions=";
  if (const std::size_t jdbc = line.find(" JDBCRelation("); jdbc == word_end) {
    const std::size_t partitions = line.find(kPartitions, jdbc);
    if (partitions != std::string_view::npos) {
      const std::size_t close = line.find(']', partitions);
      if (close != std::string_view::npos) from = close + 1;
    }
  }
  return std::min(line.find('[', from), line.size());
}

bool has_scan_name(OperatorKind kind) {
  switch (family(kind)) {
    case OperatorFamily::Scan:
    case OperatorFamily::Cache: return true;
    case OperatorFamily::Local: return kind == OperatorKind::OneRowRelation;
    default: return false;
  }
}

// "(keys=[..], functions=[..])" or "(isFinalPlan=false)".
bool is_keyed(std::string_view arguments) {
  if (!arguments.starts_with('(')) return false;
  const std::size_t equals = arguments.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", 1);
  return equals != std::string_view::npos && equals > 1 && arguments[equals] == '=' &&
         attribute_of_label(arguments.substr(1, equals - 1)) != AttributeKind::Other;
}

bool has_metadata(OperatorKind kind) {
  return family(kind) == OperatorFamily::Scan && signature_of(kind, Engine::Spark).empty();
}

// Comet writes why an operator stayed with Spark: "[COMET: BatchEvalPython is not supported]".
std::string_view take_fallback_reason(NodeAttributes& attributes, std::string_view text) {
  constexpr std::string_view kMark = "[COMET: ";
  if (!text.ends_with(']')) return text;
  const std::size_t begin = text.find(kMark);
  if (begin == std::string_view::npos) return text;
  const std::size_t reason = begin + kMark.size();
  attributes.add(AttributeKind::FallbackReason, text.substr(reason, text.size() - 1 - reason));
  return trim(text.substr(0, begin));
}

// RAPIDS numbers its operators for its own tools, ", [loreId=118]", and says whether a filter coalesces: neither is an
// argument of Spark's.
std::string_view without_rapids_marks(OperatorKind kind, std::string_view arguments) {
  constexpr std::string_view kMark = "[loreId=";
  if (arguments.ends_with(']')) {
    const std::size_t begin = arguments.rfind('[');
    if (begin != std::string_view::npos && arguments.substr(begin).starts_with(kMark)) {
      arguments = trim(arguments.substr(0, begin));
      if (arguments.ends_with(',')) arguments.remove_suffix(1);
    }
  }
  if (kind == OperatorKind::Filter) {
    for (const std::string_view flag : {", true", ", false"}) {
      if (arguments.ends_with(flag)) arguments.remove_suffix(flag.size());
    }
  }
  return arguments;
}

// Arguments that every line of the operator would have: nothing worth keeping as text of its own.
void decode_arguments(NodeAttributes& attributes, std::string_view arguments, bool is_block) {
  // Comet prints the operator that it replaced, then its own arguments.
  constexpr std::string_view kReplaced = "TakeOrderedAndProject(";
  if (arguments.starts_with(kReplaced)) {
    const std::size_t behind = behind_closing(arguments, kReplaced.size() - 1);
    if (behind != std::string_view::npos) {
      return decode_keyed(attributes, arguments.substr(kReplaced.size(), behind - 1 - kReplaced.size()));
    }
  }
  const bool has_signature = !signature_of(attributes.kind(), attributes.node().engine).empty();
  const bool is_decoded = has_signature && decode_positional(attributes, arguments);
  if (!is_decoded && !is_block) attributes.add_checked(AttributeKind::Arguments, arguments);
}

// "BroadcastHashJoin Inner BuildRight": whether join words may stand behind the name at all.
bool is_join_name(std::string_view name) {
  const std::string_view word = name.substr(0, end_of_word(name, 0));
  return word.find("Join") != std::string_view::npos || word.find("Product") != std::string_view::npos;
}

std::string_view take_last_word(std::string_view text, std::string_view& word) {
  const std::size_t blank = text.rfind(' ');
  if (blank == std::string_view::npos) {
    word = {};
    return text;
  }
  word = text.substr(blank + 1);
  return text.substr(0, blank);
}

}  // namespace

NodeText split_one_line(std::string_view line) {
  line = trim(line);
  while (line.starts_with('!') || line.starts_with('\'')) line.remove_prefix(1);  // missing input, unresolved
  std::size_t end = end_of_word(line, 0);
  if (end == line.size()) return {line, {}};
  const std::string_view word = line.substr(0, end);
  if (word == "Execute" && line[end] == ' ') {
    end = end_of_word(line, end + 1);
    // Up to 3.3 a writer's name is printed twice.
    const std::string_view command = line.substr(8, end - 8);
    std::string_view arguments = trim(line.substr(end));
    if (arguments.starts_with(command) && arguments.substr(command.size()).starts_with(' ')) {
      arguments = trim(arguments.substr(command.size()));
    }
    return {line.substr(0, end), arguments};
  }
  if (line.substr(end).starts_with(kSkew)) {
    end += kSkew.size();
  } else if (line.substr(end).starts_with(kCoordinator)) {
    end = std::min(line.find(')', end), line.size() - 1) + 1;
  } else if (word.starts_with("WholeStageCodegen") && line.substr(end).starts_with(" (")) {
    end = std::min(line.find(')', end), line.size() - 1) + 1;
  } else if (has_scan_name(dialect::resolve(line.substr(0, end_of_word(line, std::min(end + 1, line.size())))).kind)) {
    end = end_of_scan_name(line, end);
  }
  return {trim(line.substr(0, end)), trim(line.substr(end))};
}

void decode_one_line(PlanBuilder& builder, PlanBuilder::Handle node, std::string_view arguments) {
  NodeAttributes attributes(builder, node);
  const OperatorKind kind = attributes.kind();
  arguments = trim(arguments);
  if (attributes.node().engine == Engine::Rapids) arguments = without_rapids_marks(kind, arguments);
  if (attributes.node().printed_name.ends_with(kSkew)) attributes.add(AttributeKind::IsSkewJoin, "true");
  arguments = take_statistics(attributes, arguments);
  arguments = take_fallback_reason(attributes, arguments);
  if (!arguments.empty()) {
    if (kind == OperatorKind::LogicalRelation && attributes.node().printed_name != "LogicalRelation") {
      decode_relation(attributes, arguments);
    } else if (has_metadata(kind)) {
      decode_metadata(attributes, arguments);
    } else if (is_keyed(arguments)) {
      const std::size_t end = arguments.ends_with(')') ? arguments.size() - 2 : arguments.size() - 1;
      decode_keyed(attributes, arguments.substr(1, end));
    } else {
      decode_arguments(attributes, arguments, false);
    }
  }
  if (has_scan_name(kind)) decode_scan_name(attributes, attributes.node().printed_name);
}

std::string_view decode_formatted_name(PlanBuilder& builder, PlanBuilder::Handle node, std::string_view text) {
  NodeAttributes attributes(builder, node);
  text = trim(text);
  if (is_join_name(text)) {
    std::string_view word;
    std::string_view rest = take_last_word(text, word);
    std::string_view side = build_side(word);
    if (!side.empty()) {
      text = rest;
      rest = take_last_word(text, word);
    }
    if (is_join_type(word)) {
      attributes.add(AttributeKind::JoinType, word);
      text = rest;
    }
    if (!side.empty()) attributes.add(AttributeKind::BuildSide, side);
    if (text.ends_with(kSkew)) attributes.add(AttributeKind::IsSkewJoin, "true");
    return trim(text);
  }
  if (text.find("Scan") != std::string_view::npos && text.find(' ') != std::string_view::npos) {
    // The caller sets the kind from what is returned here; the name's meaning is needed now.
    const dialect::OperatorName name = dialect::resolve(text);
    if (has_scan_name(name.kind)) {
      builder.node(node).kind = name.kind;
      decode_scan_name(attributes, text);
    }
  }
  return text;
}

void decode_formatted_tail(PlanBuilder& builder, PlanBuilder::Handle node, std::string_view tail) {
  NodeAttributes attributes(builder, node);
  tail = trim(tail);
  while (tail.starts_with(',')) tail = trim(tail.substr(1));
  if (tail.empty()) return;
  tail = take_fallback_reason(attributes, tail);
  if (tail.starts_with('(') && tail.ends_with(')') && is_keyed(tail)) {
    decode_keyed(attributes, tail.substr(1, tail.size() - 2));
  } else if (!decode_statistics(attributes, tail) && !tail.empty()) {
    const bool is_read = attributes.kind() == OperatorKind::AQEShuffleRead;
    attributes.add(is_read ? AttributeKind::ShuffleRead : AttributeKind::Other, tail);
  }
}

void decode_block_field(PlanBuilder& builder, PlanBuilder::Handle node, std::string_view label, std::uint32_t count,
                        std::string_view value) {
  NodeAttributes attributes(builder, node);
  value = trim(value);
  label = trim(label);
  if (label.empty()) {
    if (!value.empty()) decode_description(attributes, value);
    return;
  }
  const AttributeKind kind = attribute_of_block_label(label);
  switch (kind) {
    case AttributeKind::Arguments:
      attributes.add(kind, value, completeness_of(value), label);
      decode_arguments(attributes, value, true);
      return;
    case AttributeKind::JoinCondition:
    case AttributeKind::Limit:
      if (value == "None") return;
      break;
    case AttributeKind::JoinType:
      if (attributes.has(AttributeKind::JoinType)) return;  // the tree line has it
      break;
    case AttributeKind::Format:
      // The name says the format; Comet's block has one of its own.
      if (attributes.has(AttributeKind::Format))
        return attributes.add(AttributeKind::Other, value, Completeness::Whole, label);
      break;
    case AttributeKind::Output:
      // A Project prints what it computes as its output.
      if (attributes.kind() == OperatorKind::Project)
        attributes.add_checked(AttributeKind::ProjectList, value, label, count);
      break;
    default: break;
  }
  attributes.add_checked(kind, value, label, count);
}

}  // namespace planvet::read
