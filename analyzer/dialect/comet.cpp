// Apache DataFusion Comet: Spark's name behind the prefix Comet, a few with the suffix Exec (0.12 to 1.2).
#include "analyzer/dialect/vendors.hpp"

namespace planvet::dialect {
namespace {

constexpr std::string_view kPrefixes[] = {"Comet"};
constexpr std::string_view kSuffixes[] = {"Exec"};

constexpr NameMapping kIrregular[] = {
    {"CometScan", OperatorKind::FileSourceScan},  // "CometScan [native_iceberg_compat] parquet db.t"
    {"CometNativeScan", OperatorKind::FileSourceScan},
    {"CometCsvNativeScan", OperatorKind::BatchScan},
    {"CometIcebergNativeScan", OperatorKind::BatchScan},
    {"CometColumnarExchange", OperatorKind::ShuffleExchange},  // shuffles rows; CometExchange is the native one
    {"CometHashJoin", OperatorKind::ShuffledHashJoin},
    {"CometExplode", OperatorKind::Generate},
    {"CometNativeColumnarToRow", OperatorKind::ColumnarToRow},
    {"CometSparkRowToColumnar", OperatorKind::RowToColumnar},
    {"CometSparkColumnarToColumnar", OperatorKind::ColumnarToColumnar},
    {"CometSparkToColumnar", OperatorKind::RowToColumnar},
    {"CometNativeWrite", OperatorKind::DataWritingCommand},
    {"CometNativeWriteExec", OperatorKind::DataWritingCommand},
    {"CometSinkPlaceHolder", OperatorKind::InputAdapter},
};

// Comet prints an operator's output first.
constexpr ArgumentOrder kArguments[] = {
    {OperatorKind::Project, "output project_list"},
    {OperatorKind::Sort, "output sort_order"},
    {OperatorKind::BroadcastExchange, "output"},
    {OperatorKind::Generate, "generator generator_output is_outer output"},
    {OperatorKind::Window, "output window_expressions partition_spec order_spec"},
    {OperatorKind::TakeOrderedAndProject, "output sort_order project_list limit offset"},
    {OperatorKind::HashAggregate, "input aggregate_mode grouping_keys functions"},
    {OperatorKind::ObjectHashAggregate, "input aggregate_mode grouping_keys functions"},
    {OperatorKind::SortAggregate, "input aggregate_mode grouping_keys functions"},
};

}  // namespace

constinit const Dialect kComet{Engine::Comet, kPrefixes, kSuffixes, kIrregular, kArguments};

}  // namespace planvet::dialect
