// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <fcntl.h>
#include <signal.h>
#include <sys/inotify.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <fstream>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "ShallowWaterTest.hpp"

namespace LaminaTest {
namespace {

/// The program in a process that is sent signals.
class Signals : public ShallowWaterTest {
 protected:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::seconds patience{60};  // then it is killed

  /// Starts `lamina`, with standard output and error in the files `out` and `err`.
  void start(const std::vector<std::string>& arguments, bool ignores_hangup = false) {
    for (const char* name : {"out", "err"}) std::filesystem::remove(folder / name);  // of another
    m_process = fork();
    if (m_process != 0) return;
    if (ignores_hangup) signal(SIGHUP, SIG_IGN);
    if (chdir(folder.path().c_str()) != 0) _exit(77);
    for (const auto& [name, descriptor] : {std::pair("out", 1), std::pair("err", 2)}) {
      dup2(open(name, O_CREAT | O_TRUNC | O_WRONLY, 0600), descriptor);
    }
    std::vector<std::string> words = arguments;
    words.insert(words.begin(), LAMINA_PROGRAM);
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    execv(LAMINA_PROGRAM, pointers.data());
    _exit(77);
  }

  void send(int number) const { kill(m_process, number); }

  /// Waits until `holds`, or the end of the process.
  void wait_until(const std::function<bool()>& holds) {
    const auto end = Clock::now() + patience;
    while (!holds() && Clock::now() < end && !has_ended()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    EXPECT_TRUE(holds());
  }

  /// Waits for the end. \return the signal that ended the process, or minus its exit status
  int end() {
    const auto deadline = Clock::now() + patience;
    while (!has_ended() && Clock::now() < deadline) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    if (!has_ended()) {
      ADD_FAILURE() << "the process does not end";
      send(SIGKILL);
      waitpid(m_process, &m_status, 0);
      m_process = 0;
    }
    return WIFSIGNALED(m_status) ? WTERMSIG(m_status) : -WEXITSTATUS(m_status);
  }

  /// Names of files of the folder that begin so.
  std::vector<std::string> names(const std::string& begin) const {
    std::vector<std::string> result;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
      const std::string name = entry.path().filename().string();
      if (name.compare(0, begin.size(), begin) == 0) result.push_back(name);
    }
    return result;
  }
  /// Whether a run has taken steps: `--diagnostics-every` prints lines.
  bool is_under_way() const {
    const std::string out = folder.read("out");
    return std::count(out.begin(), out.end(), '\n') > 20;
  }

  /// Whether the process has a handler of SIGTERM, as Linux tells.
  bool catches_signals() const {
    std::ifstream stream("/proc/" + std::to_string(m_process) + "/status");
    for (std::string word; stream >> word;) {
      if (word != "SigCgt:") continue;
      stream >> word;
      return (std::stoull(word, nullptr, 16) >> (SIGTERM - 1) & 1U) != 0;
    }
    return false;
  }

