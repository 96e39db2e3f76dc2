// From the text behind an operator's name to attributes: tables of lines, formatted names and block fields.
#include "analyzer/read/arguments.hpp"

#include <cstdlib>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "analyzer/dialect/dialect.hpp"
#include "analyzer/plan/quantity.hpp"
#include "tests/support/cases.hpp"

namespace planvet::read {
namespace {

// kind=.. engine=.. name=.., then `attribute: text` each; `~` truncated, `?` unparsed, `[n]` the count.
std::string describe(const PlanNode& node, const PlanTree& tree, std::string_view name) {
  std::string text(info(node.kind).name);
  if (node.engine != Engine::Spark) text.append("@").append(planvet::name(node.engine));
  if (name != info(node.kind).name) text.append(" '").append(name).append("'");
  for (const Attribute& attribute : tree.attributes(node.id)) {
    text += " | ";
    if (attribute.kind == AttributeKind::Other) {
      text.append("other(").append(attribute.label).append(")");
    } else {
      text += info(attribute.kind).json_name;
    }
    if (attribute.completeness == Completeness::Truncated) text += "~";
    if (attribute.completeness == Completeness::Unparsed) text += "?";
    if (attribute.count != 0) text.append("[").append(std::to_string(attribute.count)).append("]");
    text.append(": ").append(attribute.text);
  }
  return text;
}

PlanNode named(std::string_view name) {
  const dialect::OperatorName resolved = dialect::resolve(name);
  PlanNode node;
  node.kind = resolved.kind;
  node.engine = resolved.engine;
  node.printed_name = name;
  return node;
}

std::string finish(const PlanBuilder& builder, PlanBuilder::Handle node) {
  const PlanTree tree = builder.finish(node);
  return describe(tree[NodeId{0}], tree, tree[NodeId{0}].printed_name);
}

std::string one_line(std::string_view line) {
  const NodeText split = split_one_line(line);
  PlanBuilder builder;
  const PlanBuilder::Handle node = builder.add(PlanBuilder::kNone, named(split.printed_name));
  decode_one_line(builder, node, split.arguments);
  return finish(builder, node);
}

// "BroadcastHashJoin Inner BuildRight", "AQEShuffleRead $ , coalesced"
std::string formatted_name(std::string_view text) {
  const std::size_t mark = text.find(" $ ");
  PlanBuilder builder;
  const PlanBuilder::Handle node = builder.add(PlanBuilder::kNone, {});
  const std::string_view name = decode_formatted_name(builder, node, text.substr(0, mark));
  const PlanNode resolved = named(name);
  builder.node(node).kind = resolved.kind;
  builder.node(node).engine = resolved.engine;
  builder.node(node).printed_name = name;
  if (mark != std::string_view::npos) decode_formatted_tail(builder, node, text.substr(mark + 3));
  return finish(builder, node);
}

// "HashAggregate $ Keys [1]: [k#1] $ Functions [1]: [..]"; a field that starts with ':' has no label.
std::string block_fields(std::string_view text) {
  std::size_t mark = std::min(text.find(" $ "), text.size());
  PlanBuilder builder;
  const PlanBuilder::Handle node = builder.add(PlanBuilder::kNone, named(text.substr(0, mark)));
  while (mark < text.size()) {
    text.remove_prefix(mark + 3);
    mark = std::min(text.find(" $ "), text.size());
    const std::string_view field = text.substr(0, mark);
    const std::size_t colon = field.find(':');
    std::string_view label = field.substr(0, colon);
    std::uint32_t count = 0;
    if (label.ends_with(']')) {
      const std::size_t open = label.rfind(" [");
      count = static_cast<std::uint32_t>(std::atoi(std::string(label.substr(open + 2)).c_str()));
      label = label.substr(0, open);
    }
    decode_block_field(builder, node, label, count, field.substr(colon + 1));
  }
  return finish(builder, node);
}

TEST(Arguments, OneLine) { test::check_cases("tests/cases/one_line.cases", one_line); }

TEST(Arguments, FormattedNames) { test::check_cases("tests/cases/formatted_names.cases", formatted_name); }

TEST(Arguments, BlockFields) { test::check_cases("tests/cases/block_fields.cases", block_fields); }

TEST(Arguments, SignaturesNameAttributes) {
  std::set<std::string_view> names;
  for (const AttributeInfo& attribute : attribute_table()) {
    EXPECT_TRUE(names.insert(attribute.json_name).second) << attribute.json_name << " is listed twice";
  }
  for (const OperatorInfo& info : operator_table()) {
    std::string_view rest = info.arguments;
    if (rest.starts_with('=')) rest.remove_prefix(1);
    std::size_t count = 0;
    for (; !rest.empty(); ++count) {
      const std::size_t end = std::min(rest.find(' '), rest.size());
      EXPECT_EQ(names.count(rest.substr(0, end)), 1U) << info.name << " has " << rest.substr(0, end);
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    EXPECT_LE(count, 8U) << info.name;
  }
}

TEST(Arguments, EveryLabelMeansItsAttribute) {
  std::size_t count = 0;
  std::set<std::string_view> seen;
  for (const AttributeInfo& attribute : attribute_table()) {
    std::string_view rest = attribute.labels;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find('|'), rest.size());
      const std::string_view label = rest.substr(0, end);
      EXPECT_TRUE(seen.insert(label).second) << label << " is listed twice";
      PlanBuilder builder;
      const PlanBuilder::Handle node = builder.add(PlanBuilder::kNone, {});
      decode_block_field(builder, node, label, 0, "x");
      EXPECT_TRUE(builder.has_attribute(node, attribute.kind)) << label;
      ++count;
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  std::printf("%zu attributes, %zu labels\n", attribute_table().size(), count);
  EXPECT_GT(count, 40U);
}

// Every prefix of every line of the tables: no crash, and what was given is never lost without a trace.
TEST(Arguments, CutLinesAreRead) {
  std::size_t lines = 0;
  for (const test::Case& each : test::read_cases("tests/cases/one_line.cases")) {
    for (std::size_t end = 0; end <= each.input.size(); ++end, ++lines) {
      const std::string cut = each.input.substr(0, end);
      EXPECT_FALSE(one_line(cut).empty());
      EXPECT_FALSE(formatted_name(cut).empty());
      EXPECT_FALSE(block_fields("HashAggregate $ Arguments: " + cut).empty());
    }
  }
  EXPECT_GT(lines, 1000U);
}

// Lone brackets cost a look at all the rest; that many of them must not cost it each time.
TEST(Arguments, ManyLoneBracketsTakeLinearTime) {
  std::string line = "Sort ";
  for (int i = 0; i < 200'000; ++i) line += "[a(], ";
  const NodeText split = split_one_line(line);
  PlanBuilder builder;
  const PlanBuilder::Handle node = builder.add(PlanBuilder::kNone, named(split.printed_name));
  decode_one_line(builder, node, split.arguments);
  EXPECT_TRUE(builder.has_attribute(node, AttributeKind::Arguments));
}

TEST(Quantity, Sizes) {
  EXPECT_EQ(parse_printed_size("160.0 B"), 160);
  EXPECT_EQ(parse_printed_size("1961.4 MiB"), 2056676966);
  EXPECT_EQ(parse_printed_size("2.0 KB"), 2048);
  EXPECT_EQ(parse_printed_size("1024.3 KiB"), 1048883);
  EXPECT_EQ(parse_printed_size("3.5 GiB"), 3758096384);
  EXPECT_EQ(parse_printed_size("7"), 7);
  EXPECT_EQ(parse_printed_size("8.0 EiB"), std::nullopt);
  EXPECT_EQ(parse_printed_size(""), std::nullopt);
  EXPECT_EQ(parse_printed_size("MiB"), std::nullopt);
  EXPECT_EQ(parse_printed_size("-1.0 B"), std::nullopt);
  EXPECT_EQ(parse_printed_size("3.0 Mi"), std::nullopt);
  EXPECT_EQ(parse_printed_size("nan B"), std::nullopt);
}

TEST(Quantity, RowCounts) {
  EXPECT_EQ(parse_printed_rows("366"), 366);
  EXPECT_EQ(parse_printed_rows("0"), 0);
  EXPECT_EQ(parse_printed_rows("2.86E+7"), 28600000);
  EXPECT_EQ(parse_printed_rows("5.00E+5"), 500000);
  EXPECT_EQ(parse_printed_rows("1E+30"), std::nullopt);
  EXPECT_EQ(parse_printed_rows("12 rows"), std::nullopt);
  EXPECT_EQ(parse_printed_rows("N/A"), std::nullopt);
}

}  // namespace
}  // namespace planvet::read
