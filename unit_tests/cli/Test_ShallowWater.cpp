// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "ShallowWaterTest.hpp"

namespace LaminaTest {
namespace {

class ShallowWaterCommand : public ShallowWaterTest {};

const char* const schemes[] = {"leapfrog", "rk3", "semi-implicit"};

double number(const nlohmann::json& value) { return value.get<double>(); }

TEST_F(ShallowWaterCommand, KeepsTheStationaryVortex) {
  for (const std::string scheme : schemes) {
    SCOPED_TRACE(scheme);
    const auto report = report_of("shallow-water --n 64 --until 0.03 --scheme " + scheme);
    EXPECT_EQ(report["command"], "shallow-water");
    EXPECT_EQ(report["status"], "completed");
    EXPECT_EQ(report["problem"]["scheme"], scheme);
    EXPECT_EQ(report["problem"]["initial"], "vortex");
    EXPECT_EQ(report["steps"], 20);
    EXPECT_NEAR(number(report["time"]), 0.03, 1e-12);
    EXPECT_NEAR(number(report["error"]["l2"]), 2.0e-4, 0.3e-4);
    EXPECT_GT(number(report["error"]["linf"]), number(report["error"]["l2"]));
    const auto& diagnostics = report["diagnostics"];
    const double mass = diagnostics["mass"]["start"];
    EXPECT_NEAR(number(diagnostics["mass"]["end"]), mass, 1e-13);
    for (const char* sum : {"energy", "potential_enstrophy", "circulation"}) {
      EXPECT_NEAR(number(diagnostics[sum]["end"]), number(diagnostics[sum]["start"]),
                  1e-2 * number(diagnostics[sum]["start"]))
          << sum;
    }
    EXPECT_FALSE(report["kernels"].empty());
    EXPECT_GT(number(report["copy_gb_per_s"]), 0);
    EXPECT_GT(number(report["seconds"]["solve"]), 0);
    EXPECT_FALSE(report.contains("residual_history"));
    EXPECT_EQ(report.contains("newton_iterations"), scheme == "semi-implicit");
  }
}

TEST_F(ShallowWaterCommand, SaysWhatWasAskedFor) {
  const auto report = report_of(
      "shallow-water --n 20 --precision single --scheme semi-implicit --initial depression "
      "--coriolis -0.5 --dt 0.01 --until 0.05 --newton-iterations 2 --cg-iterations 3 --phi-star "
      "one --diagnostics-every 2");
  const auto& problem = report["problem"];
  EXPECT_EQ(report["precision"], "single");
  EXPECT_EQ(problem["n"], 20);
  EXPECT_EQ(problem["nx"], 20);
  EXPECT_EQ(problem["ny"], 20);
  EXPECT_EQ(problem["unknowns"], 1200);
  EXPECT_EQ(problem["velocity"], (std::vector<double>{0.2, 0.2}));
  EXPECT_EQ(problem["coriolis"], -0.5);
  EXPECT_EQ(problem["time_step"], 0.01);
  EXPECT_EQ(problem["phi_star"], "one");
  EXPECT_EQ(problem["newton_iterations"], 2);
  EXPECT_EQ(problem["cg_iterations"], 3);
  EXPECT_EQ(report["newton_iterations"], 5 * 2);
  EXPECT_EQ(report["cg_iterations"], 5 * 2 * 3);
  EXPECT_FALSE(report.contains("error"));  // nothing is known of the depression
  std::vector<int> steps;
  for (const auto& entry : report["series"]) steps.push_back(entry["step"]);
  EXPECT_EQ(steps, (std::vector{0, 2, 4, 5}));
}

TEST_F(ShallowWaterCommand, PreconditionsDeepWaterByMultigrid) {
  // Waves of speed 100 and Courant number 20
  write_state(
      "deep.nc", 33, 20,
      [](std::size_t i, std::size_t j) { return 1e4 + static_cast<double>((7 * i + 3 * j) % 11); },
      [](std::size_t, std::size_t) { return 0.0; });
  const std::string deep =
      "shallow-water --size 33 20 --initial deep.nc --coriolis 0 --cfl 0.2 --until 0.03 --scheme "
      "semi-implicit --newton-iterations 2 --cg-tolerance 1e-8 --output ";
  for (const std::string sides : {"", " --sides walls"}) {
    const auto plain = report_of(deep + "plain.nc" + sides),
               fast = report_of(deep + "fast.nc --cg-preconditioner multigrid" + sides);
    EXPECT_EQ(plain["problem"]["cg_preconditioner"], "none");
    EXPECT_EQ(fast["problem"]["cg_preconditioner"], "multigrid");
    EXPECT_EQ(fast["newton_iterations"], plain["newton_iterations"]);
    EXPECT_LT(fast["cg_iterations"], 16 * fast["newton_iterations"].get<int>());
    EXPECT_LT(2 * fast["cg_iterations"].get<int>(), plain["cg_iterations"]);
    const double mass = fast["diagnostics"]["mass"]["start"];
    EXPECT_NEAR(fast["diagnostics"]["mass"]["end"], mass, 1e-14 * mass);
    const auto one = state("fast.nc"), other = state("plain.nc");
    for (std::size_t field = 0; field < one.size(); ++field) {
      for (std::size_t n = 0; n < one[field].size(); ++n) {
        ASSERT_NEAR(one[field][n], other[field][n], 1e-5);
      }
    }
  }
  const Outcome outcome = run(deep + "fast.nc --cg-preconditioner multigrid");
  EXPECT_NE(outcome.output.find("CG tolerance 1e-08 with multigrid"), std::string::npos)
      << outcome.output;
}

TEST_F(ShallowWaterCommand, SolvesMassMatricesInBothWays) {
  const std::string run = "shallow-water --n 32 --until 0.05 --scheme leapfrog --output ";
  (void)report_of(run + "direct.nc --mass-solver direct");
  const auto report = report_of(run + "cg.nc --mass-solver cg --mass-tolerance 1e-12");
  EXPECT_GT(report["mass_iterations"].get<int>(), 2 * 16);
  const auto direct = values("direct.nc", "height"), cg = values("cg.nc", "height");
  for (std::size_t n = 0; n < cg.size(); ++n) ASSERT_NEAR(cg[n], direct[n], 1e-11);
  const auto fixed = report_of(run + "cg.nc --mass-solver cg --cg-iterations 3");
  EXPECT_EQ(fixed["problem"]["cg_iterations"], 3);
}

TEST_F(ShallowWaterCommand, TakesStepsThatEndAtTheTimeAskedFor) {
  const auto fit = report_of("shallow-water --n 10 --until 0.095 --cfl 0.2");
  EXPECT_EQ(fit["steps"], 5);  // of 0.019 rather than 0.02
  EXPECT_NEAR(number(fit["problem"]["time_step"]), 0.019, 1e-15);
  const auto exact = report_of("shallow-water --n 10 --until 0.1 --cfl 0.2");
  EXPECT_EQ(exact["steps"], 5);
  const auto fixed = report_of("shallow-water --n 10 --until 0.3 --dt 0.01");
  EXPECT_EQ(fixed["steps"], 30);
  const auto none = report_of("shallow-water --n 10 --until 0 --output none.nc");
  EXPECT_EQ(none["steps"], 0);
  EXPECT_EQ(none["status"], "completed");
  EXPECT_EQ(values("none.nc", "time"), std::vector<double>{0});
}

TEST_F(ShallowWaterCommand, RunsOnTheSmallestSquares) {
  for (const std::string scheme : schemes) {
    for (const int n : {1, 2, 3, 5}) {
      const auto report =
          report_of("shallow-water --until 0.1 --dt 0.01 --initial depression --n " +
                    std::to_string(n) + " --scheme " + scheme);
      EXPECT_EQ(report["status"], "completed") << n << scheme;
    }
  }
}

TEST_F(ShallowWaterCommand, RunsOnRectangles) {
  for (const std::string scheme : schemes) {
    SCOPED_TRACE(scheme);
    const auto square = report_of("shallow-water --n 64 --until 0.03 --scheme " + scheme);
    for (const int ny : {42, 102}) {
      const auto report = report_of("shallow-water --until 0.03 --scheme " + scheme +
                                    " --size 64 " + std::to_string(ny));
      EXPECT_EQ(report["status"], "completed");
      const auto& problem = report["problem"];
      EXPECT_EQ(problem["nx"], 64);
      EXPECT_EQ(problem["ny"], ny);
      EXPECT_FALSE(problem.contains("n"));
      EXPECT_EQ(problem["unknowns"], 3 * 64 * ny);
      // The same cells and steps, and the same vortex, at the same places of cells, in more or less
      // water at rest
      for (const char* key : {"time_step", "cfl"}) EXPECT_EQ(problem[key], square["problem"][key]);
      EXPECT_EQ(report["steps"], square["steps"]);
      EXPECT_NEAR(number(report["error"]["l2"]), number(square["error"]["l2"]), 1e-9);
      const double more = (ny - 64) / 64.0;
      const auto& sums = report["diagnostics"];
      const auto& of_square = square["diagnostics"];
      EXPECT_NEAR(number(sums["mass"]["start"]), number(of_square["mass"]["start"]) + more, 1e-13);
      EXPECT_NEAR(number(sums["mass"]["end"]), number(sums["mass"]["start"]), 1e-13);
      EXPECT_NEAR(number(sums["energy"]["start"]), number(of_square["energy"]["start"]) + more / 2,
                  1e-13);
      EXPECT_NEAR(number(sums["circulation"]["end"]), 0.3 * ny / 64, 1e-12);
    }
  }
  const Outcome outcome = run("shallow-water --size 32 48 --diagnostics-every 1 --until 0.01");
  for (const char* text :
       {"a doubly periodic rectangle of 1 x 1.5", "32 x 48 cells: 4 608 unknowns"}) {
    EXPECT_NE(outcome.output.find(text), std::string::npos) << outcome.output;
  }
}

TEST_F(ShallowWaterCommand, StatesOfOneLineAreOnesOfASquareCopied) {
  // What does not vary along y does not depend on ny.
  const auto wave = [](std::size_t i, std::size_t) {
    return 1 + 0.1 * std::sin(0.4 * static_cast<double>(i));
  };
  const auto rest = [](std::size_t, std::size_t) { return 0.0; };
  for (const std::string scheme : schemes) {
    SCOPED_TRACE(scheme);
    std::vector<double> first;
    for (const std::size_t ny : {1, 2, 3, 17}) {
      const std::string name = std::to_string(ny) + ".nc";
      write_state(name, 17, ny, wave, rest);
      (void)report_of("shallow-water --size 17 " + std::to_string(ny) + " --dt 0.005 --until 0.05" +
                      " --initial " + name + " --checkpoint end.nc --scheme " + scheme);
      const auto height = values("end.nc", "height");
      ASSERT_EQ(height.size(), 17 * ny);
      if (ny == 1) first = height;
      for (std::size_t n = 0; n < height.size(); ++n) {
        ASSERT_NEAR(height[n], first[n % 17], scheme == "semi-implicit" ? 1e-5 : 1e-13) << ny;
      }
    }
  }
}

// --- Output ---

TEST_F(ShallowWaterCommand, WritesFieldsOverTimeAtTheirPlaces) {
  const std::size_t n = 12;
  (void)report_of(
      "shallow-water --n 12 --dt 0.005 --until 0.025 --velocity 0.1 -0.2 --output o.nc "
      "--output-every 2");
  EXPECT_EQ(values("o.nc", "step"), (std::vector<double>{0, 2, 4, 5}));
  const auto time = values("o.nc", "time");
  EXPECT_NEAR(time[1], 0.01, 1e-15);
  EXPECT_NEAR(time[3], 0.025, 1e-15);
  const auto x = values("o.nc", "x"), y = values("o.nc", "y"), x_u = values("o.nc", "x_u"),
             y_v = values("o.nc", "y_v");
  for (std::size_t i = 0; i < n; ++i) {
    EXPECT_NEAR(x[i], (static_cast<double>(i) + 0.5) / 12, 1e-15);
    EXPECT_NEAR(x_u[i], static_cast<double>(i) / 12, 1e-15);
  }
  EXPECT_EQ(x, y);
  EXPECT_EQ(x_u, y_v);

  const auto fields = state("o.nc");
  const auto &height = fields[0], &u = fields[1], &v = fields[2];
  const auto rot = values("o.nc", "relative_vorticity"), q = values("o.nc", "potential_vorticity");
  ASSERT_EQ(height.size(), 4 * n * n);
  const double flow_x = 0.1, flow_y = -0.2;
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t here = n * j + i, west = n * j + (i + n - 1) % n,
                        south = n * ((j + n - 1) % n) + i,
                        corner = n * ((j + n - 1) % n) + (i + n - 1) % n;
      const double radius = std::hypot(x[i] - 0.5, y[j] - 0.5);
      EXPECT_EQ(height[here] < 1, radius < 0.2);
      if (radius >= 0.25) {  // beyond the vortex
        EXPECT_EQ(u[here], flow_x);
        EXPECT_EQ(v[here], flow_y);
      }
      EXPECT_NEAR(rot[here], (v[here] - v[west] - u[here] + u[south]) * 12, 1e-12);
      const double mean = (height[here] + height[west] + height[south] + height[corner]) / 4;
      EXPECT_NEAR(q[here] * mean, rot[here] + 0.3, 1e-12);
    }
  }
  const auto mass = values("o.nc", "mass");
  EXPECT_NEAR(mass.front(), std::accumulate(height.begin(), height.begin() + n * n, 0.0) / (n * n),
              1e-14);
  EXPECT_NEAR(mass.back(), mass.front(), 1e-14);
}

