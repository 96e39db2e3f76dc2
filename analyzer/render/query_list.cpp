#include "analyzer/render/query_list.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <vector>

#include <fmt/core.h>

#include "analyzer/render/escape.hpp"
#include "analyzer/render/glyphs.hpp"
#include "analyzer/render/quantity.hpp"
#include "analyzer/render/text_line.hpp"

namespace planvet::render {

namespace {

constexpr std::size_t kBar = 10;
constexpr std::size_t kGap = 2;
// Of a description: without it nobody knows what a row is about.
constexpr std::size_t kLeastDescription = 24;
constexpr double kLargeShare = 0.5;
constexpr double kNotableShare = 0.2;

// A query, and where it stands: as the Spark UI does it, below the one that it is a part of, if that is there.
struct ListedQuery {
  const QuerySummary* query = nullptr;
  std::string_view mark = {};  // in front of its description; empty: it is below none
};

std::vector<ListedQuery> listed(std::span<const QuerySummary> queries, bool unicode) {
  const std::string_view mark = unicode ? "└ " : "`- ";
  std::map<std::int64_t, std::vector<const QuerySummary*>> parts;  // of those that are listed, by number
  for (const QuerySummary& query : queries)
    if (query.execution && !query.part_of) parts[*query.execution];
  for (const QuerySummary& query : queries) {
    if (!query.part_of) continue;
    if (const auto found = parts.find(*query.part_of); found != parts.end()) found->second.push_back(&query);
  }
  std::vector<ListedQuery> rows;
  for (const QuerySummary& query : queries) {
    if (query.part_of && parts.contains(*query.part_of)) continue;
    rows.push_back({&query});
    const auto found = query.execution ? parts.find(*query.execution) : parts.end();
    if (found == parts.end()) continue;
    for (const QuerySummary* const part : found->second) rows.push_back({part, mark});
    found->second.clear();  // where a number comes twice
  }
  return rows;
}

std::string bytes_text(std::int64_t bytes) {
  return bytes > 0 ? format_quantity(static_cast<double>(bytes), "bytes") : std::string();
}

std::string duration_text(const ListedQuery& row) {
  const QuerySummary& query = *row.query;
  if (!query.duration_ms) return {};
  const std::string text = format_quantity(static_cast<double>(*query.duration_ms), "ms");
  return query.status == QueryStatus::Running ? ">" + text : text;
}

std::string findings_text(const ListedQuery& row) { return count_by_severity(row.query->findings); }

std::string description_of(const ListedQuery& row) {
  const QuerySummary& query = *row.query;
  std::string text = std::string(row.mark) + query.description;
  if (query.part_of && row.mark.empty())
    text += fmt::format("{}(part of query {})", text.empty() ? "" : " ", *query.part_of);
  if (query.is_failed() && !query.error.empty()) text += (text.empty() ? "" : ": ") + query.error;
  return text;
}

struct ListColumn {
  std::string_view heading;
  bool is_number = false;
  std::string (*text)(const ListedQuery&);
};

constexpr std::array kListColumns = {
    ListColumn{"query", true,
               [](const ListedQuery& row) {
                 return row.query->execution ? std::to_string(*row.query->execution) : std::string();
               }},
    ListColumn{"time", true, duration_text},
    ListColumn{"", false, nullptr},  // its bar
    ListColumn{"status", false,
               [](const ListedQuery& row) {
                 return row.query->status == QueryStatus::Succeeded ? std::string()
                                                                    : std::string(name(row.query->status));
               }},
    ListColumn{
        "jobs", true,
        [](const ListedQuery& row) { return row.query->jobs > 0 ? std::to_string(row.query->jobs) : std::string(); }},
    ListColumn{"read", true, [](const ListedQuery& row) { return bytes_text(row.query->totals.input_bytes); }},
    ListColumn{"shuffled", true,
               [](const ListedQuery& row) { return bytes_text(row.query->totals.shuffle_bytes_written); }},
    ListColumn{"wrote", true, [](const ListedQuery& row) { return bytes_text(row.query->totals.output_bytes); }},
    ListColumn{"spilled", true, [](const ListedQuery& row) { return bytes_text(row.query->totals.disk_spilled); }},
    ListColumn{"findings", false, findings_text},
    ListColumn{"description", false, description_of},
};

using ColumnWidths = std::array<std::size_t, kListColumns.size()>;

// Hides columns (width 0) until the description has room; which ones, for people.
std::string make_room(ColumnWidths& widths, std::size_t room) {
  std::string hidden;
  const auto needed = [&] {
    std::size_t sum = std::min(widths.back(), kLeastDescription);
    for (std::size_t column = 0; column + 1 < widths.size(); ++column)
      if (widths[column] > 0) sum += widths[column] + kGap;
    return sum;
  };
  for (const std::string_view heading : {"jobs", "wrote", "read", "shuffled", ""}) {
    if (needed() <= room) break;
    const auto found = std::ranges::find(kListColumns, heading, &ListColumn::heading);
    std::size_t& width = widths[static_cast<std::size_t>(found - kListColumns.begin())];
    if (width == 0) continue;
    width = 0;
    if (heading.empty()) continue;
    if (!hidden.empty()) hidden += ", ";
    hidden += heading;
  }
  return hidden;
}

std::int64_t longest_of(std::span<const QuerySummary> queries) {
  std::int64_t longest = 0;
  for (const QuerySummary& query : queries) longest = std::max(longest, query.duration_ms.value_or(0));
  return longest;
}

double share_of(const QuerySummary& query, std::int64_t longest) {
  return longest > 0 ? static_cast<double>(query.duration_ms.value_or(0)) / static_cast<double>(longest) : 0;
}

}  // namespace

std::string application_text(const Application& application) {
  std::string text = one_line(application.name);
  if (!application.id.empty()) text += (text.empty() ? "" : "  ") + one_line(application.id);
  if (application.spark_version) {
    const SparkVersion& version = *application.spark_version;
    text += fmt::format("{}Spark {}.{}.{}", text.empty() ? "" : ", ", version.major, version.minor, version.patch);
  }
  if (application.queries > 0) text += (text.empty() ? "" : ", ") + count_of(application.queries, "query", "queries");
  if (application.failed > 0) text += fmt::format(", {} of them failed", application.failed);
  if (application.running > 0) text += fmt::format(", {} without an end", application.running);
  if (application.has_gaps) text += ", parts are missing or could not be read";
  return text;
}

Role role_of_share(double share) {
  if (share >= kLargeShare) return Role::Error;
  return share >= kNotableShare ? Role::Warning : Role::Good;
}

std::string share_bar(double share, std::size_t columns, const Style& style) {
  share = std::isfinite(share) ? std::clamp(share, 0.0, 1.0) : 0;
  constexpr std::size_t kEighths = 8;
  const double filled = share * static_cast<double>(columns);
  std::string bar;
  if (!style.unicode) {
    bar.append(static_cast<std::size_t>(std::lround(filled)), '#');
    bar.append(columns - bar.size(), ' ');
    return bar;
  }
  constexpr std::array<std::string_view, kEighths> kParts = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const auto eighths = static_cast<std::size_t>(std::lround(filled * static_cast<double>(kEighths)));
  std::size_t width = eighths / kEighths;
  for (std::size_t i = 0; i < width; ++i) bar += "█";
  if (eighths % kEighths > 0) {
    bar += kParts[eighths % kEighths];
    ++width;
  }
  bar.append(columns - width, ' ');
  return bar;
}

std::string query_list_text(std::span<const QuerySummary> queries, std::size_t left_out, const Style& style) {
  if (queries.empty()) return "no such query\n";
  const std::int64_t longest = longest_of(queries);
  const std::vector<ListedQuery> lines = listed(queries, style.unicode);
  ColumnWidths widths{};
  std::vector<std::array<std::string, kListColumns.size()>> rows(lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    for (std::size_t column = 0; column < kListColumns.size(); ++column) {
      if (kListColumns[column].text == nullptr) continue;
      rows[i][column] = kListColumns[column].text(lines[i]);
      widths[column] = std::max(widths[column], display_width(rows[i][column]));
    }
  }
  for (std::size_t column = 0; column < kListColumns.size(); ++column) {
    if (kListColumns[column].text == nullptr) widths[column] = kBar;
    if (widths[column] > 0) widths[column] = std::max(widths[column], kListColumns[column].heading.size());
  }
  const std::string hidden = make_room(widths, style.width);
  const auto add_cell = [&](TextLine& line, std::size_t column, std::string_view text, std::optional<Role> role) {
    if (widths[column] == 0) return;
    const std::size_t begin = line.width();
    if (kListColumns[column].is_number) line.pad_to(begin + widths[column] - display_width(text));
    line.add(text, role);
    if (column + 1 < kListColumns.size()) line.pad_to(begin + widths[column] + kGap);
  };
  std::string out;
  TextLine head;
  for (std::size_t column = 0; column < kListColumns.size(); ++column)
    add_cell(head, column, kListColumns[column].heading, Role::Dim);
  out += head.str(style) + '\n';
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const QuerySummary& query = *lines[i].query;
    TextLine line;
    for (std::size_t column = 0; column < kListColumns.size(); ++column) {
      if (kListColumns[column].text == nullptr) {
        const double share = share_of(query, longest);
        add_cell(line, column, share_bar(share, kBar, style), role_of_share(share));
        continue;
      }
      std::optional<Role> role;
      const std::string_view heading = kListColumns[column].heading;
      if (heading == "query") role = Role::Strong;
      if (heading == "status") role = query.is_failed() ? Role::Error : Role::Note;
      if (heading == "spilled") role = Role::Warning;
      if (heading == "findings") {
        const Totals& found = query.findings;
        role = found.errors > 0 ? Role::Error : found.warnings > 0 ? Role::Warning : Role::Info;
      }
      add_cell(line, column, rows[i][column], role);
    }
    out += line.str(style) + '\n';
  }
  if (left_out > 0)
    out += style.paint(Role::Dim, fmt::format("and {}; --list shows all of them\n",
                                              count_of(left_out, "shorter query", "shorter queries")));
  if (!hidden.empty()) out += style.paint(Role::Dim, no_room_text(hidden) + '\n');
  return out;
}

