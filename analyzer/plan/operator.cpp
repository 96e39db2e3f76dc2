#include "analyzer/plan/operator.hpp"

#include <array>

namespace planvet {
namespace {

constexpr auto kOperators = std::to_array<OperatorInfo>({
#define PLANVET_OPERATOR(kind, names, family, arity, arguments) \
  {OperatorKind::kind, #kind, names, OperatorFamily::family, arity, arguments},
#include "analyzer/plan/operators.def"
});

constexpr auto kAttributes = std::to_array<AttributeInfo>({
#define PLANVET_ATTRIBUTE(kind, json_name, shape, labels) \
  {AttributeKind::kind, json_name, AttributeShape::shape, labels},
#include "analyzer/plan/attributes.def"
});

}  // namespace

std::span<const OperatorInfo> operator_table() { return kOperators; }
std::span<const AttributeInfo> attribute_table() { return kAttributes; }

std::string printed_label(AttributeKind kind) {
  const std::string_view labels = info(kind).labels;
  const auto is_capital = [](char c) { return c >= 'A' && c <= 'Z'; };
  if (!labels.empty() && is_capital(labels.front())) return std::string(labels.substr(0, labels.find('|')));
  std::string label{info(kind).json_name};
  for (char& letter : label) {
    if (letter == '_') letter = ' ';
  }
  label.front() = static_cast<char>(label.front() - 'a' + 'A');
  return label;
}

std::string_view name(Engine engine) {
  switch (engine) {
    case Engine::Spark: return "spark";
    case Engine::Photon: return "photon";
    case Engine::Comet: return "comet";
    case Engine::Gluten: return "gluten";
    case Engine::Rapids: return "rapids";
  }
  return "spark";
}

}  // namespace planvet
