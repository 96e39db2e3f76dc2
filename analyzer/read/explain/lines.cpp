#include "analyzer/read/explain/lines.hpp"

#include "grammar/explain_line_action.hpp"

namespace planvet::read::explain {
namespace {

std::uint32_t to_number(const char* begin, const char* end) {
  std::uint64_t value = 0;
  for (; begin != end; ++begin) {
    value = value * 10 + static_cast<std::uint64_t>(*begin - '0');
    if (value >= kNoId) return kNoId;  // no operator has such an id: a damaged or invented one
  }
  return static_cast<std::uint32_t>(value);
}

// Collects the parts of one line until the rule of the whole line matches.
class LineConsumer {
 public:
  LineConsumer(std::string_view text, std::vector<Line>& lines) : base_(text.data()), lines_(lines) {}

  void connector(const char* begin, const char* /*end*/) {
    connector_ = begin;
    line_.connector = *begin;
    line_.codegen = -1;
    line_.is_doubtful = false;
  }
  void codegen_mark(const char* /*begin*/, const char* /*end*/) {
    if (line_.codegen < 0) line_.codegen = 0;
  }
  void stage_number(const char* begin, const char* end) {
    line_.codegen = static_cast<std::int32_t>(to_number(begin, end) & INT32_MAX);
  }
  void doubt_mark(const char* /*begin*/, const char* /*end*/) { line_.is_doubtful = true; }
  void marks(const char* begin, const char* end) {
    marks_ = begin;
    name_ = end;
  }
  void id(const char* begin, const char* end) {
    id_begin_ = begin;
    id_end_ = end;
  }
  void id_number(const char* begin, const char* end) {
    id_value_ = to_number(begin, end);
    id_number_ = begin;
  }
  void name_with_id(const char* /*begin*/, const char* end) {
    line_.has_id_mark = true;
    // `until` tries the id at every bracket; only the one it stopped at counts.
    line_.id = id_number_ == id_begin_ + 1 ? id_value_ : kNoId;
    line_.name = {offset(name_), offset(id_begin_)};
    line_.value = {offset(id_end_), offset(end)};
  }
  void name_without_id(const char* begin, const char* end) {
    line_.has_id_mark = false;
    line_.id = kNoId;
    line_.name = {offset(begin), offset(end)};
    line_.value = {offset(end), offset(end)};
  }
  void final_plan(const char* /*begin*/, const char* /*end*/) { line_.part = AdaptivePart::Final; }
  void current_plan(const char* /*begin*/, const char* /*end*/) { line_.part = AdaptivePart::Current; }
  void initial_plan(const char* /*begin*/, const char* /*end*/) { line_.part = AdaptivePart::Initial; }
  void banner_title(const char* begin, const char* end) { line_.name = {offset(begin), offset(end)}; }
  void host_id(const char* begin, const char* end) { line_.id = *begin == 'u' ? kNoId : to_number(begin, end); }
  void hosting_expression(const char* begin, const char* end) { line_.value = {offset(begin), offset(end)}; }
  void block_id(const char* begin, const char* end) {
    line_.id = to_number(begin, end);
    line_.codegen = -1;
    line_.reuses = kNoId;
  }
  void block_codegen(const char* begin, const char* end) {
    line_.codegen = static_cast<std::int32_t>(to_number(begin, end) & INT32_MAX);
  }
  void block_reuses(const char* begin, const char* end) {
    line_.reuses = *begin == 'u' ? kNoId : to_number(begin, end);
  }
  void block_name(const char* begin, const char* end) { line_.name = {offset(begin), offset(end)}; }
  void label(const char* begin, const char* end) {
    while (end != begin && end[-1] == ' ') --end;
    line_.name = {offset(begin), offset(end)};
    line_.count = 0;
  }
  void field_count(const char* begin, const char* end) { line_.count = to_number(begin, end); }
  void field_value(const char* begin, const char* end) { line_.value = {offset(begin), offset(end)}; }
  void own_header_text(const char* begin, const char* end) { line_.value = {offset(begin), offset(end)}; }

  void adaptive_header(const char* /*begin*/, const char* end) { commit(LineKind::AdaptiveHeader, end, connector_); }
  void bare_adaptive_header(const char* begin, const char* end) {
    commit(LineKind::AdaptiveHeader, end, first_letter(begin));
  }
  void tree_node(const char* /*begin*/, const char* end) { commit(LineKind::Tree, end, connector_); }
  void banner(const char* begin, const char* end) { commit(LineKind::Banner, end, first_letter(begin)); }
  void subquery_head(const char* begin, const char* end) { commit(LineKind::SubqueryHead, end, begin); }
  void subplan_head(const char* begin, const char* end) { commit(LineKind::SubplanHead, end, begin); }
  void block_head(const char* begin, const char* end) { commit(LineKind::BlockHead, end, begin); }
  void field(const char* begin, const char* end) { commit(LineKind::Field, end, begin); }
  void blank_line(const char* begin, const char* end) { commit(LineKind::Blank, end, begin); }
  void java_line(const char* begin, const char* end) { commit(LineKind::Java, end, begin); }
  void own_header(const char* begin, const char* end) { commit(LineKind::OwnHeader, end, first_letter(begin)); }
  void cut_line(const char* begin, const char* end) { commit(LineKind::Cut, end, begin); }
  void plain_line(const char* begin, const char* end) { commit(LineKind::Plain, end, first_letter(begin)); }

 private:
  [[nodiscard]] std::uint32_t offset(const char* at) const { return static_cast<std::uint32_t>(at - base_); }
  static const char* first_letter(const char* at) {
    while (*at == ' ' || *at == '\t') ++at;
    return at;
  }

  void commit(LineKind kind, const char* end, const char* column_at) {
    line_.kind = kind;
    const std::uint32_t next = offset(end);
    line_.whole = {line_begin_, next > line_begin_ && end[-1] == '\n' ? next - 1 : next};
    line_.column = offset(column_at) - line_begin_;
    lines_.push_back(line_);
    line_ = Line{};
    line_begin_ = next;
  }

  const char* base_;
  std::vector<Line>& lines_;
  Line line_;
  std::uint32_t line_begin_ = 0;
  const char* connector_ = nullptr;
  const char* marks_ = nullptr;
  const char* name_ = nullptr;
  const char* id_begin_ = nullptr;
  const char* id_end_ = nullptr;
  const char* id_number_ = nullptr;
  std::uint32_t id_value_ = kNoId;
};

}  // namespace

std::vector<Line> read_lines(std::string_view text) {
  namespace line = grammar::line;
  std::vector<Line> lines;
  lines.reserve(text.size() / 48 + 8);
  LineConsumer consumer(text, lines);
  grammar::Input input(text.data(), text.data() + text.size(), "");
  grammar::peg::parse<line::document, line::action>(input, consumer);
  return lines;
}

}  // namespace planvet::read::explain
