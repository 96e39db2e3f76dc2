#include <algorithm>
#include <optional>
#include <string_view>

#include <fmt/core.h>

#include "analyzer/facts/version_proof.hpp"
#include "analyzer/snapshot/secrets.hpp"
#include "analyzer/snapshot/snapshot.hpp"

namespace planvet::snapshot {
namespace {

// An event log calls a plan "query 7: save at App.scala:88": the number is the session's.
std::string_view without_number(std::string_view title) {
  constexpr std::string_view kQuery = "query ";
  if (!title.starts_with(kQuery)) return title;
  std::size_t end = kQuery.size();
  while (end < title.size() && title[end] >= '0' && title[end] <= '9') ++end;
  if (end == kQuery.size()) return title;
  if (end == title.size()) return {};
  return title.substr(end).starts_with(": ") ? title.substr(end + 2) : title;
}

std::string one_line(std::string_view text) {
  std::string line(text);
  std::replace(line.begin(), line.end(), '\n', ' ');
  std::replace(line.begin(), line.end(), '\r', ' ');
  while (line.ends_with(' ')) line.pop_back();
  return line;
}

std::optional<SparkVersion> least_version_of(const PlanDocument& document) {
  std::optional<SparkVersion> least = document.least_spark_version;
  for (const Fragment& fragment : document.fragments) {
    const std::optional<SparkVersion> proven = least_version(fragment.tree, *document.source);
    if (proven && (!least || *least < *proven)) least = proven;
  }
  return least;
}

void append_header(std::string& out, std::string_view text) {
  out.append("-- planvet: ").append(one_line(text)).append("\n");
}

}  // namespace

std::string headers(const PlanDocument& document, std::span<const Note> notes, Said& said) {
  std::string out;
  const std::string_view name = without_number(document.title);
  if (!name.empty()) append_header(out, fmt::format("name {}", name));
  if (document.spark_version && document.spark_version != said.version) {
    const SparkVersion& version = *document.spark_version;
    append_header(out, fmt::format("spark {}.{}.{}", version.major, version.minor, version.patch));
    said.version = version;
  }
  // Marks by which planvet tells the version of a bare text (`plan_id=`, Statistics) are not in the snapshot.
  if (!document.spark_version) {
    const std::optional<SparkVersion> least = least_version_of(document);
    if (least && least != said.least_version) {
      append_header(out, fmt::format("spark {}.{}.{}+", least->major, least->minor, least->patch));
      said.least_version = least;
    }
  }
  for (const auto& entry : document.conf) {
    if (std::find(said.conf.begin(), said.conf.end(), entry) != said.conf.end()) continue;
    said.conf.push_back(entry);
    append_header(out, fmt::format("conf {}={}", entry.first, is_secret(entry.first) ? kRedacted : entry.second));
  }
  for (const AllowLine& allow : document.allows)
    append_header(out, fmt::format("allow {} {}", allow.rule, allow.reason));
  std::vector<std::string> lines;
  for (const Note& note : notes) {
    std::string line = fmt::format("note {} {}", code(note.kind), note.message);
    if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(std::move(line));
  }
  for (const std::string& line : lines) append_header(out, line);
  return out;
}

}  // namespace planvet::snapshot
