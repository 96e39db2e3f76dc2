// NVIDIA RAPIDS Accelerator: Spark's name behind the prefix Gpu.
#include "analyzer/dialect/vendors.hpp"

namespace planvet::dialect {
namespace {

constexpr std::string_view kPrefixes[] = {"Gpu"};

constexpr NameMapping kIrregular[] = {
    {"GpuScan", OperatorKind::FileSourceScan},
    {"GpuFileGpuScan", OperatorKind::FileSourceScan},
    {"GpuColumnarExchange", OperatorKind::ShuffleExchange},
    {"GpuOptimizeWriteExchange", OperatorKind::ShuffleExchange},
    {"GpuShuffleCoalesce", OperatorKind::ShuffleCoalesce},
    {"GpuTopN", OperatorKind::TakeOrderedAndProject},
    {"GpuShuffledSymmetricHashJoin", OperatorKind::ShuffledHashJoin},
    {"GpuShuffledAsymmetricHashJoin", OperatorKind::ShuffledHashJoin},
    {"GpuShuffledSizedHashJoin", OperatorKind::ShuffledHashJoin},
    {"GpuRunningWindow", OperatorKind::Window},
    {"GpuBatchedBoundedWindow", OperatorKind::Window},
    {"GpuCachedDoublePassWindow", OperatorKind::Window},
    {"GpuFastSample", OperatorKind::Sample},
    {"GpuPoissonSampler", OperatorKind::Sample},
    {"GpuBringBackToHost", OperatorKind::ColumnarToColumnar},
    {"HostColumnarToGpu", OperatorKind::ColumnarToColumnar},
    {"GpuBroadcastToRow", OperatorKind::ColumnarToRow},
    {"GpuBroadcastToCpu", OperatorKind::ColumnarToRow},
    {"GpuRapidsDeltaWrite", OperatorKind::InputAdapter},
    {"Execute GpuInsertIntoHadoopFsRelationCommand", OperatorKind::DataWritingCommand},
    {"Execute GpuInsertIntoHiveTable", OperatorKind::DataWritingCommand},
    {"Execute GpuCreateDataSourceTableAsSelectCommand", OperatorKind::ExecutedCommand},
};

}  // namespace

constinit const Dialect kRapids{Engine::Rapids, kPrefixes, {}, kIrregular, {}};

}  // namespace planvet::dialect
