#include "analyzer/cli/annotate_outlets.hpp"

#include <fmt/core.h>

#include "analyzer/cli/terminal_style.hpp"
#include "analyzer/io/atomic_file.hpp"

namespace planvet::cli {

AnnotateOutlets::AnnotateOutlets(const AnnotateOptions& options, const io::Terminal& terminal,
                                 const ExpressionParser& parser) {
  const render::AnnotateOptions look{style_for(options.terminal, terminal), parser};
  render::AnnotateOptions plain = look;
  plain.style.colour = false;
  plain.style.unicode = !options.terminal.ascii;
  plain.style.width = options.terminal.width.value_or(render::kDefaultWidth);
  outlets_.push_back({render::make_annotate_writer(options.format, look), {}, {}});
  for (const AnnotateOutput& file : options.files)
    outlets_.push_back({render::make_annotate_writer(file.format, plain), file.path, {}});
}

bool AnnotateOutlets::write_files(std::ostream& err) const {
  bool is_written = true;
  for (const Outlet& outlet : outlets_) {
    if (outlet.path.empty()) continue;
    const auto error = io::write_file(outlet.path, outlet.text);
    if (!error) continue;
    err << fmt::format("planvet: {}: cannot be written: {}\n", outlet.path, error->message);
    is_written = false;
  }
  return is_written;
}

}  // namespace planvet::cli
