#include "analyzer/config/keys.hpp"

#include <array>

namespace planvet::config {

namespace {

constexpr auto kKeys = std::to_array<KeyInfo>({
#define PLANVET_KEY(key, name, sections, shape, description) \
  {ConfigKey::key, name, sections, ValueShape::shape, description},
#include "analyzer/config/keys.def"
});

}  // namespace

std::span<const KeyInfo> key_table() { return kKeys; }

const KeyInfo* find_key(Section section, std::string_view name) {
  for (const KeyInfo& key : kKeys)
    if ((key.sections & section) != 0 && key.name == name) return &key;
  return nullptr;
}

std::vector<std::string_view> key_names(Section section) {
  std::vector<std::string_view> names;
  for (const KeyInfo& key : kKeys)
    if ((key.sections & section) != 0) names.push_back(key.name);
  return names;
}

bool is_required(ValueShape shape) {
  return shape == ValueShape::RequiredPatterns || shape == ValueShape::RequiredRule ||
         shape == ValueShape::RequiredText;
}

}  // namespace planvet::config
