// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/KernelsVersion.hpp>
#include <lamina/io/MatrixMarketFile.hpp>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <utility>
#include <vector>

#include "ProgramTest.hpp"
#include "io/MeshText.hpp"
#include "io/NetcdfValues.hpp"

namespace LaminaTest {
namespace {

/// A tridiagonal matrix of 2 x 2 blocks, 6 unknowns, and files that are no such thing.
class PointImplicitCommand : public ProgramTest {
 protected:
  const std::string banner = "%%MatrixMarket matrix coordinate real general\n";

  void write(const std::string& name, const std::string& content) const {
    std::ofstream(folder / name) << content;
  }
  void write_matrix(const std::string& name) const {
    write(name, banner + "6 6 13\n1 1 4\n2 1 1\n1 2 -1\n2 2 4\n3 3 4\n4 4 4\n5 5 4\n6 6 4\n" +
                    "1 3 1\n4 2 -1\n3 1 0.5\n3 6 1\n5 4 1\n");
  }
};

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
  for (const char* options : {"", "--storage double", "--diagonal lu-pivoted",
                              "--direction symmetric", "--block-size 17 --space serial"}) {
    const auto report = report_of(
        "point-implicit --generate 6 5 7 --until-converged "
        "--tolerance 1e-13 " +
        std::string(options));
    EXPECT_EQ(report["status"], "converged");
    EXPECT_LT(report["error"]["linf"], 1e-11);
    EXPECT_LE(report["iterations"], 14);
  }
}

TEST_F(PointImplicitCommand, StoresInHalfWhatIsOfOneSolutionInFloat) {
  const std::string common = "point-implicit --generate 6 5 7 --until-converged --tolerance 1e-13 ";
  const auto half = report_of(common + "--storage half"), single = report_of(common);
  EXPECT_EQ(half["problem"]["storage"], "half");
  EXPECT_EQ(half["status"], "converged");
  EXPECT_LT(half["error"]["linf"], 1e-3);
  EXPECT_GT(half["error"]["linf"], 1e-6);  // b is that of the matrix in float
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

/// A symmetric positive definite matrix: -1 between the blocks of a line of them.
std::string symmetric_line(int num_rows, int block_size) {
  const int size = num_rows * block_size;
  std::string entries;
  int count = 0;
  const auto add = [&](int row, int column, double value) {
    entries += std::to_string(row + 1) + ' ' + std::to_string(column + 1) + ' ' +
               std::to_string(value) + '\n';
    ++count;
  };
  for (int row = 0; row < size; ++row) {
    add(row, row, 2.125);
    if (row % block_size > 0) add(row, row - 1, 0.0625);
    if (row >= block_size) add(row, row - block_size, -1);
  }
  const std::string extents = std::to_string(size) + ' ' + std::to_string(size);
  return "%%MatrixMarket matrix coordinate real symmetric\n" + extents + ' ' +
         std::to_string(count) + '\n' + entries;
}

TEST_F(PointImplicitCommand, PreconditionsConjugateGradients) {
  write("spd.mtx", symmetric_line(60, 3));
  for (const char* options : {"", "--storage double --diagonal lu --sweeps 2", "--check-every 7",
                              "--space serial --colouring balanced --until-converged"}) {
    const auto report =
        report_of("point-implicit --matrix spd.mtx --block-size 3 --krylov pcg --tolerance 1e-10 " +
                  std::string(options));
    EXPECT_EQ(report["status"], "converged") << options;
    EXPECT_EQ(report["problem"]["krylov"], "pcg");
    EXPECT_EQ(report["problem"]["direction"], "symmetric");
    EXPECT_EQ(report["problem"]["asymmetry"], 0);
    EXPECT_LT(report["true_relative_residual"], 1e-9);
    EXPECT_LT(report["error"]["linf"], 1e-8);
    const auto& history = report["residual_history"];
    EXPECT_EQ(history.size(), report["iterations"].get<std::size_t>() + 1);
    EXPECT_EQ(history.front(), 1);
    EXPECT_EQ(history.back(), report["relative_residual"]);
    EXPECT_LT(report["iterations"], 60);
  }
  // Sweeps alone need many more
  EXPECT_GT(report_of("point-implicit --matrix spd.mtx --block-size 3 --until-converged "
                      "--direction symmetric --tolerance 1e-10")["iterations"],
            100);
}

TEST_F(PointImplicitCommand, RefusesConjugateGradientsWhatIsNotSymmetricPositiveDefinite) {
  auto report = report_of("point-implicit --generate 4 4 4 --krylov pcg", 1);
  EXPECT_EQ(report["status"], "breakdown_indefinite");
  EXPECT_EQ(report["iterations"], 0);
  EXPECT_EQ(report["residual_history"], nlohmann::json({1}));
  EXPECT_GT(report["problem"]["asymmetry"], 1e-3);
  const auto outcome = run("point-implicit --generate 4 4 4 --krylov pcg --output x.mtx");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.output.find("A is not symmetric: largest |A - A^T| "), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(folder / "x.mtx"));

  write("indefinite.mtx", banner + "3 3 7\n1 1 1\n2 2 -1\n3 3 1\n1 2 2\n2 1 2\n2 3 2\n3 2 2\n");
  report = report_of("point-implicit --matrix indefinite.mtx --block-size 1 --krylov pcg", 1);
  EXPECT_EQ(report["status"], "breakdown_indefinite");
  EXPECT_EQ(report["problem"]["asymmetry"], 0);

  write("singular.mtx", banner + "4 4 6\n1 1 1\n2 2 1\n3 3 1\n4 4 1\n3 4 1\n4 3 1\n");
  report = report_of("point-implicit --matrix singular.mtx --block-size 2 --krylov pcg", 1);
  EXPECT_EQ(report["status"], "breakdown_zero_pivot");
  EXPECT_EQ(report["residual_history"], nlohmann::json({1}));
}

TEST_F(PointImplicitCommand, KrylovMethodsEndOnLimitsAndTrivialSystems) {
  write("spd.mtx", symmetric_line(60, 3));
  const std::string common = "point-implicit --matrix spd.mtx --block-size 3 --krylov pcg ";
  auto report = report_of(common + "--max-iterations 3 --tolerance 1e-12", 1);
  EXPECT_EQ(report["status"], "max_iterations");
  EXPECT_EQ(report["iterations"], 3);
  report = report_of(common + "--max-iterations 0", 1);
  EXPECT_EQ(report["residual_history"], nlohmann::json({1}));
  Lamina::write_matrix_market_vector(folder / "zero.mtx", std::vector<double>(180, 0.0));
  report = report_of(common + "--rhs zero.mtx");
  EXPECT_EQ(report["status"], "converged");
  EXPECT_EQ(report["iterations"], 0);
  write("empty.mtx", banner + "0 0 0\n");
  EXPECT_EQ(report_of("point-implicit --matrix empty.mtx --krylov pcg")["status"], "converged");
}

TEST_F(PointImplicitCommand, PreconditionsGmresWhereKokkosKernelsHasIt) {
#if !defined(LAMINA_HAS_BSR_MATRIX)
  expect_refused("point-implicit --krylov gmres",
                 "lamina point-implicit: --krylov: expected none|pcg, got gmres");
  EXPECT_EQ(run("point-implicit --help").output.find("gmres"), std::string::npos);
  GTEST_SKIP() << "Kokkos Kernels before 4.0 has no GMRES";
#else
  for (const char* options :
       {"--generate 6 5 7", "--generate 6 5 7 --storage double --direction symmetric --sweeps 2",
        "--generate 6 5 7 --block-size 17 --space serial --diagonal lu"}) {
    const auto report =
        report_of("point-implicit --krylov gmres --tolerance 1e-11 " + std::string(options));
    EXPECT_EQ(report["status"], "converged") << options;
    EXPECT_LT(report["true_relative_residual"], 1e-11);
    EXPECT_LT(report["error"]["linf"], 1e-9);
    const auto& history = report["residual_history"];
    EXPECT_EQ(history.size(), report["iterations"].get<std::size_t>() + 1);
    EXPECT_EQ(history.front(), 1);
    EXPECT_EQ(history.back(), report["relative_residual"]);
    EXPECT_FALSE(report["problem"].contains("asymmetry"));
  }
  // More iterations than fit between two restarts
  write("spd.mtx", symmetric_line(600, 3));
  const std::string line = "point-implicit --matrix spd.mtx --block-size 3 --krylov gmres ";
  const auto restarted = report_of(line + "--tolerance 1e-10");
  EXPECT_EQ(restarted["status"], "converged");
  EXPECT_GT(restarted["iterations"], 50);
  EXPECT_EQ(restarted["residual_history"].size(), restarted["iterations"].get<std::size_t>() + 1);
  const auto limited = report_of(line + "--tolerance 1e-10 --max-iterations 4", 1);
  EXPECT_EQ(limited["status"], "max_iterations");
  EXPECT_EQ(limited["iterations"], 4);
  Lamina::write_matrix_market_vector(folder / "zero.mtx", std::vector<double>(1800, 0.0));
  EXPECT_EQ(report_of(line + "--rhs zero.mtx")["iterations"], 0);
  expect_refused("point-implicit --krylov gmres --check-every 2",
                 "lamina point-implicit: --check-every: expected no --krylov gmres");
#endif
}

TEST_F(PointImplicitCommand, WhatIsWrittenIsInTheOrderOfLatticeIds) {
  report_of("point-implicit --generate 3 2 2 --block-size 1 --sweeps 20 --output x.mtx");
  const auto x = Lamina::read_matrix_market_vector(folder / "x.mtx", 12);
  for (std::size_t g = 0; g < x.size(); ++g) {
    EXPECT_NEAR(x[g], std::sin(0.05 * static_cast<double>(g)) + 0.5, 1e-13);
  }
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
  EXPECT_NE(run("point-implicit --mesh a.msh").output.find("the tetrahedra of a.msh"),
            std::string::npos);
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
  write("singular.mtx", banner + "4 4 6\n1 1 1\n2 2 1\n3 3 1\n4 4 1\n3 4 1\n4 3 1\n");
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
  // Sweeps multiply x by 10^4 each.
  write("diverging.mtx", banner + "2 2 4\n1 1 1\n2 2 1\n1 2 100\n2 1 100\n");
  const std::string common =
      "point-implicit --matrix diverging.mtx --block-size 1 --output x.mtx --quiet ";
  EXPECT_EQ(run(common + "--sweeps 10").status, 0);
  EXPECT_TRUE(std::filesystem::exists(folder / "x.mtx"));
  std::filesystem::remove(folder / "x.mtx");
  const auto outcome = run(common + "--sweeps 200");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.errors,
            "lamina point-implicit: --output: x.mtx: not written, as the solve broke down\n");
  EXPECT_FALSE(std::filesystem::exists(folder / "x.mtx"));
}

