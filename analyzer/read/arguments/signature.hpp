// operators.def and attributes.def, ready to be asked: which attributes an operator prints in which order, and which
// attribute a label means.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "analyzer/plan/operator.hpp"

namespace planvet::read {

struct Signature {
  std::array<AttributeKind, 8> attributes{};
  std::uint8_t size = 0;
  bool is_whole_text = false;  // "=condition": everything is the one attribute
  [[nodiscard]] bool empty() const { return size == 0; }
  [[nodiscard]] std::span<const AttributeKind> list() const { return std::span(attributes).first(size); }
};

// A vendor may print another order; else it is Spark's.
[[nodiscard]] const Signature& signature_of(OperatorKind kind, Engine engine);

// AttributeKind::Other where no attribute has that label.
[[nodiscard]] AttributeKind attribute_of_label(std::string_view label);
// Of a line of its own in a detail block, where snapshots say what Spark prints as arguments: "Shuffle origin: ..".
[[nodiscard]] AttributeKind attribute_of_block_label(std::string_view label);

}  // namespace planvet::read
