// Indices into a document's arenas. Distinct types, so that one cannot be taken for another.
#pragma once

#include <cstdint>

namespace planvet {

enum class NodeId : std::uint32_t {};
inline constexpr NodeId kNoNode{UINT32_MAX};

constexpr std::uint32_t index(NodeId id) { return static_cast<std::uint32_t>(id); }
constexpr NodeId next(NodeId id) { return NodeId{index(id) + 1}; }

// Half-open range of rows in a tree's attribute table.
struct AttributeRange {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

}  // namespace planvet
