// Any bytes as explain text: repaired, read, and every part of what came out touched.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "analyzer/read/explain_text.hpp"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

// Values are views of the text or constants ("true", "jdbc"): the sanitizer tells when one is neither.
void read_bytes(std::string_view view) {
  volatile unsigned sum = 0;
  for (const char c : view) sum = sum + static_cast<unsigned char>(c);
}

void check(const planvet::PlanDocument& document) {
  using namespace planvet;
  require(!document.fragments.empty() || !document.notes.empty());
  const std::string_view text = document.source->text();
  for (const Fragment& fragment : document.fragments) {
    const PlanTree& tree = fragment.tree;
    require(!tree.empty());
    for (const PlanNode& node : tree.nodes()) {
      require(node.span.begin <= node.span.end && node.span.end <= text.size());
      require(node.subtree_end > node.id && index(node.subtree_end) <= tree.size());
      require(node.parent == kNoNode || node.parent < node.id);
      (void)document.source->position(node.name_span.begin);
      for (const Attribute& attribute : tree.attributes(node.id)) read_bytes(attribute.text);
    }
  }
  for (const Note& note : document.notes) require(note.span.end <= text.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string bytes(reinterpret_cast<const char*>(data), size);
  const auto source = std::make_shared<const planvet::SourceBytes>("fuzz", std::move(bytes));
  planvet::read::kExplainText.read(source, [](planvet::PlanDocument&& document) { check(document); });
  return 0;
}
