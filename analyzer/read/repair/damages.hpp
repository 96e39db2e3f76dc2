// The damages, one file each. Each function looks for its damage in the rewriter's input and edits it away; it makes no
// edit without evidence.
#pragma once

#include "analyzer/read/repair/rewriter.hpp"

namespace planvet::read {

// The whole input.
void undo_encoding(Rewriter& out);
void undo_line_ends(Rewriter& out);
void undo_terminal_codes(Rewriter& out);

// What a plan was put into.
void undo_escaped_strings(Rewriter& out);
void undo_quoted_cells(Rewriter& out);
void undo_html(Rewriter& out);
void undo_entities(Rewriter& out);

// Characters.
void undo_unicode_blanks(Rewriter& out);

// What stands around lines, and what became of them.
void undo_table_borders(Rewriter& out);
void undo_fences(Rewriter& out);
void undo_diffs(Rewriter& out);
void undo_connectors(Rewriter& out);
void undo_line_prefixes(Rewriter& out);
void undo_tabs(Rewriter& out);
void undo_lost_line_breaks(Rewriter& out);
void undo_wrapped_lines(Rewriter& out);
void undo_doubled_lines(Rewriter& out);

}  // namespace planvet::read
