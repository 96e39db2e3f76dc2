// Plan JSON of any shape, answers of the REST API and executedPlan.toJSON among it: no crash, no hang; names lie in the document's own text, and every value can be read.

#include <cstdint>
#include <cstdlib>
#include <string>

#include "analyzer/read/plan_info_json.hpp"
#include "analyzer/read/rest/sql_rest_json.hpp"
#include "analyzer/read/tree_node/tree_node_json.hpp"

namespace {

using namespace planvet;

// Values are views of the text or constants ("true", "jdbc"): the sanitizer tells when one is neither.
void read_bytes(std::string_view view) {
  volatile unsigned sum = 0;
  for (const char c : view) sum = sum + static_cast<unsigned char>(c);
}

void check(const PlanDocument& document) {
  const std::string_view text = document.source->text();
  const auto is_inside = [&](std::string_view view) {
    return view.empty() || (view.data() >= text.data() && view.data() + view.size() <= text.data() + text.size());
  };
  for (const Fragment& fragment : document.fragments) {
    for (const PlanNode& node : fragment.tree.nodes()) {
      if (!is_inside(node.printed_name) || node.span.end > text.size()) std::abort();
      for (const Attribute& attribute : fragment.tree.attributes(node.id)) {
        read_bytes(attribute.text);
        read_bytes(attribute.label);
      }
    }
  }
  for (const Note& note : document.notes) {
    if (document.source->position(note.span.begin).line == 0) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes =
      std::make_shared<const SourceBytes>("fuzz", std::string(reinterpret_cast<const char*>(data), size));
  for (const read::Reader* const reader : {&read::kPlanInfoJson, &read::kSqlRestJson, &read::kTreeNodeJson}) {
    reader->looks_like(bytes->bytes());
    reader->read(bytes, [](PlanDocument&& document) { check(document); });
  }
  return 0;
}
