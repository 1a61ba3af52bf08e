// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What is reported of a solve is that of the user's matrix and right-hand side, and an iterate that
// is no result is not called one.

#include <lamina/io/MatrixMarketFile.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "PointImplicitTest.hpp"
#include "reference/Blocks.hpp"

namespace LaminaTest {
namespace {

/// A dense matrix, column-major.
struct DenseSystem {
  std::size_t size = 0;
  std::vector<double> a, b;

  double norm_of_b() const { return residual(std::vector<double>(size, 0.0)); }
  double residual(const std::vector<double>& x) const {
    long double sum = 0;
    for (std::size_t i = 0; i < size; ++i) {
      long double r = b[i];
      for (std::size_t j = 0; j < size; ++j) r -= static_cast<long double>(a[j * size + i]) * x[j];
      sum += r * r;
    }
    return static_cast<double>(std::sqrt(sum));
  }
  std::vector<double> solution() const { return Reference::solve_dense(a, b); }
};

class PointImplicitNumbers : public PointImplicitTest {
 protected:
  /// Three block rows of three equations, as reservoirs have them: pressure, saturation and
  /// temperature are unknowns of very different units. b is so that the unknowns of the second row
  /// make nearly all of it.
  DenseSystem reservoir() const {
    constexpr double units[] = {2.3e-7, 0.21, 1.7e4};
    DenseSystem system{9, std::vector<double>(81, 0.0), std::vector<double>(9, 0.0)};
    for (std::size_t i = 0; i < 9; ++i) {
      for (std::size_t j = 0; j < 9; ++j) {
        const auto block_row = i / 3, block_column = j / 3;
        if (block_row + block_column == 2 && block_row != block_column) continue;  // the corners
        const double coupling = block_row == block_column ? 0.4 : 0.02;
        const double value = coupling * std::sin(1.7 * static_cast<double>(i + 1) +
                                                 0.9 * static_cast<double>(j * j));
        system.a[j * 9 + i] = units[j % 3] * ((i == j ? 1 : 0) + value);
        const double part = block_column == 1 ? 1e-3 : 1e-7;
        system.b[i] += system.a[j * 9 + i] * part / units[j % 3];
      }
    }
    return system;
  }
  static std::string digits(double value) {
    char text[40];
    std::snprintf(text, sizeof(text), "%.17g", value);
    return text;
  }
  void write(const DenseSystem& system) const {
    std::string entries;
    int count = 0;
    for (std::size_t n = 0; n < system.a.size(); ++n) {
      if (system.a[n] == 0) continue;
      entries += std::to_string(n % system.size + 1) + ' ' + std::to_string(n / system.size + 1) +
                 ' ' + digits(system.a[n]) + '\n';
      ++count;
    }
    const std::string size = std::to_string(system.size);
    folder.write("a.mtx",
                 banner + size + ' ' + size + ' ' + std::to_string(count) + '\n' + entries);
    Lamina::write_matrix_market_vector(folder / "b.mtx", system.b);
  }
  /// 1.5 on the diagonal, -1 elsewhere: sweeps multiply the residual by about 17.
  void write_diverging() const {
    DenseSystem system{6, std::vector<double>(36, -1.0), std::vector<double>(6, 1.0)};
    for (std::size_t i = 0; i < 6; ++i) system.a[7 * i] = 1.5;
    write(system);
  }
};

TEST_F(PointImplicitNumbers, EveryStorageSolvesTheMatrixOfTheFile) {
  const DenseSystem system = reservoir();
  write(system);
  const std::vector<double> expected = system.solution();
  for (const char* options :
       {"", "--check-every 3", "--storage half",
        "--storage half --direction symmetric --space " LAMINA_PLAIN_SPACE, "--storage double"}) {
    const auto report = report_of(
        "point-implicit --matrix a.mtx --rhs b.mtx --block-size 3 --until-converged "
        "--tolerance 1e-12 --output x.mtx " +
        std::string(options));
    EXPECT_EQ(report["status"], "converged") << options;
    EXPECT_LE(report["true_relative_residual"], 1e-12);
    EXPECT_EQ(report["true_relative_residual"], report["relative_residual"]);
    const auto x = Lamina::read_matrix_market_vector(folder / "x.mtx", 9);
    EXPECT_LE(system.residual(x), 2e-12 * system.norm_of_b()) << options;
    for (std::size_t n = 0; n < 9; ++n) {
      EXPECT_NEAR(x[n], expected[n], 1e-7 * std::abs(expected[n])) << options;
    }
  }
}

TEST_F(PointImplicitNumbers, ResidualsOfAFixedCountAreThoseOfTheMatrixOfTheFile) {
  const DenseSystem system = reservoir();
  write(system);
  for (const char* storage : {"float", "half"}) {
    const auto report = report_of(
        "point-implicit --matrix a.mtx --rhs b.mtx --block-size 3 --sweeps 60 --output x.mtx "
        "--storage " +
        std::string(storage));
    EXPECT_EQ(report["status"], "completed");
    const double expected =
        system.residual(Lamina::read_matrix_market_vector(folder / "x.mtx", 9)) /
        system.norm_of_b();
    EXPECT_GT(expected, 1e-11) << "nothing was rounded";
    for (const auto& residual : {report["true_relative_residual"], report["relative_residual"],
                                 report["residual_history"].back()}) {
      EXPECT_NEAR(residual.get<double>(), expected, 1e-3 * expected) << storage;
    }
    EXPECT_EQ(report["residual_history"].size(), 60u);
  }
}

TEST_F(PointImplicitNumbers, SaysInWordsWhoseResidualsTheyAre) {
  write(reservoir());
  const std::string line = "before it was rounded";
  EXPECT_NE(run("point-implicit --matrix a.mtx --block-size 3").output.find(line),
            std::string::npos);
  for (const char* exact : {"--matrix a.mtx --block-size 3 --storage double", "--generate 2 2 2"}) {
    EXPECT_EQ(run("point-implicit " + std::string(exact)).output.find(line), std::string::npos);
  }
}

TEST_F(PointImplicitNumbers, SweepsThatConvergeSlowlyConverge) {
  DenseSystem chain{80, std::vector<double>(6400, 0.0), std::vector<double>(80, 0.0)};
  for (std::size_t i = 0; i < 80; ++i) {
    chain.a[81 * i] = 2;
    if (i > 0) chain.a[81 * i - 1] = chain.a[81 * i - 80] = -1;
    chain.b[i] = std::sin(0.0387850944887 * static_cast<double>(i + 1));
  }
  write(chain);
  for (const char* options : {"", " --check-every 10"}) {
    const auto report = report_of(
        "point-implicit --matrix a.mtx --rhs b.mtx --block-size 1 --until-converged "
        "--max-iterations 50000" +
        std::string(options));
    EXPECT_EQ(report["status"], "converged");
    EXPECT_NEAR(report["iterations"].get<double>(), 7900, 100);
  }
}

TEST_F(PointImplicitNumbers, ADivergedIterateIsNoResult) {
  write_diverging();
  const std::string common =
      "point-implicit --matrix a.mtx --rhs b.mtx --block-size 1 --output x.mtx --quiet ";
  for (const char* options :
       {"--until-converged", "--sweeps 50", "--until-converged --check-every 5",
        "--until-converged --check-every 50 --max-iterations 50",
        "--sweeps 300 --storage double"}) {
    const auto outcome = run(common + options + " --json d.json");
    EXPECT_EQ(outcome.status, 1) << options;
    EXPECT_EQ(outcome.errors,
              "lamina point-implicit: --output: x.mtx: not written, as the solve diverged\n");
    EXPECT_FALSE(std::filesystem::exists(folder / "x.mtx")) << options;
    const auto report = nlohmann::json::parse(folder.read("d.json"));
    EXPECT_EQ(report["status"], "diverged") << options;
    EXPECT_EQ(report["converged"], false);
    EXPECT_LE(report["iterations"], 50) << options;
    EXPECT_EQ(report["residual_history"].back(), report["relative_residual"]);
  }
  EXPECT_NE(run("point-implicit --matrix a.mtx --block-size 1 --until-converged")
                .output.find("DIVERGED: after 8 sweeps"),
            std::string::npos);
  const auto compared = run(
      "compare point-implicit --matrix a.mtx --block-size 1 --sweeps 50 --space " LAMINA_PLAIN_SPACE
      " --json c.json");
  EXPECT_EQ(compared.status, 1);
  EXPECT_NE(compared.output.find("diverged"), std::string::npos);
  for (const auto& report : nlohmann::json::parse(folder.read("c.json"))) {
    EXPECT_EQ(report["status"], "diverged");
  }
}

TEST_F(PointImplicitNumbers, RightHandSidesMayBeAsSmallAndAsLargeAsDoublesAre) {
  folder.write("a.mtx", banner + "3 3 5\n1 1 4\n2 2 4\n3 3 4\n1 2 1\n3 2 -2\n");
  for (const double unit : {1e-300, 1e-200, 1e200, 1e300}) {
    const std::vector<double> b{unit, 2 * unit, 1e-100 * unit};
    Lamina::write_matrix_market_vector(folder / "b.mtx", b);
    for (const char* options : {"--until-converged", "--sweeps 5"}) {
      const auto report =
          report_of("point-implicit --matrix a.mtx --rhs b.mtx --block-size 1 --output x.mtx " +
                    std::string(options));
      EXPECT_GE(report["iterations"], 1) << unit << options;
      EXPECT_LT(report["true_relative_residual"], 1e-15);
      const auto x = Lamina::read_matrix_market_vector(folder / "x.mtx", 3);
      EXPECT_DOUBLE_EQ(x[1], b[1] / 4) << options;
      EXPECT_DOUBLE_EQ(x[0], (b[0] - x[1]) / 4) << options;
      EXPECT_DOUBLE_EQ(x[2], (b[2] + 2 * x[1]) / 4) << options;
    }
  }
}

TEST_F(PointImplicitNumbers, ConjugateGradientsIterateOverTheMatrixOfTheFile) {
  DenseSystem line{40, std::vector<double>(1600, 0.0), std::vector<double>(40, 1.0)};
  for (std::size_t i = 0; i < 40; ++i) {
    line.a[41 * i] = 0.7;
    if (i > 0) line.a[41 * i - 1] = line.a[41 * i - 40] = -1 / 3.0;
  }
  write(line);
  const auto report = report_of(
      "point-implicit --matrix a.mtx --rhs b.mtx --block-size 2 --krylov pcg --tolerance 1e-13 "
      "--output x.mtx");
  EXPECT_EQ(report["status"], "converged");
  EXPECT_LE(report["true_relative_residual"], 1e-12);
  EXPECT_LE(line.residual(Lamina::read_matrix_market_vector(folder / "x.mtx", 40)),
            1e-12 * line.norm_of_b());
}

}  // namespace
}  // namespace LaminaTest
