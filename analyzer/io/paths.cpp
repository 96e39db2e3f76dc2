#include "analyzer/io/paths.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace planvet::io {

namespace fs = std::filesystem;

namespace {

// A version control system's own files hold no plans, but copies of them.
constexpr std::string_view kSkippedFolder = ".git";

void add_directory(const std::string& named, InputFiles& inputs) {
  std::vector<fs::path> folders = {named};
  while (!folders.empty()) {
    const fs::path folder = std::move(folders.back());
    folders.pop_back();
    std::error_code error;
    fs::directory_iterator at(folder, error);
    for (; !error && at != fs::directory_iterator(); at.increment(error)) {
      std::error_code ignored;
      if (at->is_directory(ignored)) {
        // Links to folders may lead round in circles.
        if (at->path().filename() != kSkippedFolder && !at->is_symlink(ignored)) folders.push_back(at->path());
      } else if (at->is_regular_file(ignored)) {
        inputs.files.push_back({at->path().string(), false});
      }
    }
    if (error) inputs.problems.push_back({folder.string(), error.message()});
  }
}

}  // namespace

InputFiles find_inputs(const std::vector<std::string>& paths) {
  InputFiles inputs;
  for (const std::string& path : paths) {
    if (path != "-" && is_directory(path)) {
      add_directory(path, inputs);
    } else {
      inputs.files.push_back({path});
    }
  }
  // A file that was named and found is named.
  std::ranges::sort(inputs.files, [](const InputFile& a, const InputFile& b) {
    return a.path != b.path ? a.path < b.path : a.is_named && !b.is_named;
  });
  const auto repeated = std::unique(inputs.files.begin(), inputs.files.end(),
                                    [](const InputFile& a, const InputFile& b) { return a.path == b.path; });
  inputs.files.erase(repeated, inputs.files.end());
  return inputs;
}

std::vector<std::string> folders_upward(const std::string& path) {
  std::error_code error;
  fs::path folder = path == "-" ? fs::current_path(error) : fs::absolute(path, error).lexically_normal().parent_path();
  std::vector<std::string> folders;
  while (!folder.empty()) {
    folders.push_back(folder.string());
    if (folder == folder.root_path()) break;
    folder = folder.parent_path();
  }
  return folders;
}

bool exists(const std::string& path) {
  std::error_code error;
  return fs::exists(path, error);
}

bool is_directory(const std::string& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

}  // namespace planvet::io
