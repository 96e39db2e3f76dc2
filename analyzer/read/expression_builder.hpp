#pragma once

// Builds the post-order arena of an ExpressionTree: nodes as they end, the finished subtrees that no parent has taken
// yet (roots), and what is open (frames). A frame remembers where both stood, so an operand can be dropped as a whole.

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/plan/expression.hpp"

namespace planvet {

class ExpressionBuilder {
 public:
  struct Frame {
    std::uint32_t nodes;
    std::uint32_t roots;
    std::uint32_t begin;
    std::uint32_t name_begin = 0;
    std::uint32_t name_end = 0;
    ExpressionOperator op = ExpressionOperator::None;
    ExpressionFlag flags = ExpressionFlag::None;
    std::uint64_t number = kNoExprId;
  };

  // Offsets have 32 bits; nobody prints an expression of 4 GB.
  static constexpr std::size_t kLongestText = 0xFFFFFFF0U;

  explicit ExpressionBuilder(std::string_view source) : source_(source) {
    nodes_.reserve(2 + source.size() / 8);
    roots_.swap(kept().roots);
    frames_.swap(kept().frames);
  }
  ExpressionBuilder(const ExpressionBuilder&) = delete;
  ExpressionBuilder& operator=(const ExpressionBuilder&) = delete;
  ~ExpressionBuilder() {
    if (roots_.capacity() > kMostKept || frames_.capacity() > kMostKept) return;
    roots_.clear();
    frames_.clear();
    roots_.swap(kept().roots);
    frames_.swap(kept().frames);
  }

  std::string_view source() const { return source_; }
  std::uint32_t offset(const char* at) const { return static_cast<std::uint32_t>(at - source_.data()); }
  std::string_view slice(std::uint32_t begin, std::uint32_t end) const { return source_.substr(begin, end - begin); }

  void open(std::uint32_t begin) {
    frames_.push_back({.nodes = static_cast<std::uint32_t>(nodes_.size()),
                       .roots = static_cast<std::uint32_t>(roots_.size()),
                       .begin = begin});
  }
  Frame close() {
    const Frame frame = frames_.back();
    frames_.pop_back();
    return frame;
  }
  Frame& frame() { return frames_.back(); }

  // Drops what the open frame holds.
  void drop_parts() {
    nodes_.resize(frame().nodes);
    roots_.resize(frame().roots);
  }
  void keep_roots(std::uint32_t nodes, std::uint32_t roots) {
    nodes_.resize(nodes);
    roots_.resize(roots);
  }
  void drop_everything() {
    nodes_.clear();
    roots_.clear();
    frames_.clear();
  }

  ExpressionNode& root() { return nodes_[roots_.back()]; }  // the last finished subtree
  ExpressionNode& root_before() { return nodes_[roots_[roots_.size() - 2]]; }
  ExpressionNode& root_at(std::uint32_t n) { return nodes_[roots_[n]]; }
  std::uint32_t root_count() const { return static_cast<std::uint32_t>(roots_.size()); }

  ExpressionNode& leaf(ExpressionNode node) {
    const auto index = static_cast<std::uint32_t>(nodes_.size());
    node.subtree_begin = ExpressionIndex{index};
    nodes_.push_back(node);
    roots_.push_back(index);
    return nodes_.back();
  }

  void pop_root() {
    nodes_.resize(to_number(root().subtree_begin));
    roots_.pop_back();
  }

  // A node over the roots from `first_root` on.
  ExpressionNode& parent(ExpressionNode node, std::uint32_t first_root) {
    if (first_root == roots_.size()) return leaf(node);
    node.first_child = ExpressionIndex{roots_[first_root]};
    node.subtree_begin = nodes_[roots_[first_root]].subtree_begin;
    for (std::size_t i = first_root + std::size_t{1}; i < roots_.size(); ++i)
      nodes_[roots_[i - 1]].next_sibling = ExpressionIndex{roots_[i]};
    roots_.resize(first_root);
    roots_.push_back(static_cast<std::uint32_t>(nodes_.size()));
    nodes_.push_back(node);
    return nodes_.back();
  }

  ExpressionTree finish() && { return {source_, std::move(nodes_)}; }

 private:
  // A plan has thousands of expressions of a few nodes each: the stacks are made once a thread.
  struct Stacks {
    std::vector<std::uint32_t> roots;
    std::vector<Frame> frames;
  };
  static Stacks& kept() {
    thread_local Stacks stacks;
    return stacks;
  }
  static constexpr std::size_t kMostKept = 10'000;

  std::string_view source_;
  std::vector<ExpressionNode> nodes_;
  std::vector<std::uint32_t> roots_;
  std::vector<Frame> frames_;
};

}  // namespace planvet
