#include <algorithm>

#include "analyzer/dialect/vendors.hpp"
#include "analyzer/plan/word_map.hpp"

namespace planvet::dialect {
namespace {

constexpr const Dialect* kDialects[] = {&kSpark, &kPhoton, &kComet, &kGluten, &kRapids};

// A name of one word, or of two where the second tells the kind: "Scan parquet", "Execute InsertIntoHiveTable".
struct Meaning {
  OperatorName alone;   // nothing stands behind the word
  OperatorName longer;  // something does: "Scan JDBCRelation(T)" is no "Scan"
};

using Names = WordMap<Meaning>;

void insert(Names& names, std::string_view printed, OperatorName meaning) {
  const bool is_prefix = printed.ends_with('*');
  if (is_prefix) printed.remove_suffix(1);
  const bool needs_more = is_prefix && printed.ends_with(' ');  // "Scan *", not "FileScan*"
  if (needs_more) printed.remove_suffix(1);
  if (names.insert(printed, {meaning, meaning})) return;
  if (needs_more) names.find(printed)->longer = meaning;
}

Names spark_names() {
  Names names(operator_table().size() * 3);
  for (const OperatorInfo& info : operator_table()) {
    if (info.names.empty()) continue;  // no operator of Spark's
    for (std::string_view rest = info.names; !rest.empty();) {
      const std::size_t end = std::min(rest.find('|'), rest.size());
      insert(names, rest.substr(0, end), {info.kind, Engine::Spark});
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  // What affixes stand at is often the class: "FileSourceScanExecTransformer", "GpuShuffleExchange".
  for (const OperatorInfo& info : operator_table()) {
    if (!info.names.empty()) names.insert(info.name, {{info.kind, Engine::Spark}, {info.kind, Engine::Spark}});
  }
  return names;
}

Names irregular_names() {
  std::size_t count = 0;
  for (const Dialect* dialect : kDialects) count += dialect->irregular.size();
  Names names(count);
  for (const Dialect* dialect : kDialects) {
    for (const NameMapping& mapping : dialect->irregular)
      insert(names, mapping.printed, {mapping.kind, dialect->engine});
  }
  return names;
}

// The first word, and the first two.
struct Words {
  std::string_view one;
  std::string_view two;  // empty: there is no second
  bool is_all = false;   // nothing stands behind the first word
};

std::size_t end_of_word(std::string_view text, std::size_t from) {
  while (from < text.size() && text[from] != ' ' && text[from] != '(' && text[from] != '[') ++from;
  return from;
}

Words words_of(std::string_view printed) {
  const std::size_t one = end_of_word(printed, 0);
  Words words{printed.substr(0, one), {}, one == printed.size()};
  if (one + 1 < printed.size() && printed[one] == ' ') {
    const std::size_t two = end_of_word(printed, one + 1);
    if (two > one + 1) words.two = printed.substr(0, two);
  }
  return words;
}

OperatorName find_two(const Names& names, const Words& words) {
  const Meaning* meaning = words.two.empty() ? nullptr : names.find(words.two);
  return meaning != nullptr ? meaning->alone : OperatorName{};
}

OperatorName find_one(const Names& names, const Words& words) {
  const Meaning* meaning = names.find(words.one);
  if (meaning == nullptr) return {};
  return words.is_all ? meaning->alone : meaning->longer;
}

bool is_known(OperatorName name) { return name.kind != OperatorKind::Unknown; }

OperatorName find(const Names& names, const Words& words) {
  const OperatorName name = find_two(names, words);
  return is_known(name) ? name : find_one(names, words);
}

// The Spark operator behind a vendor's affixes.
OperatorKind behind_affixes(const Names& names, const Dialect& dialect, std::string_view printed) {
  const auto try_suffixes = [&](std::string_view rest) {
    const Words words = words_of(rest);
    if (const OperatorName name = find(names, words); is_known(name)) return name.kind;
    for (const std::string_view suffix : dialect.suffixes) {
      if (!words.one.ends_with(suffix)) continue;
      const Words bare{words.one.substr(0, words.one.size() - suffix.size()), {}, words.is_all};
      if (const OperatorName name = find(names, bare); is_known(name)) return name.kind;
    }
    return OperatorKind::Unknown;
  };
  for (const std::string_view prefix : dialect.prefixes) {
    if (!printed.starts_with(prefix)) continue;
    const OperatorKind kind = try_suffixes(printed.substr(prefix.size()));
    if (kind != OperatorKind::Unknown) return kind;
  }
  return try_suffixes(printed);  // a suffix is enough: "FilterExecTransformer"
}

}  // namespace

std::span<const Dialect* const> dialects() { return kDialects; }

OperatorName resolve(std::string_view printed) {
  static const Names spark = spark_names();
  static const Names irregular = irregular_names();

  while (!printed.empty() && printed.back() == ' ') printed.remove_suffix(1);
  const Words words = words_of(printed);
  // Two words tell more than one: "Execute GpuInsertIntoHiveTable" before "Execute *".
  if (const OperatorName name = find_two(spark, words); is_known(name)) return name;
  if (const OperatorName name = find_two(irregular, words); is_known(name)) return name;
  if (const OperatorName name = find_one(spark, words); is_known(name)) return name;
  if (const OperatorName name = find_one(irregular, words); is_known(name)) return name;
  for (const Dialect* dialect : kDialects) {
    const OperatorKind kind = behind_affixes(spark, *dialect, printed);
    if (kind != OperatorKind::Unknown) return {kind, dialect->engine};
  }
  if (words.one.ends_with("Command")) return {OperatorKind::RunnableCommand, Engine::Spark};
  return {};
}

bool begins_a_name(std::string_view printed) {
  if (printed.empty()) return false;
  const auto begins_spark_name = [](std::string_view begin) {
    return std::any_of(operator_table().begin(), operator_table().end(), [&](const OperatorInfo& info) {
      for (std::string_view rest = info.names; !rest.empty();) {
        if (rest.starts_with(begin)) return true;
        rest.remove_prefix(std::min(rest.find('|'), rest.size() - 1) + 1);
      }
      return false;
    });
  };
  if (begins_spark_name(printed)) return true;
  for (const Dialect* dialect : kDialects) {
    for (const NameMapping& mapping : dialect->irregular) {
      if (mapping.printed.starts_with(printed)) return true;
    }
    for (const std::string_view prefix : dialect->prefixes) {
      if (prefix.starts_with(printed)) return true;
      if (printed.starts_with(prefix) && begins_spark_name(printed.substr(prefix.size()))) return true;
    }
  }
  return false;
}

}  // namespace planvet::dialect
