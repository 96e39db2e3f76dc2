#include "analyzer/read/repair/damages.hpp"
namespace planvet::read { void undo_wrapped_lines(Rewriter&) {} }
