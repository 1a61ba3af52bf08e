// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "cli/ranks/ManyRanksTest.hpp"

namespace LaminaTest {
namespace {

class ShallowWaterOverRanks : public ManyRanksTest {
 protected:
  /// All fields of two files agree.
  void expect_same_state(const std::string& name, const std::string& expected,
                         double tolerance) const {
    const auto got = state(name), wanted = state(expected);
    for (std::size_t field = 0; field < wanted.size(); ++field) {
      ASSERT_EQ(got[field].size(), wanted[field].size());
      for (std::size_t n = 0; n < wanted[field].size(); ++n) {
        ASSERT_NEAR(got[field][n], wanted[field][n], tolerance) << field << ' ' << n;
      }
    }
  }
  /// A state whose sums are exact in any order, so that files have the same bytes.
  void write_exact_state(std::size_t n) const {
    write_state(
        "exact.nc", n, n,
        [](std::size_t i, std::size_t j) { return 1 + static_cast<double>(3 * i + j) / 256; },
        [](std::size_t, std::size_t) { return 0.0; });
  }
};

const std::vector<std::string>& schemes() {
  static const std::vector<std::string> list{
      "--scheme leapfrog",
      "--scheme leapfrog --mass-solver cg --cg-iterations 3",
      "--scheme rk3",
      "--scheme rk3 --mass-solver cg --mass-tolerance 1e-6",
      "--scheme semi-implicit",
      "--scheme semi-implicit --newton-iterations 2 --cg-iterations 3 --phi-star one"};
  return list;
}

void expect_same_sums(const nlohmann::json& got, const nlohmann::json& expected) {
  for (const char* sum : {"mass", "energy", "potential_enstrophy", "circulation"}) {
    for (const char* when : {"start", "end"}) {
      EXPECT_NEAR(got[sum][when], expected[sum][when], 1e-12) << sum << ' ' << when;
    }
  }
}

TEST_F(ShallowWaterOverRanks, StepAsOneProcessDoes) {
  for (const std::string& scheme : schemes()) {
    const std::string arguments =
        "shallow-water --size 24 20 --dt 0.004 --until 0.024 --velocity 0.1 0.05 --coriolis 0 "
        "--diagnostics-every 4 --output out.nc --output-every 5 " +
        scheme;
    const auto one = report_of(arguments);
    folder.write("one.nc", folder.read("out.nc"));
    for (const int num_ranks : {2, 3}) {
      const auto many = report_on(num_ranks, arguments);
      for (const char* key : {"status", "steps", "newton_iterations", "cg_iterations",
                              "mass_iterations", "unconverged_steps"}) {
        EXPECT_EQ(many.value(key, nlohmann::json()), one.value(key, nlohmann::json())) << key;
      }
      expect_same_sums(many["diagnostics"], one["diagnostics"]);
      EXPECT_EQ(many["series"].size(), one["series"].size());
      for (const char* key : {"l2", "linf"}) {
        EXPECT_NEAR(many["error"][key], one["error"][key], 1e-12) << key;
      }
      expect_same_state("out.nc", "one.nc", 1e-12);
      EXPECT_EQ(values("out.nc", "step"), values("one.nc", "step"));
    }
  }
}

/// More cells than all ranks have of a level, so that they share levels.
TEST_F(ShallowWaterOverRanks, PreconditionByMultigrid) {
  for (const std::string sides : {"", " --sides walls"}) {
    const std::string arguments =
        "shallow-water --size 64 90 --initial depression --coriolis 0 --cfl 5 --until 0.15 "
        "--output out.nc "
        "--scheme semi-implicit --newton-iterations 2 --cg-tolerance 1e-10 --cg-preconditioner "
        "multigrid" +
        sides;
    const auto one = report_of(arguments);
    folder.write("one.nc", folder.read("out.nc"));
    const auto many = report_on(3, arguments);
    EXPECT_EQ(many["problem"]["cg_preconditioner"], "multigrid");
    EXPECT_EQ(many["steps"], one["steps"]);
    EXPECT_NEAR(many["cg_iterations"].get<int>(), one["cg_iterations"].get<int>(),
                one["newton_iterations"].get<int>());
    expect_same_state("out.nc", "one.nc", 1e-11);
  }
}

TEST_F(ShallowWaterOverRanks, StepInSinglePrecision) {
  const std::string arguments =
      "shallow-water --n 20 --dt 0.004 --until 0.04 --precision single --output out.nc";
  (void)report_of(arguments);
  folder.write("one.nc", folder.read("out.nc"));
  (void)report_on(3, arguments);
  expect_same_state("out.nc", "one.nc", 1e-5);
}

TEST_F(ShallowWaterOverRanks, WriteTheBytesOfOneProcess) {
  write_exact_state(12);
  for (const std::string more : {"", " --precision single --scheme leapfrog"}) {
    const std::string arguments =
        "shallow-water --n 12 --initial exact.nc --coriolis 0 --until 0 --checkpoint c.nc" + more;
    const std::string one = file_of(1, arguments), checkpoint = folder.read("c.nc");
    EXPECT_GT(checkpoint.size(), 1000u);
    for (const int num_ranks : {2, 4}) {
      EXPECT_TRUE(file_of(num_ranks, arguments) == one) << num_ranks << ' ' << arguments;
      EXPECT_TRUE(folder.read("c.nc") == checkpoint) << num_ranks << ' ' << arguments;
    }
  }
}

TEST_F(ShallowWaterOverRanks, MayHaveNoLines) {
  write_state(
      "flat.nc", 8, 2, [](std::size_t i, std::size_t) { return i == 3 ? 1.5 : 1.0; },
      [](std::size_t, std::size_t) { return 0.1; });
  for (const std::string scheme : {"rk3", "semi-implicit"}) {
    const std::string arguments =
        "shallow-water --size 8 2 --initial flat.nc --dt 0.0125 --until 0.025 --checkpoint c.nc "
        "--scheme " +
        scheme;
    const auto one = report_of(arguments);
    folder.write("one.nc", folder.read("c.nc"));
    const auto many = report_on(4, arguments);
    expect_same_sums(many["diagnostics"], one["diagnostics"]);
    expect_same_state("c.nc", "one.nc", 1e-12);
    const auto& parts = many["per_rank"];
    EXPECT_EQ(std::count_if(parts.begin(), parts.end(),
                            [](const nlohmann::json& rank) { return rank["owned"] == 0; }),
              2);
  }
}

TEST_F(ShallowWaterOverRanks, GoOnOnAnyNumber) {
  for (const std::string scheme : {"leapfrog", "rk3", "semi-implicit"}) {
    SCOPED_TRACE(scheme);
    const std::string restart = "shallow-water --restart c.nc --checkpoint c.nc --until ";
    (void)report_of(
        "shallow-water --size 24 13 --dt 0.005 --until 0.1 --velocity 0.1 0.05 "
        "--checkpoint whole.nc --scheme " +
        scheme);
    (void)report_on(3,
                    "shallow-water --size 24 13 --dt 0.005 --until 0.02 --velocity 0.1 0.05 "
                    "--checkpoint c.nc --scheme " +
                        scheme);
    EXPECT_EQ(report_on(2, restart + "0.04")["first_step"], 4);
    EXPECT_EQ(report_on(4, restart + "0.06")["first_step"], 8);
    EXPECT_EQ(report_of(restart + "0.08")["first_step"], 12);
    EXPECT_EQ(report_on(2, restart + "0.1")["steps"], 4);
    expect_same_state("c.nc", "whole.nc", 1e-12);
    if (scheme == "leapfrog") {
      const auto got = values("c.nc", "u_previous"), wanted = values("whole.nc", "u_previous");
      for (std::size_t n = 0; n < wanted.size(); ++n) ASSERT_NEAR(got[n], wanted[n], 1e-12) << n;
    }
  }
}

TEST_F(ShallowWaterOverRanks, FlowOverABottomBetweenWalls) {
  for (const std::string scheme : {"leapfrog", "rk3", "semi-implicit"}) {
    SCOPED_TRACE(scheme);
    const std::string arguments =
        "shallow-water --size 24 13 --dt 0.005 --velocity 0.1 0 --sides walls --beta 2 --bottom "
        "mountain --output out.nc --scheme " +
        scheme;
    const auto one = report_of(arguments + " --until 0.06");
    folder.write("one.nc", folder.read("out.nc"));
    const auto many = report_on(3, arguments + " --until 0.06");
    expect_same_sums(many["diagnostics"], one["diagnostics"]);
    expect_same_state("out.nc", "one.nc", 1e-12);
    for (const char* variable : {"bottom", "potential_vorticity"}) {
      const auto got = values("out.nc", variable), wanted = values("one.nc", variable);
      for (std::size_t n = 0; n < wanted.size(); ++n) ASSERT_NEAR(got[n], wanted[n], 1e-10) << n;
    }
    // Each part goes on with its lines of the bottom in the file.
    (void)report_on(2, arguments + " --until 0.02 --checkpoint c.nc");
    (void)report_on(4, "shallow-water --restart c.nc --until 0.06 --output out.nc");
    const auto height = values("out.nc", "height"), wanted = values("one.nc", "height");
    for (std::size_t n = 0; n < 24 * 13; ++n) {
      ASSERT_NEAR(height[24 * 13 + n], wanted[24 * 13 + n], 1e-12) << n;
    }
  }
}

TEST_F(ShallowWaterOverRanks, TellHowTheyWorkTogether) {
  for (const auto& [scheme, messages] : {std::pair("leapfrog", 2), std::pair("rk3", 6)}) {
    const auto report = report_on(3, std::string("shallow-water --size 16 96 --until 0.02 "
                                                 "--transport mpi-host --scheme ") +
                                         scheme);
    EXPECT_EQ(report["ranks"], 3);
    EXPECT_EQ(report["decomposition"]["ranks"], nlohmann::json({1, 3}));
    EXPECT_EQ(report["decomposition"]["most_peers"], 2);
    EXPECT_EQ(report["decomposition"]["imbalance"], 1);
    EXPECT_NEAR(report["decomposition"]["largest_halo_fraction"], 2 / 32.0, 1e-15);
    EXPECT_EQ(report["transport"]["name"], "mpi-host");
    EXPECT_EQ(report["messages"]["per_iteration"], 3 * 2 * messages);
    EXPECT_GE(report["messages"]["bytes_per_iteration"], 3 * 2 * messages * 16 * 8);
    EXPECT_EQ(report["messages"]["reductions_per_iteration"], 0);
    EXPECT_GT(report["rank_seconds"]["halo_wait"]["min"], 0);
    EXPECT_LT(report["rank_seconds"]["halo_wait"]["max"], report["seconds"]["solve"]);
    EXPECT_FALSE(report["kernels"].empty());
  }
  const auto outcome = run_on(2, "shallow-water --n 16 --until 0.02 --diagnostics-every 5");
  EXPECT_NE(outcome.output.find("  ranks       2, strips of lines\n"), std::string::npos)
      << outcome.output;
  EXPECT_EQ(outcome.output.find("  result "), outcome.output.rfind("  result "));
}

TEST_F(ShallowWaterOverRanks, SeeTheFaultOfOne) {
  const std::string arguments = "shallow-water --n 16 --cfl 0.22 --scheme leapfrog --until 2";
  const auto one = report_of(arguments, 1);
  const Outcome outcome = run_on(3, arguments + " --quiet --json many.json");
  EXPECT_EQ(outcome.status, 1) << outcome.errors;
  const auto many = nlohmann::json::parse(folder.read("many.json"), nullptr, false);
  EXPECT_EQ(many["status"], one["status"]);
  EXPECT_EQ(many["breakdown"]["step"], one["breakdown"]["step"]);
}

TEST_F(ShallowWaterOverRanks, EndTogether) {
  expect_refused_on(2, "shallow-water --n 16 --until 0.02 --output missing/x.nc",
                    "lamina shallow-water: rank 0: --output: missing/x.nc: cannot be written: ");
  expect_refused_on(
      2, "shallow-water --n 16 --until 0.02 --quiet --checkpoint missing/x.nc",
      "lamina shallow-water: rank 0: --checkpoint: missing/x.nc: cannot be written: ");
  // A value that one rank reads is none.
  write_state(
      "bad.nc", 12, 12, [](std::size_t, std::size_t j) { return j == 11 ? -1.0 : 1.0; },
      [](std::size_t, std::size_t) { return 0.0; });
  expect_refused_on(3, "shallow-water --n 12 --initial bad.nc --until 0.02 --output x.nc",
                    "lamina shallow-water: rank 2: --initial: bad.nc: variable 'height': expected "
                    "a number > 0 at (i, j) = (0, 11), got -1");
}

TEST_F(ShallowWaterOverRanks, EndWhereOneStopsAnswering) {
  using Clock = std::chrono::steady_clock;
  const std::string part = program + "shallow-water --n 64 --until 100000 --dt 0.001 --quiet";
  const auto start = Clock::now();
  const auto outcome = run_shell(
      "export LAMINA_TIMEOUT=0.5 && " + launcher + of_ranks(2) + part + " :" + of_ranks(1) +
      " sh -c 'echo $$ >pid; exec \"$0\" \"$@\"'" + part +
      " & job=$!; until test -s pid; do sleep 0.1; done; sleep 1.5; kill -STOP $(cat pid); wait "
      "$job");
  expect_failure(outcome, "lamina shallow-water: rank ", 1);
  EXPECT_NE(outcome.errors.find(" for 0.5 s"), std::string::npos) << outcome.errors;
  EXPECT_LT(std::chrono::duration<double>(Clock::now() - start).count(), 20);
  expect_failure(run_on(2, "shallow-water --n 12", "export LAMINA_TIMEOUT=soon"),
                 "lamina shallow-water: LAMINA_TIMEOUT: expected a number of seconds > 0, got soon",
                 1);
  const std::string short_run = program + "shallow-water --n 12";
  expect_failure(run_shell(launcher + of_ranks(1) + short_run + " :" + of_ranks(1) +
                           " sh -c 'LAMINA_TIMEOUT=soon exec \"$0\" \"$@\"'" + short_run),
                 "lamina shallow-water: rank 1: LAMINA_TIMEOUT: expected a number of seconds > 0, "
                 "got soon",
                 1);
}

TEST_F(ShallowWaterOverRanks, EndTheStepTogetherAfterASignal) {
  // One rank alone gets the signal.
  const std::string part = program +
                           "shallow-water --n 64 --until 100000 --dt 0.001 --quiet --checkpoint "
                           "c.nc --json many.json";
  const auto outcome = run_shell(launcher + of_ranks(1) + part + " :" + of_ranks(1) +
                                 " sh -c 'echo $$ >pid; exec \"$0\" \"$@\"'" + part +
                                 " & job=$!; until test -s pid; do sleep 0.1; done; sleep 3; kill "
                                 "-USR1 $(cat pid); wait $job");
  EXPECT_NE(outcome.status, 0);
  const auto report = nlohmann::json::parse(folder.read("many.json"), nullptr, false);
  EXPECT_EQ(report["status"], "interrupted");
  EXPECT_GT(report["steps"], 0);
  EXPECT_EQ(report_of("shallow-water --restart c.nc --until " +
                      std::to_string(0.001 * (report["steps"].get<int>() + 1)))["first_step"],
            report["steps"]);
}

}  // namespace
}  // namespace LaminaTest
