// Plan JSON of any shape: no crash, no hang, and every view of every document lies in its own text.

#include <cstdint>
#include <cstdlib>
#include <string>

#include "analyzer/read/plan_info_json.hpp"

namespace {

using namespace planvet;

void check(const PlanDocument& document) {
  const std::string_view text = document.source->text();
  const auto is_inside = [&](std::string_view view) {
    return view.empty() || (view.data() >= text.data() && view.data() + view.size() <= text.data() + text.size());
  };
  for (const Fragment& fragment : document.fragments) {
    for (const PlanNode& node : fragment.tree.nodes()) {
      if (!is_inside(node.printed_name) || node.span.end > text.size()) std::abort();
      for (const Attribute& attribute : fragment.tree.attributes(node.id)) {
        if (!is_inside(attribute.text)) std::abort();
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
  read::kPlanInfoJson.looks_like(bytes->bytes());
  read::kPlanInfoJson.read(bytes, [](PlanDocument&& document) { check(document); });
  return 0;
}