std::string query_list_markdown(std::span<const QuerySummary> queries, std::size_t left_out) {
  if (queries.empty()) return "no such query\n";
  const std::vector<ListedQuery> rows = listed(queries, true);
  std::array<bool, kListColumns.size()> is_shown{};
  for (std::size_t column = 0; column < kListColumns.size(); ++column) {
    const ListColumn& shown = kListColumns[column];
    is_shown[column] = shown.text != nullptr &&
                       std::ranges::any_of(rows, [&](const ListedQuery& row) { return !shown.text(row).empty(); });
  }
  std::string out = "|";
  std::string rule = "|";
  for (std::size_t column = 0; column < kListColumns.size(); ++column) {
    if (!is_shown[column]) continue;
    out += fmt::format(" {} |", kListColumns[column].heading);
    rule += kListColumns[column].is_number ? " ---: |" : " --- |";
  }
  out += '\n' + rule + '\n';
  for (const ListedQuery& row : rows) {
    out += '|';
    for (std::size_t column = 0; column < kListColumns.size(); ++column)
      if (is_shown[column]) out += fmt::format(" {} |", markdown_text(kListColumns[column].text(row)));
    out += '\n';
  }
  if (left_out > 0) out += fmt::format("\nand {}\n", count_of(left_out, "shorter query", "shorter queries"));
  return out;
}

}  // namespace planvet::render
