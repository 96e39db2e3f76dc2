// The paths of a file scan, as far as the text shows them.
//
//   InMemoryFileIndex [file:/lake/sales/dt=2024-01-08, ... 19 entries]      formatted mode
//   InMemoryFileIndex(20 paths)[file:/lake/sales/dt=2024-01-08, file:/l...   one line
//   CatalogFileIndex [file:/lake/sales]                                     a partitioned table before pruning
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "analyzer/plan/views.hpp"

namespace planvet::rules {

struct ScanLocation {
  std::string_view index;   // "InMemoryFileIndex"
  std::uint64_t paths = 0;  // listed and left out
  std::string_view first;   // may be cut
  bool is_whole = true;     // the first path is

  // Of a scan that prints its place, else nothing.
  [[nodiscard]] static std::optional<ScanLocation> of(const Scan& scan);

  // The paths are files, not folders, by the ending of the first.
  [[nodiscard]] bool are_files() const;
  [[nodiscard]] bool is_gzip() const { return is_whole && first.ends_with(".gz"); }
  // The first path leads into a partition: `/dt=2024-01-08`.
  [[nodiscard]] bool is_in_partition() const;
};

}  // namespace planvet::rules
