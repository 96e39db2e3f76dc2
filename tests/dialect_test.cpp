// Names to kinds and engines: a table, and the lists themselves.
#include "analyzer/dialect/dialect.hpp"

#include <set>
#include <string>

#include <gtest/gtest.h>

#include "tests/support/cases.hpp"

namespace planvet::dialect {
namespace {

std::string describe(OperatorName name) {
  return std::string(info(name.kind).name) + " " + std::string(planvet::name(name.engine));
}

template <typename Visit>
std::size_t for_each_name(std::string_view names, Visit&& visit) {
  std::size_t count = 0;
  while (!names.empty()) {
    const std::size_t end = std::min(names.find('|'), names.size());
    visit(names.substr(0, end));
    ++count;
    names.remove_prefix(std::min(end + 1, names.size()));
  }
  return count;
}

TEST(Dialect, Names) {
  test::check_cases("tests/cases/dialects.cases", [](std::string_view text) { return describe(resolve(text)); });
}

TEST(Dialect, EveryNameOfEveryOperatorMeansIt) {
  std::size_t names = 0;
  std::set<std::string> seen;
  for (const OperatorInfo& info : operator_table()) {
    names += for_each_name(info.names, [&](std::string_view name) {
      EXPECT_TRUE(seen.insert(std::string(name)).second) << name << " is listed twice";
      std::string printed(name);
      const bool may_be_longer = printed.ends_with('*');
      if (may_be_longer) printed.pop_back();
      if (!printed.ends_with(' ')) {
        EXPECT_EQ(describe(resolve(printed)), describe({info.kind, Engine::Spark})) << printed;
        EXPECT_EQ(describe(resolve(printed + "  ")), describe({info.kind, Engine::Spark})) << printed;
        printed += ' ';
      }
      if (may_be_longer) {
        EXPECT_EQ(describe(resolve(printed + "cat.db.t")), describe({info.kind, Engine::Spark})) << printed;
      }
    });
  }
  std::printf("%zu operators, %zu names\n", operator_table().size(), names);
  EXPECT_GT(names, 150U);
}

TEST(Dialect, EveryIrregularNameMeansWhatItsVendorSays) {
  std::size_t names = 0;
  for (const Dialect* dialect : dialects()) {
    for (const NameMapping& mapping : dialect->irregular) {
      EXPECT_EQ(describe(resolve(mapping.printed)), describe({mapping.kind, dialect->engine})) << mapping.printed;
      ++names;
    }
  }
  std::printf("%zu irregular names\n", names);
  EXPECT_GT(names, 50U);
}

TEST(Dialect, IrregularNamesAreNotWhatTheAffixesSayAnyway) {
  // A name that a prefix explains needs no line; the list would rot unseen.
  for (const Dialect* dialect : dialects()) {
    for (const NameMapping& mapping : dialect->irregular) {
      for (const std::string_view prefix : dialect->prefixes) {
        if (!mapping.printed.starts_with(prefix)) continue;
        const OperatorName name = resolve(mapping.printed.substr(prefix.size()));
        // Scans are listed because their names go on behind the affix.
        if (family(mapping.kind) == OperatorFamily::Scan) continue;
        EXPECT_NE(describe(name), describe({mapping.kind, Engine::Spark})) << mapping.printed;
      }
    }
  }
}

TEST(Dialect, OperatorsWithoutNameOfSparkBelongToAVendor) {
  std::set<OperatorKind> listed;
  for (const Dialect* dialect : dialects()) {
    for (const NameMapping& mapping : dialect->irregular) listed.insert(mapping.kind);
  }
  for (const OperatorInfo& info : operator_table()) {
    if (info.names.empty() && info.kind != OperatorKind::Unknown) {
      EXPECT_TRUE(listed.count(info.kind) == 1) << info.name;
    }
  }
}

}  // namespace
}  // namespace planvet::dialect
