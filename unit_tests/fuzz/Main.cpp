// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Runs the program on random cases, which a seed decides, and judges how each run ends.
//
//   lamina_fuzz --program build/bin/lamina --seconds 3600 --seed 7
//
// A run ends with status 0, 1 or 2, or by the signal that it was sent. Status 2 comes with one line
// on standard error and without new files. Input stays as it is, temporaries go, JSON can be
// parsed, checkpoints can be read. How many cases there are depends on the time; what case n of a
// seed does, not; only moments of signals go with the time that the program takes to start.

#include <stdlib.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "Cases.hpp"
#include "support/ScratchFolder.hpp"

namespace LaminaFuzz {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr int num_workers = 2;
constexpr int most_failures = 10;

constexpr const char* usage =
    "lamina_fuzz --program FILE [--seconds N] [--seed N] [--kind files|options|signals|all]\n"
    "            [--case N] [--keep FOLDER]\n";

struct Settings {
  fs::path program, keep;
  double seconds = 60;
  std::uint64_t seed = 1;
  std::string kind = "all";
  long long only_case = -1;  ///< -1: all
};

Settings parse(int count, char** words) {
  Settings settings;
  for (int n = 1; n < count; n += 2) {
    const std::string name = words[n];
    if (n + 1 >= count) throw std::runtime_error(name + ": expected a value");
    const std::string value = words[n + 1];
    if (name == "--program") {
      settings.program = fs::absolute(value);
    } else if (name == "--seconds") {
      settings.seconds = std::stod(value);
    } else if (name == "--seed") {
      settings.seed = std::stoull(value);
    } else if (name == "--kind") {
      settings.kind = value;
    } else if (name == "--case") {
      settings.only_case = std::stoll(value);
    } else if (name == "--keep") {
      settings.keep = fs::absolute(value);
    } else {
      throw std::runtime_error(name + ": no such option");
    }
  }
  if (!fs::is_regular_file(settings.program)) throw std::runtime_error("--program: no such file");
  return settings;
}

/// In turn, so that case n of a seed is always the same.
std::string kind_of(const Settings& settings, long long number) {
  static const char* const turns[] = {"files", "options", "files", "options", "signals"};
  return settings.kind == "all" ? turns[number % 5] : settings.kind;
}

class Session {
 public:
  explicit Session(const Settings& settings)
      : m_settings(settings),
        m_files(settings.program, m_scratch.path()),
        m_commands(options_of(settings.program, m_scratch.path())) {}

  /// \return whether nothing failed
  bool run();

 private:
  void work();
  void run_case(long long number);
  void note(long long number, const std::string& kind, const Bench& bench);

  Settings m_settings;
  LaminaTest::ScratchFolder m_scratch;
  GoodFiles m_files;
  std::vector<CommandOptions> m_commands;
  Clock::time_point m_begin = Clock::now();
  std::atomic<long long> m_next = 0;
  std::atomic<int> m_num_failures = 0;
  std::mutex m_mutex;
  std::map<std::string, long> m_num_cases;                            // by kind
  std::map<std::string, std::map<std::string, long>> m_num_outcomes;  // by kind and ending
};

void Session::run_case(long long number) {
  const std::string kind = kind_of(m_settings, number);
  Random random(Reference::splitmix64(m_settings.seed) ^
                Reference::splitmix64(static_cast<std::uint64_t>(number)));
  Bench bench(m_settings.program, m_files, m_scratch / std::to_string(number));
  if (kind == "files") {
    run_file_case(random, bench);
  } else if (kind == "options") {
    run_option_case(random, m_commands, bench);
  } else {
    run_signal_case(random, bench);
  }
  note(number, kind, bench);
}

void Session::note(long long number, const std::string& kind, const Bench& bench) {
  const std::lock_guard lock(m_mutex);
  ++m_num_cases[kind];
  for (const std::string& outcome : bench.outcomes()) ++m_num_outcomes[kind][outcome];
  if (bench.problems().empty()) return;
  ++m_num_failures;
  std::printf("FAILED --seed %llu --kind %s --case %lld (%s)\n",
              static_cast<unsigned long long>(m_settings.seed), m_settings.kind.c_str(), number,
              kind.c_str());
  for (const std::string& problem : bench.problems()) std::printf("  %s\n", problem.c_str());
  if (!m_settings.keep.empty()) {
    const fs::path where = m_settings.keep / std::to_string(number);
    bench.keep(where);
    std::printf("  kept in %s\n", where.c_str());
  }
  std::fflush(stdout);
}

void Session::work() {
  const std::chrono::duration<double> limit(m_settings.seconds);
  while (Clock::now() - m_begin < limit && m_num_failures < most_failures) run_case(m_next++);
}

bool Session::run() {
  if (m_settings.only_case >= 0) {
    run_case(m_settings.only_case);
  } else {
    std::vector<std::thread> workers;
    for (int n = 0; n < num_workers; ++n) workers.emplace_back([this] { work(); });
    for (std::thread& worker : workers) worker.join();
  }
  std::printf("seed %llu:", static_cast<unsigned long long>(m_settings.seed));
  for (const auto& [kind, count] : m_num_cases) {
    std::printf(" %ld of %s (runs that ended with", count, kind.c_str());
    for (const auto& [outcome, times] : m_num_outcomes[kind]) {
      std::printf(" %s: %ld", outcome.c_str(), times);
    }
    std::printf(")");
  }
  std::printf("; %d failed\n", m_num_failures.load());
  return m_num_failures == 0;
}

int run_main(int count, char** words) {
  Settings settings;
  try {
    settings = parse(count, words);
    const std::vector<std::string> kinds{"files", "options", "signals", "all"};
    if (std::find(kinds.begin(), kinds.end(), settings.kind) == kinds.end()) {
      throw std::runtime_error("--kind: no such kind");
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "lamina_fuzz: %s\n%s", error.what(), usage);
    return 2;
  }
  try {
    return Session(settings).run() ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "lamina_fuzz: %s\n", error.what());
    return 2;
  }
}

}  // namespace
}  // namespace LaminaFuzz

int main(int count, char** words) { return LaminaFuzz::run_main(count, words); }
