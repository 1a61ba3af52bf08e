// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/machine/KokkosSession.hpp"

#include <Kokkos_Core.hpp>

#include <fmt/format.h>
#if defined(KOKKOS_ENABLE_OPENMP)
#include <omp.h>
#endif
#include <sys/resource.h>

#include <algorithm>
#include <charconv>
#include <condition_variable>
#include <cstdlib>
#include <iterator>
#include <mutex>
#include <optional>
#include <string_view>
#include <system_error>
#include <thread>

#include "support/options/InputError.hpp"

namespace Lamina::Cli {
namespace {

constexpr std::string_view kokkos_prefix = "--kokkos-";

/// Options that take a number. Some versions of Kokkos end the process where it is none.
struct NumberOption {
  std::string_view name;
  int lowest, highest;
};
/// Kokkos 3.4 to 4.6 have a table of so many threads (OpenMP's MAX_THREAD_COUNT), and write beyond it.
constexpr int max_threads = 512;
constexpr int max_devices = 1024;
constexpr NumberOption number_options[] = {{"--kokkos-threads", 1, max_threads},
                                           {"--kokkos-num-threads", 1, max_threads},
                                           {"--kokkos-device-id", 0, max_devices},
                                           {"--kokkos-numa", 1, max_threads}};

/// What some version of Kokkos takes. For others Kokkos 4 prints a warning of its own.
constexpr std::string_view known_options[] = {"--kokkos-debug",
                                              "--kokkos-device",
                                              "--kokkos-device-id",
                                              "--kokkos-disable-warnings",
                                              "--kokkos-help",
                                              "--kokkos-map-device-id-by",
                                              "--kokkos-ndevices",
                                              "--kokkos-num-devices",
                                              "--kokkos-num-threads",
                                              "--kokkos-numa",
                                              "--kokkos-print-configuration",
                                              "--kokkos-threads",
                                              "--kokkos-tools-args",
                                              "--kokkos-tools-help",
                                              "--kokkos-tools-library",
                                              "--kokkos-tools-libs",
                                              "--kokkos-tune-internals"};

[[noreturn]] void refuse(const std::string& argument) {
  throw InputError(argument + ": Kokkos " + kokkos_version() + " has no such option");
}

std::string_view name_of(const std::string& argument) {
  return std::string_view(argument).substr(0, argument.find('='));
}

void require_known(const std::string& argument) {
  const auto known =
      std::find(std::begin(known_options), std::end(known_options), name_of(argument));
  if (known == std::end(known_options)) refuse(argument);
}

std::optional<int> number_of(std::string_view text) {
  int value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc{} && stop == end ? std::optional(value) : std::nullopt;
}

/// What follows `=`.
std::string_view text_of(const std::string& argument) {
  const auto equals = std::min(argument.find('='), argument.size());
  return std::string_view(argument).substr(std::min(equals + 1, argument.size()));
}

void require_number(const std::string& argument) {
  const std::string_view name = name_of(argument);
  for (const NumberOption& option : number_options) {
    if (option.name != name) continue;
    const auto value = number_of(text_of(argument));
    if (!value || *value < option.lowest || *value > option.highest) {
      throw InputError(fmt::format("{0}: expected {0}=N with N from {1} to {2}, got {3}", name,
                                   option.lowest, option.highest, argument));
    }
  }
}

// --- Threads ---

/// Threads that Kokkos is going to start, by options, its own variable of the environment, or OpenMP's
/// and the number of cores. \throws InputError where they are too many
int num_threads_of(const std::vector<std::string>& arguments) {
#if defined(KOKKOS_ENABLE_OPENMP)
  // Kokkos counts these in any case, before it takes another number.
  const int by_openmp = std::min(omp_get_max_threads(), omp_get_thread_limit());
  for (const std::string& argument : arguments) {
    const std::string_view name = name_of(argument);
    if (name != "--kokkos-threads" && name != "--kokkos-num-threads") continue;
    return std::max(by_openmp, number_of(text_of(argument)).value_or(0));
  }
  const char* variable = std::getenv("KOKKOS_NUM_THREADS");
  if (variable != nullptr) {
    const auto value = number_of(variable);
    if (!value || *value < 1 || *value > max_threads) {
      throw InputError(fmt::format("KOKKOS_NUM_THREADS: expected a number from 1 to {}, got {}",
                                   max_threads, variable));
    }
    return std::max(by_openmp, *value);
  }
  if (by_openmp > max_threads) {
    const bool is_set = std::getenv("OMP_NUM_THREADS") != nullptr;
    throw InputError(fmt::format("OMP_NUM_THREADS: expected at most {} threads, got {}{}",
                                 max_threads, by_openmp, is_set ? "" : ", the number of cores"));
  }
  return by_openmp;
#else
  static_cast<void>(arguments);
  return 1;
#endif
}

/// Threads that wait for each other.
class WaitingThreads {
 public:
  WaitingThreads() = default;
  ~WaitingThreads() {
    {
      const std::lock_guard guard(m_mutex);
      m_released = true;
    }
    m_condition.notify_all();
    for (std::thread& thread : m_threads) thread.join();
  }
  WaitingThreads(const WaitingThreads&) = delete;
  WaitingThreads& operator=(const WaitingThreads&) = delete;

