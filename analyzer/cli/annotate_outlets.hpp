// Where the pieces of `planvet annotate` go: each format to standard output as it comes, or to a file when all is there.
#pragma once

#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/cli/options.hpp"
#include "analyzer/io/terminal.hpp"
#include "analyzer/plan/expression_parser.hpp"
#include "analyzer/render/annotate.hpp"

namespace planvet::cli {

class AnnotateOutlets {
 public:
  AnnotateOutlets(const AnnotateOptions& options, const io::Terminal& terminal, const ExpressionParser& parser);

  // `piece` gives the text of one writer.
  template <typename Piece>
  void put(std::ostream& out, const Piece& piece) {
    for (Outlet& outlet : outlets_) {
      std::string text = piece(*outlet.writer);
      if (outlet.path.empty()) {
        out << text;
      } else {
        outlet.text += text;
      }
    }
  }
  // Writes the files; false: said on `err` which one cannot be written.
  [[nodiscard]] bool write_files(std::ostream& err) const;

 private:
  struct Outlet {
    std::unique_ptr<render::AnnotateWriter> writer;
    std::string path;  // empty: standard output
    std::string text;  // of a file
  };
  std::vector<Outlet> outlets_;
};

}  // namespace planvet::cli
