#include "analyzer/read/explain_text.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "analyzer/dialect/dialect.hpp"
#include "analyzer/read/arguments.hpp"
#include "analyzer/read/explain/document_builder.hpp"
#include "analyzer/read/explain/lines.hpp"
#include "analyzer/read/explain/own_header.hpp"
#include "analyzer/read/repair/repair.hpp"

namespace planvet::read {
namespace {

using explain::DocumentBuilder;
using explain::Line;
using explain::LineKind;

bool equals_ignoring_case(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (std::size_t at = 0; at < a.size(); ++at) {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    if (lower(a[at]) != lower(b[at])) return false;
  }
  return true;
}

bool starts_ignoring_case(std::string_view text, std::string_view prefix) {
  return text.size() >= prefix.size() && equals_ignoring_case(text.substr(0, prefix.size()), prefix);
}

enum class Section : std::uint8_t { Physical, Parsed, Analyzed, Optimized, Subtree, Subqueries, OptimizedOut, Other };

Section section_of(std::string_view title) {
  if (equals_ignoring_case(title, "Physical Plan")) return Section::Physical;
  if (equals_ignoring_case(title, "Parsed Logical Plan")) return Section::Parsed;
  if (equals_ignoring_case(title, "Analyzed Logical Plan")) return Section::Analyzed;
  if (equals_ignoring_case(title, "Optimized Logical Plan")) return Section::Optimized;
  if (starts_ignoring_case(title, "Subtree ")) return Section::Subtree;
  if (equals_ignoring_case(title, "Subqueries")) return Section::Subqueries;
  if (equals_ignoring_case(title, "Adaptively Optimized Out Exchanges")) return Section::OptimizedOut;
  return Section::Other;
}

// Walks over the lines of one input and gives each section to the document that it belongs to.
class ExplainReader {
 public:
  // `is_guess`: where the lines begin was told by what they look like.
  ExplainReader(std::shared_ptr<const Source> source, bool is_guess, const DocumentSink& sink)
      : source_(std::move(source)),
        text_(source_->text()),
        lines_(explain::read_lines(text_)),
        heads_need_blank_(explain::heads_need_blank(lines_)),
        balance_(text_, lines_),
        is_guess_(is_guess),
        sink_(sink) {}

  void read() {
    find_cuts();
    while (at_ < lines_.size()) at_ = take(at_);
    flush();
  }

 private:
  [[nodiscard]] std::string_view view(Span span) const { return source_->text(span); }

  DocumentBuilder& document() {
    if (!document_) document_.emplace(text_, lines_, heads_need_blank_, balance_);
    return *document_;
  }

  // "... 12345 more characters" stands where the text was cut, mostly in the middle of a line.
  void find_cuts() {
    constexpr std::string_view kEnd = " more characters";
    for (const Line& line : lines_) {
      const std::string_view text = view(line.whole);
      if (!text.ends_with(kEnd)) continue;
      std::size_t digits = text.size() - kEnd.size();
      while (digits > 0 && text[digits - 1] >= '0' && text[digits - 1] <= '9') --digits;
      if (digits < 4 || text.substr(digits - 4, 4) != "... ") continue;
      cuts_.push_back({line.whole.begin + static_cast<std::uint32_t>(digits) - 4, line.whole.end});
    }
  }

  void flush() {
    if (!document_) return;
    const std::uint32_t here = at_ < lines_.size() ? lines_[at_].whole.begin : static_cast<std::uint32_t>(text_.size());
    for (; next_cut_ < cuts_.size() && cuts_[next_cut_].begin <= here; ++next_cut_)
      document_->add_cut(cuts_[next_cut_]);
    PlanDocument finished = document_->finish(source_);
    document_.reset();
    const bool has_banner = std::exchange(has_banner_, false);
    if (finished.fragments.empty()) {
      if (!finished.notes.empty()) sink_(std::move(finished));
      return;
    }
    if (!has_banner && !names_an_operator(finished)) return;
    headers_.apply_to(finished);
    if (is_guess_) note_guess(finished);
    sink_(std::move(finished));
  }

