#include "analyzer/io/log_parts.hpp"

#include <algorithm>
#include <charconv>
#include <compare>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace planvet::io {
namespace {

struct PathParts {
  std::string folder;
  std::string_view name;
};

PathParts split(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return {std::string(), path};
  return {path.substr(0, slash), std::string_view(path).substr(slash + 1)};
}

// "events_12_local-1.zstd": 12.
std::optional<std::uint64_t> rolled_number(std::string_view name) {
  constexpr std::string_view kPrefix = "events_";
  if (!name.starts_with(kPrefix)) return std::nullopt;
  name.remove_prefix(kPrefix.size());
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error != std::errc() || end == name.data() + name.size() || *end != '_') return std::nullopt;
  return number;
}

bool is_rolling_folder(std::string_view folder) {
  return folder.substr(folder.rfind('/') + 1).starts_with("eventlog_v2_");
}

bool is_databricks_part(std::string_view name) {
  constexpr std::string_view kDated = "eventlog-";
  return name.starts_with(kDated) && name.size() > kDated.size() && name[kDated.size()] >= '0' &&
         name[kDated.size()] <= '9';
}

struct Part {
  std::uint64_t number = 0;
  std::string path;
  bool is_compacted = false;
  std::string archive;
};

constexpr std::size_t kMostMissing = 1000;

// "logs/application_1_0002_10.zstd.inprogress": up to "logs/application_1_0002_", 10, and the rest. Of other names: all of
// it, so that attempts of one application are next to each other.
struct AttemptName {
  std::string_view application;
  std::uint64_t attempt = 0;
  std::string_view rest;
  auto operator<=>(const AttemptName&) const = default;
};

AttemptName attempt_name(std::string_view path) {
  const std::size_t name = path.rfind('/') + 1;  // 0 where there is no slash
  std::string_view stem = path;
  if (stem.ends_with(".inprogress")) stem.remove_suffix(std::string_view(".inprogress").size());
  for (const std::string_view codec : {".zstd", ".zst", ".lz4", ".lzf", ".snappy", ".gz"}) {
    if (!stem.ends_with(codec)) continue;
    stem.remove_suffix(codec.size());
    break;
  }
  const std::size_t begin = stem.find_last_not_of("0123456789") + 1;
  AttemptName parts{path, 0, {}};
  if (begin <= name || begin > stem.size() || stem[begin - 1] != '_') return parts;
  const auto [end, error] = std::from_chars(stem.data() + begin, stem.data() + stem.size(), parts.attempt);
  if (error != std::errc() || end != stem.data() + stem.size()) return {path, 0, {}};
  parts.application = path.substr(0, begin);
  parts.rest = path.substr(begin);
  return parts;
}

// Parts before the last compacted one are in it.
void add_rolled_parts(std::vector<Part> parts, InputFile& log) {
  std::sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) {
    return a.number != b.number ? a.number < b.number : a.is_compacted && !b.is_compacted;
  });
  std::uint64_t compacted_to = 0;
  for (const Part& part : parts) {
    if (part.is_compacted) compacted_to = part.number;
  }
  std::uint64_t next = std::max<std::uint64_t>(compacted_to, 1);
  for (Part& part : parts) {
    if (part.number < compacted_to || (part.number == compacted_to && !part.is_compacted && compacted_to > 0)) continue;
    log.archive = part.archive;
    // A damaged name must not make a list of all numbers up to it.
    for (; next < part.number && log.missing_parts.size() < kMostMissing; ++next) log.missing_parts.push_back(next);
    next = part.number + 1;
    log.parts.push_back({std::move(part.path), part.is_compacted, std::move(part.archive)});
  }
}

}  // namespace

bool comes_before(std::string_view a, std::string_view b) { return attempt_name(a) < attempt_name(b); }

std::vector<InputFile> with_log_parts(std::vector<InputFile> files) {
  std::map<std::string, std::vector<Part>> rolled;
  std::map<std::string, std::vector<InputFile>> dated;  // of Databricks
  std::vector<InputFile> others;
  for (InputFile& file : files) {
    if (file.is_named) {  // who names one part wants that one
      others.push_back(std::move(file));
      continue;
    }
    const auto [folder, name] = split(file.path);
    const std::optional<std::uint64_t> number = rolled_number(name);
    if (is_rolling_folder(folder) && number) {
      rolled[folder].push_back({*number, file.path, name.ends_with(".compact"), file.archive});
    } else if (is_rolling_folder(folder) && (name.starts_with("appstatus_") || name.starts_with('.'))) {
      continue;
    } else if (name == "eventlog" || is_databricks_part(name)) {
      dated[folder].push_back(std::move(file));
    } else {
      others.push_back(std::move(file));
    }
  }
  for (auto& [folder, parts] : rolled) {
    InputFile log{folder, false, {}, {}};
    add_rolled_parts(std::move(parts), log);
    others.push_back(std::move(log));
  }
  for (auto& [folder, parts] : dated) {
    const bool has_dates = std::any_of(parts.begin(), parts.end(),
                                       [](const InputFile& part) { return is_databricks_part(split(part.path).name); });
    if (!has_dates) {
      std::move(parts.begin(), parts.end(), std::back_inserter(others));
      continue;
    }
    std::sort(parts.begin(), parts.end(), [](const InputFile& a, const InputFile& b) {
      const bool a_is_newest = split(a.path).name == "eventlog";
      const bool b_is_newest = split(b.path).name == "eventlog";
      return a_is_newest != b_is_newest ? b_is_newest : a.path < b.path;
    });
    InputFile log{folder.empty() ? "." : folder, false, {}, parts.front().archive};
    for (InputFile& part : parts) log.parts.push_back({std::move(part.path), false, std::move(part.archive)});
    others.push_back(std::move(log));
  }
  return others;
}

}  // namespace planvet::io