TEST_F(PointImplicitCommand, BlocksThatDoNotFitAreRefused) {
  std::string scattered = banner + "1024000000 1024000000 1000000\n";
  for (int row = 0; row < 1000000; ++row) {
    const std::string at = std::to_string(1024 * row + 1);
    scattered.append(at).append(" ").append(at).append(" 1\n");
  }
  write("scattered.mtx", scattered);
  expect_refused("point-implicit --matrix scattered.mtx --block-size 1024",
                 "lamina point-implicit: --matrix: scattered.mtx: 1000000 blocks of 1024 x 1024 "
                 "need 7812.5 GiB of host memory, ");
}

TEST_F(PointImplicitCommand, ZeroSweepsAndAnEmptyMatrixAreLegal) {
  EXPECT_EQ(report_of("point-implicit --generate 2 2 2 --sweeps 0")["relative_residual"], 1);
  write("empty.mtx", banner + "0 0 0\n");
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

TEST_F(PointImplicitCommand, RefusesBadOptions) {
  const std::pair<const char*, const char*> cases[] = {
      {"--block-size 0", "--block-size: expected a whole number from 1 to 1024, got 0"},
      {"--block-size 1025", "--block-size: expected a whole number from 1 to 1024, got 1025"},
      {"--generate 0 1 1", "--generate: expected whole numbers >= 1, got 0"},
      {"--generate 1 1", "--generate: "},
      {"--generate 99999 99999 99999", "--generate: expected fewer than 2^31 vertices, got "},
      {"--generate 1000 1000 1000", "--generate: needs "},
      {"--generate 2 2 2 --matrix a.mtx", "--generate: expected no --matrix, got both"},
      {"--rhs a.mtx", "--rhs: expected --matrix as well, got none"},
      {"--sweeps -1", "--sweeps: expected a whole number from 0"},
      {"--sweeps 2 --until-converged", "--sweeps: expected no --until-converged, got both"},
      {"--tolerance 0.1", "--tolerance: expected --until-converged as well, got none"},
      {"--max-iterations 5", "--max-iterations: expected --until-converged as well, got none"},
      {"--check-every 5", "--check-every: expected --until-converged as well, got none"},
      {"--until-converged --tolerance 1", "--tolerance: expected a number >= 0 and < 1, got 1"},
      {"--direction up", "--direction: expected forward|backward|symmetric, got up"},
      {"--storage single", "--storage: expected float|half|double, got single"},
      {"--diagonal qr", "--diagonal: expected lu|lu-pivoted|inverse, got qr"},
      {"--ordering amd", "--ordering: expected none|rcm, got amd"},
      {"--colouring jp", "--colouring: expected greedy|balanced, got jp"},
      {"--krylov pcg --storage half", "--storage: expected float|double with --krylov, got half"},
      {"--krylov bicgstab", "--krylov: expected none|pcg"},
      {"--krylov pcg --direction forward",
       "--direction: expected symmetric with --krylov pcg, got forward"},
      {"--krylov pcg --sweeps 0", "--sweeps: expected a whole number from 1 to "},
      {"--krylov pcg --check-every 1025", "--check-every: expected a whole number from 1 to 1024"},
      {"--mesh a.msh --matrix a.mtx", "--mesh: expected no --matrix, got both"},
      {"--mesh a.msh --generate 2 2 2", "--generate: expected no --mesh, got both"},
      {"--mesh a.msh --rhs a.mtx", "--rhs: expected --matrix as well, got none"},
      {"--mesh ''", "--mesh: expected a file name, got "},
      {"--mesh a.msh", "--mesh: a.msh: no such file"},
      {"--precision double", "--precision: no such option or argument"},
      {"--space abacus", "--space: expected "},
      {"--output x.txt", "--output: expected a file name that ends in .mtx or .nc, got x.txt"},
      {"--output a.mtx --json ./a.mtx", "--json: expected another file than --output"},
      {"--json none/a.json", "--json: none/a.json: "},
  };
  for (const auto& [arguments, message] : cases) {
    expect_refused("point-implicit " + std::string(arguments),
                   "lamina point-implicit: " + std::string(message));
  }
}

TEST_F(PointImplicitCommand, RefusesBadFilesWithFileAndLine) {
  write_matrix("good.mtx");
  write("short.mtx", banner + "2 2 2\n1 1 1\n");
  write("range.mtx", banner + "2 2 2\n1 1 1\n3 2 1\n");
  write("nan.mtx", banner + "2 2 2\n1 1 1\n2 2 nan\n");
  write("no_diagonal.mtx", banner + "2 2 2\n1 1 1\n2 1 1\n");
  write("twice.mtx", banner + "2 2 3\n1 1 1\n2 2 1\n1 1 1\n");
  write("junk.mtx", std::string("\x7f"
                                "ELF\0\0\n\n\xff",
                                9));
  write("b.mtx", "%%MatrixMarket matrix array real general\n5 1\n");
  const std::pair<const char*, const char*> cases[] = {
      {"none.mtx", "none.mtx: no such file"},
      {".", ".: not a regular file"},
      {"short.mtx", "short.mtx: line 3: expected 2 entries, the file ends after 1"},
      {"range.mtx", "range.mtx: line 4: expected rows and columns 1 to 2, got 3"},
      {"nan.mtx", "nan.mtx: line 4: expected a finite value"},
      {"no_diagonal.mtx", "no_diagonal.mtx: expected a diagonal block in each block row"},
      {"twice.mtx", "twice.mtx: line 5: expected each entry once, got that of line 3 again"},
      {"junk.mtx", "junk.mtx: line 1: expected "},
  };
  for (const auto& [file, message] : cases) {
    expect_refused("point-implicit --block-size 1 --matrix " + std::string(file),
                   "lamina point-implicit: --matrix: " + std::string(message));
  }
  expect_refused("point-implicit --matrix good.mtx --block-size 4",
                 "lamina point-implicit: --matrix: good.mtx: line 2: expected a multiple of the "
                 "block size 4, got 6 rows");
  expect_refused(
      "point-implicit --matrix good.mtx --block-size 2 --rhs b.mtx",
      "lamina point-implicit: --rhs: b.mtx: line 2: expected 6 rows and 1 column, got 5");
}

}  // namespace
}  // namespace LaminaTest
