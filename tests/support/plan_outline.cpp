#include "tests/support/plan_outline.hpp"

#include "analyzer/read/reader.hpp"

namespace planvet::test {
namespace {

std::string_view completeness_mark(Completeness completeness) {
  switch (completeness) {
    case Completeness::Whole: return "";
    case Completeness::Truncated: return " (truncated)";
    case Completeness::Unparsed: return " (unparsed)";
  }
  return "";
}

std::vector<int> depths(const PlanTree& tree) {
  std::vector<int> result(tree.size());
  for (const PlanNode& node : tree.nodes()) {
    if (node.parent != kNoNode) result[index(node.id)] = result[index(node.parent)] + 1;
  }
  return result;
}

}  // namespace

std::string place(const Source& source, Span span) {
  const Position position = source.position(span.begin);
  std::string result = std::to_string(position.line) + ":" + std::to_string(position.column);
  if (position.plan_line) result += "/" + std::to_string(*position.plan_line);
  return result;
}

std::string outline(const PlanTree& tree, const OutlineOptions& options) {
  std::string result;
  const std::vector<int> depth = depths(tree);
  for (const PlanNode& node : tree.nodes()) {
    const std::string indent(static_cast<std::size_t>(depth[index(node.id)]) * 2, ' ');
    result += indent;
    if (node.link != Link::Child && node.link != Link::Root) result += "~" + std::string(name(node.link)) + " ";
    if (node.engine != Engine::Spark) result += std::string(name(node.engine)) + " ";
    if (node.is_logical) result += "logical ";
    result += info(node.kind).name;
    if (node.codegen_stage != kNoCodegen) {
      result += " *";
      if (node.codegen_stage != kCodegenWithoutNumber) result += std::to_string(node.codegen_stage);
    }
    if (node.operator_id) result += " #" + std::to_string(*node.operator_id);
    if (node.printed_name != info(node.kind).name) result += " \"" + std::string(node.printed_name) + "\"";
    if (node.reuses != kNoNode) result += " =" + std::to_string(index(node.reuses));
    if (options.positions && options.source != nullptr) result += " @" + place(*options.source, node.name_span);
    result += "\n";
    if (!options.attributes) continue;
    for (const Attribute& attribute : tree.attributes(node.id)) {
      result += indent + "    " + std::string(info(attribute.kind).json_name) +
                std::string(completeness_mark(attribute.completeness)) + ": " + std::string(attribute.text) + "\n";
    }
  }
  return result;
}

std::string outline(const PlanDocument& document, OutlineOptions options) {
  options.source = document.source.get();
  std::string result = std::string(name(document.input));
  if (!document.title.empty()) result += " '" + document.title + "'";
  if (document.execution_id) result += " execution " + std::to_string(*document.execution_id);
  if (document.spark_version) {
    const SparkVersion& version = *document.spark_version;
    result += " spark " + std::to_string(version.major) + "." + std::to_string(version.minor) + "." +
              std::to_string(version.patch);
  }
  if (!document.is_complete) result += " incomplete";
  result += "\n";
  for (const auto& [key, value] : document.conf) result += "conf " + key + "=" + value + "\n";
  for (const Fragment& fragment : document.fragments) {
    result += "-- " + std::string(name(fragment.role)) + "\n" + outline(fragment.tree, options);
  }
  for (const PlanTree& tree : document.optimized_out) result += "-- optimized out\n" + outline(tree, options);
  for (const Note& note : document.notes) {
    result += std::string(code(note.kind)) + " @" + place(*document.source, note.span) + " " + note.message + "\n";
  }
  return result;
}

ReadAll read_all(std::string_view text, std::string_view path) {
  ReadAll result;
  const auto bytes = std::make_shared<const SourceBytes>(std::string(path), std::string(text));
  const read::ReadResult read =
      read::read_input(bytes, [&](PlanDocument&& document) { result.documents.push_back(std::move(document)); });
  result.error = read.error;
  return result;
}

}  // namespace planvet::test
