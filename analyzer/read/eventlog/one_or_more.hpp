// A list that nearly always has one element, which then costs no allocation.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace planvet::read::eventlog {

template <typename Element>
class OneOrMore {
 public:
  void push_back(Element element) {
    if (is_empty_) {
      first_ = element;
      is_empty_ = false;
    } else {
      others_.push_back(element);
    }
  }
  [[nodiscard]] bool empty() const { return is_empty_; }
  [[nodiscard]] std::size_t size() const { return is_empty_ ? 0 : 1 + others_.size(); }
  [[nodiscard]] const Element& front() const { return first_; }
  [[nodiscard]] bool contains(const Element& element) const {
    return !is_empty_ && (first_ == element || std::find(others_.begin(), others_.end(), element) != others_.end());
  }
  template <typename Visit>
  void for_each(const Visit& visit) const {
    if (!is_empty_) visit(first_);
    for (const Element& other : others_) visit(other);
  }

 private:
  Element first_{};
  bool is_empty_ = true;
  std::vector<Element> others_;
};

}  // namespace planvet::read::eventlog
