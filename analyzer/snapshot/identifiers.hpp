// What differs from session to session in a printed value: ids are numbered again in the order in which they first
// appear, object addresses, generated names and random seeds go.
//
//   (k#3810 = 5)                            (k#1 = 5)
//   Subquery subquery#7654, [id=#14120]     Subquery subquery#2, [id=#1]
//   lambda x_17#88                          lambda x#3
//   [day#39 AS day#39#40]                   [day#4 AS day#4#5]
//   noop.NoopStreamingWrite$@7909fcac       noop.NoopStreamingWrite$@0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace planvet::snapshot {

class Identifiers {
 public:
  // An expression of a plan: literals in it are the query's own and stay.
  [[nodiscard]] std::string expression(std::string_view text) { return rewrite(text, true, true); }
  // Anything else: unique names in it are volatile too.
  [[nodiscard]] std::string words(std::string_view text) { return rewrite(text, false, true); }
  // What a source was given: names without ids, which may hold a `#` themselves. Only subqueries have numbers.
  [[nodiscard]] std::string pushed(std::string_view text);
  // To sort by: ids that have no number yet are left out, and get none.
  [[nodiscard]] std::string sort_key(std::string_view text) { return rewrite(text, true, false); }

 private:
  using Numbers = std::unordered_map<std::string, std::uint32_t>;  // by the digits as printed

  std::string rewrite(std::string_view text, bool is_expression, bool gives_numbers);
  std::size_t take_id(std::string_view text, std::size_t at, std::string& out, bool gives_numbers);
  static std::string plain(std::string_view text);
  static void append_number(std::string& out, Numbers& numbers, std::string_view id, bool gives_numbers);

  Numbers expressions_;
  Numbers plans_;
  std::unordered_set<std::string> columns_;  // `day#39`, `)#40`: the last word of a column's name, and its id
};

}  // namespace planvet::snapshot
