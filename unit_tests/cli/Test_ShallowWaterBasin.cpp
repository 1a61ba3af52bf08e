// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "ShallowWaterTest.hpp"

namespace LaminaTest {
namespace {

class ShallowWaterBasin : public ShallowWaterTest {
 protected:
  static double hill(std::size_t i, std::size_t j) {
    return 0.4 * std::exp(-0.05 * (std::pow(static_cast<double>(i) - 7.5, 2) +
                                   std::pow(static_cast<double>(j) - 5, 2)));
  }
  /// A file with a variable (y, x).
  void write_bottom(const std::string& name, const std::string& variable, std::size_t nx,
                    std::size_t ny, const Values& bottom) const {
    auto file = Lamina::NetcdfFile::create(folder / name, name);
    const int x = file.add_dimension("x", nx), y = file.add_dimension("y", ny);
    const int id = file.add_variable<double>(variable, {y, x});
    for (std::size_t j = 0; j < ny; ++j) {
      for (std::size_t i = 0; i < nx; ++i) {
        const double here = bottom(i, j);
        file.write(id, {j, i}, {1, 1}, &here);
      }
    }
    file.close();
  }
};

const char* const all_schemes[] = {"leapfrog", "rk3", "semi-implicit"};

TEST_F(ShallowWaterBasin, KeepsALakeAtRest) {
  write_bottom("hill.nc", "depth of soil", 16, 11, hill);
  write_state(
      "lake.nc", 16, 11, [](std::size_t i, std::size_t j) { return 1 - hill(i, j); },
      [](std::size_t, std::size_t) { return 0.0; });
  for (const std::string scheme : all_schemes) {
    for (const std::string sides : {"periodic", "walls"}) {
      SCOPED_TRACE(scheme + ' ' + sides);
      const auto report = report_of(
          "shallow-water --size 16 11 --initial lake.nc --bottom 'hill.nc:depth of soil' "
          "--until 0.5 --output o.nc --scheme " +
          scheme + " --sides " + sides);
      EXPECT_EQ(report["status"], "completed");
      EXPECT_EQ(report["problem"]["bottom"], "hill.nc:depth of soil");
      EXPECT_EQ(report["problem"]["sides"], sides);
      const auto height = values("o.nc", "height"), bottom = values("o.nc", "bottom"),
                 u = values("o.nc", "u"), v = values("o.nc", "v");
      const std::size_t last = bottom.size();
      ASSERT_EQ(last, 16u * 11u);
      for (std::size_t n = 0; n < last; ++n) {
        ASSERT_EQ(bottom[n], hill(n % 16, n / 16));
        ASSERT_NEAR(height[last + n] + bottom[n], 1, 1e-14);
        ASSERT_NEAR(u[last + n], 0, 1e-14);
        ASSERT_NEAR(v[last + n], 0, 1e-14);
      }
    }
  }
  // Over a flat bottom the same water moves.
  (void)report_of("shallow-water --size 16 11 --initial lake.nc --until 0.5 --output o.nc");
  const auto u = values("o.nc", "u");
  EXPECT_GT(*std::max_element(u.begin(), u.end()), 0.01);
}

TEST_F(ShallowWaterBasin, FlowsOverAMountain) {
  for (const std::string scheme : all_schemes) {
    SCOPED_TRACE(scheme);
    const auto report = report_of(
        "shallow-water --n 32 --initial depression --bottom mountain --until 0.5 --output o.nc "
        "--scheme " +
        scheme);
    EXPECT_FALSE(report.contains("error"));
    const auto& sums = report["diagnostics"];
    EXPECT_NEAR(sums["mass"]["end"], sums["mass"]["start"], 1e-13);
    EXPECT_NEAR(sums["energy"]["end"], sums["energy"]["start"], 1e-4);
    const auto height = values("o.nc", "height"), bottom = values("o.nc", "bottom");
    EXPECT_NEAR(*std::max_element(bottom.begin(), bottom.end()), 0.3, 0.02);
    // The surface is the height of the depression at first.
    EXPECT_NEAR(height[0] + bottom[0], 1, 1e-14);
    EXPECT_NEAR(height[16 * 32 + 16] + bottom[16 * 32 + 16], 0.9, 1e-3);
  }
  EXPECT_FALSE(report_of("shallow-water --n 32 --until 0.1 --bottom mountain").contains("error"));
  const Outcome outcome = run("shallow-water --n 32 --bottom mountain --until 0.01");
  EXPECT_NE(outcome.output.find("  bottom      mountain\n"), std::string::npos) << outcome.output;
}

TEST_F(ShallowWaterBasin, FlowsBetweenWalls) {
  for (const std::string scheme : all_schemes) {
    SCOPED_TRACE(scheme);
    const auto report = report_of(
        "shallow-water --size 32 20 --initial depression --sides walls --beta 2 --coriolis 1 "
        "--until 1 --output o.nc --scheme " +
        scheme);
    EXPECT_EQ(report["problem"]["beta"], 2);
    EXPECT_EQ(report["problem"]["velocity"], (std::vector<double>{0.2, 0}));
    const auto& sums = report["diagnostics"];
    EXPECT_NEAR(sums["mass"]["end"], sums["mass"]["start"], 1e-13);
    const auto v = values("o.nc", "v"), potential = values("o.nc", "potential_vorticity"),
               height = values("o.nc", "height");
    const std::size_t cells = 32 * 20;
    EXPECT_GT(*std::max_element(v.begin(), v.end()), 0.01);
    for (std::size_t i = 0; i < 32; ++i) {
      ASSERT_EQ(v[cells + i], 0);
      // f of the wall in the south, over the height there
      const double mean = (height[cells + i] + height[cells + (i + 31) % 32]) / 2;
      ASSERT_NEAR(potential[cells + i], (1 - 2 * 20 / 64.0) / mean, 1e-13);
    }
  }
  const Outcome outcome = run("shallow-water --size 32 20 --sides walls --beta 1 --until 0.01");
  for (const char* text : {"a channel of 1 x 0.625, with walls", ", beta 1"}) {
    EXPECT_NE(outcome.output.find(text), std::string::npos) << outcome.output;
  }
  // The vortex does not reach the walls.
  const auto with = report_of("shallow-water --n 64 --until 0.03 --sides walls"),
             without = report_of("shallow-water --n 64 --until 0.03");
  EXPECT_NEAR(with["error"]["l2"], without["error"]["l2"].get<double>(), 1e-10);
}

TEST_F(ShallowWaterBasin, SlowsAFlowByViscosity) {
  for (const std::string scheme : all_schemes) {
    SCOPED_TRACE(scheme);
    const std::string run =
        "shallow-water --n 16 --initial depression --velocity 0 0 --until 0.25 --viscosity 0.2 "
        "--scheme " +
        scheme;
    const auto report = report_of(run);
    // --cfl 0.1 alone would take 40 steps.
    EXPECT_EQ(report["steps"], scheme == "leapfrog" ? 205 : 103);
    EXPECT_EQ(report["problem"]["viscosity"], 0.2);
    const auto& sums = report["diagnostics"];
    EXPECT_NEAR(sums["mass"]["end"], sums["mass"]["start"], 1e-14);
    EXPECT_LT(sums["energy"]["end"], sums["energy"]["start"]);
    const std::string longest = scheme == "leapfrog" ? "0.0012207" : "0.00244141";
    expect_refused(run + " --dt 0.005", "lamina shallow-water: --dt: expected at most " + longest +
                                            " for --viscosity 0.2, got 0.005");
  }
  EXPECT_FALSE(report_of("shallow-water --n 32 --until 0.01 --viscosity 1e-3").contains("error"));
  expect_refused("shallow-water --viscosity -1",
                 "lamina shallow-water: --viscosity: expected a number >= 0, got -1");
  // The one of --cfl and --viscosity is blamed that limits the step.
  const std::string too_many = "expected at most 2147483647 steps to --until, got time steps of ";
  expect_refused("shallow-water --viscosity 1e300",
                 "lamina shallow-water: --viscosity: " + too_many + "1.9073486328125e-306");
  expect_refused("shallow-water --viscosity 1e-3 --cfl 1e-300",
                 "lamina shallow-water: --cfl: " + too_many + "3.90625e-303");
  EXPECT_EQ(report_of("shallow-water --n 16 --viscosity 1e308 --until 0")["steps"], 0);
  (void)report_of("shallow-water --n 16 --until 0.02 --dt 0.01 --viscosity 1e-3 --checkpoint c.nc");
  EXPECT_EQ(report_of("shallow-water --restart c.nc --until 0.04")["problem"]["viscosity"], 1e-3);
  const Outcome outcome = run("shallow-water --n 32 --viscosity 0.001 --until 0.01");
  EXPECT_NE(outcome.output.find(", viscosity 0.001\n"), std::string::npos) << outcome.output;
}

TEST_F(ShallowWaterBasin, GoesOnOverTheBottomOfTheCheckpoint) {
  for (const std::string scheme : all_schemes) {
    for (const std::string more : {"", " --sides walls --beta 1 --velocity 0.1 0",
                                   " --precision single --velocity 0.1 0.05"}) {
      SCOPED_TRACE(scheme + more);
      write_bottom("hill.nc", "bottom", 16, 11, hill);
      const std::string run = "shallow-water --size 16 11 --dt 0.005 --bottom hill.nc --scheme " +
                              scheme + more + " --checkpoint ";
      const auto whole = report_of(run + "whole.nc --until 0.05");
      (void)report_of(run + "half.nc --until 0.02");
      // Nobody looks at that file again.
      folder.write("hill.nc", "");
      const auto rest =
          report_of("shallow-water --restart half.nc --until 0.05 --checkpoint half.nc");
      EXPECT_EQ(rest["first_step"], 4);
      EXPECT_EQ(rest["problem"]["bottom"], "hill.nc");
      EXPECT_EQ(rest["diagnostics"], whole["diagnostics"]);
      EXPECT_EQ(state("half.nc"), state("whole.nc"));
      EXPECT_EQ(values("half.nc", "bottom"), values("whole.nc", "bottom"));
    }
  }
  (void)report_of(
      "shallow-water --n 16 --until 0.02 --dt 0.01 --bottom mountain --checkpoint c.nc");
  EXPECT_EQ(report_of("shallow-water --restart c.nc --until 0.04")["steps"], 2);
  for (const std::string option : {"--bottom mountain", "--bottom flat", "--sides walls"}) {
    expect_refused("shallow-water --until 0.04 --restart c.nc " + option,
                   "lamina shallow-water: " + option.substr(0, option.find(' ')) +
                       ": expected no --restart, got both");
  }
}

TEST_F(ShallowWaterBasin, RefusesWhatItCannotDo) {
  write_bottom("hill.nc", "bottom", 16, 11, hill);
  write_bottom("high.nc", "bottom", 16, 16,
               [](std::size_t i, std::size_t j) { return i == 3 && j == 5 ? 1.25 : 0.0; });
  write_bottom("bad.nc", "bottom", 16, 16,
               [](std::size_t i, std::size_t j) { return i == 3 && j == 5 ? std::nan("") : 0.0; });
  const std::vector<std::vector<std::string>> bad{
      {"--bottom hole", "--bottom: expected flat|mountain|FILE.nc[:VARIABLE], got hole"},
      {"--bottom hill.nc:", "--bottom: expected flat|mountain|FILE.nc[:VARIABLE], got hill.nc:"},
      {"--bottom hill.nc",
       "--bottom: hill.nc: variable 'bottom': expected the dimensions (y = 16, x = 16), got "
       "(y = 11, x = 16)"},
      {"--bottom hill.nc:soil", "--bottom: hill.nc: variable 'soil': no such variable"},
      {"--bottom none.nc", "--bottom: none.nc: no such file"},
      {"--bottom high.nc",
       "--bottom: expected it below the surface, got a depth that is not positive at (i, j) = "
       "(3, 5)"},
      {"--bottom bad.nc",
       "--bottom: bad.nc: variable 'bottom': expected a finite number at (i, j) = (3, 5), got nan"},
      {"--bottom high.nc --output high.nc", "--output: expected another file than --bottom"},
      {"--bottom high.nc:bottom --checkpoint ./high.nc",
       "--checkpoint: expected another file than --bottom"},
      {"--sides slopes", "--sides: expected periodic|walls, got slopes"},
      {"--beta 1", "--beta: expected it with --sides walls only, got 1"},
      {"--sides walls --beta inf", "--beta: expected a number, got inf"},
      {"--sides walls --velocity 0.1 0.2",
       "--velocity: expected V = 0 with --sides walls, got 0.2"},
      {"--sides walls --mass-solver cg",
       "--mass-solver: expected direct with --sides walls, got cg"},
  };
  for (const auto& option : bad) {
    expect_refused("shallow-water --n 16 --until 0.02 " + option[0],
                   "lamina shallow-water: " + option[1]);
  }
}

}  // namespace
}  // namespace LaminaTest
