// Which side of a join a column comes from, and its name with that side before it, as SQL could say it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>

#include "analyzer/plan/expression.hpp"
#include "analyzer/plan/views.hpp"

namespace planvet::rules {

class JoinSides {
 public:
  // The names of the sides where tables have none of their own; "left" and "right" are no aliases in SQL.
  struct Names {
    std::string_view left = "left";
    std::string_view right = "right";
  };
  JoinSides(const PlanTree& plan, const Join& join, Names names);
  JoinSides(const PlanTree& plan, const Join& join) : JoinSides(plan, join, Names{}) {}

  [[nodiscard]] std::optional<Side> of(std::uint64_t id) const;
  [[nodiscard]] bool are_known() const { return !ids_.empty(); }
  // The table that stands alone on that side; a name of its own for others and for a table joined with itself.
  [[nodiscard]] std::string_view name_of(Side side) const { return names_[index_of(side)]; }

  struct Seen {
    bool left = false;
    bool right = false;
    [[nodiscard]] bool both() const { return left && right; }
  };
  [[nodiscard]] Seen seen_in(const ExpressionTree& tree, ExpressionIndex root) const;

  // `sales.qty > promotion.low`, for a message: cut where it is long.
  [[nodiscard]] std::string qualified(const ExpressionTree& tree, ExpressionIndex root) const;
  // The same to be copied: whole, with text in quotes. Nothing where it was not read, or is too long to be advice.
  [[nodiscard]] std::optional<std::string> sql(const ExpressionTree& tree, ExpressionIndex root) const;
  [[nodiscard]] std::string qualified_column(const ExpressionTree& tree, ExpressionIndex attribute) const;

 private:
  static std::size_t index_of(Side side) { return static_cast<std::size_t>(side); }

  Side listed_ = Side::Right;
  std::unordered_set<std::uint64_t> ids_;
  std::string_view names_[2];
};

}  // namespace planvet::rules
