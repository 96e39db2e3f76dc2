#include "analyzer/read/eventlog/scala_set.hpp"

#include <algorithm>
#include <span>

namespace planvet::read::eventlog {
namespace {

constexpr unsigned kLevelBits = 5;  // of the hash for each level of the trie
constexpr unsigned kHashBits = 32;

// improve() of immutable.HashSet, for an int.
std::uint32_t improved_hash(std::int32_t value) {
  auto hash = static_cast<std::uint32_t>(value);
  hash += ~(hash << 9U);
  hash ^= hash >> 14U;
  hash += hash << 4U;
  return hash ^ (hash >> 10U);
}

struct SetElement {
  std::uint32_t hash = 0;
  std::int32_t value = 0;
};

// Elements of one node, which agree in the bits below `shift`. 2.12 goes through its children in order; 2.13 gives out
// first what is alone in its place, then what is below.
void add_trie_node(std::span<SetElement> elements, unsigned shift, Scala scala, std::vector<std::int32_t>& order) {
  if (elements.size() <= 1 || shift >= kHashBits) {
    for (const SetElement& element : elements) order.push_back(element.value);
    return;
  }
  const auto place = [shift](const SetElement& element) { return (element.hash >> shift) & ((1U << kLevelBits) - 1); };
  std::stable_sort(elements.begin(), elements.end(),
                   [&](const SetElement& a, const SetElement& b) { return place(a) < place(b); });
  const auto for_each_place = [&](const auto& visit) {
    for (std::size_t begin = 0; begin < elements.size();) {
      std::size_t end = begin + 1;
      while (end < elements.size() && place(elements[end]) == place(elements[begin])) ++end;
      visit(elements.subspan(begin, end - begin));
      begin = end;
    }
  };
  const bool alone_first = scala == Scala::V2_13;
  if (alone_first) {
    for_each_place([&](std::span<SetElement> together) {
      if (together.size() == 1) order.push_back(together.front().value);
    });
  }
  for_each_place([&](std::span<SetElement> together) {
    if (!alone_first || together.size() > 1) add_trie_node(together, shift + kLevelBits, scala, order);
  });
}

}  // namespace

std::vector<std::int32_t> in_set_order(std::vector<std::int32_t> inserted, Scala scala) {
  if (inserted.size() <= kLargestListedSet) return inserted;
  std::vector<SetElement> elements;
  for (const std::int32_t value : inserted) elements.push_back({improved_hash(value), value});
  std::vector<std::int32_t> order;
  order.reserve(elements.size());
  add_trie_node(elements, 0, scala, order);
  return order;
}

}  // namespace planvet::read::eventlog
