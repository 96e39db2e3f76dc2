#include "rules/exchange_bill.hpp"

namespace planvet::rules {

ExchangeBill exchange_bill(const PlanContext& context) {
  ExchangeBill bill;
  for (const PlanNode& node : context.operators()) {
    if (node.kind == OperatorKind::ShuffleExchange) ++bill.shuffle;
    if (node.kind == OperatorKind::BroadcastExchange) ++bill.broadcast;
    if (node.kind == OperatorKind::ReusedExchange) ++bill.reused;
  }
  return bill;
}

}  // namespace planvet::rules
