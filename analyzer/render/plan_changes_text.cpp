#include "analyzer/render/plan_changes_text.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/core.h>

#include "analyzer/render/readable.hpp"

namespace planvet::render {

namespace {

using compare::Change;
using compare::ChangeKind;

constexpr std::size_t kLongest = 160;

std::string shortened(std::string text) {
  if (text.size() <= kLongest) return text;
  std::size_t end = kLongest;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;  // not inside of a character
  return text.substr(0, end) + "...";
}

std::string short_text(std::string_view text) {
  if (text.starts_with('[') && text.ends_with(']') && text.size() > 2) text = text.substr(1, text.size() - 2);
  return shortened(readable(text));
}

// As the query writes it, `status = open`, also where only the source's form is there.
std::string predicate(std::string_view text, const ExpressionParser& parser) {
  const bool is_pushed_form = !text.starts_with('(') && text.find('(') != std::string_view::npos;
  if (is_pushed_form && parser.pushed_filters != nullptr) {
    const std::string list = "[" + std::string(text) + "]";
    const std::vector<ExpressionTree> trees = parser.pushed_filters(list);
    if (trees.size() == 1 && !trees.front().empty()) {
      return shortened(readable_predicate(trees.front(), trees.front().root()));
    }
  }
  return short_text(text);
}

std::string was_and_is(std::string_view subject, std::string_view was, std::string_view is) {
  return fmt::format("{}: {} became {}", subject, was, is);
}

// "scan of sales also reads qty, no longer reads amount"
std::string added_and_gone(std::string_view subject, std::string_view verb, const Change& change) {
  std::string text{subject};
  if (!change.is.empty()) text += fmt::format(" also {} {}", verb, shortened(change.is));
  if (!change.is.empty() && !change.was.empty()) text += ",";
  if (!change.was.empty()) text += fmt::format(" no longer {} {}", verb, shortened(change.was));
  return text;
}

// "Sort order" inside of a sentence.
std::string lower_first(std::string text) {
  const auto is_capital = [](char c) { return c >= 'A' && c <= 'Z'; };
  if (!text.empty() && std::count_if(text.begin(), text.end(), is_capital) == 1 && is_capital(text.front())) {
    text.front() = static_cast<char>(text.front() - 'A' + 'a');
  }
  return text;
}

std::string in_words(const Change& change, const ExpressionParser& parser) {
  const std::string& subject = change.subject;
  switch (change.kind) {
    case ChangeKind::JoinStrategy: return was_and_is(subject, change.was, change.is);
    case ChangeKind::JoinAdded: return fmt::format("{} is new ({})", subject, change.is);
    case ChangeKind::JoinGone: return fmt::format("{} is gone (it was a {})", subject, change.was);
    case ChangeKind::JoinType: return was_and_is(subject, change.was, change.is);
    case ChangeKind::JoinKeys:
      return fmt::format("{}: keys {} became {}", subject, short_text(change.was), short_text(change.is));
    case ChangeKind::JoinCondition:
      if (change.was.empty()) return fmt::format("{}: has a condition now, {}", subject, short_text(change.is));
      if (change.is.empty())
        return fmt::format("{}: has no condition any more, it was {}", subject, short_text(change.was));
      return fmt::format("{}: condition {} became {}", subject, short_text(change.was), short_text(change.is));
    case ChangeKind::BuildSide:
      return fmt::format("{}: the hash table is made of {}, it was of {}", subject, change.is, change.was);
    case ChangeKind::JoinSkew:
      return fmt::format("{} is {} split because of skew", subject, change.is == "true" ? "now" : "no longer");
    case ChangeKind::JoinOrder:
      return fmt::format("tables come in another order: {}; it was {}", change.is, change.was);
    case ChangeKind::SourceAdded: return fmt::format("scan of {} is new", subject);
    case ChangeKind::SourceGone: return fmt::format("scan of {} is gone", subject);
    case ChangeKind::SourceCount: return fmt::format("scans of {}: {}, before {}", subject, change.is, change.was);
    case ChangeKind::PredicateNotPushed:
      return fmt::format("filter on {}: {} is no longer pushed to the scan", subject, predicate(change.is, parser));
    case ChangeKind::PredicatePushed:
      return fmt::format("filter on {}: {} is pushed to the scan now", subject, predicate(change.is, parser));
    case ChangeKind::PartitionFilterLost:
      return fmt::format("filter on {}: {} no longer selects partitions, it is tested {}", subject,
                         predicate(change.is, parser), change.place);
    case ChangeKind::PartitionFilterGained:
      return fmt::format("filter on {}: {} selects partitions now, it was tested {}", subject,
                         predicate(change.is, parser), change.place);
    case ChangeKind::PredicateAdded:
      return fmt::format("filter on {}: {} is new, tested {}", subject, predicate(change.is, parser), change.place);
    case ChangeKind::PredicateGone:
      return fmt::format("filter on {}: {} is gone, it was tested {}", subject, predicate(change.was, parser),
                         change.place);
    case ChangeKind::ColumnsRead: return added_and_gone("scan of " + subject, "reads", change);
    case ChangeKind::SourceChanged:
      return fmt::format("scan of {}: {} {} became {}", subject, lower_first(change.place), short_text(change.was),
                         short_text(change.is));
    case ChangeKind::OperatorChanged:
      return fmt::format("{}: {} {} became {}", subject, lower_first(change.place), short_text(change.was),
                         short_text(change.is));
    case ChangeKind::ShuffleAdded:
      return fmt::format("one shuffle more: {} of {}, for {}", short_text(change.is), subject, change.place);
    case ChangeKind::ShuffleGone:
      return fmt::format("one shuffle less: {} of {}, which was for {}", short_text(change.was), subject, change.place);
    case ChangeKind::ShuffleChanged:
      return fmt::format("shuffle of {} for {}: {} became {}", subject, change.place, short_text(change.was),
                         short_text(change.is));
    case ChangeKind::PartitionCount:
      return fmt::format("{} shuffle{} into {} partitions, {} into {}", subject, subject == "1" ? "" : "s", change.is,
                         subject == "1" ? "it was" : "they were", change.was);
    case ChangeKind::BroadcastAdded: return fmt::format("one broadcast more: {}, for {}", subject, change.place);
    case ChangeKind::BroadcastGone:
      return fmt::format("one broadcast less: {}, which was for {}", subject, change.place);
    case ChangeKind::ReuseAdded: return fmt::format("exchange of {} is reused for {}", subject, change.place);
    case ChangeKind::ReuseGone: return fmt::format("exchange of {} is no longer reused for {}", subject, change.place);
    case ChangeKind::OperatorReplaced: return was_and_is(subject, change.was, change.is);
    case ChangeKind::OperatorAdded:
      return change.is.empty() ? fmt::format("{} is new", subject)
                               : fmt::format("{} is new: {}", subject, short_text(change.is));
    case ChangeKind::OperatorGone:
      return change.was.empty() ? fmt::format("{} is gone", subject)
                                : fmt::format("{} is gone: {}", subject, short_text(change.was));
    case ChangeKind::ResultOrder:
      if (change.is.empty())
        return fmt::format("rows of the result have no order any more, it was {}", short_text(change.was));
      if (change.was.empty()) return fmt::format("rows of the result are ordered by {} now", short_text(change.is));
      return fmt::format("order of the result: {} became {}", short_text(change.was), short_text(change.is));
    case ChangeKind::ResultColumns: return added_and_gone("the result", "has", change);
    case ChangeKind::Adaptive:
      return change.is == "true" ? "the plan is adaptive now" : "the plan is no longer adaptive";
    case ChangeKind::Execution:
      return change.is == "true" ? "the plan is one that ran, it was one before the run"
                                 : "the plan is one before the run, it was one that ran";
    case ChangeKind::Engine: return fmt::format("{} runs {} operators, it ran {}", subject, change.is, change.was);
    case ChangeKind::Count: return fmt::format("{} in all: {}, before {}", subject, change.is, change.was);
  }
  return {};
}

}  // namespace

std::vector<std::string> plan_changes_in_words(std::span<const Change> changes, const ExpressionParser& parser) {
  std::vector<std::pair<std::string, std::size_t>> counted;
  for (const Change& change : changes) {
    std::string sentence = in_words(change, parser);
    const auto known =
        std::find_if(counted.begin(), counted.end(), [&](const auto& entry) { return entry.first == sentence; });
    if (known == counted.end()) {
      counted.emplace_back(std::move(sentence), 1);
    } else {
      ++known->second;
    }
  }
  std::vector<std::string> sentences;
  for (auto& [sentence, times] : counted) {
    if (times > 1) sentence += fmt::format(" ({} times)", times);
    sentences.push_back(std::move(sentence));
  }
  return sentences;
}

}  // namespace planvet::render
