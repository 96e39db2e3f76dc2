// JSON as Spark writes its own events: no blanks, members always in the same order, plain ASCII, whole numbers. One pass
// over it, from left to right; every function gives false where the text is anything else, and then simdjson may try.
//
//   {"ID":23,"Name":"duration","Update":"5",..
//         ^ here, as far as take(R"({"ID":)") came; integer() is next
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "analyzer/read/eventlog/line_reader.hpp"

namespace planvet::read::eventlog {

class CompactJson {
 public:
  // `text` must have kPadding readable bytes behind it.
  explicit CompactJson(std::string_view text) : at_(text.data()), end_(at_ + text.size()) {}

  [[nodiscard]] bool is_at_end() const { return at_ == end_; }
  [[nodiscard]] const char* position() const { return at_; }
  [[nodiscard]] bool stands_before(char c) const { return at_ < end_ && *at_ == c; }

  // What must come next, or may come next; nothing is taken where something else comes.
  template <std::size_t kSizeWithEnd>
  [[nodiscard]] bool take(const char (&text)[kSizeWithEnd]) {
    constexpr std::size_t kSize = kSizeWithEnd - 1;
    if (rest() < kSize || !starts_with<kSize>(text)) return false;
    at_ += kSize;
    return true;
  }
  [[nodiscard]] bool take(std::string_view text) {
    if (rest() < text.size() || std::memcmp(at_, text.data(), text.size()) != 0) return false;
    at_ += text.size();
    return true;
  }

  template <typename Integer>
  [[nodiscard]] bool integer(Integer& value) {
    constexpr std::ptrdiff_t kMostDigits = 18;  // that always fit; one more may be too many
    const bool is_negative = stands_before('-');
    if (is_negative) ++at_;
    const char* const begin = at_;
    std::uint64_t number = 0;
    std::size_t digits = kWord;
    while (digits == kWord && at_ - begin <= kMostDigits) digits = take_digits(number);
    const std::ptrdiff_t size = at_ - begin;
    const bool is_plain = size == 1 || (size > 1 && size <= kMostDigits && *begin != '0');
    if (!is_plain || at_ >= end_) return false;
    const auto positive = static_cast<std::int64_t>(number);
    value = static_cast<Integer>(is_negative ? -positive : positive);
    return true;
  }

  // From behind the opening quote of a string without escapes to behind the closing one.
  [[nodiscard]] bool skip_string() {
    for (; at_ < end_; at_ += kWord) {
      const std::uint64_t word = load();
      const std::uint64_t stops = bytes_below(word ^ all('"'), 1) | bytes_below(word ^ all('\\'), 1) |
                                  bytes_below(word, ' ') | (word & kHighBits);
      if (stops == 0) continue;
      at_ += first_byte(stops);
      if (!stands_before('"')) return false;
      ++at_;
      return true;
    }
    return false;
  }

  // Any value of those characters, be it an object.
  [[nodiscard]] bool skip_value(int depth = 0) {
    if (take("\"")) return skip_string();
    if (stands_before('{')) return depth < kDeepest && skip_object(depth);
    if (stands_before('[')) return depth < kDeepest && skip_array(depth);
    return skip_number() || take("true") || take("false") || take("null");
  }

 private:
  static constexpr std::size_t kWord = 8;
  static constexpr int kDeepest = 8;
  static constexpr std::uint64_t kLowBits = 0x0101010101010101;
  static constexpr std::uint64_t kHighBits = kLowBits << 7U;
  static_assert(kPadding >= 4 * kWord);

