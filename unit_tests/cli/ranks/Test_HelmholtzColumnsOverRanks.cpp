// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `lamina helmholtz --bottom --coefficients` over ranks

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "cli/columns/HelmholtzColumnsTest.hpp"
#include "cli/ranks/ManyRanksTest.hpp"
#include "io/NetcdfValues.hpp"

namespace LaminaTest {
namespace {

/// Above the plane, with land and coefficients of faces and edges.
class HelmholtzColumnsOverRanks : public ColumnFilesTest<ManyRanksTest> {
 protected:
  void SetUp() override {
    ColumnFilesTest<ManyRanksTest>::SetUp();
    write_plane("plane.nc");
    folder.write("levels.txt", "0 -1 -2\n-3.5 -6\n-10\n");
    write_variables("depth.nc", {{"depth", {{"face", num_faces}}, numbers(num_faces, 1, -2, 10)}});
    write_terms("terms.nc", numbers(num_faces * levels, 2, 0.5, 2));
    write_terms("pressure.nc", std::vector<double>(num_faces * levels, 0.0));
    // Rank 1 of three has nothing, the others columns in turn.
    std::string owners;
    for (std::size_t n = 0; n < num_faces; ++n) owners += n % 2 == 0 ? "0\n" : "2\n";
    folder.write("owners", owners);
  }
  void write_terms(const std::string& name, const std::vector<double>& mass) const {
    std::vector<double> faces;
    for (const auto& [first, second] : plane_edges()) {
      faces.push_back(static_cast<double>(first) + 1);
      faces.push_back(static_cast<double>(second) + 1);
    }
    const std::size_t edges = plane_edges().size();
    write_variables(
        name,
        {{"mass", {{"face", num_faces}, {"level", levels}}, mass},
         {"vertical",
          {{"face", num_faces}, {"interface", levels + 1}},
          numbers(num_faces * (levels + 1), 4, 0.1, 10)},
         {"horizontal", {{"edge", edges}, {"level", levels}}, numbers(edges * levels, 5, 0.3, 3)},
         {"cellsOnEdge", {{"edge", edges}, {"two", 2}}, faces, NC_INT}});
  }
  /// Factors of faces, edges and interfaces: profiles.
  void write_factors(const std::string& name, const std::vector<double>& horizontal) const {
    std::vector<double> faces;
    for (const auto& [first, second] : plane_edges()) {
      faces.push_back(static_cast<double>(first));
      faces.push_back(static_cast<double>(second));
    }
    const std::size_t edges = plane_edges().size();
    write_variables(name,
                    {{"mass", {{"face", num_faces}}, numbers(num_faces, 2, 0.5, 2)},
                     {"vertical", {{"interface", levels + 1}}, numbers(levels + 1, 4, 0.1, 10)},
                     {"horizontal", {{"edge", edges}}, horizontal},
                     {"edge_faces", {{"edge", edges}, {"two", 2}}, faces, NC_INT}});
  }
  /// A run in which rank 1 has files of its own in the folder elsewhere.
  Outcome run_with_others(const std::string& arguments) const {
    const std::string part = program + arguments + " --quiet --json j.json";
    return run_shell(launcher + of_ranks(1) + part + " :" + of_ranks(1) +
                     " sh -c 'cd elsewhere && exec \"$0\" \"$@\"'" + part);
  }
  void expect_others_refused(const std::string& arguments, const std::string& message) const {
    const std::size_t num_files = folder.num_files();
    expect_failure(run_with_others(arguments), "lamina helmholtz: " + message, num_files);
  }
  void copy_elsewhere(const std::vector<std::string>& files) const {
    std::filesystem::create_directory(folder / "elsewhere");
    for (const std::string& file : files) {
      std::filesystem::copy_file(folder / file, folder / "elsewhere" / file);
    }
  }
  /// Of a run with --output u.nc.
  std::vector<double> solution() const {
    return values_of(folder / "u.nc", "solution", {num_faces, levels}, true);
  }
  static void expect_near(const std::vector<double>& found, const std::vector<double>& expected,
                          double tolerance) {
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t n = 0; n < expected.size(); ++n) {
      ASSERT_EQ(std::isnan(found[n]), std::isnan(expected[n])) << n;
      if (!std::isnan(found[n])) {
        EXPECT_NEAR(found[n], expected[n], tolerance) << n;
      }
    }
  }
  const std::string of_grid =
      "helmholtz --grid plane.nc --levels levels.txt --bottom depth.nc:depth --omega2 0.7 ";
  const std::string command = of_grid + "--coefficients terms.nc --rhs rough ";
};

TEST_F(HelmholtzColumnsOverRanks, SolveAsOneProcessDoes) {
  const std::string until = command + "--tolerance 1e-11 --output u.nc ";
  for (const std::string options : {"", "--solver pcg --layout left", "--precision mixed"}) {
    SCOPED_TRACE(options);
    const auto one = report_of(until + options);
    const auto expected = solution();
    const auto many = report_on(3, until + options + " --partition owners");
    expect_near(solution(), expected, 1e-10);
    if (options != "--precision mixed") expect_same_history(one, many, 1e-12);
    EXPECT_EQ(many["per_rank"][1]["owned"], 0);
    EXPECT_EQ(many["problem"], one["problem"]);
    for (const auto& [key, value] : one.items()) EXPECT_TRUE(many.contains(key)) << key;
  }
}

TEST_F(HelmholtzColumnsOverRanks, SolveWithMultigrid) {
  const std::string arguments = command + "--solver multigrid-pcg --tolerance 1e-10 ";
  const auto one = report_of(arguments);
  for (const char* options : {"--precision mixed --layout left", "--partition owners"}) {
    const auto many = report_on(3, arguments + options);
    EXPECT_LE(many["iterations"].get<int>(), one["iterations"].get<int>() + 2) << options;
    EXPECT_LE(many["true_relative_residual"], 1.1e-10) << options;
    for (const char* count : {"columns", "couplings"}) {
      EXPECT_EQ(many["multigrid_levels"][0][count], one["multigrid_levels"][0][count]) << options;
    }
  }
}

/// Without mass the parts of all ranks have one mean together.
TEST_F(HelmholtzColumnsOverRanks, ProjectOverAllRanks) {
  const std::string pressure = of_grid + "--coefficients pressure.nc --rhs rough ",
                    project = pressure + "--project --tolerance 1e-11 --output u.nc ";
  const auto one = report_of(project);
  const auto expected = solution();
  const auto many = report_on(2, project);
  expect_near(solution(), expected, 1e-8);
  expect_same_history(one, many, 1e-11);
  EXPECT_EQ(many["parts"]["components"], one["parts"]["components"]);
  EXPECT_EQ(many["parts"]["singular"], one["parts"]["singular"]);
  EXPECT_GT(one["parts"]["singular"], 0);
  EXPECT_NEAR(many["parts"]["rhs_defect"], one["parts"]["rhs_defect"], 1e-12);
  // Nobody solves what has no solution.
  const auto outcome = run_on(2, pressure + "--quiet --json many.json");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(nlohmann::json::parse(folder.read("many.json"))["status"], "inconsistent");
}

TEST_F(HelmholtzColumnsOverRanks, WriteTheBytesOfOneProcess) {
  const std::string arguments = command + "--iterations 0";
  const std::string one = file_of(1, arguments);
  EXPECT_GT(one.size(), 1000u);
  EXPECT_TRUE(file_of(3, arguments + " --partition owners") == one);
  folder.write("rhs.nc", one);
  const std::string again = of_grid + "--rhs rhs.nc --iterations 0";
  EXPECT_TRUE(file_of(2, again) == file_of(1, again));
}

/// Ranks have the same number of wet cells, not of columns.
TEST_F(HelmholtzColumnsOverRanks, SplitWetCells) {
  std::vector<double> depths(num_faces, 1);
  for (std::size_t n = 0; n < num_faces / 2; ++n) depths[n] = 10;
  write_variables("slope.nc", {{"depth", {{"face", num_faces}}, depths}});
  const auto report = report_on(
      2, "helmholtz --grid plane.nc --levels levels.txt --bottom slope.nc:depth --iterations 1");
  const int first = report["per_rank"][0]["owned"], second = report["per_rank"][1]["owned"];
  EXPECT_EQ(first + second, static_cast<int>(num_faces));
  EXPECT_GE(std::abs(first - second), 6);
  EXPECT_LT(report["decomposition"]["imbalance"].get<double>(), 1.9);
}

TEST_F(HelmholtzColumnsOverRanks, EndTogetherOnBadInput) {
  const std::string helmholtz = "lamina helmholtz: ";
  auto mass = numbers(num_faces * levels, 2, 0.5, 2);
  for (std::size_t k = 0; k < levels; ++k) mass[k] = -1;  // of one face
  write_terms("negative.nc", mass);
  write_variables("wet.nc", {{"depth", {{"face", num_faces}}, std::vector<double>(num_faces, 10)}});
  const auto outcome = run_on(2,
                              "helmholtz --grid plane.nc --levels levels.txt --bottom wet.nc:depth "
                              "--coefficients negative.nc");
  EXPECT_EQ(outcome.status, 2);
  const auto lines = own_lines(outcome);
  ASSERT_EQ(lines.size(), 1u) << outcome.errors;
  EXPECT_NE(
      lines[0].find("--coefficients: negative.nc: variable 'mass': expected a value >= 0 at (0, "),
      std::string::npos)
      << lines[0];
  expect_refused_on(2, of_grid + "--coefficients nowhere.nc",
                    helmholtz + "--coefficients: nowhere.nc: no such file");
  expect_refused_on(2, command + "--solver csr-pcg", helmholtz + "--solver: expected ");
}

/// Profiles with bottoms, and an edge that is closed, between any columns of ranks.
TEST_F(HelmholtzColumnsOverRanks, SolveWithProfiles) {
  auto horizontal = numbers(plane_edges().size(), 5, 0.3, 3);
  horizontal[11] = 0;
  write_factors("factors.nc", horizontal);
  const std::string until =
      of_grid + "--coefficients factors.nc --rhs rough --tolerance 1e-11 --output u.nc ";
  const auto one = report_of(until);
  EXPECT_EQ(one["problem"]["coefficients_as"], "partial-cells");
  const auto expected = solution();
  const auto many = report_on(3, until + "--partition owners");
  expect_near(solution(), expected, 1e-10);
  expect_same_history(one, many, 1e-12);
  EXPECT_EQ(report_on(2, until + "--solver multigrid-pcg")["status"], "converged");
  expect_near(solution(), expected, 1e-9);
}

TEST_F(HelmholtzColumnsOverRanks, RefuseOtherFilesOfOtherRanks) {
  copy_elsewhere({"plane.nc", "levels.txt"});
  const auto depths = numbers(num_faces, 1, -2, 9);
  write_variables("elsewhere/depth.nc", {{"depth", {{"face", num_faces}}, depths}});
  expect_others_refused(
      of_grid, "--bottom: expected the same on all ranks, got another on rank 1 than on rank 0");
  std::filesystem::remove(folder / "elsewhere/depth.nc");
  copy_elsewhere({"depth.nc"});
  // Another value of all edges: the first one between both ranks is told.
  write_factors("factors.nc", std::vector<double>(plane_edges().size(), 2));
  write_factors("elsewhere/factors.nc", std::vector<double>(plane_edges().size(), 3));
  const std::string flat = "helmholtz --grid plane.nc --levels 5 ";
  const auto outcome = run_with_others(flat + "--coefficients factors.nc");
  EXPECT_EQ(outcome.status, 2);
  const auto lines = own_lines(outcome);
  ASSERT_EQ(lines.size(), 1u) << outcome.errors;
  EXPECT_NE(lines[0].find("--coefficients: edge between faces "), std::string::npos) << lines[0];
  EXPECT_NE(lines[0].find(", counted from 0: expected the coupling 2 of rank 0, got 3"),
            std::string::npos)
      << lines[0];
  // Values that are not of columns or edges, and shapes of variables
  write_variables("number.nc", {{"mass", {}, {2}}});
  write_variables("elsewhere/number.nc", {{"mass", {}, {3}}});
  expect_others_refused(
      flat + "--coefficients number.nc",
      "--coefficients: expected the same on all ranks, got another on rank 1 than on rank 0");
}

}  // namespace
}  // namespace LaminaTest
