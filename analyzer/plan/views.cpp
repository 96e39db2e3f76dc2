#include "analyzer/plan/views.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "analyzer/plan/expression.hpp"
#include "analyzer/plan/walk.hpp"

namespace planvet {
namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\n')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\n')) text.remove_suffix(1);
  return text;
}

// Columns that a file scan makes itself: in no file, and no partition.
bool is_metadata_column(std::string_view name) {
  constexpr std::array<std::string_view, 9> kNames = {"_metadata",
                                                      "file_path",
                                                      "file_name",
                                                      "file_size",
                                                      "file_block_start",
                                                      "file_block_length",
                                                      "file_modification_time",
                                                      "_tmp_metadata_row_index",
                                                      "row_index"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end() || name.starts_with("__delta_internal") ||
         name.starts_with("_databricks_internal");
}

// The part between `key: [` and its `]` inside a text such as HiveTableRelation [`db`.`t`, .., Partition Cols: [p#3], ..].
std::optional<std::string_view> bracketed_after(std::string_view text, std::string_view key) {
  const std::size_t at = text.find(key);
  if (at == std::string_view::npos) return std::nullopt;
  const std::size_t open = text.find('[', at);
  if (open == std::string_view::npos) return std::nullopt;
  std::size_t depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    if (text[i] == '[') ++depth;
    if (text[i] == ']' && --depth == 0) return text.substr(open, i + 1 - open);
  }
  return std::nullopt;
}

struct NamedSource {
  std::string_view word;
  ScanSource source;
};
constexpr std::array kFormats = {
    NamedSource{"parquet", ScanSource::Parquet}, NamedSource{"orc", ScanSource::Orc},
    NamedSource{"avro", ScanSource::Avro},       NamedSource{"csv", ScanSource::Csv},
    NamedSource{"json", ScanSource::Json},       NamedSource{"text", ScanSource::Text},
    NamedSource{"xml", ScanSource::Xml},         NamedSource{"hive", ScanSource::Hive},
};

bool same_letters(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return (x | 0x20) == (y | 0x20); });
}

bool has_word(std::string_view text, std::string_view word) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(" ["), text.size());
    if (same_letters(text.substr(0, end), word)) return true;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return false;
}

}  // namespace

std::string_view name(Side side) { return side == Side::Left ? "left" : "right"; }

std::string_view OperatorView::text(AttributeKind kind) const {
  const Attribute* attribute = find(kind);
  return attribute == nullptr ? std::string_view{} : trimmed(attribute->text);
}

ItemList OperatorView::list(AttributeKind kind) const {
  const Attribute* attribute = find(kind);
  if (attribute == nullptr) return {};
  return split_list(attribute->text, attribute->count > 0 ? attribute->count : kAnyCount);
}

// --- Join

std::optional<Join> Join::of(const PlanTree& plan, NodeId id) {
  const PlanNode& node = plan.node(id);
  if (node.is_logical || family(node.kind) != OperatorFamily::Join) return std::nullopt;
  return Join(plan, id);
}

JoinType Join::type() const {
  const std::string_view word = type_text();
  if (word == "Inner" || word == "InnerLike") return JoinType::Inner;
  if (word == "Cross") return JoinType::Cross;
  if (word == "LeftOuter") return JoinType::LeftOuter;
  if (word == "RightOuter") return JoinType::RightOuter;
  if (word == "FullOuter") return JoinType::FullOuter;
  if (word == "LeftSemi") return JoinType::LeftSemi;
  if (word == "LeftAnti") return JoinType::LeftAnti;
  if (word == "LeftSingle") return JoinType::LeftSingle;
  if (word.starts_with("ExistenceJoin")) return JoinType::Existence;
  // Spark prints none: a cartesian product is always inner.
  if (word.empty() && node().kind == OperatorKind::CartesianProduct) return JoinType::Inner;
  return JoinType::Unknown;
}

std::optional<Side> Join::build_side() const {
  const std::string_view word = text(AttributeKind::BuildSide);
  if (word == "BuildLeft") return Side::Left;
  if (word == "BuildRight") return Side::Right;
  return std::nullopt;
}

const Attribute* Join::condition() const {
  const Attribute* condition = find(AttributeKind::JoinCondition);
  if (condition == nullptr) return nullptr;
  const std::string_view text = trimmed(condition->text);
  return text.empty() || text == "None" ? nullptr : condition;
}

bool Join::has_details() const {
  if (type() == JoinType::Unknown) return false;
  return !node().operator_id || !node().block.empty();
}

