// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <limits>
#include <string>
#include <vector>

#include "ShallowWaterTest.hpp"

namespace LaminaTest {
namespace {

class ShallowWaterBadInput : public ShallowWaterTest {};

TEST_F(ShallowWaterBadInput, BadOptionsEndInOneLine) {
  const std::vector<std::vector<std::string>> bad{
      {"--n 0", "--n: expected a whole number from 1"},
      {"--n -5", "--n: expected a whole number from 1"},
      {"--n many", "--n: expected a whole number from 1"},
      {"--n 2147483648", "--n: expected a whole number from 1"},
      {"--n 1000000", "--n: needs "},
      {"--size 16", "--size: "},
      {"--size 16 0", "--size: expected whole numbers >= 1, got 0"},
      {"--size 16 8.5", "--size: expected whole numbers >= 1, got 8.5"},
      {"--size 4 2147483648", "--size: expected fewer than 2^31 cells, got 2147483648"},
      {"--size 9223372036854775808 4",
       "--size: expected whole numbers >= 1, got 9223372036854775808"},
      {"--size 16 16 --n 16", "--size: expected no --n, got --n 16"},
      {"--size 2147483647 2147483647", "--size: needs "},
      {"--size 1 2147483647 --initial depression --dt 0.1", "--size: needs "},
      {"--size 100 39", "--size: expected NY >= 2/5 NX for --initial vortex, got 100 39"},
      {"--size 5 1 --initial depression", "--size: expected NY >= 2/5 NX for --initial depression"},
      {"--cfl 0", "--cfl: expected a number > 0, got 0"},
      {"--cfl nan", "--cfl: expected a number > 0, got nan"},
      {"--cfl 1e-300", "--cfl: expected at most 2147483647 steps to --until"},
      {"--dt 0", "--dt: expected a number > 0, got 0"},
      {"--dt 1e-300", "--dt: expected at most 2147483647 steps to --until"},
      {"--dt 0.03", "--dt: expected a step that divides --until 0.1, got 0.03"},
      {"--dt 0.2", "--dt: expected a step that divides --until 0.1, got 0.2"},
      {"--dt 0.01 --cfl 0.1", "--dt: expected no --cfl, got both"},
      {"--until -1", "--until: expected a number >= 0, got -1"},
      {"--until inf", "--until: expected a number >= 0, got inf"},
      {"--coriolis x", "--coriolis: expected a number, got x"},
      {"--coriolis inf", "--coriolis: expected a number, got inf"},
      {"--velocity 1", "--velocity: "},
      {"--velocity 1 nan", "--velocity: expected a number, got nan"},
      {"--velocity 1e300 0 --precision single", "--initial: expected finite values"},
      {"--scheme euler", "--scheme: expected leapfrog|rk3|semi-implicit, got euler"},
      {"--mass-solver lu", "--mass-solver: expected direct|cg, got lu"},
      {"--phi-star two --scheme semi-implicit", "--phi-star: expected current|one, got two"},
      {"--precision mixed", "--precision: expected single|double, got mixed"},
      {"--space abacus", "--space: expected "},
      {"--initial storm", "--initial: expected vortex|depression|FILE.nc, got storm"},
      {"--initial none.nc", "--initial: none.nc: no such file"},
      {"--output a.mtx", "--output: expected a file name that ends in .nc, got a.mtx"},
      {"--output none/a.nc", "--output: none/a.nc: cannot be written"},
      {"--checkpoint none/a.nc", "--checkpoint: none/a.nc: cannot be written"},
      {"--json a.nc --output a.nc", "--json: expected another file than --output, got a.nc"},
      {"--output a.nc --checkpoint ./a.nc", "--output: expected another file than --checkpoint"},
      {"--initial a.nc --output ./a.nc", "--output: expected another file than --initial"},
      {"--output-every 0 --output a.nc", "--output-every: expected a whole number from 1"},
      {"--diagnostics-every -1", "--diagnostics-every: expected a whole number from 1"},
  };
  for (const auto& option : bad) {
    expect_refused("shallow-water " + option[0], "lamina shallow-water: " + option[1]);
  }
}

TEST_F(ShallowWaterBadInput, OptionsThatWouldMeanNothingAreRefused) {
  const std::vector<std::vector<std::string>> bad{
      {"--layout left", "--layout: no such option or argument"},
      {"--tolerance 1e-3", "--tolerance: no such option or argument"},
      {"--max-iterations 3", "--max-iterations: no such option or argument"},
      {"--check-every 3", "--check-every: no such option or argument"},
      {"--newton-tolerance 0.1",
       "--newton-tolerance: expected it with --scheme semi-implicit only, got 0.1"},
      {"--newton-iterations 2", "--newton-iterations: expected it with --scheme semi-implicit"},
      {"--cg-tolerance 0.1", "--cg-tolerance: expected it with --scheme semi-implicit"},
      {"--cg-preconditioner multigrid",
       "--cg-preconditioner: expected it with --scheme semi-implicit"},
      {"--scheme semi-implicit --cg-preconditioner jacobi",
       "--cg-preconditioner: expected none|multigrid, got jacobi"},
      {"--cg-tolerance 0.1 --mass-solver cg", "--cg-tolerance: expected it with --scheme semi"},
      {"--cg-iterations 3",
       "--cg-iterations: expected it with --scheme semi-implicit or --mass-solver cg only, got 3"},
      {"--phi-star one", "--phi-star: expected it with --scheme semi-implicit"},
      {"--mass-tolerance 0.1", "--mass-tolerance: expected it with --mass-solver cg"},
      {"--mass-solver cg --scheme semi-implicit",
       "--mass-solver: expected it with --scheme leapfrog|rk3 only, got cg"},
      {"--mass-tolerance 0.1 --cg-iterations 3 --mass-solver cg",
       "--cg-iterations: expected no --mass-tolerance, got both"},
      {"--scheme semi-implicit --cg-iterations 3 --cg-tolerance 0.1",
       "--cg-iterations: expected no --cg-tolerance, got both"},
      {"--scheme semi-implicit --newton-iterations 3 --newton-tolerance 0.1",
       "--newton-iterations: expected no --newton-tolerance, got both"},
      {"--output-every 3", "--output-every: expected it with --output FILE.nc only, got 3"},
      {"--checkpoint-every 3", "--checkpoint-every: expected it with --checkpoint FILE.nc only"},
  };
  for (const auto& option : bad) {
    expect_refused("shallow-water " + option[0], "lamina shallow-water: " + option[1]);
  }
  expect_refused("compare shallow-water --output a.nc", "lamina compare: --output: no such option");
  expect_refused("compare shallow-water --restart a.nc",
                 "lamina compare: --restart: no such option");
  expect_refused("compare shallow-water --scheme rk3 --phi-star one",
                 "lamina compare: --phi-star: expected it with --scheme semi-implicit only");
}

TEST_F(ShallowWaterBadInput, FilesOfAnotherShapeAreRefused) {
  const auto one = [](std::size_t, std::size_t) { return 1.0; };
  const auto rest = [](std::size_t, std::size_t) { return 0.0; };
  write_state("good.nc", 8, 8, one, rest);
  EXPECT_EQ(run("shallow-water --n 8 --initial good.nc --quiet").status, 0);
  const std::string message = "lamina shallow-water: --initial: ";
  expect_refused("shallow-water --n 9 --initial good.nc",
                 message +
                     "good.nc: variable 'height': expected the dimensions (y = 9, x = 9), got "
                     "(y = 8, x = 8)");
  write_state("flat.nc", 8, 2, one, rest);
  EXPECT_EQ(run("shallow-water --size 8 2 --initial flat.nc --quiet").status, 0);
  expect_refused("shallow-water --size 2 8 --initial flat.nc",
                 message +
                     "flat.nc: variable 'height': expected the dimensions (y = 8, x = 2), got "
                     "(y = 2, x = 8)");
  expect_refused("shallow-water --n 8 --initial flat.nc",
                 message +
                     "flat.nc: variable 'height': expected the dimensions (y = 8, x = 8), got "
                     "(y = 2, x = 8)");
  expect_refused("shallow-water --n 8 --initial good.nc --velocity 1 1",
                 "lamina shallow-water: --velocity: expected no --initial FILE.nc, got both");
  {
    auto file = Lamina::NetcdfFile::create(folder / "part.nc", "part.nc");
    const int x = file.add_dimension("x", 8), y = file.add_dimension("y", 8);
    (void)file.add_variable<double>("height", {y, x});
    (void)file.add_variable<double>("u", {x, y});
    file.close();
  }
  expect_refused("shallow-water --n 8 --initial part.nc",
                 message +
                     "part.nc: variable 'u': expected the dimensions (y = 8, x_u = 8), got (x "
                     "= 8, y = 8)");
  {
    auto file = Lamina::NetcdfFile::create(folder / "none.nc", "none.nc");
    const int time = file.add_dimension("time", Lamina::NetcdfFile::unlimited);
    const int x = file.add_dimension("x", 8), y = file.add_dimension("y", 8);
    (void)file.add_variable<double>("height", {time, y, x});
    file.close();
  }
  expect_refused("shallow-water --n 8 --initial none.nc",
                 message + "none.nc: variable 'height': expected values at a time, got none");
  folder.write("text.nc", "text");
  expect_refused("shallow-water --initial text.nc", message + "text.nc: not a NetCDF file");
}

TEST_F(ShallowWaterBadInput, ChangedValuesOfACheckpointAreNoticed) {
  (void)report_of("shallow-water --n 16 --dt 0.005 --until 0.02 --checkpoint c.nc");
  std::string bytes = folder.read("c.nc");
  const double value = values("c.nc", "u")[16 * 8 + 3];
  const std::size_t place =
      bytes.find(std::string(reinterpret_cast<const char*>(&value), sizeof value));
  ASSERT_NE(place, std::string::npos);
  bytes[place] = static_cast<char>(bytes[place] ^ 1);
  folder.write("bad.nc", bytes);
  expect_refused("shallow-water --n 16 --initial bad.nc",
                 "lamina shallow-water: --initial: bad.nc: a checkpoint that has changed since it "
                 "was written");
  EXPECT_EQ(run("shallow-water --n 16 --dt 0.005 --until 0.02 --quiet --initial c.nc").status, 0);
}

TEST_F(ShallowWaterBadInput, StatesThatAreNoneAreRefused) {
  const auto rest = [](std::size_t, std::size_t) { return 0.0; };
  const auto height_with = [](double value) {
    return [value](std::size_t i, std::size_t j) { return i == 3 && j == 5 ? value : 1.0; };
  };
  const std::string message =
      "lamina shallow-water: --initial: bad.nc: variable 'height': expected "
      "a number > 0 at (i, j) = (3, 5), got ";
  for (const double value : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(),
                             std::numeric_limits<double>::infinity()}) {
    write_state("bad.nc", 8, 8, height_with(value), rest);
    expect_refused("shallow-water --n 8 --initial bad.nc --output o.nc", message);
  }
  write_state("bad.nc", 8, 8, height_with(1), height_with(std::numeric_limits<double>::infinity()));
  expect_refused("shallow-water --n 8 --initial bad.nc --output o.nc",
                 "lamina shallow-water: --initial: bad.nc: variable 'u': expected a finite number "
                 "at (i, j) = (3, 5), got inf");
  // Beyond single precision
  write_state("bad.nc", 8, 8, height_with(1e300), rest);
  expect_refused("shallow-water --n 8 --initial bad.nc --precision single", message + "1e+300");
}

}  // namespace
}  // namespace LaminaTest
