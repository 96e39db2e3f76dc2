#pragma once

// The operators of the grammar as those of the tree. For the .cpp files that run a grammar only.

#include "analyzer/plan/expression.hpp"
#include "grammar/expression.hpp"

namespace planvet {

inline ExpressionOperator to_operator(grammar::infix_operator op) {
  switch (op) {
    case grammar::infix_operator::and_: return ExpressionOperator::And;
    case grammar::infix_operator::or_: return ExpressionOperator::Or;
    case grammar::infix_operator::equal: return ExpressionOperator::Equal;
    case grammar::infix_operator::null_safe_equal: return ExpressionOperator::NullSafeEqual;
    case grammar::infix_operator::not_equal: return ExpressionOperator::NotEqual;
    case grammar::infix_operator::greater: return ExpressionOperator::Greater;
    case grammar::infix_operator::greater_or_equal: return ExpressionOperator::GreaterOrEqual;
    case grammar::infix_operator::less: return ExpressionOperator::Less;
    case grammar::infix_operator::less_or_equal: return ExpressionOperator::LessOrEqual;
    case grammar::infix_operator::add: return ExpressionOperator::Add;
    case grammar::infix_operator::subtract: return ExpressionOperator::Subtract;
    case grammar::infix_operator::multiply: return ExpressionOperator::Multiply;
    case grammar::infix_operator::divide: return ExpressionOperator::Divide;
    case grammar::infix_operator::modulo: return ExpressionOperator::Modulo;
    case grammar::infix_operator::integral_divide: return ExpressionOperator::IntegralDivide;
    case grammar::infix_operator::bit_and: return ExpressionOperator::BitAnd;
    case grammar::infix_operator::bit_or: return ExpressionOperator::BitOr;
    case grammar::infix_operator::bit_xor: return ExpressionOperator::BitXor;
    case grammar::infix_operator::shift_left: return ExpressionOperator::ShiftLeft;
    case grammar::infix_operator::shift_right: return ExpressionOperator::ShiftRight;
    case grammar::infix_operator::shift_right_unsigned: return ExpressionOperator::ShiftRightUnsigned;
  }
  return ExpressionOperator::None;
}

}  // namespace planvet
