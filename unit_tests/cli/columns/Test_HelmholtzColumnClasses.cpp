// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Which class of the library `lamina helmholtz` takes for bottoms and coefficients, and that each solves the same

#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "cli/columns/HelmholtzColumnsTest.hpp"
#include "io/NetcdfValues.hpp"

namespace LaminaTest {
namespace {

class HelmholtzColumnClasses : public HelmholtzColumnsTest {
 protected:
  static constexpr std::size_t num_edges = (num_x - 1) * num_y + num_x * (num_y - 1);
  const std::vector<std::pair<std::string, std::size_t>> of_faces{{"face", num_faces}},
      of_cells{{"face", num_faces}, {"level", levels}}, of_levels{{"level", levels}};

  void SetUp() override {
    HelmholtzColumnsTest::SetUp();
    write_plane("plane.nc");
    folder.write("levels.txt", "0 -1 -2\n-3.5 -6\n-10\n");
    auto depths = numbers(num_faces, 1, -2, 10);
    depths[7] = 0.5;  // cut in the top level
    write_variables("depth.nc", {{"depth", of_faces, depths},
                                 {"flat", of_faces, std::vector<double>(num_faces, 10)},
                                 {"whole", of_faces, numbers_of_levels(), NC_INT}});
  }
  static std::vector<double> numbers_of_levels() {
    std::vector<double> wet;
    for (std::size_t f = 0; f < num_faces; ++f) {
      wet.push_back(static_cast<double>(Reference::splitmix64(f) % (levels + 1)));
    }
    return wet;
  }
  static Variable pairs_of_edges() {
    std::vector<double> pairs;
    for (const auto& [first, second] : plane_edges()) {
      pairs.push_back(static_cast<double>(first));
      pairs.push_back(static_cast<double>(second));
    }
    return {"edge_faces", {{"edge", num_edges}, {"two", 2}}, pairs, NC_INT};
  }
  /// Each value so often, as of an item at all its levels.
  static std::vector<double> repeated(const std::vector<double>& values, std::size_t times) {
    std::vector<double> result;
    for (const double value : values) result.insert(result.end(), times, value);
    return result;
  }
  static std::vector<double> cycled(const std::vector<double>& values, std::size_t times) {
    std::vector<double> result;
    for (std::size_t n = 0; n < times; ++n) {
      result.insert(result.end(), values.begin(), values.end());
    }
    return result;
  }
  const std::string plane =
      "helmholtz --grid plane.nc --levels levels.txt --omega2 0.7 --lambda2 0.03 --rhs rough ";
  /// \param size  faces
  /// \param kind  of the first, the second stores its coefficients
  void expect_same(const std::string& first, const std::string& second, std::size_t size,
                   const std::string& kind, const std::string& problem) const {
    constexpr double tolerance = 1e-9;
    std::vector<std::vector<double>> solutions;
    for (const std::string& options : {first, second}) {
      const auto report = report_of(problem + "--tolerance 1e-12 --output u.nc " + options);
      EXPECT_EQ(report["status"], "converged") << options;
      EXPECT_EQ(report["problem"]["coefficients_as"], options == first ? kind : "stored");
      solutions.push_back(values_of(folder / "u.nc", "solution", {size, levels}, true));
    }
    ASSERT_EQ(solutions[0].size(), size * levels);
    ASSERT_EQ(solutions[1].size(), size * levels);
    for (std::size_t n = 0; n < size * levels; ++n) {
      const double a = solutions[0][n], b = solutions[1][n];
      ASSERT_EQ(std::isnan(a), std::isnan(b)) << n;
      if (!std::isnan(a)) {
        EXPECT_NEAR(a, b, tolerance) << n;
      }
    }
  }
};

TEST_F(HelmholtzColumnClasses, AreChosenByTheShapesOfTerms) {
  const auto ones = [](std::size_t count) { return std::vector<double>(count, 1); };
  write_variables("levels.nc", {{"mass", of_levels, ones(levels)}, {"surface", {}, {0.1}}});
  write_variables("cells.nc", {{"mass", of_cells, ones(num_faces * levels)}});
  write_variables("both.nc", {{"mass", of_faces, ones(num_faces)}, {"surface", {}, {0.1}}});
  for (const auto& [options, expected] : std::vector<std::pair<std::string, std::string>>{
           {"--bottom depth.nc:flat", "profiles"},
           {"--bottom depth.nc:whole --coefficients levels.nc", "partial-cells"},
           // Further mass of top cells is that of whole ones, and of all columns.
           {"--bottom depth.nc:depth --coefficients levels.nc", "stored"},
           {"--coefficients both.nc", "stored"}}) {
    const auto report = report_of(plane + "--iterations 1 " + options);
    EXPECT_EQ(report["problem"]["coefficients_as"], expected) << options;
  }
  for (const auto& [options, expected] : std::vector<std::pair<std::string, std::string>>{
           {"--bottom depth.nc:depth", "terms       as profiles with bottoms\n"},
           {"--coefficients cells.nc",
            "terms       coefficients of cells.nc, stored for each cell and edge\n"}}) {
    const auto outcome = run(plane + "--iterations 1 " + options);
    EXPECT_NE(outcome.output.find(expected), std::string::npos) << outcome.output;
  }
}

/// Factors of faces, edges and levels, and the same written out for each cell. An edge and a level are closed.
TEST_F(HelmholtzColumnClasses, SolveTheSame) {
  const auto mass = numbers(num_faces, 2, 0.5, 2), vertical = numbers(levels + 1, 3, 0.1, 10);
  auto horizontal = numbers(num_edges, 4, 0.3, 3), by_level = numbers(levels, 5, 0.3, 3);
  horizontal[11] = 0;
  by_level[2] = 0;
  write_variables("factors.nc", {{"mass", of_faces, mass},
                                 {"vertical", {{"interface", levels + 1}}, vertical},
                                 {"horizontal", {{"edge", num_edges}}, horizontal},
                                 pairs_of_edges()});
  write_variables(
      "cells.nc",
      {{"mass", of_cells, repeated(mass, levels)},
       {"vertical", {{"face", num_faces}, {"interface", levels + 1}}, cycled(vertical, num_faces)},
       {"horizontal", {{"edge", num_edges}, {"level", levels}}, repeated(horizontal, levels)},
       pairs_of_edges()});
  write_variables("by_level.nc", {{"mass", of_levels, by_level},
                                  {"vertical", of_faces, mass},
                                  {"horizontal", of_levels, by_level}});
  write_variables(
      "all_levels.nc",
      {{"mass", of_cells, cycled(by_level, num_faces)},
       {"vertical", {{"face", num_faces}, {"interface", levels + 1}}, repeated(mass, levels + 1)},
       {"horizontal", {{"edge", num_edges}, {"level", levels}}, cycled(by_level, num_edges)},
       pairs_of_edges()});
  const std::string few = "--coefficients factors.nc", many = "--coefficients cells.nc";
  expect_same(few, many, num_faces, "profiles", plane);
  expect_same(
      few, many, num_faces, "partial-cells",
      plane + "--bottom depth.nc:depth --solver multigrid-pcg --layout left --precision mixed ");
  // Level 2 has no mass: a cell there may have no other either.
  expect_same("--coefficients by_level.nc", "--coefficients all_levels.nc", num_faces,
              "partial-cells", plane + "--bottom depth.nc:whole --solver pcg --project ");
}

/// In a thick shell a part of a cell's height is another of its volume.
TEST_F(HelmholtzColumnClasses, SolveTheSameInAShell) {
  constexpr std::size_t faces = 42;
  folder.write("radii.txt", "0 0.1 0.25 0.5 0.7 1");
  write_variables("depth.nc", {{"depth", {{"face", faces}}, numbers(faces, 1, 0.02, 1)}});
  write_variables(
      "ones.nc",
      {{"mass", {{"face", faces}, {"level", levels}}, std::vector<double>(faces * levels, 1)}});
  const std::string shell =
      "helmholtz --grid icosahedral 2 --levels radii.txt --rhs rough --bottom depth.nc:depth ";
  expect_same("", "--coefficients ones.nc", faces, "partial-cells", shell);
}

}  // namespace
}  // namespace LaminaTest
