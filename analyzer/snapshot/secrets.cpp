#include "analyzer/snapshot/secrets.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "analyzer/plan/characters.hpp"

namespace planvet::snapshot {
namespace {

bool is_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '-';
}

}  // namespace

bool is_secret(std::string_view name) {
  constexpr std::array<std::string_view, 9> kWords = {
      "secret", "password", "passwd", "token", "credential", "accesskey", "access.key", "access-key", "account.key"};
  std::string small(name);
  std::transform(small.begin(), small.end(), small.begin(), to_lower);
  return std::any_of(kWords.begin(), kWords.end(),
                     [&](std::string_view word) { return small.find(word) != std::string::npos; });
}

std::string without_secrets(std::string text) {
  for (std::size_t equals = text.find('='); equals != std::string::npos; equals = text.find('=', equals + 1)) {
    std::size_t begin = equals;
    while (begin > 0 && is_name(text[begin - 1])) --begin;
    if (begin == equals || !is_secret(std::string_view(text).substr(begin, equals - begin))) continue;
    const std::size_t end = std::min(text.find_first_of(",])", equals), text.size());
    text.replace(equals + 1, end - equals - 1, kRedacted);
  }
  return text;
}

}  // namespace planvet::snapshot
