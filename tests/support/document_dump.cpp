#include "tests/support/document_dump.hpp"

#include <fmt/core.h>

#include "analyzer/read/explain_text.hpp"

namespace planvet::test {
namespace {

std::string one_line(std::string_view text) {
  std::string result;
  for (const char character : text) {
    if (character == '\n') {
      result += "\\n";
    } else {
      result += character;
    }
  }
  return result;
}

std::string describe(const PlanTree& tree, const PlanNode& node, DumpOptions options) {
  std::string line;
  if (node.link != Link::Child && node.link != Link::Root) line += fmt::format("[{}] ", name(node.link));
  line += info(node.kind).name;
  if (node.engine != Engine::Spark) line += fmt::format("@{}", name(node.engine));
  if (node.kind == OperatorKind::Unknown) line += fmt::format("<{}>", one_line(node.printed_name));
  if (node.operator_id) line += fmt::format(" ({})", *node.operator_id);
  if (node.codegen_stage == kCodegenWithoutNumber) line += " *";
  if (node.codegen_stage > 0) line += fmt::format(" *{}", node.codegen_stage);
  if (node.is_logical) line += " logical";
  if (node.reuses != kNoNode) line += fmt::format(" reuses #{}", index(node.reuses));
  if (!options.attributes) return line;
  std::string attributes;
  for (const Attribute& attribute : tree.attributes(node.id)) {
    if (attribute.kind == AttributeKind::Arguments) continue;  // decoded beside it
    if (!attributes.empty()) attributes += ", ";
    attributes += info(attribute.kind).json_name;
    if (attribute.kind == AttributeKind::Other) attributes += fmt::format("'{}'", attribute.label);
    attributes += attribute.completeness == Completeness::Whole       ? "="
                  : attribute.completeness == Completeness::Truncated ? "=cut:"
                                                                      : "=?";
    attributes += one_line(attribute.text);
  }
  if (!attributes.empty()) line += fmt::format(" {{{}}}", attributes);
  return line;
}

}  // namespace

std::string dump(const PlanTree& tree, DumpOptions options) {
  std::string result;
  std::vector<NodeId> ends;
  for (const PlanNode& node : tree.nodes()) {
    while (!ends.empty() && ends.back() <= node.id) ends.pop_back();
    result += std::string(2 * (ends.size() + 1), ' ') + describe(tree, node, options) + "\n";
    ends.push_back(node.subtree_end);
  }
  return result;
}

std::string dump(const PlanDocument& document, DumpOptions options) {
  std::string result = fmt::format("{}, {}", name(document.input), document.is_complete ? "complete" : "incomplete");
  if (!document.title.empty()) result += fmt::format(", \"{}\"", document.title);
  if (document.execution_id) result += fmt::format(", execution {}", *document.execution_id);
  if (document.spark_version) {
    result += fmt::format(", spark {}.{}.{}", document.spark_version->major, document.spark_version->minor,
                          document.spark_version->patch);
  }
  result += "\n";
  for (const auto& [key, value] : document.conf) result += fmt::format("conf {}={}\n", key, value);
  for (const AllowLine& allow : document.allows) result += fmt::format("allow {} \"{}\"\n", allow.rule, allow.reason);
  for (const Fragment& fragment : document.fragments) {
    result += fmt::format("{}\n{}", name(fragment.role), dump(fragment.tree, options));
  }
  for (const PlanTree& tree : document.optimized_out) result += "optimized out\n" + dump(tree, options);
  for (const PlanTree& tree : document.logical_plans) {
    result += fmt::format("logical plan of {} nodes\n", tree.size());
  }
  for (const auto& [title, text] : document.explanations) {
    result += fmt::format("section \"{}\" of {} bytes\n", title, text.size());
  }
  for (const Note& note : document.notes) {
    const Position place = document.source->position(note.span.begin);
    result += fmt::format("{} {}:{} \"{}\"\n", code(note.kind), place.line, place.column, one_line(note.message));
  }
  return result;
}

std::string dump_input(std::string bytes, DumpOptions options) {
  std::string result;
  const auto source = std::make_shared<const SourceBytes>("input", std::move(bytes));
  read::kExplainText.read(source, [&](PlanDocument&& document) { result += dump(document, options); });
  return result.empty() ? "(nothing)\n" : result;
}

}  // namespace planvet::test
