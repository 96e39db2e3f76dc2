// HTML around a plan: a notebook's output, a page of the Spark UI, a mail.
//
//   <div class="ansiout"><pre>== Physical Plan ==          <td>== Physical Plan ==<br>*(1) Filter (a#1 &gt; 5)<br>
//   *(1) Filter (a#1 &gt; 5)</pre></div>                   &nbsp;&nbsp;&nbsp;+- ...</td>
//
// Column names and literals may look like tags. So a tag must stand directly before a banner or a connector; and only
// names that HTML knows are tags.

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "analyzer/read/repair/characters.hpp"
#include "analyzer/read/repair/damages.hpp"
#include "analyzer/read/repair/line_shape.hpp"

namespace planvet::read {

namespace {

enum class TagKind : std::uint8_t { None, Inline, Block, Break, Hidden };

struct Tag {
  TagKind kind = TagKind::None;
  std::size_t size = 0;
  bool is_end = false;
  bool is_preformatted = false;
};

TagKind kind_of(std::string_view name) {
  const auto any_of = [&](std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  if (name == "br") return TagKind::Break;
  if (any_of({"script", "style", "head"})) return TagKind::Hidden;
  if (any_of({"pre",     "td",       "th", "tr", "table", "tbody",   "thead",   "div",        "p",
              "html",    "body",     "li", "ul", "ol",    "details", "summary", "blockquote", "section",
              "article", "textarea", "hr", "h1", "h2",    "h3",      "h4",      "h5",         "h6"}))
    return TagKind::Block;
  if (any_of({"span", "a",    "b",    "i",     "u",     "s",        "em",     "strong", "font",
              "code", "samp", "tt",   "kbd",   "small", "sub",      "sup",    "label",  "img",
              "mark", "meta", "link", "title", "col",   "colgroup", "button", "input"}))
    return TagKind::Inline;
  return TagKind::None;
}

constexpr std::size_t kLongestTag = 2000;

Tag tag_at(std::string_view text) {
  text = text.substr(0, kLongestTag);
  Tag tag;
  if (text.starts_with("<!")) {
    const bool is_comment = text.starts_with("<!--");
    if (!is_comment && !text.starts_with("<!DOCTYPE") && !text.starts_with("<!doctype")) return {};
    const std::size_t end = text.find_first_of("<>", 2);
    if (end == std::string_view::npos || text[end] != '>') return {};
    return {TagKind::Inline, end + 1, false, false};
  }
  std::size_t at = 1;
  if (at < text.size() && text[at] == '/') {
    tag.is_end = true;
    ++at;
  }
  std::string name;
  for (; at < text.size() && (is_letter(text[at]) || is_digit(text[at])) && name.size() < 12; ++at)
    name += static_cast<char>(is_upper(text[at]) ? text[at] - 'A' + 'a' : text[at]);
  if (at >= text.size() || std::string_view(" \t\n/>").find(text[at]) == std::string_view::npos) return {};
  const std::size_t end = text.find_first_of("<>", at);
  if (end == std::string_view::npos || text[end] != '>') return {};
  tag.kind = kind_of(name);
  tag.size = tag.kind == TagKind::None ? 0 : end + 1;
  tag.is_preformatted = name == "pre" || name == "textarea";
  return tag;
}

// Past blanks, bars, entities of blanks, and more tags.
std::size_t skip_to_text(std::string_view text, std::size_t at) {
  for (int steps = 0; steps < 400 && at < text.size(); ++steps) {
    const char c = text[at];
    if (c == ' ' || c == '\n' || c == '\t' || c == '\r' || (c == ':' && !text.substr(at).starts_with(":- "))) {
      ++at;
    } else if (c == '<') {
      const Tag tag = tag_at(text.substr(at));
      if (tag.size == 0) return at;
      at += tag.size;
    } else if (text.substr(at).starts_with("&nbsp;") || text.substr(at).starts_with("&#160;")) {
      at += 6;
    } else if (text.substr(at).starts_with("\ufeff") || text.substr(at).starts_with("\u200b")) {
      at += 3;
    } else {
      break;
    }
  }
  return at;
}

// Directly, or behind what stands before each line of the plan.
bool plan_begins(std::string_view text, bool at_line_start) {
  text = text.substr(0, 512);
  if (text.starts_with("+- ") || text.starts_with(":- ") || text.starts_with("+-&nbsp;") ||
      text.starts_with(":-&nbsp;"))
    return true;
  if (text.starts_with("==&nbsp;") && text.size() > 8 && is_upper(text[8])) return true;
  if (!text.starts_with("==") && !at_line_start) return false;
  const Anchor anchor = find_anchor(text.substr(0, text.find_first_of("<\n")));
  return anchor.kind == AnchorKind::Banner && (anchor.offset == 0 || at_line_start);
}

// Whether nothing but tags stands before `at` on its line, as far as one looks.
bool is_at_line_start(std::string_view text, std::size_t at) {
  constexpr std::size_t kLongestLead = 300;
  const std::size_t window = at < kLongestLead ? 0 : at - kLongestLead;
  const std::size_t line_break = text.substr(window, at - window).rfind('\n');
  if (line_break == std::string_view::npos && window > 0) return false;
  const std::size_t begin = line_break == std::string_view::npos ? 0 : window + line_break + 1;
  return skip_to_text(text.substr(0, at), begin) == at;
}

// `<pre>Project [a#1]`, a tree line below.
bool root_begins(std::string_view text, const Tag& tag, std::size_t at, std::size_t place) {
  if (tag.is_end || tag.kind != TagKind::Block || place >= text.size() || !may_start_node(text[place])) return false;
  if (!is_at_line_start(text, at)) return false;
  const std::string_view rest = text.substr(place, 4 * kLongestTag);
  const std::size_t end = rest.find('\n');
  if (end == std::string_view::npos || rest.substr(0, end).find("</") != std::string_view::npos) return false;
  return shape_of(rest.substr(end + 1, rest.find('\n', end + 1) - end - 1)) == LineShape::Tree;
}

struct Region {
  std::size_t begin = std::string_view::npos;
  std::size_t end = 0;
  std::size_t breaks = 0;
};

// From the first line of tags above a plan to the last tag that ends something.
Region find_region(std::string_view text) {
  Region region;
  std::size_t first_tag = 0;  // of the run of lines that hold nothing but tags, up to here
  std::size_t after_last_tag = 0;
  std::size_t place = 0;
  for (std::size_t at = 0; (at = text.find('<', at)) != std::string_view::npos;) {
    const Tag tag = tag_at(text.substr(at));
    if (tag.size == 0) {
      ++at;
      continue;
    }
    if (region.begin == std::string_view::npos) {
      if (skip_to_text(text.substr(0, at), after_last_tag) != at || after_last_tag == 0) first_tag = at;
      after_last_tag = at + tag.size;
      if (after_last_tag >= place) place = skip_to_text(text, after_last_tag);  // once for a run of tags
      const bool last_of_run = text.substr(after_last_tag, place - after_last_tag).find('<') == std::string_view::npos;
      // A name may end the line above a connector.
      const bool same_line = text.substr(after_last_tag, place - after_last_tag).find('\n') == std::string_view::npos;
      const bool counts = tag.kind == TagKind::Break || (tag.kind == TagKind::Block && tag.is_end) || same_line ||
                          is_at_line_start(text, at);
      if (last_of_run && counts &&
          (plan_begins(text.substr(place), !tag.is_end && is_at_line_start(text, at)) ||
           root_begins(text, tag, at, place)))
        region = {first_tag, at + tag.size, 0};
    }
    if (region.begin != std::string_view::npos) {
      if (tag.is_end || tag.kind == TagKind::Break) region.end = at + tag.size;
      if (tag.kind == TagKind::Break) ++region.breaks;
    }
    at += tag.size;
  }
  return region;
}

class Unwrapper {
 public:
  Unwrapper(Rewriter& out, const Region& region) : out_(out), text_(out.input()), region_(region) {}

  void run() {
    for (std::size_t at = region_.begin; at < region_.end;) {
      const std::size_t next = text_.find_first_of("<&", at);
      if (next == std::string_view::npos || next >= region_.end) break;
      at = text_[next] == '<' ? tag(next) : entity(next);
    }
  }

 private:
  std::size_t entity(std::size_t at) {
    const Entity entity = entity_at(text_.substr(at, 16));
    if (entity.size == 0) return at + 1;
    std::string character;
    append_utf8(character, entity.code == 0xA0 ? ' ' : entity.code);
    out_.replace(at, at + entity.size, character, RepairKind::HtmlTags);
    return at + entity.size;
  }

  std::size_t tag(std::size_t at) {
    const Tag tag = tag_at(text_.substr(at));
    if (tag.size == 0) return at + 1;
    std::size_t end = at + tag.size;
    out_.copy_to(at);
    switch (tag.kind) {
      case TagKind::Hidden:
        if (!tag.is_end) end = std::min(std::max(end, text_.find("</", end)), region_.end);
        out_.remove(at, end, RepairKind::HtmlTags);
        break;
      case TagKind::Break:
        // A line break of the page's source shows as nothing.
        if (text_.substr(end).starts_with('\n')) ++end;
        out_.replace(at, end, "\n", RepairKind::HtmlTags);
        break;
      case TagKind::Block: {
        const bool at_line_start = tag.is_end ? out_.last_written() == '\n' : out_.at_line_start();
        const bool line_follows = text_.substr(end).starts_with('\n');
        if (at_line_start && line_follows && !(tag.is_preformatted && tag.is_end)) ++end;
        out_.replace(at, end, at_line_start || (line_follows && end == at + tag.size) ? "" : "\n",
                     RepairKind::HtmlTags);
        break;
      }
      default: out_.remove(at, end, RepairKind::HtmlTags);
    }
    return end;
  }

  Rewriter& out_;
  std::string_view text_;
  Region region_;
};

}  // namespace

void undo_html(Rewriter& out) {
  const Region region = find_region(out.input());
  if (region.begin != std::string_view::npos) Unwrapper(out, region).run();
}

}  // namespace planvet::read