TEST_F(ShallowWaterCommand, WritesFieldsOfARectangleAtTheirPlaces) {
  const std::size_t nx = 12, ny = 18;
  (void)report_of("shallow-water --size 12 18 --dt 0.005 --until 0.01 --output o.nc");
  const auto x = values("o.nc", "x"), y = values("o.nc", "y"), x_u = values("o.nc", "x_u"),
             y_v = values("o.nc", "y_v");
  ASSERT_EQ(x.size(), nx);
  ASSERT_EQ(y.size(), ny);
  EXPECT_NEAR(x.back(), 11.5 / 12, 1e-15);
  EXPECT_NEAR(y.back(), 17.5 / 12, 1e-15);
  EXPECT_NEAR(x_u.back(), 11.0 / 12, 1e-15);
  EXPECT_NEAR(y_v.back(), 17.0 / 12, 1e-15);
  const auto fields = state("o.nc");
  const auto &height = fields[0], &u = fields[1], &v = fields[2];
  const auto rot = values("o.nc", "relative_vorticity");
  ASSERT_EQ(height.size(), 2 * nx * ny);
  for (std::size_t j = 0; j < ny; ++j) {
    for (std::size_t i = 0; i < nx; ++i) {
      const std::size_t here = nx * j + i, west = nx * j + (i + nx - 1) % nx,
                        south = nx * ((j + ny - 1) % ny) + i;
      EXPECT_EQ(height[here] < 1, std::hypot(x[i] - 0.5, y[j] - 0.75) < 0.2);
      EXPECT_NEAR(rot[here], (v[here] - v[west] - u[here] + u[south]) * 12, 1e-12);
    }
  }
  // A record to start from
  const auto report =
      report_of("shallow-water --size 12 18 --dt 0.005 --until 0.01 --initial o.nc");
  EXPECT_EQ(report["status"], "completed");
}

