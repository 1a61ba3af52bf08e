// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/io/NetcdfReader.hpp>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "ProgramTest.hpp"

namespace LaminaTest {
namespace {

class PoissonCommand : public ProgramTest {};

TEST_F(PoissonCommand, ReproducesARowOfThePublishedTable) {
  for (const std::string options :
       {"", "--solver cg", "--memory global", "--memory shared", "--memory texture1d",
        "--memory texture2d", "--layout left", "--solver cg --memory shared --layout left",
        "--space " LAMINA_PLAIN_SPACE, "--check-every 7"}) {
    const auto report = report_of("poisson --n 64 " + options);
    SCOPED_TRACE(options);
    EXPECT_EQ(report["command"], "poisson");
    EXPECT_EQ(report["status"], "converged");
    EXPECT_EQ(report["iterations"], 96);
    EXPECT_EQ(report["residual_history"].size(), 97u);
    EXPECT_EQ(report["residual_history"][0], 1.0);
    EXPECT_LE(report["relative_residual"].get<double>(), 1e-6);
    EXPECT_NEAR(report["true_relative_residual"].get<double>(),
                report["relative_residual"].get<double>(), 1e-12);
    EXPECT_NEAR(report["error"]["linf"].get<double>(), 7.7811e-4, 0.5e-8);
    EXPECT_FALSE(report["kernels"].empty());
    for (const auto& kernel : report["kernels"]) EXPECT_GT(kernel["seconds"].get<double>(), 0);
  }
}

TEST_F(PoissonCommand, SaysWhatWasAskedFor) {
  const auto report = report_of(
      "poisson --n 9 --precision single --layout left --memory shared --solver cg "
      "--iterations 3");
  EXPECT_EQ(report["precision"], "single");
  EXPECT_EQ(report["layout"], "left");
  EXPECT_EQ(report["problem"]["n"], 9);
  EXPECT_EQ(report["problem"]["unknowns"], 81);
  EXPECT_EQ(report["problem"]["memory"], "shared");
  EXPECT_EQ(report["problem"]["solver"], "cg");
  EXPECT_EQ(report["status"], "completed");
  EXPECT_EQ(report["iterations"], 3);
}

TEST_F(PoissonCommand, SolvesOnTheSmallestSquares) {
  for (const int n : {1, 2, 3, 5}) {
    for (const std::string memory : {"global", "texture1d", "texture2d", "shared", "auto"}) {
      const auto report =
          report_of(std::string("poisson --n ").append(std::to_string(n)) += " --memory " + memory);
      EXPECT_EQ(report["status"], "converged") << n;
      EXPECT_LE(report["iterations"].get<int>(), n * n) << n;
    }
  }
}

TEST_F(PoissonCommand, SolvesOnRectangles) {
  for (const std::string size : {"63 31", "31 63"}) {
    for (const std::string solver : {"cg", "fused-cg"}) {
      const auto left = report_of("poisson --size " + size + " --layout left --solver " + solver),
                 right = report_of("poisson --size " + size + " --layout right --solver " + solver);
      SCOPED_TRACE(testing::Message() << size << ", " << solver);
      EXPECT_EQ(left["problem"]["unknowns"], 63 * 31);
      EXPECT_FALSE(left["problem"].contains("n"));
      EXPECT_EQ(left["status"], "converged");
      EXPECT_EQ(left["iterations"], right["iterations"]);
      // pi^2 h^2 / 3 at the widest, in the direction of 31 points
      EXPECT_LE(left["error"]["linf"].get<double>(), 4e-3);
      EXPECT_NEAR(left["error"]["linf"].get<double>(), right["error"]["linf"].get<double>(), 1e-10);
    }
  }
  const auto square = report_of("poisson --size 64 64");
  EXPECT_EQ(square["problem"]["n"], 64);
  EXPECT_EQ(square["iterations"], 96);
}

TEST_F(PoissonCommand, TooFewIterationsAreNoConvergence) {
  const auto report = report_of("poisson --n 32 --max-iterations 10", 1);
  EXPECT_EQ(report["status"], "max_iterations");
  EXPECT_EQ(report["iterations"], 10);
  EXPECT_EQ(report["converged"], false);
}

TEST_F(PoissonCommand, WritesSolutionAndErrorAtThePoints) {
  const int n = 6;
  for (const std::string layout : {"left", "right"}) {
    const auto report = report_of("poisson --n 6 --output out.nc --layout " + layout);
    const Lamina::NetcdfReader file(folder / "out.nc");
    const auto values = [&](const char* name, std::size_t count) {
      std::vector<double> result(count);
      const bool field = count > static_cast<std::size_t>(n);
      file.read(file.find_variable(name).value(),
                field ? std::vector<std::size_t>{0, 0} : std::vector<std::size_t>{0},
                field ? std::vector<std::size_t>{6, 6} : std::vector<std::size_t>{6},
                result.data());
      return result;
    };
    const auto x = values("x", 6), y = values("y", 6), solution = values("solution", 36),
               error = values("error", 36);
    double largest = 0;
    for (std::size_t i = 0; i < 6; ++i) {
      EXPECT_NEAR(x[i], (static_cast<double>(i) + 1) / 7, 1e-15);
      EXPECT_EQ(x[i], y[i]);
      for (std::size_t j = 0; j < 6; ++j) {
        const double exact = std::pow(std::sin(3.14159265358979323846 * x[i]), 2) *
                             std::pow(std::sin(3.14159265358979323846 * y[j]), 2);
        EXPECT_NEAR(solution[6 * i + j] - error[6 * i + j], exact, 1e-14);
        largest = std::max(largest, std::abs(error[6 * i + j]));
      }
    }
    EXPECT_NEAR(report["error"]["linf"].get<double>(), largest, 1e-14);
  }
}

TEST_F(PoissonCommand, PrintsWhatItDoesAndNoProgressWithoutATerminal) {
  const Outcome outcome = run("poisson --n 16 --output out.nc");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.errors, "");
  for (const char* text : {"256 unknowns", "fused-cg", "converged after",
                           "Lamina::FusedPoisson::", "error ", "GB/s", "out.nc"}) {
    EXPECT_NE(outcome.output.find(text), std::string::npos) << text;
  }
  EXPECT_EQ(outcome.output.find('\r'), std::string::npos);
}

TEST_F(PoissonCommand, TellsWhereRoundingIsWhatIsLeft) {
  const auto tells = [&](const std::string& options) {
    return run("poisson --n 128 " + options).output.find("rounding of the solution alone leaves") !=
           std::string::npos;
  };
  EXPECT_TRUE(tells("--precision single"));
  EXPECT_FALSE(tells(""));
  EXPECT_TRUE(tells("--precision single --iterations 400"));
}

TEST_F(PoissonCommand, CompareSolvesInEveryWay) {
  const auto rows = report_of("compare poisson --n 64 --layout left");
  ASSERT_TRUE(rows.is_array());
  std::set<std::string> spaces, precisions, memories, solvers;
  std::set<std::vector<std::string>> ways;
  for (const auto& row : rows) {
    const auto& problem = row["problem"];
    const std::string space = row["space"], precision = row["precision"],
                      memory = problem["memory"], solver = problem["solver"];
    spaces.insert(space);
    precisions.insert(precision);
    memories.insert(memory);
    solvers.insert(solver);
    ways.insert({space, precision, memory, solver});
    EXPECT_EQ(row["command"], "poisson");
    EXPECT_EQ(row["layout"], "left");
    EXPECT_EQ(row["status"], "converged");
    if (solver == "multigrid" || solver == "multigrid-cg") {
      EXPECT_EQ(memory, "auto");
      EXPECT_LE(row["iterations"], 8);
    } else if (precision == "double") {
      EXPECT_EQ(row["iterations"], 96) << memory << ' ' << solver;
    }
    EXPECT_NEAR(row["error"]["linf"].get<double>(), 7.7811e-4, 2e-5);
  }
  EXPECT_EQ(precisions, (std::set<std::string>{"double", "single"}));
  EXPECT_EQ(solvers, (std::set<std::string>{"cg", "fused-cg", "multigrid", "multigrid-cg"}));
  EXPECT_TRUE(memories.contains("global") && memories.contains("shared"));
  EXPECT_EQ(rows.size(), ways.size());
  // Both precisions, and two solvers through each memory; of multigrid one way, by itself in double alone.
  EXPECT_EQ(rows.size(), spaces.size() * (2 * memories.size() * 2 + 3));
}

TEST_F(PoissonCommand, CompareTakesWhatIsAskedForAlone) {
  const auto rows =
      report_of("compare poisson --n 5 --memory shared --precision single --iterations 2");
  ASSERT_EQ(rows.size() % 2, 0u);  // both solvers on every space
  for (const auto& row : rows) {
    EXPECT_EQ(row["problem"]["memory"], "shared");
    EXPECT_EQ(row["precision"], "single");
    EXPECT_EQ(row["status"], "completed");
    EXPECT_EQ(row["iterations"], 2);
  }
}

TEST_F(PoissonCommand, CompareTellsOfASolveThatDidNotConverge) {
  const Outcome outcome = run("compare poisson --n 16 --max-iterations 2 --precision double");
  EXPECT_EQ(outcome.status, 1);
  for (const char* text :
       {"256 unknowns", "at most 2 iterations", "speed-up", "fused-cg", "max_iterations"}) {
    EXPECT_NE(outcome.output.find(text), std::string::npos) << text;
  }
  EXPECT_EQ(outcome.output.find("single"), std::string::npos);
}

TEST_F(PoissonCommand, CompareRefusesNumbersBeyondOneOfItsPrecisions) {
  expect_refused("compare poisson --n 8 --tolerance 1e-50",
                 "lamina compare: --tolerance: expected 0 or a number from 1.2e-38 in single");
}

TEST_F(PoissonCommand, BadOptionsEndInOneLine) {
  const std::vector<std::vector<std::string>> bad{
      {"--n 0", "--n: expected a whole number from 1"},
      {"--n -5", "--n: expected a whole number from 1"},
      {"--n 2147483648", "--n: expected a whole number from 1"},
      {"--n many", "--n: expected a whole number from 1"},
      {"--n 1000000", "--n: needs "},
      {"--size 4", "--size: "},
      {"--size 4 0", "--size: expected "},
      {"--size 4 2147483648", "--size: expected fewer than 2^31 points, got 2147483648"},
      {"--size 4 4 --n 4", "--size: expected no --n, got --n 4"},
      {"--size 1000000 1000000", "--size: needs "},
      {"--memory texture3d",
       "--memory: expected global|texture1d|texture2d|shared|auto, got texture3d"},
      {"--solver pcg", "--solver: expected cg|fused-cg|multigrid|multigrid-cg, got pcg"},
      {"--precision mixed", "--precision: expected single|double, got mixed"},
      {"--layout middle", "--layout: expected left|right"},
      {"--space abacus", "--space: expected "},
      {"--tolerance 1", "--tolerance: expected a number >= 0 and < 1, got 1"},
      {"--tolerance 1e-40 --precision single", "--tolerance: expected 0 or a number from 1.2e-38"},
      {"--iterations 5 --tolerance 0.1", "--iterations: expected no --tolerance"},
      {"--check-every 1025", "--check-every: expected a whole number from 1"},
      {"--depth 1", "--depth: no such option or argument"},
      {"--output a.mtx", "--output: expected a file name that ends in .nc, got a.mtx"},
      {"--output none/a.nc", "--output: none/a.nc: cannot be written"},
      {"--json a.nc --output a.nc", "--json: expected another file than --output, got a.nc"},
  };
  for (const auto& option : bad) {
    expect_refused("poisson " + option[0], "lamina poisson: " + option[1]);
  }
}

}  // namespace
}  // namespace LaminaTest