  /// A run that would take long.
  std::vector<std::string> long_run(const std::vector<std::string>& more) const {
    std::vector<std::string> all{
        "shallow-water",       "--n", "32", "--dt", "0.001", "--until", "2000",
        "--diagnostics-every", "10"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }

 private:
  bool has_ended() {
    if (m_process == 0) return true;
    if (waitpid(m_process, &m_status, WNOHANG) != m_process) return false;
    m_process = 0;
    return true;
  }

  pid_t m_process = 0;
  int m_status = 0;
};

TEST_F(Signals, EndARunWithAllThatItHas) {
  for (const auto& [number, name] :
       {std::pair(SIGTERM, "SIGTERM"), std::pair(SIGINT, "SIGINT"), std::pair(SIGHUP, "SIGHUP"),
        std::pair(SIGUSR1, "SIGUSR1"), std::pair(SIGXCPU, "SIGXCPU")}) {
    SCOPED_TRACE(name);
    start(long_run({"--output", "o.nc", "--checkpoint", "c.nc", "--json", "o.json"}));
    wait_until([&] { return is_under_way(); });
    send(number);
    EXPECT_EQ(end(), number);
    EXPECT_EQ(folder.read("err"), std::string("lamina shallow-water: ended by ") + name + '\n');
    const auto report = nlohmann::json::parse(folder.read("o.json"), nullptr, false);
    ASSERT_TRUE(report.is_object());
    EXPECT_EQ(report["status"], "interrupted");
    const int steps = report["steps"];
    EXPECT_GT(steps, 0);
    EXPECT_EQ(values("o.nc", "step"), (std::vector<double>{0, static_cast<double>(steps)}));
    EXPECT_EQ(names("o.nc.").size() + names("c.nc.").size(), 0u);

    if (number != SIGTERM) continue;
    // The checkpoint is that of a run which ended there.
    const std::string until = std::to_string((steps + 5) * 0.001);
    EXPECT_EQ(
        run("shallow-water --restart c.nc --quiet --checkpoint rest.nc --until " + until).status,
        0);
    EXPECT_EQ(run("shallow-water --n 32 --dt 0.001 --quiet --checkpoint whole.nc --until " + until)
                  .status,
              0);
    EXPECT_EQ(state("rest.nc"), state("whole.nc"));
  }
}

TEST_F(Signals, EndASolveWithItsReportAndWithoutAFile) {
  // None of them comes to an end of its own for long: not to a residual of exactly 0 either.
  const std::vector<std::vector<std::string>> solves{
      {"poisson", "--n", "500", "--tolerance", "0", "--max-iterations", "100000000"},
      {"poisson", "--n", "500", "--iterations", "100000000", "--solver", "cg"},
      {"helmholtz", "--size", "64", "64", "32", "--omega2", "100", "--iterations", "100000000"},
      {"helmholtz", "--size", "64", "64", "32", "--precision", "mixed", "--iterations",
       "100000000"},
      {"point-implicit", "--generate", "20", "20", "20", "--sweeps", "100000000"}};
  for (const auto& solve : solves) {
    SCOPED_TRACE(testing::PrintToString(solve));
    folder.write("o.nc", "old");
    std::vector<std::string> arguments = solve;
    for (const char* more : {"--json", "o.json", "--output", "o.nc"}) arguments.push_back(more);
    start(arguments);
    wait_until([&] { return catches_signals(); });
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    send(SIGTERM);
    EXPECT_EQ(end(), SIGTERM);
    const auto report = nlohmann::json::parse(folder.read("o.json"), nullptr, false);
    ASSERT_TRUE(report.is_object());
    EXPECT_EQ(report["status"], "interrupted");
    EXPECT_EQ(report["converged"], false);
    EXPECT_TRUE(folder.read("o.nc") == "old");
    const std::string program = "lamina " + solve.front();
    EXPECT_EQ(folder.read("err"),
              program + ": --output: o.nc: not written, as the solve was interrupted\n" + program +
                  ": ended by SIGTERM\n");
    std::filesystem::remove(folder / "o.json");
  }
}

TEST_F(Signals, EndAComparisonWithWhatItHas) {
  start({"compare", "poisson", "--n", "128", "--iterations", "100000000", "--json", "o.json"});
  wait_until([&] { return catches_signals(); });
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  send(SIGTERM);
  EXPECT_EQ(end(), SIGTERM);
  const auto rows = nlohmann::json::parse(folder.read("o.json"), nullptr, false);
  ASSERT_TRUE(rows.is_array());
  // The solve that the signal came into is the last one; those before, if any, had ended by themselves.
  for (std::size_t n = 0; n + 1 < rows.size(); ++n) EXPECT_NE(rows[n]["status"], "interrupted");
  if (!rows.empty()) {
    EXPECT_EQ(rows.back()["status"], "interrupted");
  }
  EXPECT_NE(folder.read("out").find("skipped: SIGTERM"), std::string::npos);
}

/// `timeout` of GNU sends its signal to the process, and then to its group.
TEST_F(Signals, ACopyOfTheFirstDoesNotKill) {
  start(long_run({"--output", "o.nc"}));
  wait_until([&] { return is_under_way(); });
  for (int n = 0; n < 5; ++n) send(SIGTERM);
  EXPECT_EQ(end(), SIGTERM);
  EXPECT_EQ(values("o.nc", "step").size(), 2u);
}

TEST_F(Signals, ThatWereIgnoredStayIgnored) {
  start(long_run({"--output", "o.nc"}), true);
  wait_until([&] { return is_under_way(); });
  send(SIGHUP);
  const std::string before = folder.read("out");
  wait_until([&] { return folder.read("out").size() > before.size() + 1000; });
  send(SIGTERM);
  EXPECT_EQ(end(), SIGTERM);
}

TEST_F(Signals, ReaderOfOutputThatGoesAwayEndsTheRun) {
  signal(SIGPIPE, SIG_DFL);  // whoever started this may ignore it
  const Outcome outcome =
      run("shallow-water --n 16 --dt 0.001 --until 2000 --diagnostics-every 1 --output o.nc | head "
          "-n 30");
  EXPECT_EQ(outcome.errors, "");
  EXPECT_EQ(std::count(outcome.output.begin(), outcome.output.end(), '\n'), 30);
  wait_until([&] { return folder.num_files() == 1; });  // the shell does not wait
  EXPECT_GE(values("o.nc", "step").size(), 2u);
}

/// Names of outputs are tried before signals are caught.
TEST_F(Signals, ThatComeWhileANameIsTriedLeaveNothing) {
  const int watch = inotify_init1(IN_CLOEXEC);
  ASSERT_GE(inotify_add_watch(watch, folder.path().c_str(), IN_CREATE), 0);
  for (int n = 0; n < 50; ++n) {
    start({"helmholtz", "--size", "2", "2", "2", "--quiet", "--json", "o.json"});
    bool is_trial = false;  // after the streams
    while (!is_trial) {
      alignas(inotify_event) char events[4096];
      const ssize_t size = read(watch, events, sizeof events);
      ASSERT_GT(size, 0);
      const std::string names(events, static_cast<std::size_t>(size));
      is_trial = names.find(".part-") != names.npos;
    }
    send(SIGTERM);
    end();
    EXPECT_EQ(names("o.json.part-"), std::vector<std::string>());
  }
  close(watch);
}

TEST_F(Signals, KilledRunsLeaveRecordsThatTheNextRunRemoves) {
  // Records after each step, so that some are being written.
  start(long_run({"--output", "o.nc", "--output-every", "1"}));
  wait_until([&] { return is_under_way(); });
  send(SIGKILL);
  EXPECT_EQ(end(), SIGKILL);
  const auto left = names("o.nc.part-");
  ASSERT_EQ(left.size(), 1u);
  EXPECT_FALSE(std::filesystem::exists(folder / "o.nc"));
  const auto steps = values(left[0], "step");
  ASSERT_GT(steps.size(), 2u);
  for (std::size_t n = 0; n < steps.size(); ++n) EXPECT_EQ(steps[n], static_cast<double>(n));
  // The last variable of the last record
  const auto vorticity = values(left[0], "potential_vorticity");
  EXPECT_TRUE(std::all_of(vorticity.end() - 32 * 32, vorticity.end(), [](double value) {
    return std::abs(value) > 0 && std::abs(value) < 1e3;
  }));
  EXPECT_EQ(run("shallow-water --n 32 --dt 0.001 --until 0.01 --quiet --initial " + left[0] +
                " --output a.nc")
                .status,
            2);  // it does not end in .nc
  std::filesystem::copy(folder / left[0], folder / "copy.nc");
  EXPECT_EQ(run("shallow-water --n 32 --dt 0.001 --until 0.01 --quiet --initial copy.nc").status,
            0);

  // Runs that are alive keep theirs, as do names that only look alike.
  folder.write("o.nc.part-12-x", "");
  start(long_run({"--output", "o.nc"}));
  wait_until([&] { return is_under_way(); });
  const Outcome outcome = run("shallow-water --n 8 --dt 0.01 --until 0.01 --quiet --output o.nc");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.errors, "lamina: removed " + left[0] + ", left by a process that was killed\n");
  EXPECT_EQ(names("o.nc.part-").size(), 2u);
  send(SIGTERM);
  EXPECT_EQ(end(), SIGTERM);
  EXPECT_EQ(names("o.nc.part-"), std::vector<std::string>{"o.nc.part-12-x"});
}

}  // namespace
}  // namespace LaminaTest
