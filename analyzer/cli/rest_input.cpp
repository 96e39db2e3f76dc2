#include "analyzer/cli/rest_input.hpp"

#include <map>
#include <string>
#include <variant>
#include <vector>

#include "analyzer/cli/decoded_input.hpp"
#include "analyzer/io/file.hpp"

namespace planvet::cli {

read::RestContext rest_context(const io::InputFile& file, std::string_view bytes) {
  read::RestContext context;
  if (file.is_named || !file.archive.empty() || read::rest_answer(bytes) != "/sql") return context;
  constexpr std::size_t kMostFiles = 40;  // answers of single queries need not be searched for each other
  constexpr std::size_t kLargestAnswer = std::size_t{256} << 20U;
  const std::vector<std::string> beside = io::files_beside(file.path, kMostFiles);
  std::map<std::string_view, std::string> answers;  // by what they answer
  std::map<std::string_view, int> count;
  for (const std::string& path : beside) {
    if (io::file_size(path) > kLargestAnswer) continue;
    io::FileBytes content = io::read_file(path);
    auto* const text = std::get_if<std::string>(&content);
    if (text == nullptr || !decode_in_place(*text).empty()) continue;
    const std::string_view answer = read::rest_answer(*text);
    if (answer.empty() || answer == "/sql") continue;
    ++count[answer];
    answers[answer] = std::move(*text);
  }
  for (const auto& [answer, text] : answers) {
    if (count[answer] == 1) read::add_rest_answer(text, context);
  }
  return context;
}

}  // namespace planvet::cli
