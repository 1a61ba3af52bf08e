// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/io/MatrixMarketFile.hpp>

#include <cmath>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "PointImplicitTest.hpp"
#include "io/NetcdfValues.hpp"
#include "io/mesh/MeshText.hpp"

namespace LaminaTest {
namespace {

class PointImplicitCommand : public PointImplicitTest {};

TEST_F(PointImplicitCommand, ReportsAsTheContractSays) {
  const auto report = report_of(
      "point-implicit --generate 5 4 3 --block-size 3 --direction backward "
      "--storage double --diagonal lu --ordering none --colouring balanced --sweeps 4");
  for (const char* key : {"command", "lamina_version", "kokkos_version", "space", "device",
                          "precision", "layout", "problem", "status", "converged", "iterations",
                          "relative_residual", "true_relative_residual", "residual_history",
                          "error", "seconds", "kernels", "copy_gb_per_s", "ranks"}) {
    EXPECT_TRUE(report.contains(key)) << key;
  }
  EXPECT_EQ(report.size(), 19u);
  EXPECT_EQ(report["command"], "point-implicit");
  EXPECT_EQ(report["status"], "completed");
  EXPECT_EQ(report["converged"], false);
  EXPECT_EQ(report["iterations"], 4);
  EXPECT_LT(report["relative_residual"], 1e-3);
  EXPECT_EQ(report["residual_history"].size(), 4u);
  EXPECT_EQ(report["residual_history"].back(), report["relative_residual"]);
  auto problem = report["problem"];
  int rows = 0;
  for (const auto& size : problem["colours"]) rows += size.get<int>();
  EXPECT_EQ(rows, 60);
  problem.erase("colours");
  const nlohmann::json expected = {{"nx", 5},
                                   {"ny", 4},
                                   {"nz", 3},
                                   {"block_size", 3},
                                   {"rows", 60},
                                   {"blocks", 510},
                                   {"unknowns", 180},
                                   {"storage", "double"},
                                   {"diagonal", "lu"},
                                   {"ordering", "none"},
                                   {"colouring", "balanced"},
                                   {"direction", "backward"},
                                   {"krylov", "none"},
                                   {"sweeps", 4}};
  EXPECT_EQ(problem, expected);
}

TEST_F(PointImplicitCommand, ConvergesToTheKnownSolutionOfTheGeneratedSystem) {
  for (const char* options :
       {"", "--storage double", "--diagonal lu-pivoted", "--direction symmetric",
        "--block-size 17 --space " LAMINA_PLAIN_SPACE}) {
    const auto report = report_of(
        "point-implicit --generate 6 5 7 --until-converged "
        "--tolerance 1e-13 " +
        std::string(options));
    EXPECT_EQ(report["status"], "converged");
    EXPECT_LT(report["error"]["linf"], 1e-11);
    EXPECT_LE(report["iterations"], 14);
  }
}

TEST_F(PointImplicitCommand, SweepsInHalfGetToOneSolutionWithFloatUnlessTheyAreCounted) {
  const std::string common = "point-implicit --generate 6 5 7 ";
  const std::string until = common + "--until-converged --tolerance 1e-13 ";
  const auto half = report_of(until + "--storage half"), single = report_of(until);
  EXPECT_EQ(half["problem"]["storage"], "half");
  EXPECT_EQ(half["status"], "converged");
  EXPECT_LT(half["error"]["linf"], 1e-11);
  const auto counted = report_of(common + "--sweeps 20 --storage half");
  EXPECT_LT(counted["error"]["linf"], 1e-3);
  EXPECT_GT(counted["error"]["linf"], 1e-6);
  EXPECT_GT(counted["true_relative_residual"], 1e-6);
  EXPECT_EQ(counted["true_relative_residual"], counted["relative_residual"]);
  for (std::size_t n = 1; n < half["residual_history"].size(); ++n) {
    EXPECT_LT(half["residual_history"][n], half["residual_history"][n - 1]);
  }
  const auto sweep_bytes = [](const auto& report) {
    for (const auto& kernel : report["kernels"]) {
      if (kernel["name"] != "Lamina::PointImplicitSolver::sweep") continue;
      return kernel["bytes"].template get<double>() / kernel["calls"].template get<double>();
    }
    return 0.0;
  };
  EXPECT_LT(sweep_bytes(half), 0.7 * sweep_bytes(single));
  write_matrix("a.mtx");
  const auto file =
      report_of("point-implicit --matrix a.mtx --block-size 2 --storage half --sweeps 30");
  EXPECT_LT(file["error"]["linf"], 1e-13);  // all of its values are exact in half
}

TEST_F(PointImplicitCommand, SolvesWithAMatrixAndARightHandSideFromFiles) {
  write_matrix("a.mtx");
  const std::string common =
      "point-implicit --matrix a.mtx --block-size 2 --until-converged "
      "--tolerance 1e-14 --output x.mtx";
  const auto ones = report_of(common);
  EXPECT_LT(ones["error"]["linf"], 1e-13);
  for (const double x : Lamina::read_matrix_market_vector(folder / "x.mtx", 6)) {
    EXPECT_NEAR(x, 1, 1e-13);
  }
  // b = A (1, 2, 3, 4, 5, 6)
  Lamina::write_matrix_market_vector(folder / "b.mtx",
                                     {4 - 2 + 3, 1 + 8, 12 + 0.5 + 6, 16 - 2, 20 + 4, 24});
  const auto report = report_of(common + " --rhs b.mtx");
  EXPECT_FALSE(report.contains("error"));
  EXPECT_EQ(report["problem"]["matrix"], "a.mtx");
  const auto x = Lamina::read_matrix_market_vector(folder / "x.mtx", 6);
  for (std::size_t n = 0; n < x.size(); ++n) {
    EXPECT_NEAR(x[n], static_cast<double>(n) + 1, 1e-12);
  }
}

TEST_F(PointImplicitCommand, WhatIsWrittenIsInTheOrderOfLatticeIds) {
  report_of("point-implicit --generate 3 2 2 --block-size 1 --sweeps 20 --output x.mtx");
  const auto x = Lamina::read_matrix_market_vector(folder / "x.mtx", 12);
  for (std::size_t g = 0; g < x.size(); ++g) {
    EXPECT_NEAR(x[g], std::sin(0.05 * static_cast<double>(g)) + 0.5, 1e-13);
  }
}

TEST_F(PointImplicitCommand, TakesColoursFromAFileInTheOrderOfWhatIsWritten) {
  write_matrix("a.mtx");
  folder.write("c.txt", "1\n0\n2\n");
  const auto report = report_of(
      "point-implicit --matrix a.mtx --block-size 2 --colouring c.txt --sweeps 40 --output x.nc");
  EXPECT_EQ(report["problem"]["colouring"], "c.txt");
  EXPECT_EQ(report["problem"]["colours"], (std::vector<int>{1, 1, 1}));
  EXPECT_LT(report["error"]["linf"], 1e-12);
  EXPECT_NE(folder.read("x.nc").find("--colouring c.txt"), std::string::npos);
  // Of a box by lattice id: coupled vertices are those that differ by one parity at least.
  folder.write("box.txt", "0\n1\n2\n3\n4\n5\n6\n7\n0\n1\n2\n3\n");
  const auto box = report_of("point-implicit --generate 3 2 2 --colouring box.txt --ordering none");
  EXPECT_EQ(box["problem"]["colours"], (std::vector<int>{2, 2, 2, 2, 1, 1, 1, 1}));
}

TEST_F(PointImplicitCommand, TimesTheSweepsThatItTells) {
  folder.write("diagonal.mtx", banner + "2 2 2\n1 1 2\n2 2 2\n");
  const auto report =
      report_of("point-implicit --matrix diagonal.mtx --block-size 1 --sweeps 1000000");
  EXPECT_EQ(report["status"], "converged");
  EXPECT_EQ(report["iterations"], 1);
  EXPECT_LT(report["seconds"]["solve"], 0.1) << "as long as a million sweeps take";
}

TEST_F(PointImplicitCommand, SolvesOnAMeshFileWithTheRanksOfNodesAsIds) {
  folder.write("a.msh", two_tetrahedra);
  const auto report =
      report_of("point-implicit --mesh a.msh --block-size 3 --sweeps 30 --output x.mtx");
  EXPECT_LT(report["error"]["linf"], 1e-12);
  EXPECT_EQ(report["problem"]["mesh"], "a.msh");
  EXPECT_EQ(report["problem"]["rows"], 5);
  EXPECT_EQ(report["problem"]["blocks"], 18);
  EXPECT_FALSE(report["problem"].contains("nx"));
  const auto x = Lamina::read_matrix_market_vector(folder / "x.mtx", 15);
  for (std::size_t n = 0; n < x.size(); ++n) {
    const auto id = static_cast<double>(n / 3), p = static_cast<double>(n % 3);
    EXPECT_NEAR(x[n], std::sin(0.05 * id + 0.4 * p) + 0.5, 1e-12);
  }
  EXPECT_NE(run("point-implicit --mesh a.msh").output.find("elements of a.msh"), std::string::npos);
  folder.write("cut.msh", two_tetrahedra.substr(0, two_tetrahedra.size() / 2));
  expect_refused("point-implicit --mesh cut.msh", "lamina point-implicit: --mesh: cut.msh: line ");
}

TEST_F(PointImplicitCommand, ConvergesOnAMeshOfGmsh) {
  LAMINA_SKIP_WITHOUT_GMSH();
  ASSERT_TRUE(make_ball(folder)) << folder.read("gmsh.log");
  for (const char* options :
       {"", "--direction symmetric --colouring balanced", "--ordering none"}) {
    const auto report = report_of(
        "point-implicit --mesh ball.msh --block-size 4 --until-converged --tolerance 1e-12 " +
        std::string(options));
    EXPECT_EQ(report["status"], "converged");
    EXPECT_LE(report["iterations"], 20);
    EXPECT_LT(report["error"]["linf"], 1e-10);
    EXPECT_GT(report["problem"]["rows"], 100);
    EXPECT_GT(report["problem"]["colours"].size(), 4u);
  }
}

TEST_F(PointImplicitCommand, WritesNetcdfWithThePointsOfABox) {
  const std::string common = "point-implicit --generate 3 2 2 --block-size 2 --sweeps 20 ";
  report_of(common + "--output x.nc");
  report_of(common + "--output x.mtx");
  EXPECT_EQ(values_of(folder / "x.nc", "solution", {12, 2}),
            Lamina::read_matrix_market_vector(folder / "x.mtx", 24));
  EXPECT_EQ(values_of(folder / "x.nc", "x", {12}),
            (std::vector<double>{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2}));
  EXPECT_EQ(values_of(folder / "x.nc", "y", {12}),
            (std::vector<double>{0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1}));
  EXPECT_EQ(values_of(folder / "x.nc", "z", {12}),
            (std::vector<double>{0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1}));
  EXPECT_TRUE(values_of(folder / "x.nc", "node_tag", {12}).empty());
}

TEST_F(PointImplicitCommand, WritesNetcdfWithThePointsOfAMeshFile) {
  folder.write("a.msh", two_tetrahedra);
  report_of("point-implicit --mesh a.msh --block-size 2 --sweeps 30 --output x.nc");
  EXPECT_EQ(values_of(folder / "x.nc", "x", {5}), (std::vector<double>{1, 0, 0, 1, 0}));
  EXPECT_EQ(values_of(folder / "x.nc", "node_tag", {5}),
            (std::vector<double>{2, 3, 7, 50, 9000000000}));
  const auto x = values_of(folder / "x.nc", "solution", {5, 2});
  ASSERT_EQ(x.size(), 10u);
  EXPECT_NEAR(x[9], std::sin(0.05 * 4 + 0.4) + 0.5, 1e-12);
}

TEST_F(PointImplicitCommand, WritesNetcdfWithoutPointsOfAMatrix) {
  write_matrix("a.mtx");
  report_of("point-implicit --matrix a.mtx --block-size 2 --sweeps 60 --output x.nc");
  const auto x = values_of(folder / "x.nc", "solution", {3, 2});
  ASSERT_EQ(x.size(), 6u);
  for (const double value : x) EXPECT_NEAR(value, 1, 1e-12);
  EXPECT_TRUE(values_of(folder / "x.nc", "x", {3}).empty());
}

TEST_F(PointImplicitCommand, EndsThatAreNoSuccessAreStatuses) {
  auto report = report_of(
      "point-implicit --generate 4 4 4 --until-converged --max-iterations 2 "
      "--tolerance 1e-12",
      1);
  EXPECT_EQ(report["status"], "max_iterations");
  report = report_of("point-implicit --generate 4 4 4 --until-converged --tolerance 0", 1);
  EXPECT_EQ(report["status"], "stagnated");
  folder.write("singular.mtx", banner + "4 4 6\n1 1 1\n2 2 1\n3 3 1\n4 4 1\n3 4 1\n4 3 1\n");
  report = report_of("point-implicit --matrix singular.mtx --block-size 2", 1);
  EXPECT_EQ(report["status"], "breakdown_zero_pivot");
  EXPECT_EQ(report["problem"]["first_bad_row"], 1);
  EXPECT_EQ(report["relative_residual"], 1);  // nothing was done about x = 0
  EXPECT_EQ(report["true_relative_residual"], 1);
  const auto outcome = run("point-implicit --matrix singular.mtx --block-size 2 --output x.mtx");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.errors,
            "lamina point-implicit: --output: x.mtx: not written, as the solve broke down\n");
  EXPECT_FALSE(std::filesystem::exists(folder / "x.mtx"));
  EXPECT_NE(outcome.output.find("diagonal block of block row 2"), std::string::npos);
}

TEST_F(PointImplicitCommand, ASolutionThatOverflowsIsNotWritten) {
  // The first sweep makes 1e200 of 1, and 1e400 of that.
  folder.write("overflowing.mtx", banner + "2 2 4\n1 1 1\n2 2 1\n1 2 1e200\n2 1 1e200\n");
  Lamina::write_matrix_market_vector(folder / "b.mtx", {1, 1});
  const auto outcome =
      run("point-implicit --matrix overflowing.mtx --rhs b.mtx --block-size 1 --storage double "
          "--output x.mtx --quiet --sweeps 200");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.errors,
            "lamina point-implicit: --output: x.mtx: not written, as the solve broke down\n");
  EXPECT_FALSE(std::filesystem::exists(folder / "x.mtx"));
}

TEST_F(PointImplicitCommand, ZeroSweepsAndAnEmptyMatrixAreLegal) {
  EXPECT_EQ(report_of("point-implicit --generate 2 2 2 --sweeps 0")["relative_residual"], 1);
  folder.write("empty.mtx", banner + "0 0 0\n");
  EXPECT_EQ(report_of("point-implicit --matrix empty.mtx")["status"], "converged");
}

TEST_F(PointImplicitCommand, PrintsWhatItDid) {
  const auto outcome = run("point-implicit --generate 4 4 4");
  EXPECT_EQ(outcome.status, 0);
  for (const char* text : {"blocks of 5 x 5", "64 block rows", "completed after 10 sweeps",
                           "PointImplicitSolver::sweep"}) {
    EXPECT_NE(outcome.output.find(text), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace LaminaTest
