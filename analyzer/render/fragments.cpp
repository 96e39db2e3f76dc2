#include "analyzer/render/fragments.hpp"

namespace planvet::render {

std::vector<const Fragment*> chosen_fragments(const PlanDocument& document, FragmentChoice choice) {
  std::vector<const Fragment*> chosen;
  if (choice == FragmentChoice::Final) return judged_fragments(document);
  for (const Fragment& fragment : document.fragments) {
    if (fragment.tree.empty()) continue;
    switch (choice) {
      case FragmentChoice::Final: break;  // answered above
      case FragmentChoice::Initial:
        if (fragment.role == FragmentRole::Initial) chosen.push_back(&fragment);
        break;
      case FragmentChoice::All: chosen.push_back(&fragment); break;
    }
  }
  return chosen;
}

}  // namespace planvet::render
