// Databricks Photon: Spark's name behind the prefix Photon.
//
// One shuffle is a chain of three: Source above MapStage above Sink. The Sink carries the partitioning and counts as the
// ShuffleExchange (or as the BroadcastExchange, when the map stage says EXECUTOR_BROADCAST: the name cannot tell that,
// the decoder of the arguments does); the other two are structure. (Databricks Runtime 13.3 names.)
#include "analyzer/dialect/vendors.hpp"

namespace planvet::dialect {
namespace {

constexpr std::string_view kPrefixes[] = {"Photon"};

constexpr NameMapping kIrregular[] = {
    {"PhotonScan", OperatorKind::FileSourceScan},
    {"PhotonAgg", OperatorKind::HashAggregate},
    {"PhotonGroupingAgg", OperatorKind::HashAggregate},
    {"PhotonGroupingAggWithRollup", OperatorKind::HashAggregate},
    {"PhotonShuffleHashJoin", OperatorKind::ShuffledHashJoin},
    {"PhotonHashJoin", OperatorKind::ShuffledHashJoin},
    {"PhotonTopK", OperatorKind::TakeOrderedAndProject},
    {"PhotonShuffleExchangeSink", OperatorKind::ShuffleExchange},
    {"PhotonUnionShuffleExchangeSink", OperatorKind::ShuffleExchange},
    {"PhotonShuffleMapStage", OperatorKind::PhotonShuffleMapStage},
    {"PhotonUnionShuffleMapStage", OperatorKind::PhotonShuffleMapStage},
    {"PhotonShuffleExchangeSource", OperatorKind::PhotonShuffleExchangeSource},
    {"PhotonResultStage", OperatorKind::PhotonResultStage},
    {"PhotonWriteStage", OperatorKind::WriteFiles},
    {"PhotonAdapter", OperatorKind::InputAdapter},
};

}  // namespace

constinit const Dialect kPhoton{Engine::Photon, kPrefixes, {}, kIrregular, {}};

}  // namespace planvet::dialect
