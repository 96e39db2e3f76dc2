// The process around cli::run(): streams, signals, exit status.
#include <csignal>
#include <iostream>
#include <string>
#include <system_error>
#include <vector>

#include "analyzer/cli/command.hpp"
#include "analyzer/io/output.hpp"

int main(int argument_count, char** arguments) {
  using planvet::cli::ExitStatus;
  std::signal(SIGPIPE, SIG_IGN);  // a reader that went away is an error of write(), and a quiet end
  std::ios::sync_with_stdio(false);
  planvet::io::OutputBuffer out_buffer(1);
  planvet::io::OutputBuffer err_buffer(2);
  std::ostream out(&out_buffer);
  std::ostream err(&err_buffer);

  const std::vector<std::string> words(arguments + (argument_count > 0 ? 1 : 0), arguments + argument_count);
  ExitStatus status = planvet::cli::run(words, {std::cin, out, err}, planvet::io::this_terminal());
  out.flush();
  if (out_buffer.error() != 0 && !out_buffer.reader_is_gone()) {
    err << "planvet: cannot write the output: " << std::generic_category().message(out_buffer.error()) << '\n';
    status = ExitStatus::Failure;
  }
  err.flush();
  return static_cast<int>(status);
}
