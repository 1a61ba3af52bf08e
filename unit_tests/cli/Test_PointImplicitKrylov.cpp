// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/io/MatrixMarketFile.hpp>

#include <filesystem>
#include <string>
#include <vector>

#include "PointImplicitTest.hpp"

namespace LaminaTest {
namespace {

class PointImplicitKrylov : public PointImplicitTest {};

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

TEST_F(PointImplicitKrylov, WritesTheCommandThatRepeatsTheSolve) {
  folder.write("spd.mtx", symmetric_line(20, 3));
  report_of("point-implicit --matrix spd.mtx --block-size 3 --krylov pcg --sweeps 2 --output x.nc");
  EXPECT_NE(folder.read("x.nc").find("--krylov pcg --sweeps 2 --tolerance 1e-05 --max-iterations "
                                     "10000 --direction symmetric"),
            std::string::npos);
}

TEST_F(PointImplicitKrylov, PreconditionsConjugateGradients) {
  folder.write("spd.mtx", symmetric_line(60, 3));
  for (const char* options :
       {"", "--storage double --diagonal lu --sweeps 2", "--check-every 7",
        "--space " LAMINA_PLAIN_SPACE " --colouring balanced --until-converged"}) {
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

TEST_F(PointImplicitKrylov, RefusesConjugateGradientsWhatIsNotSymmetricPositiveDefinite) {
  auto report = report_of("point-implicit --generate 4 4 4 --krylov pcg", 1);
  EXPECT_EQ(report["status"], "breakdown_indefinite");
  EXPECT_EQ(report["iterations"], 0);
  EXPECT_EQ(report["residual_history"], nlohmann::json({1}));
  EXPECT_GT(report["problem"]["asymmetry"], 1e-3);
  const auto outcome = run("point-implicit --generate 4 4 4 --krylov pcg --output x.mtx");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.output.find("A is not symmetric: largest |A - A^T| "), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(folder / "x.mtx"));

  folder.write("indefinite.mtx",
               banner + "3 3 7\n1 1 1\n2 2 -1\n3 3 1\n1 2 2\n2 1 2\n2 3 2\n3 2 2\n");
  report = report_of("point-implicit --matrix indefinite.mtx --block-size 1 --krylov pcg", 1);
  EXPECT_EQ(report["status"], "breakdown_indefinite");
  EXPECT_EQ(report["problem"]["asymmetry"], 0);

  folder.write("singular.mtx", banner + "4 4 6\n1 1 1\n2 2 1\n3 3 1\n4 4 1\n3 4 1\n4 3 1\n");
  report = report_of("point-implicit --matrix singular.mtx --block-size 2 --krylov pcg", 1);
  EXPECT_EQ(report["status"], "breakdown_zero_pivot");
  EXPECT_EQ(report["residual_history"], nlohmann::json({1}));
}

TEST_F(PointImplicitKrylov, KrylovMethodsEndOnLimitsAndTrivialSystems) {
  folder.write("spd.mtx", symmetric_line(60, 3));
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
  folder.write("empty.mtx", banner + "0 0 0\n");
  EXPECT_EQ(report_of("point-implicit --matrix empty.mtx --krylov pcg")["status"], "converged");
}

TEST_F(PointImplicitKrylov, PreconditionsGmres) {
  for (const char* options :
       {"--generate 6 5 7", "--generate 6 5 7 --storage double --direction symmetric --sweeps 2",
        "--generate 6 5 7 --direction backward --check-every 5",
        "--generate 6 5 7 --block-size 17 --space " LAMINA_PLAIN_SPACE " --diagonal lu"}) {
    const auto report =
        report_of("point-implicit --krylov gmres --tolerance 1e-11 " + std::string(options));
    EXPECT_EQ(report["status"], "converged") << options;
    EXPECT_LT(report["true_relative_residual"], 1.001e-11);
    EXPECT_NEAR(report["true_relative_residual"].get<double>(),
                report["relative_residual"].get<double>(), 1e-13);
    EXPECT_LT(report["error"]["linf"], 1e-9);
    const auto& history = report["residual_history"];
    EXPECT_EQ(history.size(), report["iterations"].get<std::size_t>() + 1);
    EXPECT_EQ(history.front(), 1);
    EXPECT_EQ(history.back(), report["relative_residual"]);
    EXPECT_FALSE(report["problem"].contains("asymmetry"));
    int stated = 0;
    for (const auto& kernel : report["kernels"]) {
      stated += kernel["name"] == "Lamina::Gmres::products" && kernel["bytes"] > 0;
      stated += kernel["name"] == "Lamina::Gmres::update" && kernel["bytes"] > 0;
    }
    EXPECT_EQ(stated, 2);
  }
  EXPECT_NE(run("point-implicit --help").output.find("none|pcg|gmres"), std::string::npos);
}

TEST_F(PointImplicitKrylov, GmresEndsOnLimitsAndTrivialSystems) {
  // More iterations than fit between two restarts
  folder.write("spd.mtx", symmetric_line(600, 3));
  const std::string line = "point-implicit --matrix spd.mtx --block-size 3 --krylov gmres ";
  const auto restarted = report_of(line + "--tolerance 1e-8");
  EXPECT_EQ(restarted["status"], "converged");
  EXPECT_GT(restarted["iterations"], 30);
  EXPECT_EQ(restarted["residual_history"].size(), restarted["iterations"].get<std::size_t>() + 1);
  const auto limited = report_of(line + "--tolerance 1e-10 --max-iterations 4", 1);
  EXPECT_EQ(limited["status"], "max_iterations");
  EXPECT_EQ(limited["iterations"], 4);
  Lamina::write_matrix_market_vector(folder / "zero.mtx", std::vector<double>(1800, 0.0));
  EXPECT_EQ(report_of(line + "--rhs zero.mtx")["iterations"], 0);
  // Sweeps alone, and symmetric ones under conjugate gradients, fail over this matrix.
  folder.write("rotation.mtx", banner + "2 2 4\n1 1 1\n1 2 4\n2 1 -4\n2 2 1\n");
  const auto rotation =
      report_of("point-implicit --matrix rotation.mtx --block-size 1 --krylov gmres");
  EXPECT_EQ(rotation["status"], "converged");
  EXPECT_LE(rotation["iterations"], 2);
  expect_refused("point-implicit --krylov gmres --check-every 1025",
                 "lamina point-implicit: --check-every: expected a whole number from 1 to 1024");
}

}  // namespace
}  // namespace LaminaTest
