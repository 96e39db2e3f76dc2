// `planvet annotate` in one format: pieces of output, in the order in which they come. A format is one class here; what
// it is called stands in kAnnotateFormats.
//
//   begin()  [ heading()  list()?  query()*  finished() ]*  end()
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "analyzer/plan/expression_parser.hpp"
#include "analyzer/render/query_list.hpp"
#include "analyzer/render/style.hpp"
#include "analyzer/report/report.hpp"

namespace planvet::render {

enum class AnnotateFormat : std::uint8_t { Text, Json, Markdown, Dot, Mermaid };

struct AnnotateFormatInfo {
  AnnotateFormat format;
  std::string_view name;
};
inline constexpr std::array kAnnotateFormats = {
    AnnotateFormatInfo{AnnotateFormat::Text, "text"}, AnnotateFormatInfo{AnnotateFormat::Json, "json"},
    AnnotateFormatInfo{AnnotateFormat::Markdown, "markdown"}, AnnotateFormatInfo{AnnotateFormat::Dot, "dot"},
    AnnotateFormatInfo{AnnotateFormat::Mermaid, "mermaid"}};

struct AnnotateOptions {
  Style style;
  ExpressionParser parser;
};

class AnnotateWriter {
 public:
  AnnotateWriter() = default;
  virtual ~AnnotateWriter() = default;
  AnnotateWriter(const AnnotateWriter&) = delete;
  AnnotateWriter& operator=(const AnnotateWriter&) = delete;

  virtual std::string begin() { return {}; }
  // Of an input, as far as anything is known of it by then.
  virtual std::string heading(const Application&) { return {}; }
  // `left_out`: shorter queries that are not in the list.
  virtual std::string list(std::span<const QuerySummary>, std::size_t /*left_out*/) { return {}; }
  virtual std::string query(const DocumentReport& report) = 0;
  // All queries of the input that the choice leaves.
  virtual void finished(const Application&, std::span<const QuerySummary>) {}
  virtual std::string end() { return {}; }
};

[[nodiscard]] std::unique_ptr<AnnotateWriter> make_annotate_writer(AnnotateFormat format,
                                                                   const AnnotateOptions& options);

// Of the formats that need a file of their own.
[[nodiscard]] std::unique_ptr<AnnotateWriter> make_json_writer();
[[nodiscard]] std::unique_ptr<AnnotateWriter> make_graph_writer(AnnotateFormat format, const AnnotateOptions& options);

}  // namespace planvet::render
