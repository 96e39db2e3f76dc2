// Layers of settings: a file's own over those that it extends, overrides over both, the command line over all.
//
//   taken from the nearest   select, fail-on, baseline, spark.version; each severity, rule option, table fact, conf
//   added up                 ignore, exclude, suppress
#pragma once

#include <string>
#include <string_view>

#include "analyzer/config/planvet_toml.hpp"

namespace planvet::config {

// `file` is what origins call the layer's file, empty for the command line; its paths are relative to `folder`.
void merge(Settings& settings, const Layer& layer, const std::string& file, const std::string& folder);

}  // namespace planvet::config
