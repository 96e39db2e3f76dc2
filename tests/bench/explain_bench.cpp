// How fast explain text is read and judged, against what merely parsing the JSON of the same plans costs.
//
//   cmake --preset bench && ninja -C build/bench planvet_bench && build/bench/tests/planvet_bench
//
// Only ratios within one run mean anything; `bytes_per_second` counts the explain text in every row, the JSON row's too.
#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>
#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "analyzer/facts/facts.hpp"
#include "analyzer/plan/expression_parser.hpp"
#include "analyzer/read/explain_text.hpp"
#include "analyzer/read/expression_reader.hpp"
#include "rules/run_rules.hpp"
#include "tests/support/files.hpp"

namespace planvet::test {
namespace {

// The formatted texts of the corpus, and the JVM's JSON of the same plans.
struct Corpus {
  std::vector<std::shared_ptr<const SourceBytes>> texts;
  std::vector<std::string> json;
  std::int64_t text_bytes = 0;
};

const Corpus& corpus() {
  static const Corpus kCorpus = [] {
    Corpus result;
    for (const std::string& path : source_files("corpus/*/*/*.planinfo.json")) {
      constexpr std::string_view kEnding = ".planinfo.json";
      const std::string text_path = path.substr(0, path.size() - kEnding.size()) + ".formatted.txt";
      if (source_files_if_any(text_path).empty()) continue;
      std::string text = read_file(source_path(text_path));
      result.text_bytes += static_cast<std::int64_t>(text.size());
      result.texts.push_back(std::make_shared<const SourceBytes>(text_path, std::move(text)));
      result.json.push_back(read_file(source_path(path)));
    }
    return result;
  }();
  return kCorpus;
}

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// What parsing the JSON once takes now: measured beside each text benchmark, so that a busy machine slows both.
double seconds_of_json() {
  double best = 1e9;
  for (int round = 0; round < 3; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    for (const std::string& json : corpus().json) benchmark::DoNotOptimize(nlohmann::json::parse(json));
    best = std::min(best, seconds_since(begin));
  }
  return best;
}

// Runs `work` on every text and reports the time as a part of what the JSON takes: below 1 is faster.
template <typename Work>
void over_all_texts(benchmark::State& state, Work work) {
  const double json = seconds_of_json();
  double best = 1e9;
  for (auto step : state) {
    const auto begin = std::chrono::steady_clock::now();
    for (const auto& text : corpus().texts) work(text);
    best = std::min(best, seconds_since(begin));
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * corpus().text_bytes);
  state.counters["of_json_parse"] = best / json;
}

void parse_plan_info_json(benchmark::State& state) {
  for (auto step : state) {
    for (const std::string& json : corpus().json) benchmark::DoNotOptimize(nlohmann::json::parse(json));
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * corpus().text_bytes);
}
BENCHMARK(parse_plan_info_json)->Unit(benchmark::kMillisecond);

void read_formatted_text(benchmark::State& state) {
  over_all_texts(state, [](const auto& text) {
    read::kExplainText.read(text, [](PlanDocument&& document) { benchmark::DoNotOptimize(document.fragments.size()); });
  });
}
BENCHMARK(read_formatted_text)->Unit(benchmark::kMillisecond);

void read_and_judge_formatted_text(benchmark::State& state) {
  const Facts facts;
  const RuleSettings settings;
  const ExpressionParser parser{parse_expression, parse_pushed_filters};
  over_all_texts(state, [&](const auto& text) {
    read::kExplainText.read(text, [&](PlanDocument&& document) {
      benchmark::DoNotOptimize(rules::run_rules(std::move(document), facts, settings, parser).findings.size());
    });
  });
}
BENCHMARK(read_and_judge_formatted_text)->Unit(benchmark::kMillisecond);

// A chain of joins with a scan on each right side, as one plan of `operators` operators.
std::string large_plan(std::int64_t operators) {
  std::string tree = "== Physical Plan ==\n";
  std::string blocks;
  std::int64_t id = operators;
  for (std::int64_t depth = 0; id > 2; ++depth) {
    // Depth is bounded as in real plans; a level of 60 starts over on the right side of a union-like chain.
    const std::string indent(static_cast<std::size_t>(3 * (depth % 60)), ' ');
    tree += depth == 0 ? fmt::format("SortMergeJoin Inner ({})\n", id)
                       : fmt::format("{}:- SortMergeJoin Inner ({})\n", indent, id);
    blocks += fmt::format(
        "\n({}) SortMergeJoin\nLeft keys [1]: [k#{}]\nRight keys [1]: [r#{}]\nJoin type: Inner\nJoin condition: None\n",
        id, id, id);
    --id;
    tree += fmt::format("{}   :- Scan parquet spark_catalog.shop.t{} ({})\n", indent, id, id);
    blocks += fmt::format(
        "\n({}) Scan parquet spark_catalog.shop.t{}\nOutput [1]: [r#{}]\nBatched: true\nPushedFilters: "
        "[IsNotNull(r)]\nReadSchema: struct<r:bigint>\n",
        id, id, id);
    --id;
  }
  return tree + "\n" + blocks;
}

void read_large_plan(benchmark::State& state) {
  const std::string text = large_plan(state.range(0));
  const auto bytes = std::make_shared<const SourceBytes>("large", text);
  for (auto step : state) {
    read::kExplainText.read(bytes,
                            [](PlanDocument&& document) { benchmark::DoNotOptimize(document.fragments.size()); });
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(text.size()));
  state.SetComplexityN(state.range(0));
}
BENCHMARK(read_large_plan)->Arg(2500)->Arg(5000)->Arg(10000)->Arg(20000)->Unit(benchmark::kMillisecond)->Complexity();

}  // namespace
}  // namespace planvet::test
