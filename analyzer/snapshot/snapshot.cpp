#include "analyzer/snapshot/snapshot.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <fmt/core.h>

#include "analyzer/snapshot/facts.hpp"
#include "analyzer/snapshot/layout.hpp"

namespace planvet::snapshot {
namespace {

class Writer {
 public:
  Writer(const PlanDocument& document, const Options& options)
      : document_(document),
        layout_(lay_out(document, options.wants_final)),
        facts_(options.parser, options.masks_literals),
        masks_literals_(options.masks_literals) {}

  Snapshot write() {
    number_original_ids();
    append_plan();
    append_hosted();
    append_optimized_out();
    append_explanations();
    while (out_.ends_with("\n\n")) out_.pop_back();
    return {std::move(out_), layout_.lacks_plan_before_run};
  }

 private:
  void append_plan() {
    const bool is_codegen = document_.input == InputKind::ExplainCodegen;
    if (!is_codegen) out_ += "== Physical Plan ==\n";
    for (std::size_t at = 0; at < layout_.roots.size(); ++at) {
      if (is_codegen) out_ += fmt::format("== Subtree {} / {} ==\n", at + 1, layout_.roots.size());
      append_tree(layout_.roots[at]);
      if (is_codegen) out_ += '\n';
    }
    if (!is_codegen) out_ += '\n';
    codegen_.clear();
    for (const std::uint32_t root : layout_.roots) append_blocks(root);
  }

  void append_hosted() {
    if (layout_.hosted.empty()) return;
    out_ += "===== Subqueries =====\n\n";
    std::size_t number = 0;
    for (const Hosted& hosted : layout_.hosted) {
      const Operator& root = layout_.operators[hosted.root];
      const std::string expression = facts_.hosting_expression(*root.tree, root.id);
      out_ += fmt::format("Subquery:{} Hosting operator id = {}{}{}\n", ++number, layout_.operators[hosted.host].number,
                          expression.empty() ? "" : " Hosting Expression = ", expression);
      if (root.number != 0) {
        append_tree(hosted.root);
        out_ += '\n';
        codegen_.clear();
        append_blocks(hosted.root);
      } else {
        out_ += '\n';
      }
    }
  }

  void append_optimized_out() {
    if (layout_.optimized_out.empty()) return;
    out_ += "===== Adaptively Optimized Out Exchanges =====\n\n";
    for (std::size_t at = 0; at < layout_.optimized_out.size(); ++at) {
      out_ += fmt::format("Subplan:{}\n", at + 1);
      append_tree(layout_.optimized_out[at]);
      out_ += '\n';
      codegen_.clear();
      append_blocks(layout_.optimized_out[at]);
    }
  }

  // What a vendor said of the plan. Comet's is a second plan, whose reasons stand in the blocks.
  void append_explanations() {
    if (masks_literals_) return;
    for (const auto& [title, text] : document_.explanations) {
      if (title.starts_with("Extended Information")) continue;
      out_ += fmt::format("== {} ==\n", title);
      std::string_view rest = text;
      while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        std::string line = facts_.words(with_new_numbers(rest.substr(0, end)));
        while (line.ends_with(' ')) line.pop_back();
        rest.remove_prefix(std::min(end + 1, rest.size()));
        if (!line.empty()) out_.append(line).append("\n");
      }
      out_ += '\n';
    }
  }

  // `(14)` of the text that was read is another number here.
  std::string with_new_numbers(std::string_view text) const {
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t close = text[at] == '(' ? text.find(')', at) : std::string_view::npos;
      if (close != std::string_view::npos) {
        const auto known = numbers_.find(std::string(text.substr(at + 1, close - at - 1)));
        if (known != numbers_.end()) {
          out += fmt::format("({})", known->second);
          at = close + 1;
          continue;
        }
      }
      out += text[at++];
    }
    return out;
  }

  void number_original_ids() {
    if (document_.explanations.empty()) return;
    for (const Operator& one : layout_.operators) {
      if (one.node().operator_id && one.number != 0) {
        numbers_.emplace(std::to_string(*one.node().operator_id), one.number);
      }
    }
  }

  struct Step {
    std::uint32_t place;
    std::size_t prefix;     // how much of the bars belongs to it
    std::size_t blank = 0;  // how much of that is not shown: the bars end where an adaptive plan begins
    char connector = 0;
  };

