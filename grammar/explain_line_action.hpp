// What each rule of explain_line.hpp tells its consumer. Alternatives may match a part and then fail, so everything
// before the rule of a whole line only overwrites; that rule ends the line.
#pragma once

#include "grammar/explain_line.hpp"

namespace planvet::grammar::line {

template <typename Rule>
struct action : peg::nothing<Rule> {};

// What a matched rule is called in the consumer: `consumer.bars(begin, end)`.
#define PLANVET_TELLS(rule)                                  \
  template <>                                                \
  struct action<rule> {                                      \
    template <typename ActionInput, typename Consumer>       \
    static void apply(const ActionInput& in, Consumer& to) { \
      to.rule(in.begin(), in.end());                         \
    }                                                        \
  };

PLANVET_TELLS(connector)
PLANVET_TELLS(codegen_mark)
PLANVET_TELLS(stage_number)
PLANVET_TELLS(doubt_mark)
PLANVET_TELLS(marks)
PLANVET_TELLS(id)
PLANVET_TELLS(id_number)
PLANVET_TELLS(name_with_id)
PLANVET_TELLS(name_without_id)
PLANVET_TELLS(final_plan)
PLANVET_TELLS(current_plan)
PLANVET_TELLS(initial_plan)
PLANVET_TELLS(banner_title)
PLANVET_TELLS(host_id)
PLANVET_TELLS(hosting_expression)
PLANVET_TELLS(block_id)
PLANVET_TELLS(block_codegen)
PLANVET_TELLS(block_reuses)
PLANVET_TELLS(block_name)
PLANVET_TELLS(label)
PLANVET_TELLS(field_count)
PLANVET_TELLS(field_value)
PLANVET_TELLS(own_header_text)

PLANVET_TELLS(adaptive_header)
PLANVET_TELLS(tree_node)
PLANVET_TELLS(bare_adaptive_header)
PLANVET_TELLS(banner)
PLANVET_TELLS(subquery_head)
PLANVET_TELLS(subplan_head)
PLANVET_TELLS(block_head)
PLANVET_TELLS(field)
PLANVET_TELLS(blank_line)
PLANVET_TELLS(java_line)
PLANVET_TELLS(own_header)
PLANVET_TELLS(cut_line)
PLANVET_TELLS(plain_line)

#undef PLANVET_TELLS

}  // namespace planvet::grammar::line
