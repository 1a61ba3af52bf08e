// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <string>
#include <vector>

#include "ShallowWaterTest.hpp"

namespace LaminaTest {
namespace {

class ShallowWaterRestart : public ShallowWaterTest {};

TEST_F(ShallowWaterRestart, GoesOnFromACheckpointToTheLastBit) {
  const std::vector<std::string> variants{"--scheme leapfrog",
                                          "--scheme leapfrog --mass-solver cg --cg-iterations 3",
                                          "--scheme leapfrog --precision single",
                                          "--scheme rk3",
                                          "--scheme rk3 --mass-solver cg --mass-tolerance 1e-2",
                                          "--scheme semi-implicit",
                                          "--scheme semi-implicit --cg-preconditioner multigrid",
                                          "--scheme semi-implicit --newton-iterations 2 "
                                          "--cg-iterations 3 --phi-star one --precision single"};
  for (const std::string& variant : variants) {
    SCOPED_TRACE(variant);
    const auto whole = report_of(
        "shallow-water --n 24 --until 0.1 --velocity 0.1 0.05 --coriolis 0 "
        "--checkpoint whole.nc " +
        variant);
    // A run that goes on from the checkpoint of step 10 does the same as the whole run does after it.
    const auto half = report_of("shallow-water --n 24 --velocity 0.1 0.05 --coriolis 0 --dt " +
                                whole["problem"]["time_step"].dump() +
                                " --until 0.041666666666666667 --checkpoint half.nc " + variant);
    EXPECT_EQ(half["steps"], 10);
    const auto rest =
        report_of("shallow-water --restart half.nc --until 0.1 --checkpoint rest.nc --output o.nc");
    EXPECT_EQ(rest["first_step"], 10);
    EXPECT_EQ(rest["steps"], 14);
    EXPECT_EQ(rest["problem"]["scheme"], whole["problem"]["scheme"]);
    EXPECT_EQ(rest["precision"], whole["precision"]);
    EXPECT_EQ(rest["error"], whole["error"]);
    EXPECT_EQ(rest["diagnostics"], whole["diagnostics"]);
    EXPECT_EQ(state("rest.nc"), state("whole.nc"));
    EXPECT_EQ(values("o.nc", "step"), (std::vector<double>{10, 24}));
  }
}

TEST_F(ShallowWaterRestart, GoesOnOnARectangle) {
  for (const std::string scheme : {"leapfrog", "rk3", "semi-implicit"}) {
    SCOPED_TRACE(scheme);
    const std::string run = "shallow-water --size 24 13 --dt 0.005 --velocity 0.1 0.05 --scheme " +
                            scheme + " --checkpoint ";
    const auto whole = report_of(run + "whole.nc --until 0.1");
    (void)report_of(run + "half.nc --until 0.04");
    const auto rest = report_of("shallow-water --restart half.nc --until 0.1 --checkpoint rest.nc");
    EXPECT_EQ(rest["first_step"], 8);
    EXPECT_EQ(rest["problem"]["nx"], 24);
    EXPECT_EQ(rest["problem"]["ny"], 13);
    EXPECT_EQ(rest["diagnostics"], whole["diagnostics"]);
    EXPECT_EQ(state("rest.nc"), state("whole.nc"));
  }
  const std::string restart = "shallow-water --restart half.nc --until 0.05 ";
  EXPECT_EQ(run(restart + "--size 24 13 --quiet").status, 0);
  const std::vector<std::vector<std::string>> bad{
      {"--size 13 24", "--size: expected 24 13 as in half.nc, got 13 24"},
      {"--size 24 24", "--size: expected 24 13 as in half.nc, got 24 24"},
      {"--n 24", "--n: expected --size 24 13 as in half.nc, got 24"},
      {"--n 24 --size 24 13", "--size: expected no --n, got --n 24"},
      {"--size 24 0", "--size: expected whole numbers >= 1, got 0"}};
  for (const auto& option : bad) {
    expect_refused(restart + option[0], "lamina shallow-water: " + option[1]);
  }
}

TEST_F(ShallowWaterRestart, WritesCheckpointsOnTheWay) {
  (void)report_of("shallow-water --n 16 --dt 0.005 --until 0.05 --checkpoint all.nc");
  // Unstable later, so that the last good checkpoint is one on the way.
  const auto unstable = report_of(
      "shallow-water --n 16 --cfl 0.22 --scheme leapfrog --until 2 "
      "--checkpoint c.nc --checkpoint-every 6",
      1);
  EXPECT_EQ(unstable["status"], "diverged");
  const auto again = report_of("shallow-water --restart c.nc --diagnostics-every 6", 1);
  EXPECT_EQ(again["first_step"].get<int>() % 6, 0);
  EXPECT_GT(again["first_step"].get<int>(), 0);
  EXPECT_EQ(again["breakdown"], unstable["breakdown"]);

  // A file may be read and then replaced.
  (void)report_of("shallow-water --n 16 --dt 0.005 --until 0.03 --checkpoint c.nc");
  (void)report_of("shallow-water --restart c.nc --until 0.05 --checkpoint c.nc");
  EXPECT_EQ(state("c.nc"), state("all.nc"));
}

TEST_F(ShallowWaterRestart, RefusesToGoOnWithSomethingElse) {
  (void)report_of("shallow-water --n 16 --dt 0.005 --until 0.05 --checkpoint c.nc");
  const std::string whole = folder.read("c.nc");
  const std::vector<std::vector<std::string>> bad{
      {"--n 32", "--n: expected 16 as in c.nc, got 32"},
      {"--size 16 8", "--size: expected 16 16 as in c.nc, got 16 8"},
      {"--scheme leapfrog", "--scheme: expected rk3 as in c.nc, got leapfrog"},
      {"--precision single", "--precision: expected double as in c.nc, got single"},
      {"--dt 0.01", "--dt: expected 0.005 as in c.nc, got 0.01"},
      {"--coriolis 0", "--coriolis: expected 0.3 as in c.nc, got 0"},
      {"--mass-solver cg", "--mass-solver: expected direct as in c.nc, got cg"},
      {"--until 0.0512", "--dt: expected a step that divides --until 0.0512"},
      {"--until 0.04", "--until: expected the time of c.nc or a later one, 0.05, got 0.04"},
      {"--cfl 0.1", "--cfl: expected no --restart, got both"},
      {"--initial vortex", "--initial: expected no --restart, got both"},
      {"--velocity 0 0", "--velocity: expected no --restart, got both"},
      {"--newton-tolerance 0.1", "--newton-tolerance: expected it with --scheme semi-implicit"},
  };
  for (const auto& option : bad) {
    expect_refused("shallow-water --restart c.nc --output o.nc --checkpoint c.nc " + option[0],
                   "lamina shallow-water: " + option[1]);
  }
  EXPECT_EQ(folder.read("c.nc"), whole);
  EXPECT_EQ(run("shallow-water --restart c.nc --n 16 --dt 5e-3 --scheme rk3 --quiet").status, 0);
  EXPECT_EQ(run("shallow-water --restart c.nc --size 16 16 --quiet").status, 0);
}

TEST_F(ShallowWaterRestart, RefusesWhatIsNoIntactCheckpoint) {
  (void)report_of(
      "shallow-water --n 16 --dt 0.005 --until 0.02 --scheme leapfrog --checkpoint c.nc");
  const std::string whole = folder.read("c.nc");
  const std::string message = "lamina shallow-water: --restart: ";
  const std::string damaged =
      message + "bad.nc: not a checkpoint of lamina shallow-water, or not an intact one";
  const std::string restart =
      "shallow-water --restart bad.nc --until 0.03 --output o.nc --checkpoint bad.nc";
  expect_refused("shallow-water --restart none.nc", message + "none.nc: no such file");
  expect_refused("shallow-water --restart .", message + ".: not a regular file");
  for (const char* text : {"", "text", "\x89HDF\r\n\x1a\n and no more"}) {
    folder.write("bad.nc", text);
    expect_refused(restart, damaged);
  }
  for (const double part : {0.001, 0.1, 0.5, 0.9, 0.999}) {
    const auto length = static_cast<std::size_t>(part * static_cast<double>(whole.size()));
    folder.write("bad.nc", whole.substr(0, length));
    expect_refused(restart, damaged);
  }
  for (std::size_t place = 0; place < whole.size(); place += whole.size() / 60) {
    std::string changed = whole;
    changed[place] = static_cast<char>(changed[place] ^ (1 << place % 8));
    folder.write("bad.nc", changed);
    expect_refused(restart, damaged);
    EXPECT_EQ(folder.read("bad.nc"), changed);
  }
  (void)report_of("shallow-water --n 16 --dt 0.005 --until 0.02 --output bad.nc");
  expect_refused(restart, damaged);  // an output is no checkpoint
}

}  // namespace
}  // namespace LaminaTest
