#include "analyzer/io/process.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <system_error>
#include <unistd.h>

#include <sys/wait.h>

extern char** environ;

namespace planvet::io {

namespace {

// Both ends of a pipe, closed when nobody wants them any more.
class Pipe {
 public:
  Pipe() {
    if (::pipe2(ends_.data(), O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  }
  ~Pipe() {
    close_read();
    close_write();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  [[nodiscard]] int read_end() const { return ends_[0]; }
  [[nodiscard]] int write_end() const { return ends_[1]; }
  void close_read() { close(ends_[0]); }
  void close_write() { close(ends_[1]); }

 private:
  static void close(int& end) {
    if (end >= 0) ::close(end);
    end = -1;
  }
  std::array<int, 2> ends_{-1, -1};
};

// False at the end.
bool read_some(int from, std::string& into) {
  std::array<char, 65536> buffer{};
  const ssize_t got = ::read(from, buffer.data(), buffer.size());
  if (got > 0) into.append(buffer.data(), static_cast<std::size_t>(got));
  return got > 0 || (got < 0 && (errno == EINTR || errno == EAGAIN));
}

// Writing and reading in turns: a program that answers while it is asked would else wait for us, and we for it.
void talk(Pipe& in, Pipe& out, Pipe& err, std::string_view input, ProcessResult& result) {
  ::fcntl(in.write_end(), F_SETFL, O_NONBLOCK);
  if (input.empty()) in.close_write();
  while (in.write_end() >= 0 || out.read_end() >= 0 || err.read_end() >= 0) {
    std::array<pollfd, 3> waiting{
        {{in.write_end(), POLLOUT, 0}, {out.read_end(), POLLIN, 0}, {err.read_end(), POLLIN, 0}}};
    if (::poll(waiting.data(), waiting.size(), -1) < 0 && errno != EINTR) return;
    if (waiting[0].revents != 0) {
      const ssize_t written = ::write(in.write_end(), input.data(), input.size());
      if (written > 0) input.remove_prefix(static_cast<std::size_t>(written));
      const bool is_broken = written < 0 && errno != EINTR && errno != EAGAIN;
      if (input.empty() || is_broken) in.close_write();
    }
    if (waiting[1].revents != 0 && !read_some(out.read_end(), result.output)) out.close_read();
    if (waiting[2].revents != 0 && !read_some(err.read_end(), result.complaints)) err.close_read();
  }
}

}  // namespace

ProcessResult run_process(const std::vector<std::string>& arguments, std::string_view input) {
  Pipe in;
  Pipe out;
  Pipe err;
  std::vector<char*> words;
  for (const std::string& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, in.read_end(), STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, out.write_end(), STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, err.write_end(), STDERR_FILENO);
  pid_t child = 0;
  const int error = ::posix_spawnp(&child, words[0], &actions, nullptr, words.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return {127, {}, std::generic_category().message(error)};
  in.close_read();
  out.close_write();
  err.close_write();

  ProcessResult result;
  talk(in, out, err, input, result);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

}  // namespace planvet::io
