// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "ProgramTest.hpp"

namespace LaminaTest {
namespace {

using Commands = ProgramTest;

TEST_F(Commands, NoneIsRefusedWithHelp) {
  const Outcome outcome = run("");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.errors, "lamina: expected a command, got none\n");
  EXPECT_NE(outcome.output.find("Usage: lamina COMMAND"), std::string::npos);
}

TEST_F(Commands, UnknownOnesAreRefused) {
  expect_refused("multigrid", "lamina: expected a command (see lamina --help), got multigrid");
  expect_refused("--quiet", "lamina: expected a command (see lamina --help), got --quiet");
  expect_refused("compare",
                 "lamina compare: expected a command to compare "
                 "(helmholtz|point-implicit|poisson|shallow-water), "
                 "got nothing");
  expect_refused("compare info",
                 "lamina compare: expected a command to compare "
                 "(helmholtz|point-implicit|poisson|shallow-water), "
                 "got info");
}

TEST_F(Commands, SeveralProcessesOfALauncherAreRefused) {
  for (const auto& [variables, launcher] :
       {std::pair("OMPI_COMM_WORLD_SIZE=4 OMPI_COMM_WORLD_RANK=", "mpirun (Open MPI)"),
        std::pair("PMI_SIZE=4 PMI_RANK=", "mpiexec (PMI)"),
        std::pair("SLURM_STEP_NUM_TASKS=4 SLURM_PROCID=", "srun")}) {
    const auto run_as = [&, &variables = variables](int rank) {
      return run_with("export " + (variables + std::to_string(rank)),
                      "helmholtz --size 4 3 2 --output x.nc");
    };
    const Outcome first = run_as(0), second = run_as(1);
    EXPECT_EQ(first.status, 2);
    // Without MPI, or with it, which finds no other process.
    EXPECT_EQ(first.errors.substr(0, 27), "lamina helmholtz: expected ") << first.errors;
    EXPECT_NE(first.errors.find(launcher), std::string::npos) << first.errors;
    EXPECT_EQ(std::count(first.errors.begin(), first.errors.end(), '\n'), 1) << first.errors;
    EXPECT_EQ(second.status, 2);
    EXPECT_EQ(second.errors, "") << "one line is enough";
    EXPECT_EQ(folder.num_files(), 0u);
  }
}

TEST_F(Commands, OneProcessOfALauncherIsLikeNone) {
  EXPECT_EQ(run_with("export OMPI_COMM_WORLD_SIZE=1 OMPI_COMM_WORLD_RANK=0", "info").status, 0);
  EXPECT_EQ(run_with("export SLURM_STEP_NUM_TASKS=x SLURM_PROCID=0", "info").status, 0);
}

TEST_F(Commands, OptionsWithoutMeaningAreRefused) {
  expect_refused("info --json a.json", "lamina info: --json: no such option or argument");
  expect_refused("compare helmholtz --output a.nc",
                 "lamina compare: --output: no such option or argument");
  expect_refused("compare helmholtz --solver auto", "lamina compare: --solver: expected ");
  expect_refused("compare point-implicit --output a.nc",
                 "lamina compare: --output: no such option or argument");
  expect_refused("compare point-implicit --space auto", "lamina compare: --space: expected ");
  expect_refused("compare poisson --output a.nc",
                 "lamina compare: --output: no such option or argument");
  expect_refused("compare poisson --space auto", "lamina compare: --space: expected ");
}

TEST_F(Commands, HelpShowsWhatIsBuilt) {
  for (const char* arguments : {"--help", "helmholtz --help", "point-implicit --help",
                                "poisson --help", "shallow-water --help", "compare --help",
                                "compare helmholtz -h", "compare point-implicit -h",
                                "compare poisson -h", "compare shallow-water -h", "info --help"}) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 0) << arguments;
    EXPECT_EQ(outcome.errors, "") << arguments;
    EXPECT_NE(outcome.output.find("Usage: lamina"), std::string::npos) << arguments;
  }
  EXPECT_EQ(run("--version").output.substr(0, 7), "lamina ");
}

TEST_F(Commands, InfoNamesVersionsAndSpaces) {
  const Outcome outcome = run("info");
  EXPECT_EQ(outcome.status, 0);
  for (const char* text : {"Kokkos ", "Kokkos Kernels ", "NetCDF ", "GB/s"}) {
    EXPECT_NE(outcome.output.find(text), std::string::npos) << text;
  }
}

TEST_F(Commands, CompareRunsEveryCombination) {
  // The default tolerance is where single precision ends: solvers that round otherwise may take
  // other iterations to it, but not to a larger one.
  for (const std::string tolerance : {"", " --tolerance 1e-3"}) {
    const auto rows = report_of("compare helmholtz --size 6 5 4 --layout left" + tolerance);
    ASSERT_TRUE(rows.is_array());
    const auto first = std::find_if(rows.begin(), rows.end(),
                                    [](const auto& row) { return row["precision"] == "double"; });
    ASSERT_NE(first, rows.end());
    std::set<std::string> spaces;
    for (const auto& row : rows) {
      spaces.insert(row["space"]);
      EXPECT_EQ(row["layout"], "left");
      EXPECT_EQ(row["status"], "converged");
      if (row["problem"]["solver"].get<std::string>().starts_with("multigrid")) {
        EXPECT_LE(row["iterations"], 6);
        continue;
      }
      // All others run through the same iterates.
      if (row["precision"] == "single" && tolerance.empty()) continue;
      EXPECT_NEAR(row["iterations"].get<int>(), (*first)["iterations"].get<int>(), 1);
    }
    // In mixed precision there are three solvers; on CPU cores the published form is `fused-pcg`.
    const std::size_t on_devices = spaces.count("cuda") + spaces.count("hip");
    EXPECT_EQ(rows.size(), spaces.size() * (2 * 4 + 1 + 3) + on_devices * 2);
  }
}

