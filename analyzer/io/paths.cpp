#include "analyzer/io/paths.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <unordered_set>
#include <utility>

#include "analyzer/io/archive.hpp"
#include "analyzer/io/ignore_files.hpp"
#include "analyzer/io/log_parts.hpp"

namespace planvet::io {

namespace fs = std::filesystem;

namespace {

struct Folder {
  fs::path path;
  IgnoreRules rules;
};

// .git, .venv and their like: what people hide they do not mean.
bool is_hidden(std::string_view name) { return name.starts_with('.'); }

void add_directory(const std::string& named, const Excludes& excludes, InputFiles& inputs) {
  std::vector<Folder> folders;
  folders.push_back({named, IgnoreRules::for_folder(named)});
  while (!folders.empty()) {
    const Folder folder = std::move(folders.back());
    folders.pop_back();
    std::error_code error;
    fs::directory_iterator at(folder.path, error);
    for (; !error && at != fs::directory_iterator(); at.increment(error)) {
      const std::string name = at->path().filename().string();
      if (is_hidden(name)) continue;
      std::error_code ignored;
      const bool is_folder = at->is_directory(ignored);
      // Links to folders may lead round in circles.
      if (is_folder ? at->is_symlink(ignored) : !at->is_regular_file(ignored)) continue;
      // "plans/a.txt", not "./plans/a.txt": as git and code hosts call it.
      const std::string path = folder.path == "." ? name : at->path().string();
      if (folder.rules.ignores(name, is_folder) || (excludes && excludes(path, is_folder))) {
        ++inputs.left_out;
      } else if (is_folder) {
        folders.push_back({path, folder.rules.inside(path, name)});
      } else {
        inputs.files.push_back({path, false});
      }
    }
    if (error) inputs.problems.push_back({folder.path.string(), error.message()});
  }
}

// Puts the entries of zip archives in their place. Of those that lie in a folder, only such as hold logs: jars and
// office documents are archives too.
void open_archives(InputFiles& inputs) {
  std::vector<InputFile> files;
  for (InputFile& file : inputs.files) {
    if (file.path == "-" || !is_archive_file(file.path)) {
      files.push_back(std::move(file));
      continue;
    }
    auto opened = Archive::open_file(file.path);
    if (const auto* error = std::get_if<ReadError>(&opened)) {
      if (file.is_named)
        inputs.problems.push_back({file.path, error->message});
      else
        files.push_back(std::move(file));
      continue;
    }
    Archive& archive = *std::get<std::unique_ptr<Archive>>(opened);
    if (!file.is_named && !archive.holds_logs()) {
      files.push_back(std::move(file));
      continue;
    }
    if (archive.entries().empty()) inputs.problems.push_back({file.path, "is a zip archive without files"});
    for (const std::string& entry : archive.entries()) files.push_back({file.path + '/' + entry, false, {}, file.path});
  }
  inputs.files = std::move(files);
}

// Pipes of `<(command)` stay as they were named: their numbers run backward in bash.
std::string_view place_of(std::string_view path) {
  for (const std::string_view pipes : {"/dev/fd/", "/proc/self/fd/"})
    if (path.starts_with(pipes)) return pipes;
  return path;
}

}  // namespace

InputFiles find_inputs(const std::vector<std::string>& paths, const Excludes& excludes) {
  InputFiles inputs;
  for (const std::string& path : paths) {
    if (path != "-" && is_directory(path)) {
      add_directory(path, excludes, inputs);
    } else {
      inputs.files.push_back({path});
    }
  }
  open_archives(inputs);
  inputs.files = with_log_parts(std::move(inputs.files));
  // A file that was named and found is named.
  std::ranges::stable_sort(inputs.files, [](const InputFile& a, const InputFile& b) {
    const std::string_view place_a = place_of(a.path);
    const std::string_view place_b = place_of(b.path);
    return place_a != place_b ? comes_before(place_a, place_b) : a.is_named && !b.is_named;
  });
  std::unordered_set<std::string> known;
  std::erase_if(inputs.files, [&](const InputFile& file) { return !known.insert(file.path).second; });
  return inputs;
}

std::vector<std::string> files_beside(const std::string& path, std::size_t most) {
  std::vector<std::string> files;
  std::error_code error;
  const fs::path folder = fs::path(path).parent_path();
  fs::directory_iterator at(folder.empty() ? fs::path(".") : folder, error);
  for (; !error && at != fs::directory_iterator(); at.increment(error)) {
    std::error_code ignored;
    if (!at->is_regular_file(ignored) || fs::equivalent(at->path(), path, ignored)) continue;
    if (files.size() == most) return {};
    files.push_back(at->path().string());
  }
  std::ranges::sort(files);
  return files;
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

bool is_below(const std::string& path, const std::string& folder) {
  if (folder == ".") return !path.starts_with('/') && !path.starts_with("..");
  const std::string prefix = folder.ends_with('/') ? folder : folder + '/';
  return path.starts_with(prefix);
}

std::string canonical_path(const std::string& path) {
  std::error_code error;
  const fs::path absolute = fs::absolute(path, error).lexically_normal();
  if (fs::is_directory(absolute, error) || !absolute.has_filename()) {
    const fs::path resolved = fs::canonical(absolute, error);
    return error ? absolute.string() : resolved.string();
  }
  const fs::path folder = fs::weakly_canonical(absolute.parent_path(), error);
  return ((error ? absolute.parent_path() : folder) / absolute.filename()).string();
}

bool exists(const std::string& path) {
  std::error_code error;
  return fs::exists(path, error);
}

bool is_regular_file(const std::string& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

bool is_directory(const std::string& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

bool is_pipe(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  return fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

std::string make_folders_of(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::error_code error;
  if (!folder.empty()) std::filesystem::create_directories(folder, error);
  return error ? "its folder cannot be made: " + error.message() : std::string();
}

std::size_t file_size(const std::string& path) {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(path, error);
  return error ? 0 : static_cast<std::size_t>(size);
}

}  // namespace planvet::io