TEST_F(ShallowWaterCommand, StartsFromAFileAsItWroteIt) {
  const std::string rest = " --scheme rk3 --precision double --quiet";
  ASSERT_EQ(run("shallow-water --n 16 --dt 0.004 --until 0.02 --output all.nc" + rest).status, 0);
  ASSERT_EQ(run("shallow-water --n 16 --dt 0.004 --until 0.008 --output half.nc" + rest).status, 0);
  ASSERT_EQ(
      run("shallow-water --n 16 --dt 0.004 --until 0.012 --initial half.nc --output rest.nc" + rest)
          .status,
      0);
  const auto all = values("all.nc", "height"), from_half = values("rest.nc", "height");
  EXPECT_TRUE(std::equal(all.end() - 256, all.end(), from_half.end() - 256));
  const auto report = report_of("shallow-water --n 16 --until 0.01 --initial half.nc");
  EXPECT_EQ(report["problem"]["initial"], "half.nc");
  EXPECT_FALSE(report["problem"].contains("velocity"));
}

// --- Blow-up ---

TEST_F(ShallowWaterCommand, StopsWhereAStateIsNoLongerOne) {
  const auto report = report_of(
      "shallow-water --n 32 --scheme leapfrog --cfl 0.5 --until 2 "
      "--diagnostics-every 10 --output o.nc --output-every 1 "
      "--checkpoint c.nc --checkpoint-every 1",
      1);
  EXPECT_EQ(report["status"], "diverged");  // a height is negative before any value is infinite
  const int step = report["breakdown"]["step"];
  EXPECT_GT(step, 1);
  EXPECT_EQ(report["steps"], step);
  EXPECT_LT(step, 128);
  EXPECT_NEAR(number(report["breakdown"]["time"]), step * number(report["problem"]["time_step"]),
              1e-12);
  for (const char* index : {"i", "j"}) {
    EXPECT_GE(report["breakdown"][index].get<int>(), 0);
    EXPECT_LT(report["breakdown"][index].get<int>(), 32);
  }
  EXPECT_FALSE(report.contains("error"));
  // The last good state stays.
  const auto steps = values("o.nc", "step");
  EXPECT_EQ(steps.back(), step - 1);
  for (const double height : values("o.nc", "height")) ASSERT_GT(height, 0);
  for (const auto& field : state("c.nc")) {
    for (const double entry : field) ASSERT_TRUE(std::isfinite(entry));
  }
  const Outcome outcome = run("shallow-water --n 32 --scheme leapfrog --cfl 0.5 --until 2");
  EXPECT_EQ(outcome.status, 1);
  for (const char* text :
       {"BROKE DOWN", "found at step", "in cell (i, j) = (", "a value that is not finite"}) {
    EXPECT_NE(outcome.output.find(text), std::string::npos) << outcome.output;
  }
}

