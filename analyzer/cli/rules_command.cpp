// `planvet rules` and `planvet rule NAME`.
#include <ostream>
#include <vector>

#include <fmt/core.h>

#include "analyzer/cli/commands.hpp"
#include "analyzer/cli/terminal_style.hpp"
#include "analyzer/render/rule_pages.hpp"
#include "analyzer/report/nearest_name.hpp"
#include "rules/rule.hpp"

namespace planvet::cli {

namespace {

std::string rule_list(const std::vector<const RuleInfo*>& infos, RulesFormat format, const render::Style& style) {
  switch (format) {
    case RulesFormat::Text: return render::rule_list_text(infos, style);
    case RulesFormat::Json: return render::rule_list_json(infos);
    case RulesFormat::Markdown: return render::rule_list_markdown(infos);
  }
  return {};
}

std::string rule_page(const RuleInfo& info, RulesFormat format, const render::Style& style) {
  switch (format) {
    case RulesFormat::Text: return render::rule_page_text(info, style);
    case RulesFormat::Json: return render::rule_page_json(info);
    case RulesFormat::Markdown: return render::rule_page_markdown(info);
  }
  return {};
}

}  // namespace

ExitStatus run_rules_command(const RulesOptions& options, const Streams& streams, const io::Terminal& terminal) {
  const render::Style style = style_for(options.terminal, terminal);
  if (options.rule.empty()) {
    streams.out << rule_list(rules::all_infos(), options.format, style);
    return ExitStatus::Clean;
  }
  const RuleInfo* const info = rules::find_info(options.rule);
  if (info == nullptr) {
    std::vector<std::string_view> names;
    for (const RuleInfo* known : rules::all_infos()) {
      names.push_back(known->name);
      names.push_back(known->code);
    }
    streams.err << fmt::format("planvet: unknown rule '{}'{}\n(planvet rules lists them)\n", options.rule,
                               did_you_mean(options.rule, names));
    return ExitStatus::Failure;
  }
  streams.out << rule_page(*info, options.format, style);
  return ExitStatus::Clean;
}

}  // namespace planvet::cli