  static constexpr std::uint64_t all(char c) { return kLowBits * static_cast<unsigned char>(c); }
  // High bits of bytes that are smaller; the lowest one is exact, and nobody looks at the others.
  static constexpr std::uint64_t bytes_below(std::uint64_t word, std::uint64_t limit) {
    return (word - kLowBits * limit) & ~word & kHighBits;
  }
  // High bits of the bytes that are no digits, exact in all of them.
  static constexpr std::uint64_t no_digits(std::uint64_t word) {
    word ^= all('0');
    return (((word & ~kHighBits) + all(0x7F - 9)) | word) & kHighBits;
  }
  static std::size_t first_byte(std::uint64_t high_bits) {
    return static_cast<std::size_t>(std::countr_zero(high_bits)) / kWord;
  }

  [[nodiscard]] std::size_t rest() const { return static_cast<std::size_t>(end_ - at_); }

  // The next bytes, the first one in the lowest place.
  [[nodiscard]] std::uint64_t load() const {
    std::uint64_t word = 0;
    if constexpr (std::endian::native == std::endian::little) {
      std::memcpy(&word, at_, kWord);
    } else {
      for (std::size_t i = kWord; i-- > 0;) word = (word << 8U) | static_cast<unsigned char>(at_[i]);
    }
    return word;
  }

  // By words that the compiler knows: a call of memcmp would take longer than all of this.
  template <std::size_t kSize>
  [[nodiscard]] bool starts_with(const char* text) const {
    if constexpr (kSize < kWord) {
      return std::memcmp(at_, text, kSize) == 0;
    } else {
      std::uint64_t different = 0;
      const auto compare = [&](std::size_t offset) {
        std::uint64_t here = 0;
        std::uint64_t wanted = 0;
        std::memcpy(&here, at_ + offset, kWord);
        std::memcpy(&wanted, text + offset, kWord);
        different |= here ^ wanted;
      };
      for (std::size_t offset = 0; offset + kWord <= kSize; offset += kWord) compare(offset);
      compare(kSize - kWord);
      return different == 0;
    }
  }

  // Up to a word of them, behind those of `number`; how many there were.
  std::size_t take_digits(std::uint64_t& number) {
    static constexpr std::array<std::uint64_t, kWord + 1> kPowers{1,       10,        100,        1'000,      10'000,
                                                                  100'000, 1'000'000, 10'000'000, 100'000'000};
    std::uint64_t word = load();
    const std::uint64_t others = no_digits(word);
    word ^= all('0');
    const std::size_t count = others == 0 ? kWord : first_byte(others);
    if (count == 0) return 0;
    word <<= (kWord - count) * 8;  // zeros in front of them
    word = word * 10 + (word >> 8U);
    constexpr std::uint64_t kPairs = 0x000000FF000000FF;
    constexpr std::uint64_t kFirstPairs = 100 + (std::uint64_t{1'000'000} << 32U);
    constexpr std::uint64_t kSecondPairs = 1 + (std::uint64_t{10'000} << 32U);
    word = ((word & kPairs) * kFirstPairs + ((word >> 16U) & kPairs) * kSecondPairs) >> 32U;
    number = number * kPowers[count] + word;
    at_ += count;
    return count;
  }

  [[nodiscard]] bool skip_number() {
    const char* const begin = at_;
    while (at_ < end_) {
      const std::uint64_t others = no_digits(load());
      at_ += others == 0 ? kWord : first_byte(others);
      if (others == 0) continue;
      if (!stands_before('-') && !stands_before('+') && !stands_before('.') && !stands_before('E')) break;
      ++at_;
    }
    return at_ > begin && at_ < end_;
  }

  [[nodiscard]] bool skip_object(int depth) {
    if (!take("{")) return false;
    if (take("}")) return true;
    do {
      if (!take("\"") || !skip_string() || !take(":") || !skip_value(depth + 1)) return false;
    } while (take(","));
    return take("}");
  }

  [[nodiscard]] bool skip_array(int depth) {
    if (!take("[")) return false;
    if (take("]")) return true;
    do {
      if (!skip_value(depth + 1)) return false;
    } while (take(","));
    return take("]");
  }

  const char* at_;
  const char* end_;
};

}  // namespace planvet::read::eventlog
