// Apache Gluten (Velox and ClickHouse): Spark's name with the suffix ExecTransformer or Transformer, or behind Columnar,
// Velox or CH. Plain Spark names in a Gluten plan are fallbacks.
#include "analyzer/dialect/vendors.hpp"

namespace planvet::dialect {
namespace {

constexpr std::string_view kPrefixes[] = {"Columnar", "Velox", "CH"};
constexpr std::string_view kSuffixes[] = {"ExecTransformer", "Transformer", "Exec"};

constexpr NameMapping kIrregular[] = {
    {"RegularHashAggregateExecTransformer", OperatorKind::HashAggregate},
    {"FlushableHashAggregateExecTransformer", OperatorKind::HashAggregate},
    {"TopNTransformer", OperatorKind::TakeOrderedAndProject},
    {"LimitTransformer", OperatorKind::GlobalLimit},
    {"LimitExecTransformer", OperatorKind::GlobalLimit},
    {"ScanTransformer", OperatorKind::FileSourceScan},
    {"FileScanTransformer", OperatorKind::FileSourceScan},
    {"DeltaScanTransformer", OperatorKind::FileSourceScan},
    {"HudiScanTransformer", OperatorKind::FileSourceScan},
    {"IcebergScanTransformer", OperatorKind::BatchScan},
    {"NativeScan", OperatorKind::FileSourceScan},
    {"NativeScan hive", OperatorKind::HiveTableScan},
    {"NativeFileScan", OperatorKind::FileSourceScan},
    {"InputIteratorTransformer", OperatorKind::InputIteratorTransformer},
    {"CHNativeColumnarToRow", OperatorKind::ColumnarToRow},
    {"VeloxColumnarToCarrierRow", OperatorKind::ColumnarToRow},
    {"CHColumnarToCarrierRow", OperatorKind::ColumnarToRow},
    {"RowToVeloxColumnar", OperatorKind::RowToColumnar},
    {"RowToVeloxColumnarExec", OperatorKind::RowToColumnar},
    {"RowToCHNativeColumnar", OperatorKind::RowToColumnar},
    {"ArrowColumnarToVeloxColumnar", OperatorKind::ColumnarToColumnar},
    {"LoadArrowData", OperatorKind::ColumnarToColumnar},
    {"OffloadArrowData", OperatorKind::ColumnarToColumnar},
    {"VeloxResizeBatches", OperatorKind::CoalesceBatches},
    {"VeloxAppendBatches", OperatorKind::CoalesceBatches},
    {"ColumnarPartialProject", OperatorKind::Project},
    {"ColumnarPartialGenerate", OperatorKind::Generate},
    {"VeloxColumnarWriteFiles", OperatorKind::WriteFiles},
    {"CHColumnarWriteFiles", OperatorKind::WriteFiles},
    {"EvalPythonExecTransformer", OperatorKind::ArrowEvalPython},
};

}  // namespace

constinit const Dialect kGluten{Engine::Gluten, kPrefixes, kSuffixes, kIrregular, {}};

}  // namespace planvet::dialect
