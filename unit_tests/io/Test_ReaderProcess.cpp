// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <thread>
#include <vector>

#include "ReaderProcess.hpp"
#include "support/MessageOf.hpp"
#include "support/ScratchFolder.hpp"

namespace LaminaTest {
namespace {

using Lamina::Message, Lamina::ReaderProcess, Lamina::ReadProblem;

/// What comes of a child that answers with `function`.
std::string problem_of(const std::function<void()>& function, double seconds = 30) {
  return message_of<ReadProblem>([&] {
    ReaderProcess process(
        [&] {
          function();
          return [](Message&) { return Message(); };
        },
        std::size_t{64} << 20, "a library");
    process.grant(seconds);
    (void)process.ask(Message());
  });
}

bool has_children() { return waitpid(-1, nullptr, WNOHANG) >= 0 || errno != ECHILD; }

TEST(ReaderProcess, Answers) {
  ReaderProcess process(
      [] {
        return [sum = std::uint64_t{0}](Message& request) mutable {
          sum += request.get_count();
          return Message().put(sum).put(request.get_text() + "!").put(0.5);
        };
      },
      std::size_t{64} << 20, "a library");
  process.grant(30);
  (void)process.ask(Message());
  for (const std::uint64_t sum : {3u, 6u}) {
    Message answer = process.ask(Message().put(std::uint64_t{3}).put(std::string("a\0b", 3)));
    EXPECT_EQ(answer.get_count(), sum);
    EXPECT_EQ(answer.get_text(), std::string("a\0b!", 4));
    EXPECT_EQ(answer.get_number(), 0.5);
    EXPECT_THROW((void)answer.get_number(), std::out_of_range);
  }
}

TEST(ReaderProcess, TellsOfWhatTheChildFinds) {
  EXPECT_EQ(problem_of([] { throw ReadProblem("a problem"); }), "a problem");
  EXPECT_EQ(problem_of([] { throw std::bad_alloc(); }), "not readable: it takes more than 64 MB");
}

TEST(ReaderProcess, OutlivesItsChild) {
  const std::string crashed = "not readable: a library crashed on it";
  EXPECT_EQ(problem_of([] { raise(SIGSEGV); }), crashed);
  EXPECT_EQ(problem_of([] { std::abort(); }), crashed);
  EXPECT_EQ(problem_of([] { raise(SIGKILL); }), crashed);
  EXPECT_EQ(problem_of([] { _exit(0); }), crashed);
  EXPECT_EQ(problem_of([] { throw 1; }), crashed);
  EXPECT_FALSE(has_children());
}

TEST(ReaderProcess, EndsWhatDoesNotEnd) {
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(problem_of([] { std::this_thread::sleep_for(std::chrono::hours(1)); }, 1),
            "not readable: a library took more than 1 s for it");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
  EXPECT_FALSE(has_children());
}

TEST(ReaderProcess, LimitsMemory) {
  // Sanitizers end the process instead.
  const std::string problem = problem_of([] {
    const std::vector<char> much(std::size_t{1} << 30, 'x');
    if (much.back() == 'y') raise(SIGTERM);
  });
  EXPECT_TRUE(problem == "not readable: it takes more than 64 MB" ||
              problem == "not readable: a library crashed on it")
      << problem;
}

TEST(ReaderProcess, LeavesTheTerminalToItsParent) {
  EXPECT_EQ(problem_of([] {
              std::puts("a library may say what it likes");
              std::fputs("to whom it likes\n", stderr);
              std::fflush(stdout);
              for (const int signal : {SIGINT, SIGTERM, SIGHUP}) raise(signal);
              throw ReadProblem("still there");
            }),
            "still there");
}

}  // namespace
}  // namespace LaminaTest
