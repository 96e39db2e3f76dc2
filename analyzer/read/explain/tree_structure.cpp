#include "analyzer/read/explain/tree_structure.hpp"

namespace planvet::read::explain {
namespace {

constexpr std::uint32_t kLevel = 3;

// A parent is near the top of the stack but for plans inside plans; hostile depth must not cost its square.
constexpr std::size_t kMostSearched = 2000;

struct Open {
  std::uint32_t item;
  std::uint32_t column;
  bool is_header;
  bool has_inputs = false;  // a child at the column of its name
  bool is_closed = false;   // its last input was printed
  bool is_inner_closed = false;
};

// Operators that print a plan which is an argument of theirs, one level deeper than inputs.
bool prints_arguments(const TreeItem& parent, const TreeItem& child) {
  if (child.text.starts_with("Subquery") || child.text.starts_with("ReusedSubquery") ||
      child.text.find("Subquery") < 16) {  // CometSubqueryBroadcast, GpuSubqueryBroadcast ..
    // The host's expressions name it, unless they were cut.
    return parent.text.find("ubquery") != std::string_view::npos ||
           parent.text.find("dynamicpruning") != std::string_view::npos ||
           parent.text.find("...") != std::string_view::npos || parent.text.find(' ') == std::string_view::npos ||
           parent.text.find('#') == std::string_view::npos;
  }
  return parent.text.find("InMemory") < 16 || parent.text.find("In-memory") < 16 ||
         parent.text.starts_with("Execute ") || parent.text.starts_with("Command") ||
         parent.kind == OperatorKind::EmptyRelation || parent.kind == OperatorKind::Unknown;
}

bool is_leaf(const TreeItem& item) {
  switch (family(item.kind)) {
    case OperatorFamily::Scan:
    case OperatorFamily::Reuse: return true;
    case OperatorFamily::Local: return item.kind != OperatorKind::EmptyRelation;
    default: return false;
  }
}

class Structure {
 public:
  Structure(std::span<const TreeItem> items, bool is_exact) : items_(items), is_exact_(is_exact) {
    parents_.assign(items.size(), kNoItem);
    for (std::uint32_t at = 0; at < items.size(); ++at) {
      if (items[at].is_header) {
        place_header(at);
      } else {
        place_node(at);
      }
    }
  }

  [[nodiscard]] std::vector<std::uint32_t>& parents() { return parents_; }
  // Whether too many connectors stand where no parent is.
  [[nodiscard]] bool is_damaged() const { return misfits_ * 8 > connectors_; }

 private:
  void place_header(std::uint32_t at) {
    const TreeItem& header = items_[at];
    std::size_t size = stack_.size();
    if (header.part == AdaptivePart::Initial) {
      // The second header of a pair closes the first, which stands at the same column.
      for (std::size_t entry = stack_.size(); entry-- > 0;) {
        const Open& open = stack_[entry];
        if (!open.is_header || open.column != header.column || items_[open.item].part == AdaptivePart::Initial)
          continue;
        size = entry;
        break;
      }
    }
    if (size == stack_.size()) {
      // The first header follows its AdaptiveSparkPlan; if that line is lost, columns are all there is.
      while (size > 0 && items_[stack_[size - 1].item].kind != OperatorKind::AdaptiveSparkPlan &&
             stack_[size - 1].column >= header.column) {
        --size;
      }
    }
    stack_.resize(size);
    if (!stack_.empty()) parents_[at] = stack_.back().item;
    stack_.push_back({at, header.column, true});
  }

  void place_node(std::uint32_t at) {
    const TreeItem& node = items_[at];
    if (node.connector == 0) {
      // The root of the tree or of a header's plan; a line that lost its connector goes by its column.
      if (stack_.empty() || !stack_.back().is_header)
        by_column(at);
      else
        parents_[at] = stack_.back().item;
    } else {
      ++connectors_;
      if (!is_exact_ || !exactly(at)) {
        ++misfits_;
        by_column(at);
      }
    }
    stack_.push_back({at, node.column, false});
  }

  bool exactly(std::uint32_t at) {
    const TreeItem& node = items_[at];
    const std::uint32_t connector = node.column - kLevel;
    const std::size_t deepest = stack_.size() > kMostSearched ? stack_.size() - kMostSearched : 0;
    for (std::size_t entry = stack_.size(); entry-- > deepest;) {
      Open& open = stack_[entry];
      if (open.is_header) continue;
      const TreeItem& parent = items_[open.item];
      if (open.column == connector && !open.is_closed && !is_leaf(parent)) {
        open.has_inputs = true;
        open.is_closed = node.connector == '+';
      } else if (open.column + kLevel == connector && !open.has_inputs && !open.is_inner_closed &&
                 prints_arguments(parent, node)) {
        open.is_inner_closed = node.connector == '+';
      } else {
        continue;
      }
      parents_[at] = open.item;
      stack_.resize(entry + 1);
      return true;
    }
    return false;
  }

  void by_column(std::uint32_t at) {
    while (!stack_.empty() && stack_.back().column >= items_[at].column) stack_.pop_back();
    if (!stack_.empty()) parents_[at] = stack_.back().item;
  }

  std::span<const TreeItem> items_;
  bool is_exact_;
  std::vector<std::uint32_t> parents_;
  std::vector<Open> stack_;
  std::size_t connectors_ = 0;
  std::size_t misfits_ = 0;
};

}  // namespace

std::vector<std::uint32_t> assign_parents(std::span<const TreeItem> items) {
  Structure exact(items, true);
  if (!exact.is_damaged()) return std::move(exact.parents());
  return std::move(Structure(items, false).parents());
}

}  // namespace planvet::read::explain
