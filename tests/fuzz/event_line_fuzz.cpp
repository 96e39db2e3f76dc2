// Lines of event logs, of any bytes, through the whole reader: no crash, no hang; every document can be written out.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "analyzer/metrics/overlay.hpp"
#include "analyzer/plan/byte_source.hpp"
#include "analyzer/read/eventlog/event_log.hpp"

namespace {

using namespace planvet;

// Gives its bytes in small pieces, so that lines begin and end anywhere in the reader's buffer.
class SmallPieces : public ByteSource {
 public:
  explicit SmallPieces(std::string_view bytes) : bytes_(bytes) {}
  std::size_t read(std::span<char> buffer) override {
    const std::string_view piece = bytes_.substr(0, std::min<std::size_t>(buffer.size(), 997));
    piece.copy(buffer.data(), piece.size());
    bytes_.remove_prefix(piece.size());
    return piece.size();
  }

 private:
  std::string_view bytes_;
};

void check(const PlanDocument& document) {
  if (document.fragments.empty() || document.metrics == nullptr) std::abort();
  for (const PlanNode& node : document.fragments.front().tree.nodes()) {
    for (const metrics::MeasuredMetric& metric : document.metrics->judged.of(node.id)) {
      if (metrics::spark_text(metric.metric.type, metric.summary).empty()) std::abort();
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  SmallPieces source({reinterpret_cast<const char*>(data), size});
  std::size_t documents = 0;
  read::EventLogReader reader("fuzz", [&](PlanDocument&& document) {
    check(document);
    ++documents;
  });
  reader.read(source);
  if (reader.finish().documents != documents) std::abort();
  return 0;
}
