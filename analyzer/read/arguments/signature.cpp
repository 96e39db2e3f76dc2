#include "analyzer/read/arguments/signature.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "analyzer/dialect/dialect.hpp"
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

class Signatures {
 public:
  Signatures() : names_(attribute_table().size()), all_(kEngines * operator_table().size()) {
    for (const AttributeInfo& info : attribute_table()) names_.insert(info.json_name, info.kind);
    for (std::size_t engine = 0; engine < kEngines; ++engine) {
      for (const OperatorInfo& info : operator_table()) {
        all_[place(info.kind, static_cast<Engine>(engine))] = parse(info.arguments);
      }
    }
    for (const dialect::Dialect* dialect : dialect::dialects()) {
      for (const dialect::ArgumentOrder& order : dialect->arguments) {
        all_[place(order.kind, dialect->engine)] = parse(order.arguments);
      }
    }
  }
  [[nodiscard]] const Signature& of(OperatorKind kind, Engine engine) const { return all_[place(kind, engine)]; }

 private:
  static constexpr std::size_t kEngines = static_cast<std::size_t>(Engine::Rapids) + 1;

  static std::size_t place(OperatorKind kind, Engine engine) {
    return static_cast<std::size_t>(engine) * operator_table().size() + static_cast<std::size_t>(kind);
  }

  [[nodiscard]] Signature parse(std::string_view arguments) const {
    Signature signature;
    if (arguments.starts_with('=')) {
      signature.is_whole_text = true;
      arguments.remove_prefix(1);
    }
    for_each_part(arguments, ' ', [&](std::string_view name) {
      // An unknown name is found by the test of the lists.
      if (const AttributeKind* kind = names_.find(name)) signature.attributes[signature.size++] = *kind;
    });
    return signature;
  }

  WordMap<AttributeKind> names_;
  std::vector<Signature> all_;
};

}  // namespace

const Signature& signature_of(OperatorKind kind, Engine engine) {
  static const Signatures all;
  return all.of(kind, engine);
}

AttributeKind attribute_of_label(std::string_view label) {
  static const WordMap<AttributeKind> all = labels();
  const AttributeKind* kind = all.find(label);
  return kind != nullptr ? *kind : AttributeKind::Other;
}

AttributeKind attribute_of_block_label(std::string_view label) {
  const AttributeKind printed = attribute_of_label(label);
  if (printed != AttributeKind::Other) return printed;
  static const std::vector<std::string> labels = [] {
    std::vector<std::string> all;
    for (const AttributeInfo& info : attribute_table()) all.push_back(printed_label(info.kind));
    return all;
  }();
  static const WordMap<AttributeKind> by_label = [] {
    WordMap<AttributeKind> map(labels.size());
    for (std::size_t at = 0; at < labels.size(); ++at) map.insert(labels[at], attribute_table()[at].kind);
    return map;
  }();
  const AttributeKind* const kind = by_label.find(label);
  return kind != nullptr ? *kind : AttributeKind::Other;
}

}  // namespace planvet::read