TEST_F(Commands, CompareSweepsInEveryWay) {
  const std::string common = "compare point-implicit --generate 4 3 5 --block-size 3 ";
  const auto rows = report_of(common + "--until-converged --tolerance 1e-6");
  ASSERT_TRUE(rows.is_array());
  std::set<std::string> spaces, storages, diagonals, directions, ways;
  for (const auto& row : rows) {
    const auto& problem = row["problem"];
    spaces.insert(row["space"]);
    storages.insert(problem["storage"]);
    diagonals.insert(problem["diagonal"]);
    directions.insert(problem["direction"]);
    ways.insert(row["space"].get<std::string>() + ' ' + problem["storage"].get<std::string>() +
                ' ' + problem["diagonal"].get<std::string>() + ' ' +
                problem["direction"].get<std::string>());
    EXPECT_EQ(row["status"], "converged");
    EXPECT_LT(row["true_relative_residual"], 1e-6);
  }
  EXPECT_TRUE(storages.contains("float") && storages.contains("double"));
  EXPECT_EQ(diagonals, (std::set<std::string>{"inverse", "lu", "lu-pivoted"}));
  EXPECT_EQ(directions, (std::set<std::string>{"backward", "forward", "symmetric"}));
  EXPECT_EQ(rows.size(), ways.size());
  EXPECT_EQ(rows.size(), spaces.size() * storages.size() * diagonals.size() * directions.size());
  // A fixed number of sweeps is not the same work in each direction.
  const auto sweeps = report_of(common + "--sweeps 3 --storage float --space " LAMINA_PLAIN_SPACE);
  EXPECT_EQ(sweeps.size(), 3u);
  for (const auto& row : sweeps) {
    EXPECT_EQ(row["problem"]["direction"], "forward");
    EXPECT_EQ(row["iterations"], 3);
    // The same blocks, however they are solved with
    EXPECT_NEAR(
        row["relative_residual"].get<double>() / sweeps[0]["relative_residual"].get<double>(), 1,
        1e-6);
  }
  const auto symmetric =
      report_of(common + "--sweeps 3 --direction symmetric --diagonal lu --storage double");
  EXPECT_EQ(symmetric.size(), spaces.size());
}

TEST_F(Commands, CompareOfSweepsPrintsATable) {
  const Outcome outcome = run("compare point-implicit --generate 4 4 4 --storage double");
  EXPECT_EQ(outcome.status, 0);
  for (const char* text :
       {"blocks of 5 x 5", "64 block rows", "speed-up", "lu-pivoted", "reverse Cuthill-McKee"}) {
    EXPECT_NE(outcome.output.find(text), std::string::npos) << text;
  }
  EXPECT_EQ(outcome.output.find("float"), std::string::npos);
}

TEST_F(Commands, CompareOfSweepsTellsOfOneThatDidNotConverge) {
  const Outcome outcome =
      run("compare point-implicit --generate 4 4 4 --until-converged --max-iterations 1 "
          "--tolerance 1e-9 --direction forward");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.output.find("max_iterations"), std::string::npos);
  EXPECT_EQ(outcome.output.find("symmetric"), std::string::npos);
}

TEST_F(Commands, CompareLeavesOutWhatASolverDoesNotOffer) {
  for (const auto& row : report_of("compare helmholtz --size 6 5 4 --solver pcg --layout left")) {
    EXPECT_NE(row["precision"], "mixed");
  }
  std::set<std::string> solvers;
  for (const auto& row : report_of("compare helmholtz --size 6 5 4 --precision mixed")) {
    solvers.insert(row["problem"]["solver"]);
  }
  EXPECT_EQ(solvers, (std::set<std::string>{"fused-pcg", "multigrid", "multigrid-pcg"}));
  expect_refused("compare helmholtz --precision mixed --solver pcg",
                 "lamina compare: --precision: expected single|double with --solver pcg");
}

TEST_F(Commands, CompareTellsOfASolveThatDidNotConverge) {
  const Outcome outcome =
      run("compare helmholtz --size 16 16 4 --max-iterations 2 --precision double");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.output.find("max_iterations"), std::string::npos);
  EXPECT_EQ(outcome.output.find("single"), std::string::npos);
}

TEST_F(Commands, CompareRefusesNumbersBeyondOneOfItsPrecisions) {
  expect_refused("compare helmholtz --size 4 3 2 --lambda2 1e35 --json a.json",
                 "lamina compare: --lambda2: expected a number from 0.0e+00 to ");
  expect_refused("compare helmholtz --size 4 3 2 --tolerance 1e-50",
                 "lamina compare: --tolerance: expected 0 or a number from 1.2e-38 in single");
}

TEST_F(Commands, CompareBeyondMemoryIsRefused) {
  expect_refused("compare helmholtz --quiet --size 40000 40000 100000 --json a.json",
                 "lamina compare: --size: needs ");
  expect_refused("compare point-implicit --generate 1000 1000 1000 --json a.json",
                 "lamina compare: --generate: needs ");
  expect_refused("compare point-implicit --mesh none.msh",
                 "lamina compare: --mesh: none.msh: no such file");
  expect_refused("compare poisson --n 1000000 --json a.json", "lamina compare: --n: needs ");
  expect_refused("compare shallow-water --n 1000000 --json a.json", "lamina compare: --n: needs ");
}

}  // namespace
}  // namespace LaminaTest