  void add() {
    m_threads.emplace_back([this] {
      std::unique_lock guard(m_mutex);
      m_condition.wait(guard, [this] { return m_released; });
    });
  }

 private:
  std::vector<std::thread> m_threads;
  std::mutex m_mutex;
  std::condition_variable m_condition;
  bool m_released = false;
};

/// OpenMP ends the process where it cannot start a thread. \throws InputError where that would happen
void require_threads(int count) {
  WaitingThreads threads;
  for (int n = 1; n < count; ++n) {
    try {
      threads.add();
    } catch (const std::system_error& error) {
      throw InputError(
          fmt::format("thread {} of {} cannot be started: {} (fewer by OMP_NUM_THREADS, or larger "
                      "limits by ulimit -u and -v)",
                      n + 1, count, error.code().message()));
    }
  }
}

/// Threads have as much as the process, of which libraries of files take a part.
void require_stack() {
  constexpr rlim_t lowest = 512 * 1024, kilobyte = 1024;
  rlimit limit{};
  if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= lowest) return;
  throw InputError(fmt::format("stack: expected a limit of at least {} kB (ulimit -s), got {}",
                               lowest / kilobyte, limit.rlim_cur / kilobyte));
}

}  // namespace

Arguments split_arguments(int count, char** arguments) {
  Arguments result;
  for (int i = 1; i < count; ++i) {
    const std::string argument = arguments[i];
    (argument.starts_with(kokkos_prefix) ? result.kokkos : result.own).push_back(argument);
  }
  return result;
}

KokkosSession::KokkosSession(const std::vector<std::string>& arguments) {
  // Kokkos warns of unbound threads on standard output, in four lines; `print_place` does in one.
  std::vector<std::string> texts{"lamina", "--kokkos-disable-warnings"};
  for (const std::string& argument : arguments) {
    require_known(argument);
    require_number(argument);
    texts.push_back(argument);
  }
  require_stack();
  require_threads(num_threads_of(arguments));
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (std::string& text : texts) pointers.push_back(text.data());
  int count = static_cast<int>(pointers.size());
  pointers.push_back(nullptr);
  try {
    Kokkos::initialize(count, pointers.data());
  } catch (const std::exception& error) {
    const std::string message = error.what();
    throw InputError("Kokkos cannot start: " + message.substr(0, message.find('\n')));
  }
  // Kokkos takes away the arguments that it knows.
  if (count > 1) {
    const std::string unknown = pointers[1];
    Kokkos::finalize();
    refuse(unknown);
  }
}

KokkosSession::~KokkosSession() { Kokkos::finalize(); }

std::string kokkos_version() {
  return fmt::format("{}.{}.{}", KOKKOS_VERSION / 10000, KOKKOS_VERSION / 100 % 100,
                     KOKKOS_VERSION % 100);
}

}  // namespace Lamina::Cli