  static void note_guess(PlanDocument& document) {
    document.is_complete = false;
    document.notes.insert(document.notes.begin(),
                          {NoteKind::UnreadablePart, document.fragments.front().tree.nodes().front().name_span,
                           "the line breaks of this plan are lost; its lines were told apart by connectors, operator "
                           "ids and the names of fields"});
  }

  // Prose has lists, numbered lines and "+-" too. Without a banner a plan is told by an operator that is known.
  static bool names_an_operator(const PlanDocument& document) {
    for (const Fragment& fragment : document.fragments) {
      for (const PlanNode& node : fragment.tree.nodes()) {
        if (node.kind != OperatorKind::Unknown) return true;
      }
    }
    return false;
  }

  // A section of another plan than the one being read.
  void flush_if_planned() {
    if (document_ && document_->has_physical_plan()) flush();
  }

  std::size_t take(std::size_t at) {
    const Line& line = lines_[at];
    switch (line.kind) {
      case LineKind::OwnHeader:
        if (document_ && document_->has_physical_plan()) flush();
        headers_.add(text_, line);
        return at + 1;
      case LineKind::Banner: return take_banner(at);
      case LineKind::BlockHead:
        // A head needs an operator of its id; without any tree, blocks alone are a plan that lost its tree.
        if (document().is_head(at)) return document().add_block(at);
        return at + 1;
      case LineKind::SubqueryHead:
        if (document_ && document_->has_physical_plan()) return document_->add_hosted(at);
        document().note_lost_host(at);
        return at + 1;
      case LineKind::SubplanHead:
        if (document_ && document_->has_physical_plan()) return document_->add_optimized_out(at);
        return at + 1;
      case LineKind::Cut: document().add_cut(line.whole); return at + 1;
      case LineKind::Tree:
      case LineKind::AdaptiveHeader: return take_bare_tree(at);
      case LineKind::Plain: return take_plain(at);
      case LineKind::Blank:
      case LineKind::Field:
      case LineKind::Java: return at + 1;
    }
    return at + 1;
  }

  std::size_t take_banner(std::size_t at) {
    const std::string_view title = view(lines_[at].name);
    const Section section = section_of(title);
    const std::size_t next = take_section(at, section, title);
    // Set behind the section: taking it may have ended the document before it.
    if (section == Section::Physical || section == Section::Subtree) has_banner_ = true;
    return next;
  }

  std::size_t take_section(std::size_t at, Section section, std::string_view title) {
    switch (section) {
      case Section::Physical: flush_if_planned(); return std::max(document().add_physical(at + 1), at + 1);
      case Section::Parsed:
        flush();
        document().note_analyzed();
        return std::max(document().add_logical(at + 1), at + 1);
      case Section::Analyzed:
        flush_if_planned();
        document().note_analyzed();
        return std::max(document().add_logical(at + 1), at + 1);
      case Section::Optimized: flush_if_planned(); return std::max(document().add_logical(at + 1), at + 1);
      case Section::Subtree: {
        const auto slash = title.find("1 / ");
        if (slash != std::string_view::npos && starts_ignoring_case(title, "Subtree 1 /")) flush_if_planned();
        document().note_codegen();
        return std::max(document().add_physical(at + 1), at + 1);
      }
      case Section::Subqueries:
      case Section::OptimizedOut: return at + 1;
      case Section::Other: break;
    }
    if (!document_ || !document_->has_physical_plan()) return at + 1;
    std::size_t end = at + 1;
    while (end < lines_.size() && lines_[end].kind != LineKind::Banner && lines_[end].kind != LineKind::OwnHeader)
      ++end;
    return document_->add_explanation(at, end);
  }

  // A tree without a banner above it: a fragment of a plan, or one whose beginning was cut off. The root has no
  // connector and stands right above.
  std::size_t take_bare_tree(std::size_t at) {
    flush_if_planned();
    std::size_t first = at;
    if (at > 0 && lines_[at - 1].kind == LineKind::Plain && at - 1 >= bare_root_limit_ &&
        lines_[at - 1].column <= lines_[at].column + 1) {
      first = at - 1;
    }
    const std::size_t next =
        std::max(is_logical_section(first) ? document().add_logical(first) : document().add_physical(first), at + 1);
    bare_root_limit_ = next;
    return next;
  }