bool Join::is_null_aware() const {
  if (text(AttributeKind::IsNullAwareAntiJoin) == "true") return true;
  if (type() != JoinType::LeftAnti || node().kind != OperatorKind::BroadcastHashJoin) return false;
  // Formatted text says it only in the mode of the broadcast: HashedRelationBroadcastMode(List(..),true).
  const NodeId broadcast = below_structure(plan(), input(Side::Right));
  if (broadcast == kNoNode) return false;
  const Attribute* mode = plan().find(broadcast, AttributeKind::BroadcastMode);
  return mode != nullptr && mode->text.starts_with("HashedRelationBroadcastMode") &&
         trimmed(mode->text).ends_with(",true)");
}

bool can_broadcast(JoinType type, Side side) {
  switch (type) {
    case JoinType::Inner:
    case JoinType::Cross: return true;
    case JoinType::LeftOuter:
    case JoinType::LeftSemi:
    case JoinType::LeftAnti:
    case JoinType::LeftSingle:
    case JoinType::Existence: return side == Side::Right;
    case JoinType::RightOuter: return side == Side::Left;
    case JoinType::FullOuter:
    case JoinType::Unknown: return false;
  }
  return false;
}

// --- Exchange

std::optional<Exchange> Exchange::of(const PlanTree& plan, NodeId id) {
  const PlanNode& node = plan.node(id);
  if (node.is_logical || node.kind != OperatorKind::ShuffleExchange) return std::nullopt;
  return Exchange(plan, id);
}

std::string_view Exchange::origin_text() const {
  if (const Attribute* own = find(AttributeKind::ShuffleOrigin)) return own->text;
  const NodeId parent = node().parent;
  if (parent == kNoNode || plan().node(parent).kind != OperatorKind::PhotonShuffleMapStage) return {};
  const Attribute* of_stage = plan().find(parent, AttributeKind::ShuffleOrigin);
  return of_stage == nullptr ? std::string_view{} : of_stage->text;
}

ShuffleOrigin Exchange::origin() const {
  const std::string_view word = origin_text();
  if (word == "ENSURE_REQUIREMENTS") return ShuffleOrigin::Required;
  if (word.starts_with("REPARTITION")) return ShuffleOrigin::Repartition;
  if (word.starts_with("REBALANCE")) return ShuffleOrigin::Rebalance;
  if (word == "REQUIRED_BY_STATEFUL_OPERATOR") return ShuffleOrigin::Stateful;
  return ShuffleOrigin::Unknown;
}

std::optional<std::uint64_t> Exchange::partitions() const {
  std::string_view printed = partitioning();
  if (printed.starts_with("SinglePartition")) return 1;
  if (!printed.ends_with(')')) return std::nullopt;
  printed.remove_suffix(1);
  const std::size_t before = printed.find_last_not_of("0123456789");
  if (before == std::string_view::npos || before + 1 == printed.size()) return std::nullopt;
  std::uint64_t number = 0;
  std::from_chars(printed.data() + before + 1, printed.data() + printed.size(), number);
  return number;
}

// --- Scan

std::string_view name(ScanSource source) {
  switch (source) {
    case ScanSource::Unknown: return "unknown";
    case ScanSource::Parquet: return "Parquet";
    case ScanSource::Orc: return "ORC";
    case ScanSource::Avro: return "Avro";
    case ScanSource::Csv: return "CSV";
    case ScanSource::Json: return "JSON";
    case ScanSource::Text: return "text";
    case ScanSource::Xml: return "XML";
    case ScanSource::Hive: return "Hive";
    case ScanSource::Jdbc: return "JDBC";
    case ScanSource::Iceberg: return "Iceberg";
    case ScanSource::OtherV1:
    case ScanSource::OtherV2: return "source";
  }
  return "unknown";
}

std::optional<Scan> Scan::of(const PlanTree& plan, NodeId id) {
  const PlanNode& node = plan.node(id);
  if (node.is_logical || family(node.kind) != OperatorFamily::Scan) return std::nullopt;
  return Scan(plan, id);
}

std::string_view Scan::display_name() const {
  if (!table().empty()) {
    const std::string_view whole = table();
    const std::size_t last = whole.rfind('.');
    if (last == std::string_view::npos || last == 0) return whole;
    const std::size_t before = whole.rfind('.', last - 1);
    return before == std::string_view::npos ? whole : whole.substr(before + 1);
  }
  // `InMemoryFileIndex [file:/data/lake/retail/sales]`: the first path's last part.
  std::string_view place = text(AttributeKind::Location);
  const std::size_t open = place.rfind('[');
  if (open == std::string_view::npos) return {};
  place = place.substr(open + 1);
  place = place.substr(0, place.find_first_of(",]"));
  while (place.ends_with('/')) place.remove_suffix(1);
  const std::size_t slash = place.rfind('/');
  return slash == std::string_view::npos ? place : place.substr(slash + 1);
}