  void append_tree(std::uint32_t root) {
    std::string bars;
    std::vector<Step> open{{root, 0}};
    while (!open.empty()) {
      const Step step = open.back();
      open.pop_back();
      const Operator& shown = layout_.operators[step.place];
      bars.resize(step.prefix);
      out_.append(step.blank, ' ').append(bars, step.blank);
      if (step.connector != 0) out_.append(1, step.connector).append("- ");
      append_line(step.place);
      if (step.connector != 0) bars += step.connector == ':' ? ":  " : "   ";
      if (shown.part != AdaptivePart::None && shown.inputs.size() == 1) {
        out_.append(bars.size(), ' ');
        out_ += shown.part == AdaptivePart::Final ? "+- == Final Plan ==\n" : "+- == Current Plan ==\n";
        bars += "   ";
        open.push_back({shown.inputs.front(), bars.size(), bars.size()});
        continue;
      }
      for (std::size_t input = shown.inputs.size(); input-- > 0;) {
        const char connector = input + 1 == shown.inputs.size() ? '+' : ':';
        open.push_back({shown.inputs[input], bars.size(), step.blank, connector});
      }
    }
  }

  void append_line(std::uint32_t place) {
    const Operator& shown = layout_.operators[place];
    const PlanNode& node = shown.node();
    if (node.codegen_stage != kNoCodegen) out_ += "* ";
    std::string name = facts_.name(*shown.tree, shown.id);
    out_.append(name).append(facts_.join_words(*shown.tree, shown.id));
    out_ += fmt::format(" ({})\n", shown.number);
    names_[place] = std::move(name);
  }

  // The operators of one tree, by number.
  void append_blocks(std::uint32_t root) {
    std::vector<std::uint32_t> open{root};
    std::vector<std::uint32_t> places;
    while (!open.empty()) {
      const std::uint32_t place = open.back();
      open.pop_back();
      places.push_back(place);
      for (const std::uint32_t input : layout_.operators[place].inputs) open.push_back(input);
    }
    std::sort(places.begin(), places.end(), [&](std::uint32_t a, std::uint32_t b) {
      return layout_.operators[a].number < layout_.operators[b].number;
    });
    for (const std::uint32_t place : places) append_block(place);
  }

  void append_block(std::uint32_t place) {
    const Operator& shown = layout_.operators[place];
    const PlanNode& node = shown.node();
    out_ += fmt::format("({}) {}", shown.number, names_[place]);
    if (node.codegen_stage > 0) {
      const auto stage = codegen_.emplace(node.codegen_stage, codegen_.size() + 1).first;
      out_ += fmt::format(" [codegen id : {}]", stage->second);
    }
    if (const std::uint32_t reused = number_of_reused(shown); reused != 0) {
      out_ += fmt::format(" [Reuses operator id: {}]", reused);
    }
    out_.append("\n").append(facts_.block(shown)).append("\n");
  }

  [[nodiscard]] std::uint32_t number_of_reused(const Operator& shown) {
    const NodeId reused = shown.node().reuses;
    if (reused == kNoNode || shown.node().kind != OperatorKind::ReusedExchange) return 0;
    if (places_.empty()) {
      for (const Operator& one : layout_.operators) places_[{one.tree, index(one.id)}] = one.number;
    }
    const auto found = places_.find({shown.tree, index(reused)});
    return found == places_.end() ? 0 : found->second;
  }

  struct PlaceHash {
    std::size_t operator()(const std::pair<const PlanTree*, std::uint32_t>& place) const {
      return std::hash<const void*>()(place.first) * 31 + place.second;
    }
  };

  const PlanDocument& document_;
  Layout layout_;
  Facts facts_;
  bool masks_literals_;
  std::string out_;
  std::unordered_map<std::uint32_t, std::string> names_;
  std::unordered_map<std::int32_t, std::size_t> codegen_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::unordered_map<std::pair<const PlanTree*, std::uint32_t>, std::uint32_t, PlaceHash> places_;
};

}  // namespace

Snapshot plan_text(const PlanDocument& document, const Options& options) { return Writer(document, options).write(); }

}  // namespace planvet::snapshot
