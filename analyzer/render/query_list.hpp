// The queries of an application, a row each: what to look at first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "analyzer/plan/document.hpp"
#include "analyzer/render/query_summary.hpp"
#include "analyzer/render/style.hpp"

namespace planvet::render {

// What an input says of the application that wrote it.
struct Application {
  std::string source;  // the input's path
  std::string name;
  std::string id;
  std::optional<SparkVersion> spark_version;
  std::size_t queries = 0;  // that were read
  std::size_t failed = 0;
  std::size_t running = 0;
  bool has_gaps = false;        // not all of it was there, or could be read
  bool is_interrupted = false;  // somebody stopped reading
};

// "local-1795996202600 (daily sales), Spark 3.5.9, 9 queries, 2 of them failed".
[[nodiscard]] std::string application_text(const Application& application);

// `left_out`: shorter queries that are not in the list.
[[nodiscard]] std::string query_list_text(std::span<const QuerySummary> queries, std::size_t left_out,
                                          const Style& style);
[[nodiscard]] std::string query_list_markdown(std::span<const QuerySummary> queries, std::size_t left_out);

// A bar of `columns` columns, filled up to `share`.
[[nodiscard]] std::string share_bar(double share, std::size_t columns, const Style& style);
[[nodiscard]] Role role_of_share(double share);

}  // namespace planvet::render
