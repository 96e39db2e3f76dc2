// What readers of JSON share: where a SAX parser stands in its text, and its messages without what is ours to tell.
#pragma once

#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>

namespace planvet::read {

// Hands out the text byte by byte and tells where it stands: nlohmann's SAX events carry no positions.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, const char** reached) : at_(at), reached_(reached) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    *reached_ = ++at_;
    return *this;
  }
  CountingIterator operator++(int) {
    CountingIterator old = *this;
    ++*this;
    return old;
  }
  friend bool operator==(const CountingIterator& a, const CountingIterator& b) { return a.at_ == b.at_; }

 private:
  const char* at_;
  const char** reached_;
};

// "object - unexpected end of input; expected '}'" of what nlohmann says.
[[nodiscard]] std::string json_expectation(std::string_view what);
// Does that mean that the text ends too early, as cut files do?
[[nodiscard]] bool is_early_end(std::string_view expectation);

}  // namespace planvet::read
