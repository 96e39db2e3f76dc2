// What the JVM says about every node of the corpus (nodeName, simpleString, metadata) against what its text decodes to.
#include <cstdint>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "analyzer/dialect/dialect.hpp"
#include "analyzer/read/arguments.hpp"
#include "tests/support/files.hpp"

namespace planvet::read {
namespace {

using Json = nlohmann::json;

Json parse_file(const std::string& path) {
  return Json::parse(test::read_file(test::source_path(path)), nullptr, false);
}

// Depth first, without recursion over the plan.
template <typename Visit>
void for_each_node(const Json& root, Visit&& visit) {
  std::vector<const Json*> open{&root};
  while (!open.empty()) {
    const Json* node = open.back();
    open.pop_back();
    if (!node->is_object() || !node->contains("nodeName")) continue;
    visit(*node);
    if (!node->contains("children")) continue;
    for (const Json& child : (*node)["children"]) open.push_back(&child);
  }
}

PlanTree decode(std::string_view printed, std::string_view arguments) {
  const dialect::OperatorName name = dialect::resolve(printed);
  PlanNode node;
  node.kind = name.kind;
  node.engine = name.engine;
  node.printed_name = printed;
  PlanBuilder builder;
  const PlanBuilder::Handle handle = builder.add(PlanBuilder::kNone, node);
  decode_one_line(builder, handle, arguments);
  return builder.finish(handle);
}

// How the metadata of a scan is called among attributes.
const Attribute* find_label(const PlanTree& tree, std::string_view label) {
  for (const Attribute& attribute : tree.attributes(NodeId{0})) {
    if (attribute.label == label) return &attribute;
  }
  return nullptr;
}

TEST(ArgumentsCorpus, EveryNodeOfEveryPlanIsNamedAndDecoded) {
  std::size_t nodes = 0;
  std::size_t values = 0;
  std::size_t whole = 0;
  std::map<std::string, std::size_t> left;  // kinds whose arguments stayed text
  std::set<std::string> names;
  for (const std::string& file : test::source_files("corpus/**/*.planinfo.json")) {
    for_each_node(parse_file(file), [&](const Json& node) {
      ++nodes;
      const std::string node_name = node["nodeName"];
      const std::string simple = node["simpleString"];
      const std::string place = file + ": " + node_name + "\n  " + simple.substr(0, 300);
      const dialect::OperatorName expected = dialect::resolve(node_name);
      names.insert(node_name.substr(0, node_name.find_first_of(" (")));
      EXPECT_NE(expected.kind, OperatorKind::Unknown) << place;

      const NodeText split = split_one_line(simple);
      const dialect::OperatorName actual = dialect::resolve(split.printed_name);
      EXPECT_EQ(info(actual.kind).name, info(expected.kind).name) << place << "\n  " << split.printed_name;
      EXPECT_EQ(name(actual.engine), name(expected.engine)) << place;

      const PlanTree tree = decode(split.printed_name, split.arguments);
      for (const Attribute& attribute : tree.attributes(NodeId{0})) {
        if (attribute.kind == AttributeKind::Arguments) ++left[std::string(info(actual.kind).name)];
        EXPECT_NE(attribute.completeness, Completeness::Unparsed) << place << "\n  " << attribute.text;
      }
      if (!node.contains("metadata")) return;
      for (const auto& [key, value] : node["metadata"].items()) {
        const std::string text = value.get<std::string>();
        const Attribute* attribute = find_label(tree, key);
        if (attribute == nullptr) {
          EXPECT_EQ(simple.find(key + ": "), std::string::npos) << place << "\n  lacks " << key;
          continue;
        }
        ++values;
        if (attribute->is_whole()) {
          ++whole;
          EXPECT_EQ(attribute->text, text) << place << "\n  " << key;
        } else {
          EXPECT_NE(attribute->text, text) << place << "\n  " << key << " is whole";
        }
      }
    });
  }
  std::printf("%zu nodes of %zu names; %zu values of metadata, %zu of them whole\n", nodes, names.size(), values,
              whole);
  for (const auto& [kind, count] : left) std::printf("  %zu %s kept as text\n", count, kind.c_str());
  EXPECT_GT(nodes, 1000U);
  EXPECT_GT(whole, 100U);
}

// "Left keys [1]: [a#1]" -> "Left keys"; empty where the line has no such key.
std::string label_of(const std::string& line) {
  const std::size_t colon = line.find(':');
  if (colon == std::string::npos) return {};
  std::string label = line.substr(0, colon);
  if (label.ends_with(']')) label.resize(label.rfind(" ["));
  while (label.ends_with(' ')) label.pop_back();
  const bool is_word =
      label.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ ") == std::string::npos;
  return is_word ? label : std::string{};
}

TEST(ArgumentsCorpus, EveryLabelOfEveryBlockIsKnown) {
  std::map<std::string, std::size_t> labels;
  for (const std::string& path : test::source_files("corpus/**/*.formatted.txt")) {
    std::istringstream text(test::read_file(test::source_path(path)));
    // The line behind a block's head; later ones may be parts of values that hold line breaks.
    bool is_first = false;
    for (std::string line; std::getline(text, line);) {
      const bool is_head = line.starts_with('(') && line.find(") ") != std::string::npos &&
                           line.find_first_not_of("0123456789", 1) == line.find(") ");
      if (is_first && !is_head) {
        if (const std::string label = label_of(line); !label.empty()) ++labels[label];
      }
      is_first = is_head;
    }
  }
  std::size_t count = 0;
  for (const auto& [label, lines] : labels) {
    PlanBuilder builder;
    const PlanBuilder::Handle node = builder.add(PlanBuilder::kNone, {});
    decode_block_field(builder, node, label, 0, "x");
    EXPECT_FALSE(builder.has_attribute(node, AttributeKind::Other)) << label << ", " << lines << " times";
    count += lines;
  }
  std::printf("%zu first fields of blocks, %zu labels\n", count, labels.size());
  EXPECT_GT(labels.size(), 4U);
}

}  // namespace
}  // namespace planvet::read
