#include "rules/scan_location.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace planvet::rules {
namespace {

std::uint64_t number_after(std::string_view text, std::string_view mark) {
  const std::size_t at = text.find(mark);
  if (at == std::string_view::npos) return 0;
  std::uint64_t number = 0;
  std::from_chars(text.data() + at + mark.size(), text.data() + text.size(), number);
  return number;
}

constexpr std::array<std::string_view, 14> kFileEndings = {"parquet", "orc",  "csv", "tsv", "json", "jsonl",  "ndjson",
                                                           "txt",     "avro", "xml", "gz",  "bz2",  "snappy", "zst"};

}  // namespace

std::optional<ScanLocation> ScanLocation::of(const Scan& scan) {
  const Attribute* attribute = scan.find(AttributeKind::Location);
  if (attribute == nullptr) return std::nullopt;
  const std::string_view text = attribute->text;
  const std::size_t open = text.find('[');
  if (open == std::string_view::npos) return std::nullopt;
  ScanLocation location;
  location.index = text.substr(0, text.find_first_of(" (["));
  std::string_view list = text.substr(open + 1);
  const std::size_t end = list.find_first_of(",]");
  location.first = list.substr(0, end);
  location.is_whole = end != std::string_view::npos && !location.first.ends_with("...");
  location.paths = number_after(text, "(");  // InMemoryFileIndex(20 paths)[..
  if (location.paths == 0) {
    location.paths = number_after(text, ", ... ");
    const std::string_view listed = list.substr(0, list.find(", ... "));
    location.paths += 1 + static_cast<std::uint64_t>(std::count(listed.begin(), listed.end(), ','));
  }
  return location;
}

bool ScanLocation::are_files() const {
  if (!is_whole) return false;
  const std::string_view name = first.substr(first.rfind('/') + 1);
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos || name.find('=') != std::string_view::npos) return false;
  return std::find(kFileEndings.begin(), kFileEndings.end(), name.substr(dot + 1)) != kFileEndings.end();
}

bool ScanLocation::is_in_partition() const {
  const std::size_t equals = first.find('=');
  return equals != std::string_view::npos && first.rfind('/', equals) != std::string_view::npos;
}

}  // namespace planvet::rules
