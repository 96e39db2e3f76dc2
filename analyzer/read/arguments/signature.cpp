#include "analyzer/read/arguments/signature.hpp"

#include <algorithm>
#include <vector>

#include "analyzer/plan/word_map.hpp"

namespace planvet::read {
namespace {

// Calls `visit` with each part of "a|b|c".
template <typename Visit>
void for_each_part(std::string_view text, char separator, Visit&& visit) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    if (end > 0) visit(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

WordMap<AttributeKind> labels() {
  WordMap<AttributeKind> map(attribute_table().size() * 2);
  for (const AttributeInfo& info : attribute_table()) {
    for_each_part(info.labels, '|', [&](std::string_view label) { map.insert(label, info.kind); });
  }
  return map;
}

std::vector<Signature> signatures() {
  WordMap<AttributeKind> names(attribute_table().size());
  for (const AttributeInfo& info : attribute_table()) names.insert(info.json_name, info.kind);
  std::vector<Signature> result(operator_table().size());
  for (const OperatorInfo& info : operator_table()) {
    Signature& signature = result[static_cast<std::size_t>(info.kind)];
    std::string_view arguments = info.arguments;
    if (arguments.starts_with('=')) {
      signature.is_whole_text = true;
      arguments.remove_prefix(1);
    }
    for_each_part(arguments, ' ', [&](std::string_view name) {
      // An unknown name is found by the test of the lists.
      if (const AttributeKind* kind = names.find(name)) signature.attributes[signature.size++] = *kind;
    });
  }
  return result;
}

}  // namespace

const Signature& signature_of(OperatorKind kind) {
  static const std::vector<Signature> all = signatures();
  return all[static_cast<std::size_t>(kind)];
}

AttributeKind attribute_of_label(std::string_view label) {
  static const WordMap<AttributeKind> all = labels();
  const AttributeKind* kind = all.find(label);
  return kind != nullptr ? *kind : AttributeKind::Other;
}

}  // namespace planvet::read
