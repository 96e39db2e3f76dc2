// How fast an event log is folded to queries with all their metrics, against simdjson looking at every value of it.
//
//   PLANVET_BENCH_LOG=/tmp/long.log build/bench/tests/planvet_bench --benchmark_filter=log
//
// tests/bench/event_logs.sh makes such logs, runs this, and measures the whole program. Only ratios within one run mean
// anything. One thread; time is CPU time.
#include <cstdlib>
#include <memory>
#include <simdjson.h>
#include <string>
#include <string_view>
#include <variant>

#include <benchmark/benchmark.h>

#include "analyzer/io/file_source.hpp"
#include "analyzer/plan/document.hpp"
#include "analyzer/read/eventlog/codec.hpp"
#include "analyzer/read/eventlog/event_log.hpp"
#include "analyzer/read/eventlog/line_reader.hpp"

namespace planvet::test {
namespace {

using read::eventlog::kPadding;
namespace ondemand = simdjson::ondemand;

// Null: no log, and the benchmark is skipped.
std::unique_ptr<io::FileSource> open_log(benchmark::State& state) {
  const char* const path = std::getenv("PLANVET_BENCH_LOG");
  if (path == nullptr) {
    state.SkipWithError("set PLANVET_BENCH_LOG to an event log");
    return nullptr;
  }
  auto opened = io::open_file(path);
  if (auto* source = std::get_if<std::unique_ptr<io::FileSource>>(&opened)) return std::move(*source);
  state.SkipWithError("PLANVET_BENCH_LOG cannot be read");
  return nullptr;
}

// What was read decides how fast it was, so that a log may be of any size.
template <typename Read>
void over_log(benchmark::State& state, const Read& read) {
  std::uint64_t bytes = 0;
  for (auto step : state) {
    const auto source = open_log(state);
    if (source == nullptr) return;
    bytes += read(*source);
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes));
}

// Sums up numbers and sizes, so that no value can be left out.
std::uint64_t visit(ondemand::value value) {
  std::uint64_t sum = 0;
  switch (value.type()) {
    case ondemand::json_type::object:
      for (auto field : value.get_object()) {
        sum += static_cast<unsigned char>(*field.key().raw());
        sum += visit(field.value());
      }
      return sum;
    case ondemand::json_type::array:
      for (auto element : value.get_array()) sum += visit(element.value());
      return sum;
    case ondemand::json_type::string: return std::string_view(value.get_string()).size();
    case ondemand::json_type::number: {
      const ondemand::number number = value.get_number();
      return number.is_double()
                 ? static_cast<std::uint64_t>(number.get_double())
                 : static_cast<std::uint64_t>(number.is_uint64() ? number.get_uint64()
                                                                 : static_cast<std::uint64_t>(number.get_int64()));
    }
    case ondemand::json_type::boolean: return bool(value.get_bool()) ? 1 : 0;
    case ondemand::json_type::null: return 1;
  }
  return sum;
}

void visit_every_value_of_log(benchmark::State& state) {
  over_log(state, [](ByteSource& source) {
    read::eventlog::LineReader lines(source);
    ondemand::parser parser;
    std::uint64_t sum = 0;
    while (const auto line = lines.next()) {
      if (line->empty()) continue;
      ondemand::document document = parser.iterate(line->data(), line->size(), line->size() + kPadding);
      sum += visit(document.get_value());
    }
    benchmark::DoNotOptimize(sum);
    return lines.bytes();
  });
}
BENCHMARK(visit_every_value_of_log)->Unit(benchmark::kMillisecond);

void read_lines_of_log(benchmark::State& state) {
  over_log(state, [](ByteSource& source) {
    read::eventlog::LineReader lines(source);
    while (const auto line = lines.next()) benchmark::DoNotOptimize(line->size());
    return lines.bytes();
  });
}
BENCHMARK(read_lines_of_log)->Unit(benchmark::kMillisecond);

// Plans, and every metric of every operator; the documents are made and thrown away.
void fold_log(benchmark::State& state) {
  std::size_t queries = 0;
  over_log(state, [&](ByteSource& source) {
    read::eventlog::DecodedSource decoded(source);
    read::EventLogReader reader("log", [](PlanDocument&& document) { benchmark::DoNotOptimize(document.metrics); });
    reader.read(decoded);
    const read::EventLogResult result = reader.finish();
    queries = result.documents;
    return result.bytes;
  });
  state.counters["queries"] = static_cast<double>(queries);
}
BENCHMARK(fold_log)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace planvet::test
