// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ReaderProcess.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstring>
#include <fstream>
#include <new>
#include <optional>
#include <utility>

namespace Lamina {
namespace {

/// How an answer begins.
enum Kind : std::uint64_t { answered, refused };

/// Answers that are longer are no answers.
constexpr std::uint64_t max_bytes = std::uint64_t{1} << 24;

bool send_bytes(int channel, const char* bytes, std::size_t size) {
  while (size > 0) {
    const ssize_t sent = send(channel, bytes, size, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    bytes += sent;
    size -= static_cast<std::size_t>(sent);
  }
  return true;
}

bool send_message(int channel, const std::string& bytes) {
  const std::uint64_t size = bytes.size();
  return send_bytes(channel, reinterpret_cast<const char*>(&size), sizeof size) &&
         send_bytes(channel, bytes.data(), bytes.size());
}

bool receive_bytes(int channel, char* bytes, std::size_t size) {
  while (size > 0) {
    const ssize_t received = recv(channel, bytes, size, 0);
    if (received < 0 && errno == EINTR) continue;
    if (received <= 0) return false;
    bytes += received;
    size -= static_cast<std::size_t>(received);
  }
  return true;
}

std::optional<std::string> receive_message(int channel) {
  std::uint64_t size = 0;
  if (!receive_bytes(channel, reinterpret_cast<char*>(&size), sizeof size)) return std::nullopt;
  if (size > max_bytes) return std::nullopt;
  std::string bytes(size, '\0');
  if (!receive_bytes(channel, bytes.data(), bytes.size())) return std::nullopt;
  return bytes;
}

/// "10 s"
std::string time_text(double seconds) { return std::to_string(std::lround(seconds)) + " s"; }

// --- The child ---

void lower_limit(decltype(RLIMIT_CORE) resource, rlim_t value) {
  rlimit limit{};
  if (getrlimit(resource, &limit) != 0) return;
  limit.rlim_cur = std::min(limit.rlim_cur, value);
  setrlimit(resource, &limit);
}

/// Gives this process so much memory above what it has now. Sanitizers and devices reserve far more
/// addresses than they use, and those are in what it has.
void limit_memory(std::size_t bytes) {
  std::size_t pages = 0;
  std::ifstream status("/proc/self/statm");
  if (!(status >> pages)) return;
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  lower_limit(RLIMIT_AS, pages * page + bytes);
}

/// Leaves terminal, signals of the terminal, and core dumps to the parent.
void withdraw(pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP}) {
    std::signal(signal, SIG_IGN);
  }
  for (const int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL}) {
    std::signal(signal, SIG_DFL);
  }
  const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (nowhere >= 0) dup2(nowhere, stream);
  }
  lower_limit(RLIMIT_CORE, 0);
  constexpr rlim_t stack_bytes = 64 << 20;  // endless recursion ends there
  lower_limit(RLIMIT_STACK, stack_bytes);
}

/// What `function` returns or what is wrong with the file.
template <class Function>
std::string reply_of(std::size_t memory, const Function& function) {
  try {
    Message answer = function();
    return Message().put(std::uint64_t{answered}).bytes() + answer.bytes();
  } catch (const ReadProblem& problem) {
    return Message().put(std::uint64_t{refused}).put(std::string(problem.what())).bytes();
  } catch (const std::bad_alloc&) {
    const std::string text =
        "not readable: it takes more than " + std::to_string(memory >> 20) + " MB";
    return Message().put(std::uint64_t{refused}).put(text).bytes();
  }
}

[[noreturn]] void serve(int channel, pid_t parent, std::size_t memory,
                        const std::function<ReaderProcess::Answer()>& start) {
  try {
    withdraw(parent);
    limit_memory(memory);
    ReaderProcess::Answer answer;
    while (auto bytes = receive_message(channel)) {
      const std::string reply = reply_of(memory, [&] {
        Message request(std::move(*bytes));
        if (answer) return answer(request);
        answer = start();
        return Message();
      });
      if (!send_message(channel, reply)) break;
    }
  } catch (...) {
    _exit(1);
  }
  _exit(0);
}

}  // namespace

int above_streams(int descriptor) {
  if (descriptor < 0 || descriptor > STDERR_FILENO) return descriptor;
  const int above = fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  close(descriptor);
  return above;
}

SharedValues::SharedValues(std::size_t size)
    : m_data(static_cast<double*>(mmap(nullptr, size * sizeof(double), PROT_READ | PROT_WRITE,
                                       MAP_SHARED | MAP_ANONYMOUS, -1, 0))),
      m_size(size) {
  if (static_cast<void*>(m_data) == MAP_FAILED) throw std::bad_alloc();
}

SharedValues::~SharedValues() { munmap(m_data, m_size * sizeof(double)); }

ReaderProcess::ReaderProcess(const std::function<Answer()>& start, std::size_t memory,
                             std::string library)
    : m_library(std::move(library)) {
  int channels[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, channels) != 0) {
    throw ReadProblem(std::string("not readable: no channel: ") + std::strerror(errno));
  }
  for (int& channel : channels) channel = above_streams(channel);
  const pid_t parent = getpid();
  m_child = fork();
  if (m_child == 0) {
    close(channels[0]);
    serve(channels[1], parent, memory, start);
  }
  const int error = errno;
  close(channels[1]);
  m_channel = channels[0];
  if (m_child < 0) {
    close(m_channel);
    throw ReadProblem(std::string("not readable: no process: ") + std::strerror(error));
  }
}

ReaderProcess::~ReaderProcess() { end(); }

/// Kills the child: it may hang, and has nothing to lose.
void ReaderProcess::end() {
  if (m_child < 0) return;
  close(m_channel);
  kill(m_child, SIGKILL);
  while (waitpid(m_child, nullptr, 0) < 0 && errno == EINTR) {
  }
  m_child = -1;
}

void ReaderProcess::fail(const std::string& problem) {
  end();
  throw ReadProblem("not readable: " + m_library + ' ' + problem);
}

Message ReaderProcess::ask(const Message& request) {
  if (m_child < 0 || !send_message(m_channel, request.bytes())) fail("crashed on it");
  // Counted in slices: time in which both processes are stopped is none.
  constexpr int slice_milliseconds = 50;
  pollfd channel{.fd = m_channel, .events = POLLIN, .revents = 0};
  for (int ready = 0; ready <= 0;) {
    ready = poll(&channel, 1, slice_milliseconds);
    if (ready == 0) m_seconds_left -= slice_milliseconds / 1000.0;
    if (ready < 0 && errno != EINTR) fail("cannot be heard");
    if (ready == 0 && m_seconds_left <= 0)
      fail("took more than " + time_text(m_seconds_granted) + " for it");
  }
  auto bytes = receive_message(m_channel);
  if (!bytes) fail("crashed on it");
  Message answer(std::move(*bytes));
  if (answer.get_count() == refused) throw ReadProblem(answer.get_text());
  return answer;
}

}  // namespace Lamina