  // The rest of a logical section whose banner was cut off: the sections behind it follow.
  [[nodiscard]] bool is_logical_section(std::size_t first) const {
    bool has_logical_node = false;
    std::size_t at = first;
    for (; at < lines_.size() && lines_[at].kind != LineKind::Banner; ++at) {
      const Line& line = lines_[at];
      if (line.kind == LineKind::Blank) {
        while (at < lines_.size() && lines_[at].kind == LineKind::Blank) ++at;
        break;
      }
      if (line.kind == LineKind::BlockHead || line.kind == LineKind::OwnHeader || line.has_id_mark) return false;
      if (has_logical_node || (line.kind != LineKind::Tree && line.kind != LineKind::Plain)) continue;
      const std::string_view name = split_one_line(view(line.name)).printed_name;
      has_logical_node = family(dialect::resolve(name).kind) == OperatorFamily::Logical;
    }
    if (at == lines_.size() || lines_[at].kind != LineKind::Banner) return false;
    const Section section = section_of(view(lines_[at].name));
    if (section == Section::Analyzed || section == Section::Optimized) return true;
    return section == Section::Physical && has_logical_node;
  }

  std::size_t take_plain(std::size_t at) {
    const Line& line = lines_[at];
    const std::string_view text = view(line.whole);
    if (starts_ignoring_case(text, "Found ") && text.find("WholeStageCodegen subtrees") != std::string_view::npos) {
      flush();
      std::uint32_t count = 0;
      std::from_chars(text.data() + 6, text.data() + text.size(), count);
      document().expect_subtrees(count, line.whole);
      return at + 1;
    }
    // A formatted root alone, without banner and without children, is a plan only if its detail block follows.
    if (line.has_id_mark && line.column == 0 && (!document_ || !document_->has_physical_plan()) &&
        dialect::resolve(view(line.name)).kind != OperatorKind::Unknown && block_follows(at)) {
      return document().add_physical(at);
    }
    return at + 1;
  }

  [[nodiscard]] bool block_follows(std::size_t at) const {
    for (std::size_t next = at + 1; next < lines_.size() && next < at + 6; ++next) {
      if (lines_[next].kind == LineKind::BlockHead) return lines_[next].id == lines_[at].id;
      if (lines_[next].kind != LineKind::Blank) return false;
    }
    return false;
  }

  std::shared_ptr<const Source> source_;
  std::string_view text_;
  std::vector<Line> lines_;
  bool heads_need_blank_;
  explain::Balance balance_;
  bool is_guess_;
  const DocumentSink& sink_;
  std::optional<DocumentBuilder> document_;
  explain::OwnHeaders headers_;
  bool has_banner_ = false;  // of the document that is being read
  std::size_t at_ = 0;       // the line that is taken
  std::vector<Span> cuts_;
  std::size_t next_cut_ = 0;
  std::size_t bare_root_limit_ = 0;  // lines above it belong to a tree already read
};

// Plan text may stand anywhere in an input; whether there is any is known only by reading it.
bool accepts_any_text(std::string_view bytes) { return !bytes.empty(); }

void read(const std::shared_ptr<const SourceBytes>& bytes, const DocumentSink& sink) {
  RepairedText repaired = repair(bytes->bytes());
  if (!repaired.changed) {
    read_explain_text(std::make_shared<const Source>(bytes), sink);
    return;
  }
  const bool is_guess = std::any_of(repaired.steps.begin(), repaired.steps.end(),
                                    [](const RepairStep& step) { return step.kind == RepairKind::LostLineBreaks; });
  ExplainReader(std::make_shared<const Source>(bytes, std::move(repaired.text), std::move(repaired.map)), is_guess,
                sink)
      .read();
}

}  // namespace

constinit const Reader kExplainText{
    "explain text", "a line `== Physical Plan ==`, tree lines with `+- `, or detail blocks `(1) Scan ..`",
    accepts_any_text, read};

void read_explain_text(const std::shared_ptr<const Source>& source, const DocumentSink& sink) {
  ExplainReader(source, false, sink).read();
}

}  // namespace planvet::read
