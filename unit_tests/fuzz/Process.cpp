// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <thread>

extern char** environ;  // NOLINT: the name that POSIX gives it

namespace LaminaFuzz {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double most_seconds = 30;      // then the process group is killed
constexpr rlim_t most_cpu_seconds = 20;  // of one process

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// One thread starts fastest, and two of these run side by side. Most of the time of a small solve would go
/// into the copy of 256 MB that is measured for its report.
std::vector<std::string> environment() {
  std::vector<std::string> all{"OMP_NUM_THREADS=1", "OMP_WAIT_POLICY=passive",
                               "OMP_PROC_BIND=false", "LAMINA_COPY_BYTES=1048576"};
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string text = *variable;
    if (text.rfind("OMP_", 0) != 0 && text.rfind("KOKKOS_", 0) != 0) all.push_back(text);
  }
  return all;
}

/// Does only what a child of a process with threads may do.
[[noreturn]] void become(const char* folder, int in, int out, int errors, char** words,
                         char** variables) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const rlimit cpu{most_cpu_seconds, most_cpu_seconds + 5};
  setrlimit(RLIMIT_CPU, &cpu);
  const rlimit core{0, 0};
  setrlimit(RLIMIT_CORE, &core);
  // Whoever started this may ignore signals.
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) signal(number, SIG_DFL);
  dup2(in, STDIN_FILENO);
  dup2(out, STDOUT_FILENO);
  dup2(errors, STDERR_FILENO);
  if (chdir(folder) == 0) execve(words[0], words, variables);
  _exit(77);
}

int open_or_throw(const std::filesystem::path& path, int flags) {
  const int descriptor = open(path.c_str(), flags | O_CLOEXEC, 0600);
  if (descriptor < 0) throw std::runtime_error(path.string() + ": " + std::strerror(errno));
  return descriptor;
}

pid_t start(const Command& command) {
  std::vector<std::string> words = command.arguments, variables = environment();
  words.insert(words.begin(), command.program.string());
  const std::vector<char*> word_pointers = pointers_to(words);
  const std::vector<char*> variable_pointers = pointers_to(variables);
  const std::string folder = command.folder.string();
  const int in = open_or_throw("/dev/null", O_RDONLY);
  const int out = command.output_is_full
                      ? open_or_throw("/dev/full", O_WRONLY)
                      : open_or_throw(command.streams / "out", O_CREAT | O_TRUNC | O_WRONLY);
  const int errors = open_or_throw(command.streams / "err", O_CREAT | O_TRUNC | O_WRONLY);
  const pid_t process = fork();
  if (process == 0) {
    become(folder.c_str(), in, out, errors, const_cast<char**>(word_pointers.data()),
           const_cast<char**>(variable_pointers.data()));
  }
  for (const int descriptor : {in, out, errors}) close(descriptor);
  if (process < 0) throw std::runtime_error(std::string("fork: ") + std::strerror(errno));
  setpgid(process, process);  // whoever comes first
  return process;
}

/// Leaves it to be waited for, so that its number stays its own.
bool has_ended(pid_t process) {
  siginfo_t info{};
  return waitid(P_PID, static_cast<id_t>(process), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         info.si_pid == process;
}

/// Whether processes other than the leader, which has ended, are in the group for long.
bool group_stays(pid_t leader) {
  const auto end = Clock::now() + std::chrono::seconds(3);
  while (kill(-leader, 0) == 0) {
    if (Clock::now() > end) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return false;
}

}  // namespace

Ending run(const Command& command) {
  Ending ending;
  const pid_t process = start(command);
  const auto begin = Clock::now();
  while (!has_ended(process)) {
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    if (command.signal != 0 && !ending.was_sent && seconds >= command.signal_after) {
      ending.was_sent = kill(process, command.signal) == 0;
    }
    if (command.patience > 0 && !ending.was_asked && seconds >= command.patience) {
      ending.was_asked = kill(process, SIGTERM) == 0;
    }
    if (!ending.was_cut && seconds >= most_seconds) {
      ending.was_cut = true;
      kill(-process, SIGKILL);
    }
    std::this_thread::sleep_for(std::chrono::microseconds(500));
  }
  int status = 0;
  waitpid(process, &status, 0);
  ending.left_processes = group_stays(process);
  if (ending.left_processes) kill(-process, SIGKILL);
  if (WIFEXITED(status)) ending.exit_status = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) ending.signal = WTERMSIG(status);
  if (!command.output_is_full) ending.output = read_file(command.streams / "out");
  ending.errors = read_file(command.streams / "err");
  return ending;
}

std::string signal_name(int number) {
  switch (number) {
    case SIGHUP: return "SIGHUP";
    case SIGINT: return "SIGINT";
    case SIGTERM: return "SIGTERM";
    case SIGKILL: return "SIGKILL";
    case SIGSEGV: return "SIGSEGV";
    case SIGABRT: return "SIGABRT";
    case SIGBUS: return "SIGBUS";
    case SIGFPE: return "SIGFPE";
    case SIGPIPE: return "SIGPIPE";
    case SIGXCPU: return "SIGXCPU";
    default: return "signal " + std::to_string(number);
  }
}

std::string shell_text(const std::vector<std::string>& words) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-+_=./,:@%";
  std::string text;
  for (const std::string& word : words) {
    if (!text.empty()) text += ' ';
    if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) {
      text += word;
      continue;
    }
    text += "$'";
    for (const char byte : word) {
      if (plain.find(byte) != std::string_view::npos || byte == ' ') {
        text += byte;
        continue;
      }
      char escaped[8];
      std::snprintf(escaped, sizeof escaped, "\\x%02x", static_cast<unsigned char>(byte));
      text += escaped;
    }
    text += '\'';
  }
  return text;
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void write_file(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

}  // namespace LaminaFuzz
