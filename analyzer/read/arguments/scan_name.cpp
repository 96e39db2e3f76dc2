// A scan's name carries its format and table.
//
//   Scan parquet spark_catalog.db.t      FileScan csv       BatchScan cat.db.t      BatchScan parquet file:/data/t
//   CometScan [native_iceberg_compat] parquet db.t          Scan JDBCRelation(ITEMS) [numPartitions=1]
//   Scan JDBC v1 Relation from v2 scan h2.shop.ITEMS        Scan In-memory table hot_customers
#include <algorithm>

#include "analyzer/read/arguments/node_attributes.hpp"

namespace planvet::read {
namespace {

// The first word of `text`, which is moved behind it.
std::string_view take_word(std::string_view& text) {
  const std::size_t end = std::min(text.find(' '), text.size());
  const std::string_view word = text.substr(0, end);
  text = trim(text.substr(end));
  return word;
}

void add_format(NodeAttributes& attributes, std::string_view format) {
  if (!format.empty() && !attributes.has(AttributeKind::Format)) attributes.add(AttributeKind::Format, format);
}

void add_table(NodeAttributes& attributes, std::string_view table) {
  if (!table.empty()) attributes.add(AttributeKind::Table, table);
}

void decode_row_source(NodeAttributes& attributes, std::string_view rest) {
  constexpr std::string_view kJdbc = "JDBCRelation(";
  constexpr std::string_view kV2 = "JDBC v1 Relation from v2 scan ";
  if (rest.starts_with(kV2)) {
    add_table(attributes, rest.substr(kV2.size()));
  } else if (rest.starts_with(kJdbc)) {
    std::size_t end = rest.rfind(") [numPartitions=");  // a query's own brackets may not match
    if (end == std::string_view::npos) end = rest.rfind(')');
    if (end != std::string_view::npos && end >= kJdbc.size()) {
      add_table(attributes, rest.substr(kJdbc.size(), end - kJdbc.size()));
    }
  } else {
    return;
  }
  add_format(attributes, "jdbc");
}

}  // namespace

void decode_scan_name(NodeAttributes& attributes, std::string_view name) {
  std::string_view rest = trim(name);
  take_word(rest);
  if (rest.starts_with('[')) {  // Comet's implementation
    const std::size_t end = behind_closing(rest, 0);
    rest = end == std::string_view::npos ? std::string_view{} : trim(rest.substr(end));
  }
  if (rest.empty()) return;
  switch (attributes.kind()) {
    case OperatorKind::FileSourceScan:
    case OperatorKind::HiveTableScan:
      add_format(attributes, take_word(rest));
      add_table(attributes, rest);
      return;
    case OperatorKind::BatchScan:
    case OperatorKind::MicroBatchScan:
      if (rest.find(' ') == std::string_view::npos) {
        add_table(attributes, rest);
      } else {
        add_format(attributes, take_word(rest));  // "parquet file:/data/t": no table
      }
      return;
    case OperatorKind::InMemoryTableScan:
      if (constexpr std::string_view kTable = "In-memory table "; rest.starts_with(kTable)) {
        add_table(attributes, rest.substr(kTable.size()));
      }
      return;
    case OperatorKind::RowDataSourceScan: decode_row_source(attributes, rest); return;
    default: return;
  }
}

}  // namespace planvet::read
