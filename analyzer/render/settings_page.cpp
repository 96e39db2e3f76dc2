#include "analyzer/render/settings_page.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "analyzer/render/glyphs.hpp"
#include "analyzer/render/json.hpp"

namespace planvet::render {

namespace {

using Json = nlohmann::ordered_json;

std::string in_quotes(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string value_text(const std::variant<std::string, std::vector<std::string>>& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return text->empty() ? "not known" : in_quotes(*text);
  std::string out;
  for (const std::string& item : std::get<std::vector<std::string>>(value))
    out += (out.empty() ? "" : ", ") + in_quotes(item);
  return '[' + out + ']';
}

}  // namespace

std::string settings_text(const std::vector<config::ShownSettings>& all) {
  std::string out;
  for (const config::ShownSettings& shown : all) {
    if (!out.empty()) out += '\n';
    out += fmt::format("Settings for {}: {}\n", shown.path == "-" ? "<stdin>" : shown.path,
                       shown.file.empty() ? "no planvet.toml" : shown.file);
    std::vector<std::string> assignments;
    std::size_t width = 0;
    for (const config::ShownSetting& setting : shown.settings) {
      assignments.push_back(fmt::format("{} = {}", setting.name, value_text(setting.value)));
      width = std::max(width, std::min<std::size_t>(display_width(assignments.back()), 60));
    }
    for (std::size_t i = 0; i < assignments.size(); ++i) {
      const std::size_t own = display_width(assignments[i]);
      out += "  " + assignments[i] + std::string(own < width ? width - own : 0, ' ') + "  # " +
             shown.settings[i].origin + '\n';
    }
  }
  return out;
}

std::string settings_json(const std::vector<config::ShownSettings>& all) {
  Json list = Json::array();
  for (const config::ShownSettings& shown : all) {
    Json settings = Json::array();
    for (const config::ShownSetting& setting : shown.settings) {
      Json entry;
      entry["name"] = setting.name;
      if (const auto* text = std::get_if<std::string>(&setting.value)) {
        entry["value"] = text->empty() ? Json(nullptr) : Json(*text);
      } else {
        entry["value"] = std::get<std::vector<std::string>>(setting.value);
      }
      entry["origin"] = setting.origin;
      settings.push_back(std::move(entry));
    }
    Json item;
    item["path"] = shown.path;
    item["file"] = shown.file.empty() ? Json(nullptr) : Json(shown.file);
    item["settings"] = std::move(settings);
    list.push_back(std::move(item));
  }
  Json json;
  json["schema_version"] = kSchemaVersion;
  json["paths"] = std::move(list);
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace planvet::render
