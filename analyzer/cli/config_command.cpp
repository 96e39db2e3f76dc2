// `planvet config schema`.
#include <ostream>
#include <vector>

#include "analyzer/cli/commands.hpp"
#include "analyzer/render/settings_page.hpp"
#include "rules/rule.hpp"

namespace planvet::cli {

ExitStatus run_config(const ConfigOptions&, const Streams& streams) {
  std::vector<const RuleInfo*> infos;
  for (const rules::Rule* rule : rules::catalogue()) infos.push_back(&rule->info);
  streams.out << render::settings_schema(infos);
  return ExitStatus::Clean;
}

}  // namespace planvet::cli
