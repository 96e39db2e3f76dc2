#include "analyzer/read/repair/damages.hpp"
namespace planvet::read { void undo_diffs(Rewriter&) {} }
