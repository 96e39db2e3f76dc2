#include "analyzer/cli/input_errors.hpp"

#include <ostream>

#include "analyzer/render/place.hpp"

namespace planvet::cli {

void print_input_errors(const std::vector<InputError>& errors, std::ostream& err) {
  for (const InputError& error : errors)
    err << "planvet: " << render::shown_path(error.path) << ": " << error.message << '\n';
}

}  // namespace planvet::cli
