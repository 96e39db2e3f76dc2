// A map from a few hundred fixed words to small values, filled once and asked millions of times: open addressing, no
// allocation in `find`. The words must outlive the map; they are literals of the .def lists.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace planvet {

template <typename Value>
class WordMap {
 public:
  // Room for `count` words; more than that make `insert` slow, then endless.
  explicit WordMap(std::size_t count) : slots_(std::bit_ceil(count * 4 + 16)) {}

  // False: the word is there already and keeps its value.
  bool insert(std::string_view word, Value value) {
    Slot& slot = slots_[place(word)];
    if (!slot.word.empty()) return false;
    slot = {word, value};
    return true;
  }

  [[nodiscard]] const Value* find(std::string_view word) const {
    if (word.empty()) return nullptr;
    const Slot& slot = slots_[place(word)];
    return slot.word.empty() ? nullptr : &slot.value;
  }
  [[nodiscard]] Value* find(std::string_view word) {
    return const_cast<Value*>(static_cast<const WordMap*>(this)->find(word));
  }

 private:
  struct Slot {
    std::string_view word;
    Value value{};
  };

  // The ends of a word tell such words apart ("Left keys", "SortMergeJoin"); what collides is compared.
  static std::uint64_t hash(std::string_view word) {
    std::uint64_t head = 0;
    std::uint64_t tail = 0;
    if (word.size() >= 8) {
      std::memcpy(&head, word.data(), 8);
      std::memcpy(&tail, word.data() + word.size() - 8, 8);
    } else {
      for (const char c : word) head = (head << 8U) | static_cast<unsigned char>(c);
    }
    std::uint64_t mixed = (head + word.size()) * 0x9E3779B97F4A7C15U;
    mixed = (mixed ^ (mixed >> 32U) ^ tail) * 0xD6E8FEB86659FD93U;
    return mixed ^ (mixed >> 32U);
  }

  // Where the word is, or the empty slot where it belongs.
  [[nodiscard]] std::size_t place(std::string_view word) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = static_cast<std::size_t>(hash(word)) & mask;
    while (!slots_[at].word.empty() && slots_[at].word != word) at = (at + 1) & mask;
    return at;
  }

  std::vector<Slot> slots_;
};

}  // namespace planvet