// --- Text ---

TEST_F(ShallowWaterCommand, PrintsWhatItDoesAndNoProgressWithoutATerminal) {
  const Outcome outcome = run("shallow-water --n 16 --output o.nc --diagnostics-every 8");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.errors, "");
  for (const char* text : {"768 unknowns", "rk3, mass solver direct", "completed after 16 steps",
                           "pot. enstrophy", "relative change", "per step", "GB/s", "o.nc"}) {
    EXPECT_NE(outcome.output.find(text), std::string::npos) << text << outcome.output;
  }
  EXPECT_EQ(outcome.output.find('\r'), std::string::npos);
}

TEST_F(ShallowWaterCommand, CompareRunsInEveryWay) {
  const auto rows = report_of("compare shallow-water --n 32 --until 0.02");
  ASSERT_TRUE(rows.is_array());
  std::set<std::string> spaces, precisions, found;
  for (const auto& row : rows) {
    spaces.insert(row["space"].get<std::string>());
    precisions.insert(row["precision"].get<std::string>());
    found.insert(row["problem"]["scheme"].get<std::string>());
    EXPECT_EQ(row["command"], "shallow-water");
    EXPECT_EQ(row["status"], "completed");
    EXPECT_EQ(row["steps"], 7);
  }
  EXPECT_EQ(precisions, (std::set<std::string>{"double", "single"}));
  EXPECT_EQ(found, std::set<std::string>(std::begin(schemes), std::end(schemes)));
  EXPECT_EQ(rows.size(), spaces.size() * precisions.size() * found.size());

  const Outcome outcome = run("compare shallow-water --n 16 --scheme rk3 --precision double");
  for (const char* text : {"per step", "speed-up", "rk3"}) {
    EXPECT_NE(outcome.output.find(text), std::string::npos) << text;
  }
  EXPECT_EQ(outcome.output.find("leapfrog"), std::string::npos);
}

}  // namespace
}  // namespace LaminaTest
