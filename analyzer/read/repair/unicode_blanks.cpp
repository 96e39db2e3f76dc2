// Blanks that are not U+0020 and characters that show nothing: web pages, chats and word processors put them in.
//
// Column names and literals may hold them rightly. So one must stand where Spark writes a plain blank: in the
// indentation, at a connector, in a banner, inside an operator's name. Then all of this plan's are taken for damage.

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "analyzer/read/repair/damages.hpp"
#include "analyzer/read/repair/line_shape.hpp"

namespace planvet::read {

namespace {

enum class Kind : std::uint8_t { None, Blank, Invisible, Joiner };
struct Special {
  Kind kind = Kind::None;
  std::size_t size = 1;
};

Special special_at(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  if (byte(0) == 0xC2) {
    if (byte(1) == 0xA0) return {Kind::Blank, 2};
    if (byte(1) == 0xAD) return {Kind::Invisible, 2};  // soft hyphen
  } else if (byte(0) == 0xE1) {
    if (byte(1) == 0x9A && byte(2) == 0x80) return {Kind::Blank, 3};
  } else if (byte(0) == 0xE2) {
    if (byte(1) == 0x80) {
      if (byte(2) >= 0x80 && byte(2) <= 0x8A) return {Kind::Blank, 3};  // U+2000 to U+200A
      if (byte(2) == 0x8B || byte(2) == 0x8E || byte(2) == 0x8F) return {Kind::Invisible, 3};
      if (byte(2) == 0x8C || byte(2) == 0x8D) return {Kind::Joiner, 3};
      if (byte(2) >= 0xAA && byte(2) <= 0xAE) return {Kind::Invisible, 3};  // directions
      if (byte(2) == 0xAF) return {Kind::Blank, 3};
    } else if (byte(1) == 0x81) {
      if (byte(2) == 0x9F) return {Kind::Blank, 3};
      if (byte(2) == 0xA0 || (byte(2) >= 0xA6 && byte(2) <= 0xA9)) return {Kind::Invisible, 3};
    }
  } else if (byte(0) == 0xE3) {
    if (byte(1) == 0x80 && byte(2) == 0x80) return {Kind::Blank, 3};
  } else if (byte(0) == 0xEF) {
    if (byte(1) == 0xBB && byte(2) == 0xBF) return {Kind::Invisible, 3};
  }
  return {};
}

bool starts_with_connector(std::string_view text) {
  return text.size() > 2 && (text[0] == '+' || text[0] == ':') && text[1] == '-' &&
         (text[2] == ' ' || special_at(text.substr(2)).kind != Kind::None);
}

bool ends_with_connector(std::string_view text) {
  return text.ends_with("+-") || text.ends_with(":-") || text.ends_with("|-") || text.ends_with("`-") ||
         text.ends_with("\u2500") || text.ends_with(" ==") || text.ends_with("\n==") || text == "==";
}

// Whether the special character at `at` stands where a plan has a plain blank, or nothing. Sets `next` to the end of the
// run of blanks that it is in.
bool is_misplaced(std::string_view text, std::size_t at, Special special, std::size_t& next) {
  const std::string_view before = text.substr(0, at);
  next = at + special.size;
  if (ends_with_connector(before)) return true;
  // The end of this run of blanks; bounded, as indentation is.
  for (int steps = 0; steps < 600 && next < text.size(); ++steps) {
    if (text[next] == ' ' || text[next] == ':' || text[next] == '|') {
      if (starts_with_connector(text.substr(next)) || text.substr(next).starts_with("|-")) return true;
      ++next;
    } else {
      const Special other = special_at(text.substr(next));
      if (other.kind == Kind::None) break;
      next += other.size;
    }
  }
  const std::string_view rest = text.substr(next);
  if (starts_with_connector(rest) || rest.starts_with("== ") || rest.starts_with("==\u00a0")) return true;
  if (other_connector(rest).length > 0 && !rest.starts_with('`')) return true;
  if (special.kind == Kind::Blank) return false;
  // Inside a name: the first word behind a connector or at the start of a line.
  std::size_t letters = at;
  for (int steps = 0; steps < 60 && letters > 0 && is_letter(text[letters - 1]); ++steps) --letters;
  if (letters == at || !is_upper(text[letters]) || !is_letter(text[std::min(at + special.size, text.size() - 1)]))
    return false;
  const std::string_view head = text.substr(0, letters);
  return head.empty() || head.ends_with('\n') || head.ends_with("+- ") || head.ends_with(":- ") ||
         head.ends_with("- * ") || head.ends_with(") ");
}

template <typename Visit>
void for_each_special(std::string_view text, std::size_t begin, Visit visit) {
  for (std::size_t at = begin; at < text.size();) {
    if (static_cast<unsigned char>(text[at]) < 0x80) {
      ++at;
      continue;
    }
    const Special special = special_at(text.substr(at));
    if (special.kind != Kind::None && !visit(at, special)) return;
    at += special.size;
  }
}

void repair_plan(Rewriter& out, std::size_t begin, std::size_t end) {
  const std::string_view text = out.input().substr(0, end);
  bool blanks = false;
  bool invisible = false;
  std::size_t checked = begin;  // a run of them is looked at once
  for_each_special(text, begin, [&](std::size_t at, Special special) {
    bool& known = special.kind == Kind::Blank ? blanks : invisible;
    if (!known && at >= checked) {
      known = is_misplaced(text, at, special, checked);
    }
    return !(blanks && invisible);
  });
  if (!blanks && !invisible) return;
  for_each_special(text, begin, [&](std::size_t at, Special special) {
    if (special.kind == Kind::Blank) {
      if (blanks) out.replace(at, at + special.size, " ", RepairKind::UnicodeBlanks);
    } else if (invisible) {
      // Joiners belong to emoji and to several scripts.
      const bool in_script = special.kind == Kind::Joiner && at > 0 && static_cast<unsigned char>(text[at - 1]) >= 0x80;
      if (!in_script) out.remove(at, at + special.size, RepairKind::ZeroWidth);
    }
    return true;
  });
}

}  // namespace

void undo_unicode_blanks(Rewriter& out) {
  for_each_plan(out.input(), [&](std::size_t begin, std::size_t end) { repair_plan(out, begin, end); });
}

}  // namespace planvet::read
