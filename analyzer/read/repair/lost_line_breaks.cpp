// A whole plan in one line: a chat, a spreadsheet or a form took its line breaks for blanks, or took them away.
//
//   == Physical Plan == * Filter (2) +- Scan parquet db.t (1)   (1) Scan parquet db.t Output [1]: [a#1] (2) Filter ..
//
// Where lines began is told by what only the beginning of a line looks like: banners, connectors with their bars, detail
// blocks that name an operator of the tree, keys of fields. This is a guess, and the reader says so.

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/read/repair/damages.hpp"
#include "analyzer/read/repair/line_shape.hpp"

namespace planvet::read {

namespace {

constexpr std::size_t kFewestConnectors = 3;  // without a banner

// The end of the banner at `text`, 0 where none is.
std::size_t banner_size(std::string_view text) {
  if (!text.starts_with("==")) return 0;
  const std::size_t title = text.find(' ');
  if (title == std::string_view::npos || title > 5 || title + 1 >= text.size() || !is_upper(text[title + 1])) return 0;
  const std::string_view signs = text.substr(0, title);
  if (signs.find_first_not_of('=') != std::string_view::npos) return 0;
  text = text.substr(0, 200);
  for (std::size_t at = text.find(" ==", title); at != std::string_view::npos; at = text.find(" ==", at + 1)) {
    if (text.substr(at + 1).starts_with(signs)) return at + 1 + signs.size();
  }
  return 0;
}

bool is_connector(std::string_view text) {
  return text.size() > 3 && (text[0] == '+' || text[0] == ':') && text[1] == '-' && text[2] == ' ' &&
         may_start_node(text[3]);
}

// Keys of fields, from the one list of them.
const std::vector<std::string_view>& labels() {
  static const std::vector<std::string_view> all = [] {
    std::vector<std::string_view> result;
    const auto add = [&](std::string_view spellings) {
      while (!spellings.empty()) {
        const std::size_t bar = std::min(spellings.find('|'), spellings.size());
        if (is_upper(spellings.front())) result.push_back(spellings.substr(0, bar));
        spellings.remove_prefix(std::min(bar + 1, spellings.size()));
      }
    };
#define PLANVET_ATTRIBUTE(kind, json_name, shape, spellings) add(spellings);
#include "analyzer/plan/attributes.def"
#undef PLANVET_ATTRIBUTE
    return result;
  }();
  return all;
}

// "Left keys [1]:", "Condition :": bytes of the key, 0 where none is.
std::size_t label_size(std::string_view text) {
  if (text.empty() || !is_upper(text.front())) return 0;
  for (const std::string_view label : labels()) {
    if (!text.starts_with(label)) continue;
    std::string_view rest = text.substr(label.size(), 16);
    if (rest.starts_with(" [")) {
      std::size_t at = 2;
      while (at < rest.size() && is_digit(rest[at])) ++at;
      if (at == 2 || at >= rest.size() || rest[at] != ']') continue;
      rest.remove_prefix(at + 1);
    }
    if (rest.starts_with(' ')) rest.remove_prefix(1);
    if (rest == ":" || rest.starts_with(": ")) return label.size();
  }
  return 0;
}

std::string_view first_word(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" *^!'");
  if (begin == std::string_view::npos) return {};
  text.remove_prefix(begin);
  return text.substr(0, std::min(text.find_first_of(" (\n"), text.size()));
}

// "(12)" at `text`: its number, and its size.
std::pair<std::uint32_t, std::size_t> read_id(std::string_view text) {
  std::uint32_t id = 0;
  std::size_t at = 1;
  while (at < text.size() && at < 8 && is_digit(text[at])) id = id * 10 + static_cast<std::uint32_t>(text[at++] - '0');
  return at > 1 && at < text.size() && text[at] == ')' ? std::pair(id, at + 1) : std::pair(0U, std::size_t{0});
}

class MergedLine {
 public:
  MergedLine(Rewriter& out, std::size_t begin, std::size_t end)
      : out_(out), text_(out.input().substr(0, end)), at_(begin), begin_(begin) {}

  void split() {
    is_blank_ = has_blanks();
    while (at_ < text_.size()) {
      const std::string_view rest = text_.substr(at_);
      if (const std::size_t banner = banner_size(rest); banner > 0) {
        take_banner(banner);
      } else if (is_connector(rest)) {
        take_connector();
      } else if (rest.front() == '(') {
        take_bracket(rest);
      } else if (const std::size_t hosted = rest.starts_with("Subquery:") || rest.starts_with("Subplan:") ? 8 : 0;
                 hosted > 0 && rest.size() > 9 && is_digit(rest[rest.find(':') + 1])) {
        break_before(at_);
        in_blocks_ = false;
        is_hosted_ = true;
        at_ += hosted;
        node_ = at_;
      } else if (const std::size_t label = in_blocks_ && at_ > value_ ? label_size(rest) : 0; label > 0) {
        break_before(at_);
        at_ += label;
        value_ = at_ + 1;
      } else {
        ++at_;
      }
    }
  }

