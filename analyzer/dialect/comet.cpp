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

}  // namespace

constinit const Dialect kComet{Engine::Comet, kPrefixes, kSuffixes, kIrregular};

}  // namespace planvet::dialect