ScanSource Scan::source() const {
  if (node().kind == OperatorKind::HiveTableScan) return ScanSource::Hive;
  const std::string_view printed = node().printed_name;
  if (printed.find("JDBC") != std::string_view::npos || printed.find(".jdbc.") != std::string_view::npos) {
    return ScanSource::Jdbc;
  }
  const std::string_view format = text(AttributeKind::Format);
  for (const NamedSource& row : kFormats) {
    // Delta and Photon read Parquet under another name; Comet's is "CometParquet".
    if (!format.empty() ? (same_letters(format, row.word) ||
                           (format.size() > row.word.size() &&
                            same_letters(format.substr(format.size() - row.word.size()), row.word)))
                        : has_word(printed, row.word)) {
      return row.source;
    }
  }
  if (!is_v2()) return format.empty() && printed.empty() ? ScanSource::Unknown : ScanSource::OtherV1;
  const std::string_view description = text(AttributeKind::ScanDescription);
  if (find(AttributeKind::ScanFilters) != nullptr || description.find("(branch=") != std::string_view::npos) {
    return ScanSource::Iceberg;
  }
  for (const NamedSource& row : kFormats) {
    if (same_letters(description.substr(0, std::min(row.word.size(), description.size())), row.word)) return row.source;
  }
  return ScanSource::OtherV2;
}

bool Scan::is_v2() const { return node().kind == OperatorKind::BatchScan; }

bool Scan::is_streaming() const {
  switch (node().kind) {
    case OperatorKind::MicroBatchScan:
    case OperatorKind::ContinuousScan:
    case OperatorKind::StreamingRelation: return true;
    default: return false;
  }
}

bool Scan::has_metadata() const {
  return find(AttributeKind::ReadSchema) != nullptr || find(AttributeKind::Location) != nullptr ||
         find(AttributeKind::PushedFilters) != nullptr || find(AttributeKind::ScanFilters) != nullptr;
}

std::optional<std::vector<SchemaField>> Scan::read_schema() const {
  const Attribute* schema = find(AttributeKind::ReadSchema);
  if (schema == nullptr || !schema->is_whole()) return std::nullopt;
  const std::string_view text = trimmed(schema->text);
  if (!text.starts_with("struct<") || !text.ends_with('>')) return std::nullopt;
  return schema_fields(text);
}

std::optional<std::vector<std::string_view>> Scan::partition_columns() const {
  std::vector<std::string_view> columns;
  if (const Attribute* hive = find(AttributeKind::HiveRelation)) {
    const auto printed = bracketed_after(hive->text, "Partition Cols:");
    if (!printed) return std::nullopt;
    for (const std::string_view item : split_list(*printed).items) columns.push_back(read_attribute_text(item).name);
    return columns;
  }
  if (node().kind != OperatorKind::FileSourceScan) return std::nullopt;
  const Attribute* output_list = find(AttributeKind::Output);
  if (output_list == nullptr || !output_list->is_whole()) return std::nullopt;
  const auto schema = read_schema();
  if (!schema) return std::nullopt;
  const ItemList items = output();
  if (items.is_truncated || !items.is_balanced) return std::nullopt;
  for (const std::string_view item : items.items) {
    const std::string_view column = read_attribute_text(item).name;
    const bool is_in_files =
        std::any_of(schema->begin(), schema->end(), [&](const SchemaField& field) { return field.name == column; });
    if (!is_in_files && !is_metadata_column(column)) columns.push_back(column);
  }
  return columns;
}

// --- Aggregate

std::optional<Aggregate> Aggregate::of(const PlanTree& plan, NodeId id) {
  const PlanNode& node = plan.node(id);
  if (node.is_logical || family(node.kind) != OperatorFamily::Aggregate) return std::nullopt;
  return Aggregate(plan, id);
}

bool Aggregate::is_global() const {
  const Attribute* keys = find(AttributeKind::GroupingKeys);
  if (keys == nullptr || !keys->is_whole()) return false;
  return trimmed(keys->text) == "[]";
}

std::vector<SchemaField> schema_fields(std::string_view schema) {
  std::vector<SchemaField> fields;
  if (!schema.starts_with("struct<")) return fields;
  schema.remove_prefix(7);
  if (schema.ends_with('>')) schema.remove_suffix(1);
  std::size_t depth = 0;
  std::size_t begin = 0;
  std::size_t colon = std::string_view::npos;
  for (std::size_t i = 0; i <= schema.size(); ++i) {
    if (i == schema.size() || (schema[i] == ',' && depth == 0)) {
      if (colon != std::string_view::npos) {
        fields.push_back({schema.substr(begin, colon - begin), schema.substr(colon + 1, i - colon - 1)});
      }
      begin = i + 1;
      colon = std::string_view::npos;
      continue;
    }
    const char c = schema[i];
    if (c == '<' || c == '(') ++depth;
    if ((c == '>' || c == ')') && depth > 0) --depth;
    if (c == ':' && colon == std::string_view::npos) colon = i;
  }
  return fields;
}

}  // namespace planvet
