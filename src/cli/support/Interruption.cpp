// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/Interruption.hpp"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <ctime>

namespace Lamina::Cli {
namespace {

struct Signal {
  int number;
  const char* name;
  bool insists;  ///< a second one kills
};
constexpr Signal caught_signals[] = {{SIGHUP, "SIGHUP", true},    {SIGINT, "SIGINT", true},
                                     {SIGTERM, "SIGTERM", true},  {SIGUSR1, "SIGUSR1", false},
                                     {SIGUSR2, "SIGUSR2", false}, {SIGXCPU, "SIGXCPU", false},
                                     {SIGPIPE, "SIGPIPE", false}};

std::atomic<int> noted_signal = 0;
std::atomic<std::int64_t> noted_at = 0;  // nanoseconds
static_assert(std::atomic<int>::is_always_lock_free &&
              std::atomic<std::int64_t>::is_always_lock_free);

std::int64_t now() {
  constexpr std::int64_t second = 1'000'000'000;
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * second + time.tv_nsec;
}

void die_of(int number) {
  std::signal(number, SIG_DFL);
  std::raise(number);
}

/// Calls nothing that a signal handler may not call.
void note(int number) {
  constexpr std::int64_t same = 1'000'000'000;  // nanoseconds in which copies of a signal come
  const int saved_errno = errno;
  const int first = noted_signal;
  if (first == 0 || (first == SIGPIPE && number != SIGPIPE)) {
    noted_at = now();
    noted_signal = number;
  } else if (now() - noted_at > same) {
    for (const Signal& signal : caught_signals) {
      if (signal.number == number && signal.insists) die_of(number);
    }
  }
  errno = saved_errno;
}

}  // namespace

void catch_signals() {
  for (const Signal& signal : caught_signals) {
    struct sigaction before {
    }, action{};
    if (sigaction(signal.number, nullptr, &before) != 0 || before.sa_handler == SIG_IGN) continue;
    action.sa_handler = note;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(signal.number, &action, nullptr);
  }
}

HeldSignals::HeldSignals() {
  sigset_t held;
  sigemptyset(&held);
  for (const Signal& signal : caught_signals) sigaddset(&held, signal.number);
  pthread_sigmask(SIG_BLOCK, &held, &m_before);
}

HeldSignals::~HeldSignals() { pthread_sigmask(SIG_SETMASK, &m_before, nullptr); }

bool interrupted() { return noted_signal.load(std::memory_order_relaxed) != 0; }

std::string interruption_name() {
  for (const Signal& signal : caught_signals) {
    if (signal.number == noted_signal) return signal.name;
  }
  return {};
}

bool interruption_is_told() { return interrupted() && noted_signal != SIGPIPE; }

void end_by_signal() {
  constexpr int shell_convention = 128;
  const int number = noted_signal;
  die_of(number);
  std::_Exit(shell_convention + number);  // where the signal is blocked
}

void ignore_file_size_signal() { std::signal(SIGXFSZ, SIG_IGN); }

}  // namespace Lamina::Cli
