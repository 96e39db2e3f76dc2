// Damage put on real and on hand-written plan text, alone and in pairs, must come off again; text that Spark printed
// must come back untouched; and every byte that comes out must know where it stood.

#include "analyzer/read/repair/repair.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <ctime>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/cases.hpp"
#include "tests/support/files.hpp"
#include "tests/support/golden.hpp"

namespace planvet::test {
namespace {

using read::repair;
using read::RepairedText;

std::string repaired(std::string_view bytes) {
  RepairedText result = repair(bytes);
  return result.changed ? result.text : std::string(bytes);
}

// What the reader relies on: offsets stay in the input and never go back; a second repair finds nothing.
void expect_sound(std::string_view bytes, const std::string& what) {
  const RepairedText result = repair(bytes);
  if (!result.changed) {
    EXPECT_TRUE(result.text.empty() && result.steps.empty() && result.map.is_identity()) << what;
    return;
  }
  EXPECT_FALSE(result.steps.empty()) << what;
  std::uint32_t last = 0;
  for (std::size_t at = 0; at <= result.text.size(); at += at < 4096 ? 1 : 17) {
    const std::uint32_t original = result.map.original(static_cast<std::uint32_t>(at));
    ASSERT_LE(original, bytes.size()) << what << " at " << at;
    ASSERT_GE(original, last) << what << " at " << at;
    last = original;
  }
  const RepairedText again = repair(result.text);
  EXPECT_FALSE(again.changed) << what << " is repaired twice:\n" << line_diff(result.text, again.text);
}

// Letters, digits and signs that no repair writes come from a byte that is the same.
void expect_places(std::string_view bytes, const std::string& what) {
  const RepairedText result = repair(bytes);
  if (!result.changed) return;
  std::size_t checked = 0;
  for (std::size_t at = 0; at < result.text.size(); ++at) {
    const char c = result.text[at];
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '#' && c != '(' && c != ']') continue;
    const std::uint32_t original = result.map.original(static_cast<std::uint32_t>(at));
    ASSERT_LT(original, bytes.size()) << what;
    const bool is_big_endian = bytes[original] == '\0';  // the place is that of the whole character
    ASSERT_EQ(bytes[original + (is_big_endian ? 1 : 0)], c) << what << ": offset " << at << " of\n"
                                                            << result.text.substr(0, at + 1);
    ++checked;
  }
  EXPECT_GT(checked, 0U) << what;
}

const std::string kSimple = R"(== Physical Plan ==
AdaptiveSparkPlan isFinalPlan=true
+- == Final Plan ==
   *(3) Project [sale_id#1, qty#4, name#12]
   +- *(3) BroadcastHashJoin [store_id#2], [store_id#11], Inner, BuildRight, false
      :- *(3) Filter (isnotnull(store_id#2) AND (qty#4 > 3))
      :  +- *(3) ColumnarToRow
      :     +- FileScan parquet cat.db.sales[sale_id#1,store_id#2,qty#4] Batched: true, DataFilters: [isnotnull(store_id#2), (qty#4 > 3)], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/data/lake/sales], PartitionFilters: [], PushedFilters: [IsNotNull(store_id), GreaterThan(qty,3)], ReadSchema: struct<sale_id:int,store_id:int,qty:int>
      +- BroadcastQueryStage 0
         +- BroadcastExchange HashedRelationBroadcastMode(List(cast(input[0, int, false] as bigint)),false), [plan_id=118]
            +- *(1) Filter isnotnull(store_id#11)
               +- FileScan parquet cat.db.stores[store_id#11,name#12] Batched: true, DataFilters: [isnotnull(store_id#11)], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/data/lake/stores], PartitionFilters: [], PushedFilters: [IsNotNull(store_id)], ReadSchema: struct<store_id:int,name:string>
+- == Initial Plan ==
   Project [sale_id#1, qty#4, name#12]
   +- BroadcastHashJoin [store_id#2], [store_id#11], Inner, BuildRight, false
      :- Filter (isnotnull(store_id#2) AND (qty#4 > 3))
      :  +- FileScan parquet cat.db.sales[sale_id#1,store_id#2,qty#4] Batched: true, DataFilters: [isnotnull(store_id#2), (qty#4 > 3)], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/data/lake/sales], PartitionFilters: [], PushedFilters: [IsNotNull(store_id), GreaterThan(qty,3)], ReadSchema: struct<sale_id:int,store_id:int,qty:int>
      +- BroadcastExchange HashedRelationBroadcastMode(List(cast(input[0, int, false] as bigint)),false), [plan_id=91]
         +- Filter isnotnull(store_id#11)
            +- FileScan parquet cat.db.stores[store_id#11,name#12] Batched: true, DataFilters: [isnotnull(store_id#11)], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/data/lake/stores], PartitionFilters: [], PushedFilters: [IsNotNull(store_id)], ReadSchema: struct<store_id:int,name:string>
)";

const std::string kFormatted = R"(== Physical Plan ==
* Project (8)
+- * SortMergeJoin Inner (7)
   :- * Sort (3)
   :  +- Exchange (2)
   :     +- Scan parquet cat.db.sales (1)
   +- * Sort (6)
      +- Exchange (5)
         +- Scan json  (4)


(1) Scan parquet cat.db.sales
Output [3]: [sale_id#1, store_id#2, <lambda>(qty#4)#5]
Batched: true
Location: InMemoryFileIndex [file:/data/lake/sales]
PushedFilters: [IsNotNull(store_id), GreaterThan(qty,3), Not(EqualTo(text,a\d|b&c))]
ReadSchema: struct<sale_id:int,store_id:int,qty:int>

(2) Exchange
Input [3]: [sale_id#1, store_id#2, <lambda>(qty#4)#5]
Arguments: hashpartitioning(store_id#2, 200), ENSURE_REQUIREMENTS, [plan_id=10]

(3) Sort [codegen id : 2]
Input [3]: [sale_id#1, store_id#2, <lambda>(qty#4)#5]
Arguments: [store_id#2 ASC NULLS FIRST], false, 0

(4) Scan json 
Output [2]: [store_id#11, name#12]
Batched: false
Location: InMemoryFileIndex [file:/data/lake/stores]
ReadSchema: struct<store_id:int,name:string>

(5) Exchange
Input [2]: [store_id#11, name#12]
Arguments: hashpartitioning(store_id#11, 200), ENSURE_REQUIREMENTS, [plan_id=16]

(6) Sort [codegen id : 4]
Input [2]: [store_id#11, name#12]
Arguments: [store_id#11 ASC NULLS FIRST], false, 0

(7) SortMergeJoin [codegen id : 5]
Left keys [1]: [store_id#2]
Right keys [1]: [store_id#11]
Join type: Inner
Join condition: None

(8) Project [codegen id : 5]
Output [2]: [sale_id#1, name#12]
Input [5]: [sale_id#1, store_id#2, <lambda>(qty#4)#5, store_id#11, name#12]

)";

const std::string kSmall = R"(== Physical Plan ==
*(1) Project [id#0L, (id#0L * 2) AS twice#2L]
+- *(1) Filter (id#0L > 5)
   +- *(1) Range (0, 100, step=1, splits=2)
)";

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string replace_all(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

// Each line through a function of the line and its number.
std::string map_lines(std::string_view text,
                      const std::function<std::string(const std::string&, std::size_t)>& change) {
  std::string result;
  std::size_t number = 0;
  for (const std::string& line : lines_of(text)) result += change(line, number++) + "\n";
  return result;
}

std::string with_prefix(std::string_view text, std::string_view prefix) {
  return map_lines(text, [&](const std::string& line, std::size_t) { return std::string(prefix) + line; });
}

std::string utf16(std::string_view text, bool little) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    std::uint32_t code = static_cast<unsigned char>(text[at]);
    const std::size_t size = code < 0x80 ? 1 : code < 0xE0 ? 2 : code < 0xF0 ? 3 : 4;
    if (size > 1) code &= 0xFFU >> (size + 1);
    for (std::size_t i = 1; i < size; ++i) code = code << 6 | (static_cast<unsigned char>(text[at + i]) & 0x3FU);
    at += size;
    const auto put = [&](std::uint32_t unit) {
      result += static_cast<char>(little ? unit & 0xFF : unit >> 8);
      result += static_cast<char>(little ? unit >> 8 : unit & 0xFF);
    };
    if (code < 0x10000) {
      put(code);
    } else {
      put(0xD800 + ((code - 0x10000) >> 10));
      put(0xDC00 + ((code - 0x10000) & 0x3FF));
    }
  }
  return result;
}

std::string json_string(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    switch (c) {
      case '\n': result += "\\n"; break;
      case '\t': result += "\\t"; break;
      case '\r': result += "\\r"; break;
      case '"': result += "\\\""; break;
      case '\\': result += "\\\\"; break;
      case '\x1b': result += "\\u001b"; break;
      default: result += c;
    }
  }
  return result + "\"";
}

std::string escape_xml(std::string_view text) {
  return replace_all(replace_all(replace_all(std::string(text), "&", "&amp;"), "<", "&lt;"), ">", "&gt;");
}

std::string draw_boxes(std::string_view text) {
  return map_lines(text, [](const std::string& line, std::size_t) {
    std::string result;
    std::size_t at = 0;
    for (; at < line.size() && (line[at] == ' ' || line[at] == ':' || line[at] == '+'); ++at) {
      if (line.compare(at, 3, "+- ") == 0) return result + "└─ " + line.substr(at + 3);
      if (line.compare(at, 3, ":- ") == 0) return result + "├─ " + line.substr(at + 3);
      result += line[at] == ':' ? "│" : std::string(1, line[at]);
    }
    return line;
  });
}

std::string draw_ascii(std::string_view text) {
  return map_lines(text, [](const std::string& line, std::size_t) {
    std::string result;
    for (std::size_t at = 0; at < line.size() && (line[at] == ' ' || line[at] == ':' || line[at] == '+'); ++at) {
      if (line.compare(at, 3, "+- ") == 0) return result + "`- " + line.substr(at + 3);
      if (line.compare(at, 3, ":- ") == 0) return result + "|- " + line.substr(at + 3);
      result += line[at] == ':' ? '|' : line[at];
    }
    return line;
  });
}

std::size_t indent_of(const std::string& line) {
  const std::size_t indent = line.find_first_not_of(" :");
  return indent == std::string::npos ? 0 : indent;
}

// With fewer long lines there is nothing to tell a width by.
bool has_long_lines(std::string_view text, std::size_t width) {
  const std::vector<std::string> lines = lines_of(text);
  return std::count_if(lines.begin(), lines.end(), [&](const std::string& line) { return line.size() > width; }) > 2;
}

std::string wrap_at(std::string_view text, std::size_t width) {
  if (!has_long_lines(text, width)) return std::string(text);
  return map_lines(text, [&](const std::string& line, std::size_t) {
    std::string result;
    std::size_t column = 0;
    for (const char c : line) {
      if ((c & 0xC0) != 0x80 && column++ == width) {
        result += '\n';
        column = 1;
      }
      result += c;
    }
    return result;
  });
}

std::string wrap_words(std::string_view text, std::size_t width) {
  if (!has_long_lines(text, width)) return std::string(text);
  return map_lines(text, [&](std::string line, std::size_t) {
    std::string result;
    while (line.size() > width) {
      const std::size_t blank = line.rfind(' ', width);
      if (blank == std::string::npos || blank <= indent_of(line)) break;
      result += line.substr(0, blank) + "\n";
      line = line.substr(blank + 1);
    }
    return result + line;
  });
}

// Unexpands blanks at the start of each line.
std::string put_tabs(std::string_view text, std::size_t width) {
  return map_lines(text, [&](const std::string& line, std::size_t) {
    std::string result;
    std::size_t at = 0;
    while (at + width <= line.size() && line.compare(at, width, std::string(width, ' ')) == 0) {
      result += '\t';
      at += width;
    }
    return result + line.substr(at);
  });
}

std::size_t columns_of(const std::string& line) {
  return static_cast<std::size_t>(std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string show_table(std::string_view text) {
  const std::string border = "+" + std::string(60, '-') + "+\n";
  return border + "|plan" + std::string(56, ' ') + "|\n" + border + "|" + std::string(text) + "|\n" + border;
}

std::string beeline_table(std::string_view text) {
  std::size_t width = 4;
  for (const std::string& line : lines_of(text)) width = std::max(width, columns_of(line));
  const auto cell = [&](const std::string& line) {
    return "| " + line + std::string(width - std::min(width, columns_of(line)), ' ') + " |";
  };
  const std::string border = "+" + std::string(width + 2, '-') + "+\n";
  std::string result = border + cell("plan") + "\n" + border;
  for (const std::string& line : lines_of(text)) result += cell(line) + "\n";
  return result + border;
}

std::string psql_table(std::string_view text) {
  std::size_t width = 4;
  const std::vector<std::string> lines = lines_of(text);
  for (const std::string& line : lines) width = std::max(width, columns_of(line));
  std::string result = "   plan\n" + std::string(width + 2, '-') + "\n";
  for (std::size_t i = 0; i < lines.size(); ++i)
    result +=
        " " + lines[i] + (i + 1 < lines.size() ? std::string(width - columns_of(lines[i]), ' ') + "+" : "") + "\n";
  return result + "(1 row)\n";
}

std::string timestamp(std::size_t number) {
  const std::string seconds = std::to_string(10 + number / 7 % 50);
  return "24/11/05 10:11:" + seconds;
}

struct Damage {
  const char* name;
  std::function<std::string(const std::string&)> apply;
  bool is_last = false;  // leaves no lines, or no bytes, that another damage could be put on
};

// Damages of characters: they keep the lines apart and can come in any order.
const std::vector<Damage> kDamages = {
    {"bom", [](const std::string& text) { return "\xef\xbb\xbf" + text; }},
    {"utf16le", [](const std::string& text) { return utf16(text, true); }, true},
    {"utf16be", [](const std::string& text) { return utf16(text, false); }, true},
    {"utf16le bom", [](const std::string& text) { return "\xff\xfe" + utf16(text, true); }, true},
    {"utf16be bom", [](const std::string& text) { return "\xfe\xff" + utf16(text, false); }, true},
    {"crlf", [](const std::string& text) { return replace_all(text, "\n", "\r\n"); }},
    {"cr", [](const std::string& text) { return replace_all(text, "\n", "\r"); }, true},
    {"nbsp", [](const std::string& text) { return replace_all(text, " ", "\u00a0"); }},
    {"nbsp every other", [](const std::string& text) { return replace_all(text, "  ", "\u00a0 "); }},
    {"zero width",
     [](const std::string& text) { return replace_all(replace_all(text, "+- ", "\u200b+- "), "\n", "\u200b\n"); }},
    {"colours", [](const std::string& text) { return replace_all(text, "Filter", "\x1b[1;31mFilter\x1b[0m"); }},
    {"links",
     [](const std::string& text) {
       return replace_all(text, "Project", "\x1b]8;;https://x.y/z\x1b\\Project\x1b]8;;\x1b\\");
     }},
    {"log4j",
     [](const std::string& text) {
       return map_lines(
           text, [](const std::string& line, std::size_t n) { return timestamp(n) + " INFO SparkContext: " + line; });
     }},
    {"slf4j",
     [](const std::string& text) {
       return map_lines(text, [](const std::string& line, std::size_t n) {
         return "2024-11-05T10:11:12." + std::to_string(n * 37 % 999) + "Z INFO  [main] c.e.Job - " + line;
       });
     }},
    {"airflow",
     [](const std::string& text) {
       return map_lines(text, [](const std::string& line, std::size_t n) {
         return "[2024-11-05, 10:11:" + std::to_string(10 + n % 50) + " UTC] {subprocess.py:75} INFO - " + line;
       });
     }},
    {"kubernetes",
     [](const std::string& text) {
       return map_lines(text, [](const std::string& line, std::size_t n) {
         return "2024-11-05T10:11:12." + std::to_string(n * 7919 % 1000000) + "Z stdout F " + line;
       });
     }},
    {"docker", [](const std::string& text) { return with_prefix(text, "driver | "); }},
    {"quoted mail", [](const std::string& text) { return with_prefix(text, "> "); }},
    {"quoted mail twice", [](const std::string& text) { return with_prefix(text, "> > "); }},
    {"indented", [](const std::string& text) { return with_prefix(text, "    "); }},
    {"sql comment", [](const std::string& text) { return with_prefix(text, "-- "); }},
    {"shell comment", [](const std::string& text) { return with_prefix(text, "# "); }},
    {"slash comment", [](const std::string& text) { return with_prefix(text, "// "); }},
    {"star comment", [](const std::string& text) { return with_prefix(text, " * "); }},
    {"trimmed comment",
     [](const std::string& text) {
       return map_lines(text, [](const std::string& line, std::size_t) { return line.empty() ? "#" : "# " + line; });
     }},
    {"added lines", [](const std::string& text) { return with_prefix(text, "+"); }},
    {"boxes", draw_boxes},
    {"ascii art", draw_ascii},
    {"long dashes", [](const std::string& text) { return replace_all(text, "+- ", "+\u2013 "); }},
    {"minus signs", [](const std::string& text) { return replace_all(text, "+- ", "+\u2212 "); }},
    {"xml", escape_xml},
    {"json string", [](const std::string& text) { return json_string(text) + "\n"; }},
    {"json row", [](const std::string& text) { return "[{\"plan\":" + json_string(text) + "}]\n"; }},
    {"python row",
     [](const std::string& text) {
       return "[Row(plan='" + replace_all(json_string(text).substr(1, json_string(text).size() - 2), "'", "\\'") +
              "')]\n";
     }},
};

// Damages that are looked at alone: what they do to lines leaves no room for others, or only on one side.
const std::vector<Damage> kLoneDamages = {
    {"first line", [](const std::string& text) { return "24/11/05 10:11:12 INFO SparkContext: " + text; }},
    {"list",
     [](const std::string& text) {
       return map_lines(text, [](const std::string& line, std::size_t n) {
         return (n == 0 ? "1. " : line.empty() ? "" : "   ") + line;
       });
     }},
    {"show", show_table},
    {"beeline", beeline_table},
    {"psql", psql_table},
    {"fence", [](const std::string& text) { return "Here it is:\n```text\n" + text + "```\nWhat now?\n"; }},
    {"json object",
     [](const std::string& text) { return "{\n  \"plan\": " + json_string(text) + ",\n  \"n\": 1\n}\n"; }},
    {"doubled lines", [](const std::string& text) { return replace_all(text, "\n", "\n\n"); }, true},
    {"csv", [](const std::string& text) { return "plan\n\"" + replace_all(text, "\"", "\"\"") + "\"\n"; }, true},
    {"csv row", [](const std::string& text) { return "id,plan,n\n1,\"" + replace_all(text, "\"", "\"\"") + "\",5\n"; },
     true},
    {"python triple quotes", [](const std::string& text) { return "plan = \"\"\"" + text + "\"\"\"\nprint(plan)\n"; },
     true},
    {"wrapped at 80", [](const std::string& text) { return wrap_at(text, 80); }, true},
    {"wrapped at 120", [](const std::string& text) { return wrap_at(text, 120); }, true},
    {"wrapped at 78 by words", [](const std::string& text) { return wrap_words(text, 78); }, true},
    {"pre",
     [](const std::string& text) { return "<div class=\"ansiout\"><pre>" + escape_xml(text) + "</pre></div>\n"; },
     true},
    {"cell",
     [](const std::string& text) {
       return "<table border='1'>\n<tr><th>plan</th></tr>\n<tr><td>" + escape_xml(text) + "</td></tr>\n</table>\n";
     },
     true},
    {"breaks",
     [](const std::string& text) {
       return "<p>" + replace_all(replace_all(escape_xml(text), "\n", "<br>\n"), "  ", "&nbsp; ") + "</p>";
     },
     true},
    {"one line of breaks",
     [](const std::string& text) {
       return "<html><body><span style=\"x\">" +
              replace_all(replace_all(escape_xml(text), "\n", "<br/>"), " ", "&nbsp;") + "</span></body></html>";
     },
     true},
    {"div a line",
     [](const std::string& text) {
       return map_lines(escape_xml(text), [](const std::string& line, std::size_t) {
         return line.empty() ? "<div><br></div>"
                             : "<div><span>" + replace_all(line, "  ", "&nbsp;&nbsp;") + "</span></div>";
       });
     },
     true},
    {"diff",
     [](const std::string& text) {
       const std::size_t lines = lines_of(text).size();
       return "diff --git a/p.txt b/p.txt\nindex 1..2 100644\n--- a/p.txt\n+++ b/p.txt\n@@ -1," +
              std::to_string(lines - 1) + " +1," + std::to_string(lines) + " @@\n" +
              map_lines(text, [](const std::string& line, std::size_t n) {
                return n == 1 ? "-Something else\n+" + line : (n == 2 ? "+" : " ") + line;
              });
     },
     true},
    {"new file",
     [](const std::string& text) {
       return "diff --git a/p.txt b/p.txt\n--- /dev/null\n+++ b/p.txt\n@@ -0,0 +1," +
              std::to_string(lines_of(text).size()) + " @@\n" + with_prefix(text, "+");
     },
     true},
    {"tabs of 8", [](const std::string& text) { return put_tabs(text, 8); }},
    {"tabs of 4", [](const std::string& text) { return put_tabs(text, 4); }},
    {"tabs of 3", [](const std::string& text) { return put_tabs(text, 3); }},
};

TEST(Repair, LeavesPlansAlone) {
  for (const std::string& plan : {kSimple, kFormatted, kSmall}) {
    EXPECT_FALSE(repair(plan).changed) << line_diff(plan, repair(plan).text);
  }
}

TEST(Repair, UndoesEachDamage) {
  for (const Damage& damage : kDamages) {
    for (const std::string& plan : {kSimple, kFormatted, kSmall}) {
      const std::string damaged = damage.apply(plan);
      if (damaged == plan) continue;
      EXPECT_EQ(line_diff(plan, repaired(damaged)), "") << damage.name;
      expect_sound(damaged, damage.name);
      expect_places(damaged, damage.name);
    }
  }
}

std::string without_trailing_blanks(std::string_view text) {
  return map_lines(text,
                   [](const std::string& line, std::size_t) { return line.substr(0, line.find_last_not_of(' ') + 1); });
}

// The plan stands in the text, whatever is around it. Blanks at the ends of lines may be lost.
void expect_plan(const std::string& plan, const std::string& damaged, const std::string& what) {
  const std::string text = "\n" + without_trailing_blanks(repaired(damaged));
  const std::string wanted = "\n" + without_trailing_blanks(plan);
  EXPECT_TRUE(text.find(wanted) != std::string::npos) << what << ":\n" << line_diff(wanted, text).substr(0, 2000);
  expect_sound(damaged, what);
}

TEST(Repair, FindsThePlanInWhatItStandsIn) {
  for (const Damage& damage : kLoneDamages) {
    for (const std::string& plan : {kSimple, kFormatted, kSmall}) {
      const std::string damaged = damage.apply(plan);
      if (damaged == plan) continue;
      expect_plan(plan, damaged, damage.name);
      expect_places(damaged, damage.name);
    }
  }
}

// Pairs that nothing makes, that say two things at once (a tab after other indentation), or that do not come off yet.
bool is_out_of_reach(std::string_view inner, std::string_view outer) {
  struct Pair {
    const char* inner;  // the start of a name; "" is any
    const char* outer;
  };
  constexpr Pair kPairs[] = {
      {"tabs", "indented"},
      {"indented", "tabs"},
      {"diff", "indented"},
      {"crlf", "psql"},
      {"one line", "json"},
      {"one line", "python"},
      {"one line", "nbsp"},
      {"xml", "cell"},
      {"xml", "xml"},
      {"pre", "xml"},
      {"cell", "xml"},
      {"breaks", "xml"},
      {"one line", "xml"},
      {"div a line", ""},
      {"zero width", "div"},
      // The width was counted before the other damage came off.
      {"colours", "wrapped"},
      {"zero width", "wrapped"},
      {"xml", "wrapped"},
      {"boxes", "wrapped at 78"},
      {"nbsp", "wrapped"},
      {"airflow", "wrapped at 78"},
  };
  const auto matches = [&](const Pair& pair) { return inner.starts_with(pair.inner) && outer.starts_with(pair.outer); };
  return std::any_of(std::begin(kPairs), std::end(kPairs), matches);
}

TEST(Repair, FindsThePlanUnderTwoDamages) {
  std::size_t pairs = 0;
  const auto check = [&](const Damage& inner, const Damage& outer) {
    const std::string what = std::string(inner.name) + ", then " + outer.name;
    for (const std::string& plan : {kSimple, kFormatted, kSmall}) {
      const std::string damaged = outer.apply(inner.apply(plan));
      if (is_out_of_reach(inner.name, outer.name)) {
        expect_sound(damaged, what);
      } else {
        expect_plan(plan, damaged, what);
        ++pairs;
      }
    }
  };
  for (const Damage& damage : kDamages) {
    for (const Damage& lone : kLoneDamages) {
      if (!damage.is_last) check(damage, lone);
      check(lone, damage);
    }
  }
  EXPECT_GT(pairs, 3000U);
}

TEST(Repair, UndoesPairsOfDamages) {
  std::size_t pairs = 0;
  std::size_t undone = 0;
  for (const Damage& inner : kDamages) {
    if (inner.is_last) continue;
    for (const Damage& outer : kDamages) {
      for (const std::string& plan : {kSimple, kFormatted, kSmall}) {
        const std::string damaged = outer.apply(inner.apply(plan));
        const std::string what = std::string(inner.name) + ", then " + outer.name;
        expect_sound(damaged, what);
        if (is_out_of_reach(inner.name, outer.name)) continue;
        const std::string difference = line_diff(plan, repaired(damaged));
        ++pairs;
        if (difference.empty()) ++undone;
        EXPECT_TRUE(difference.empty()) << what << ":\n" << difference.substr(0, 2000);
      }
    }
  }
  EXPECT_EQ(undone, pairs);
}

// Each of them a tenth of a megabyte: what takes more than linear time does not come back within the limit.
TEST(Repair, IsLinearInHostileInput) {
  constexpr std::string_view kUnits[] = {">",
                                         "> ",
                                         ">\n",
                                         "\n",
                                         "\r\n",
                                         "\r",
                                         "\xff",
                                         "\u00a0",
                                         "\u200b",
                                         "\x1b[",
                                         "\x1b]",
                                         "\\",
                                         "\\n",
                                         "\"",
                                         "<",
                                         "<b>",
                                         "<p>A",
                                         "<!--",
                                         "&",
                                         "&gt;",
                                         "&nbsp;",
                                         "\t",
                                         ":",
                                         "1.",
                                         "== Physical Plan ==",
                                         "== Physical Plan ==\n",
                                         "x == Physical Plan ==\n",
                                         "+- A",
                                         "+- A\n",
                                         "x +- A\n",
                                         "\t+- A\n",
                                         "| +- A |\n",
                                         "|  |- A\n",
                                         "\u2502  \u2514\u2500 A\n",
                                         "\"== Physical Plan ==\n",
                                         "== Physical Plan ==\\n",
                                         "\\n+- A",
                                         "\"\\n+- A\\n+- B\" ",
                                         "<td>== Physical Plan ==",
                                         "<br>+- A",
                                         "#1 &gt; ",
                                         "+--+\n",
                                         "+--+\n|a|\n+--+\n|== Physical Plan ==\n",
                                         "a+\n",
                                         "```\n",
                                         "@@ -1,9 +1,9 @@\n",
                                         "[Stage 0:> (1 + 2) / 4]",
                                         "+- A\n\n",
                                         "    == Physical Plan ==\n    Project\n"};
  std::string zeros(100000, '\0');
  const std::clock_t start = std::clock();
  expect_sound(zeros, "zeros");
  for (const std::string_view unit : kUnits) {
    std::string text = "== Physical Plan ==\nProject\n+- Filter\n   +- Range (0, 1)\n";
    while (text.size() < 100000) text += unit;
    expect_sound(text, std::string(unit));
    expect_sound(std::string_view(text).substr(text.size() - 90000), std::string(unit));
  }
  EXPECT_LT(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC, 30.0);
}

// `[Kind@offset ..] text`, or `unchanged`.
std::string dump(std::string_view bytes) {
  const RepairedText result = repair(bytes);
  expect_sound(bytes, std::string(bytes));
  if (!result.changed) return "unchanged";
  std::string steps;
  for (const read::RepairStep& step : result.steps)
    steps += (steps.empty() ? "" : " ") + std::string(name(step.kind)) + "@" + std::to_string(step.offset);
  return "[" + steps + "] " + result.text;
}

TEST(Repair, Cases) { check_cases("tests/cases/repair.cases", dump); }

// Like damage, but Spark's own.
TEST(Repair, CleanCases) {
  for (const Case& clean : read_cases("tests/cases/repair_clean.cases")) EXPECT_EQ(clean.expected, "unchanged");
  check_cases("tests/cases/repair_clean.cases", dump);
}

// What SQL EXPLAIN gives, as Spark's own show() and its CSV writer print it.
bool is_explain_result(std::string_view file) {
  return file.find("/table.") != std::string_view::npos || file.find("/csv.") != std::string_view::npos;
}

// Everything else that real Spark printed for the corpus.
TEST(Repair, LeavesTheCorpusAlone) {
  for (const std::string& file : source_files("corpus/spark-*/**/*.txt")) {
    if (is_explain_result(file)) continue;
    const std::string plan = read_file(source_path(file));
    const RepairedText result = repair(plan);
    if (!result.changed) continue;
    ADD_FAILURE() << file << ": " << name(result.steps.front().kind) << '\n' << line_diff(plan, result.text);
  }
}

// Both hold one and the same plan.
TEST(Repair, ReadsTheResultOfSqlExplain) {
  for (const std::string& file : source_files("corpus/spark-*/explain_result/csv.*.txt")) {
    const std::string csv = repaired(read_file(source_path(file)));
    const std::string table = repaired(read_file(source_path(replace_all(file, "/csv.", "/table."))));
    const auto plan_of = [](const std::string& text) {
      const std::size_t begin = std::min(text.find("== "), text.size());
      return text.substr(begin, text.find_last_not_of("\n") + 1 - begin);
    };
    EXPECT_EQ(line_diff(plan_of(csv), plan_of(table)), "") << file;
    EXPECT_NE(csv.find("\n+- "), std::string::npos) << file;
  }
}

}  // namespace
}  // namespace planvet::test