 private:
  // Whether a blank took the place of each line break.
  [[nodiscard]] bool has_blanks() const {
    for (std::size_t at = begin_; at < text_.size(); ++at) {
      const std::string_view rest = text_.substr(at);
      if (const std::size_t banner = banner_size(rest); banner > 0 && rest.size() > banner) return rest[banner] == ' ';
      if (at > begin_ && is_connector(rest)) return text_[at - 1] == ' ';
    }
    return true;
  }

  void break_before(std::size_t at) {
    if (at <= begin_ || at < out_.position() || out_.input()[at - 1] == '\n') return;
    if (is_blank_ && out_.input()[at - 1] == ' ' && at - 1 >= out_.position()) {
      out_.replace(at - 1, at, "\n", RepairKind::LostLineBreaks);
    } else {
      out_.replace(at, at, "\n", RepairKind::LostLineBreaks);
    }
  }

  // The blanks before it that are its line's own.
  [[nodiscard]] std::size_t line_begin(std::size_t at, bool with_bars) const {
    std::size_t begin = at;
    while (begin > begin_ && (text_[begin - 1] == ' ' || (with_bars && text_[begin - 1] == ':'))) --begin;
    return begin < at && is_blank_ ? begin + 1 : begin;
  }

  void take_banner(std::size_t size) {
    break_before(at_);
    at_ += size;
    in_blocks_ = false;
    node_ = at_;
    if (at_ < text_.size()) break_before(is_blank_ && text_[at_] == ' ' ? at_ + 1 : at_);
  }

  // "Hosting Expression = x#1 AdaptiveSparkPlan (9)": the root of a subquery's tree stands behind the expression.
  void break_before_root(std::size_t root_end) {
    const std::size_t id = text_.substr(0, root_end).rfind(" (");
    if (id == std::string_view::npos || id <= node_ || read_id(text_.substr(id + 1)).second == 0) return;
    std::size_t begin = text_.substr(0, id).rfind(' ');
    if (begin == std::string_view::npos || begin <= node_) return;
    if (text_[begin - 1] == '*' && text_[begin - 2] == ' ') begin -= 2;
    break_before(begin + 1);
  }

  void take_connector() {
    const std::size_t begin = line_begin(at_, true);
    if (is_hosted_) break_before_root(begin);
    is_hosted_ = false;
    break_before(begin);
    in_blocks_ = false;
    at_ += 3;
    node_ = at_;
    const std::string_view rest = text_.substr(at_);
    const std::size_t header = rest.starts_with("== ") ? banner_size(rest) : 0;
    if (header == 0) return;
    at_ += header;
    node_ = at_;
    if (at_ < text_.size()) break_before(is_blank_ && text_[at_] == ' ' ? at_ + 1 : at_);
  }

  // The id behind a name of the tree, or the head of a block.
  void take_bracket(std::string_view rest) {
    const auto [id, size] = read_id(rest);
    if (size == 0) {
      ++at_;
      return;
    }
    const bool is_head = rest.size() > size + 1 && rest[size] == ' ' && is_upper(rest[size + 1]);
    if (is_head && is_name_of(id, first_word(rest.substr(size, 200)))) {
      break_before(at_);
      in_blocks_ = true;
      value_ = 0;
    } else if (!in_blocks_) {
      names_.emplace_back(id, first_word(text_.substr(node_, at_ - node_)));
    }
    at_ += size;
  }

  [[nodiscard]] bool is_name_of(std::uint32_t id, std::string_view word) const {
    return std::any_of(names_.begin(), names_.end(), [&](const auto& name) {
      return name.first == id && !name.second.empty() && word.starts_with(name.second);
    });
  }

  Rewriter& out_;
  std::string_view text_;
  std::size_t at_;
  std::size_t begin_;
  std::size_t node_ = 0;   // where the name of the last node begins
  std::size_t value_ = 0;  // keys begin behind it
  bool is_blank_ = true;
  bool in_blocks_ = false;
  bool is_hosted_ = false;  // behind the head of a subquery, whose root has no connector
  std::vector<std::pair<std::uint32_t, std::string_view>> names_;  // of the tree's operators
};

}  // namespace

bool is_merged_line(std::string_view line) {
  std::size_t connectors = 0;
  bool has_banner = false;
  for (std::size_t at = line.find_first_of("=:+"); at != std::string_view::npos;
       at = line.find_first_of("=:+", at + 1)) {
    const std::string_view rest = line.substr(at);
    if (is_connector(rest)) {
      if (++connectors >= kFewestConnectors || has_banner) return true;
      at += 2;
    } else if (const std::size_t size = banner_size(rest); size > 0) {
      // What ends a table cell may follow a banner.
      const std::string_view behind = rest.substr(size);
      const std::size_t next = behind.find_first_not_of(" \t\r|+\"'");
      const std::string_view title = rest.substr(rest.find(' '), size);
      const bool is_plan = title.find(" Plan ") != std::string_view::npos;
      has_banner = has_banner || (is_plan && next != std::string_view::npos && may_start_node(behind[next]));
      at += size - 1;
    }
  }
  return has_banner && connectors > 0;
}

void undo_lost_line_breaks(Rewriter& out) {
  const std::string_view text = out.input();
  for_each_line(text, [&](std::size_t begin, std::size_t end) {
    if (is_merged_line(text.substr(begin, end - begin))) MergedLine(out, begin, end).split();
  });
}

}  // namespace planvet::read
