// JSON as Spark writes its own events: no blanks, plain ASCII, whole numbers. One pass over it, from left to right; every
// function gives false where the text is anything else, and then simdjson may try.
//
//   {"ID":23,"Name":"duration","Update":"5",..
//         ^ here, as far as take(R"({"ID":)") came; integer() is next
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "analyzer/read/eventlog/line_reader.hpp"

namespace planvet::read::eventlog {

class CompactJson {
 public:
  // `text` must have kPadding readable bytes behind it.
  explicit CompactJson(std::string_view text) : at_(text.data()), end_(at_ + text.size()) {}

  [[nodiscard]] bool is_at_end() const { return at_ == end_; }
  [[nodiscard]] const char* position() const { return at_; }
  [[nodiscard]] bool stands_before(char c) const { return at_ < end_ && *at_ == c; }

  // How many of the next bytes are those of `text`.
  [[nodiscard]] std::size_t common_with(std::string_view text) const {
    constexpr std::size_t kStep = 64;
    const std::size_t most = std::min(rest(), text.size());
    std::size_t same = 0;
    while (same + kStep <= most && std::memcmp(at_ + same, text.data() + same, kStep) == 0) same += kStep;
    while (same < most && at_[same] == text[same]) ++same;
    return same;
  }
  void advance(std::size_t bytes) { at_ += bytes; }

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

  // From behind the opening quote of a string to behind the closing one. Escapes are those of two characters.
  [[nodiscard]] bool skip_string() {
    while (at_ < end_) {
      const Stops stops = load_stops();
      if (stops == 0) {
        at_ += kBlock;
        continue;
      }
      at_ += first_stop(stops);
      if (take("\"")) return true;
      if (!take("\\") || !takes_escaped()) return false;
    }
    return false;
  }
  // The same, and what stands between the quotes, escapes as they are.
  [[nodiscard]] bool raw_string(std::string_view& raw) {
    const char* const begin = at_;
    if (!skip_string()) return false;
    raw = {begin, static_cast<std::size_t>(at_ - begin) - 1};
    return true;
  }

  // Calls visit(key) for each member of the object that comes next; it takes the value, or gives false. Keys have their
  // escapes as they are.
  template <typename Visit>
  [[nodiscard]] bool for_each_member(const Visit& visit) {
    if (!take("{")) return false;
    if (take("}")) return true;
    std::string_view key;
    do {
      if (!take("\"") || !raw_string(key) || !take(":") || !visit(key)) return false;
    } while (take(","));
    return take("}");
  }
  // The same for elements of an array.
  template <typename Visit>
  [[nodiscard]] bool for_each_element(const Visit& visit) {
    if (!take("[")) return false;
    if (take("]")) return true;
    do {
      if (!visit()) return false;
    } while (take(","));
    return take("]");
  }

  // Any value of those characters, be it an object.
  [[nodiscard]] bool skip_value(int depth = 0) {
    if (take("\"")) return skip_string();
    if (stands_before('{')) {
      return depth < kDeepest && for_each_member([&](std::string_view /*key*/) { return skip_value(depth + 1); });
    }
    if (stands_before('[')) return depth < kDeepest && for_each_element([&] { return skip_value(depth + 1); });
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

  // Of the next bytes of a string, those that end it or are no plain ASCII; the lowest one is exact.
#ifdef __SSE2__
  using Stops = unsigned;
  static constexpr std::size_t kBlock = 16;
  [[nodiscard]] Stops load_stops() const {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at_));
    const __m128i ends =
        _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('"')), _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\')));
    // As signed numbers those of other alphabets are smaller, too.
    const __m128i others = _mm_cmplt_epi8(bytes, _mm_set1_epi8(' '));
    return static_cast<unsigned>(_mm_movemask_epi8(_mm_or_si128(ends, others)));
  }
  static std::size_t first_stop(Stops stops) { return static_cast<std::size_t>(std::countr_zero(stops)); }
#else
  using Stops = std::uint64_t;
  static constexpr std::size_t kBlock = kWord;
  [[nodiscard]] Stops load_stops() const {
    const std::uint64_t word = load();
    return bytes_below(word ^ all('"'), 1) | bytes_below(word ^ all('\\'), 1) | bytes_below(word, ' ') |
           (word & kHighBits);
  }
  static std::size_t first_stop(Stops stops) { return first_byte(stops); }
#endif

  // Behind a backslash.
  [[nodiscard]] bool takes_escaped() {
    if (at_ >= end_) return false;
    switch (*at_) {
      case '"':
      case '\\':
      case '/':
      case 'b':
      case 'f':
      case 'n':
      case 'r':
      case 't': ++at_; return true;
      default: return false;
    }
  }

  const char* at_;
  const char* end_;
};

}  // namespace planvet::read::eventlog
