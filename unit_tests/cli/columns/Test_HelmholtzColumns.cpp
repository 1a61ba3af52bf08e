// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What `lamina helmholtz` solves with --bottom and --coefficients

#include <lamina/grids/SphereGrids.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

#include "cli/columns/HelmholtzColumnsTest.hpp"
#include "io/NetcdfValues.hpp"
#include "reference/DirectSolve.hpp"
#include "reference/Matrix.hpp"

namespace LaminaTest {
namespace {

/// Above the plane: five levels of heights that differ, bottoms of any depth, coefficients of all kinds.
class HelmholtzColumns : public HelmholtzColumnsTest {
 protected:
  static constexpr double omega2 = 0.7, lambda2 = 0.03;
  std::vector<double> depths = numbers(num_faces, 1, -2, 10),
                      mass = numbers(num_faces * levels, 2, 0.5, 2),
                      surface = numbers(num_faces, 3, 0, 1),
                      vertical = numbers(num_faces * (levels + 1), 4, 0.1, 10),
                      horizontal = numbers(plane_edges().size() * levels, 5, 0.3, 3);

  void write_files() {
    write_plane("plane.nc");
    folder.write("levels.txt", "0 -1 -2\n-3.5 -6\n-10\n");
    depths[3] = std::numeric_limits<double>::quiet_NaN();  // land
    depths[4] = 10;
    depths[5] = 3.55;  // too little of a cell: closed
    std::vector<double> stored = depths, faces;
    stored[3] = -1e20;
    write_variables("depth.nc", {{"depth", {{"face", num_faces}}, stored}});
    for (const auto& [first, second] : plane_edges()) {
      faces.push_back(static_cast<double>(first) + 1);
      faces.push_back(static_cast<double>(second) + 1);
    }
    const std::size_t edges = plane_edges().size();
    write_variables("terms.nc",
                    {{"mass", {{"face", num_faces}, {"level", levels}}, mass},
                     {"surface", {{"face", num_faces}}, surface},
                     {"vertical", {{"face", num_faces}, {"interface", levels + 1}}, vertical},
                     {"horizontal", {{"edge", edges}, {"level", levels}}, horizontal},
                     {"cellsOnEdge", {{"edge", edges}, {"two", 2}}, faces, NC_INT}});
  }
  double whole(std::size_t k) const { return heights[k + 1] - heights[k]; }
  /// 0 where a cell is dry.
  double height(std::size_t face, std::size_t k) const {
    if (std::isnan(depths[face])) return 0;
    const double open = std::min(whole(k), heights[k + 1] + depths[face]);
    return open >= 0.1 * whole(k) ? open : 0;
  }
  double volume(std::size_t face, std::size_t k) const { return side * side * height(face, k); }

  Reference::Matrix matrix() const {
    Reference::Matrix result;
    result.rows.resize(num_faces * levels);
    const auto add = [&](std::size_t row, std::size_t column, double value) {
      result.rows[row].push_back({static_cast<int>(column), value});
    };
    const auto couple = [&](std::size_t a, std::size_t b, double value) {
      if (!(value > 0)) return;
      add(a, a, value);
      add(b, b, value);
      add(a, b, -value);
      add(b, a, -value);
    };
    for (std::size_t f = 0; f < num_faces; ++f) {
      for (std::size_t k = 0; k < levels; ++k) {
        const std::size_t cell = f * levels + k;
        const double top = k + 1 == levels ? side * side * surface[f] : 0;
        add(cell, cell, height(f, k) > 0 ? volume(f, k) * mass[cell] + top : 1);
        if (k + 1 < levels && height(f, k) > 0) {
          couple(cell, cell + 1,
                 omega2 * lambda2 * side * side * vertical[f * (levels + 1) + k + 1] /
                     ((height(f, k) + height(f, k + 1)) / 2));
        }
      }
    }
    const auto edges = plane_edges();
    for (std::size_t e = 0; e < edges.size(); ++e) {
      const auto [a, b] = edges[e];
      for (std::size_t k = 0; k < levels; ++k) {
        couple(a * levels + k, b * levels + k,
               omega2 * std::min(height(a, k), height(b, k)) * horizontal[e * levels + k]);
      }
    }
    return result;
  }
  const std::string command =
      "helmholtz --grid plane.nc --levels levels.txt --bottom depth.nc:depth --coefficients "
      "terms.nc --omega2 0.7 --lambda2 0.03 ";
};

TEST_F(HelmholtzColumns, AreThoseOfTheDirectSolution) {
  write_files();
  std::vector<double> solution;
  for (const auto& [options, tolerance] : std::vector<std::pair<std::string, double>>{
           {"", 1e-9},
           {"--solver pcg --layout left", 1e-9},
           {"--solver multigrid-pcg", 1e-9},
           {"--solver multigrid-pcg --layout left --space " LAMINA_PLAIN_SPACE, 1e-9},
           {"--precision mixed", 1e-9},
           {"--solver multigrid-pcg --precision mixed --layout left", 1e-9},
           {"--precision single --tolerance 1e-6", 1e-4},
           {"--solver multigrid", 1e-9},
           {"--solver multigrid --precision mixed --layout left", 1e-9},
           {"--solver multigrid-pcg --precision single --tolerance 1e-6", 1e-4}}) {
    const std::string until = tolerance < 1e-8 ? " --tolerance 1e-11 " : " ";
    const auto report = report_of(command + "--rhs rough --output u.nc" + until + options);
    EXPECT_EQ(report["status"], "converged");
    const auto u = values_of(folder / "u.nc", "solution", {num_faces, levels}, true),
               f = values_of(folder / "u.nc", "rhs", {num_faces, levels}, true),
               volumes = values_of(folder / "u.nc", "volume", {num_faces, levels});
    ASSERT_EQ(u.size(), num_faces * levels);
    if (solution.empty()) {
      Reference::Values b;
      for (const double value : f) b.push_back(std::isnan(value) ? 0 : value);
      solution = Reference::solve_directly(matrix(), b);
    }
    for (std::size_t n = 0; n < u.size(); ++n) {
      const std::size_t face = n / levels, k = n % levels;
      EXPECT_NEAR(volumes[n], volume(face, k), 1e-5);
      EXPECT_EQ(std::isnan(u[n]), height(face, k) == 0);
      EXPECT_EQ(std::isnan(f[n]), height(face, k) == 0);
      const double error = std::isnan(u[n]) ? 0 : std::abs(u[n] - solution[n]);
      EXPECT_LE(error, tolerance) << n << options;
    }
    const auto& wet = report["problem"]["wet"];
    const auto is_wet = [](double v) { return v > 0; };
    EXPECT_EQ(wet["cells"], std::count_if(volumes.begin(), volumes.end(), is_wet));
    EXPECT_GT(wet["partial_cells"], 5);
    EXPECT_LT(wet["columns"], static_cast<int>(num_faces));
    EXPECT_EQ(report["parts"]["singular"], 0);
  }
}

TEST_F(HelmholtzColumns, ReadsItsOwnOutputAsARightHandSide) {
  write_files();
  const auto first = report_of(command + "--rhs rough --output first.nc"),
             second = report_of(command + "--rhs first.nc --output second.nc");
  EXPECT_EQ(first["iterations"], second["iterations"]);
  EXPECT_EQ(folder.read("first.nc").empty(), false);
  const auto u = values_of(folder / "first.nc", "solution", {num_faces, levels}, true),
             v = values_of(folder / "second.nc", "solution", {num_faces, levels}, true);
  for (std::size_t n = 0; n < u.size(); ++n) {
    EXPECT_TRUE(std::isnan(u[n]) ? std::isnan(v[n]) : std::abs(u[n] - v[n]) < 1e-9) << n;
  }
}

/// Coefficients of 1, levels of a file that are graded, and no bottoms.
TEST_F(HelmholtzColumns, OfOneAreTheModelProblem) {
  std::string interfaces;
  for (int k = 0; k <= 6; ++k) interfaces += std::to_string(0.0157 * k * k / 36) + ' ';
  folder.write("levels.txt", interfaces);
  write_variables("ones.nc", {{"mass", {}, {1}},
                              {"vertical", {{"interface", 7}}, std::vector<double>(7, 1)},
                              {"horizontal", {{"level", 6}}, std::vector<double>(6, 1)}});
  const std::string common = "helmholtz --grid icosahedral 4 --rhs rough --tolerance 1e-11 ";
  const auto plain = report_of(common + "--levels 6 --output plain.nc");
  const auto same = report_of(common + "--levels levels.txt --output levels.nc");
  const auto ones =
      report_of(common + "--levels levels.txt --coefficients ones.nc --output ones.nc.nc");
  EXPECT_EQ(same["problem"]["levels_file"], "levels.txt");
  EXPECT_EQ(ones["problem"]["coefficients"], "ones.nc");
  EXPECT_NEAR(plain["iterations"].get<int>(), ones["iterations"].get<int>(), 2);
  const auto u = values_of(folder / "plain.nc", "solution", {162, 6}),
             v = values_of(folder / "levels.nc", "solution", {162, 6}),
             w = values_of(folder / "ones.nc.nc", "solution", {162, 6}, true);
  ASSERT_EQ(w.size(), u.size());
  for (std::size_t n = 0; n < u.size(); ++n) {
    EXPECT_NEAR(u[n], v[n], 1e-3);  // six digits of heights
    EXPECT_NEAR(v[n], w[n], 1e-7);
  }
}

TEST_F(HelmholtzColumns, TakeTheHarmonicMeanOfFaces) {
  write_plane("plane.nc");
  const auto faces = numbers(num_faces, 6, 0.1, 10);
  std::vector<double> edges, pairs;
  for (const auto& [first, second] : plane_edges()) {
    edges.push_back(2 / (1 / faces[first] + 1 / faces[second]));
    pairs.push_back(static_cast<double>(first));
    pairs.push_back(static_cast<double>(second));
  }
  const std::size_t count = edges.size();
  write_variables("faces.nc", {{"horizontal", {{"face", num_faces}}, faces}});
  write_variables("edges.nc", {{"horizontal", {{"edge", count}}, edges},
                               {"edge_faces", {{"edge", count}, {"two", 2}}, pairs, NC_INT}});
  std::vector<double> first;
  for (const char* file : {"faces.nc", "edges.nc"}) {
    (void)report_of("helmholtz --grid plane.nc --levels 3 --rhs rough --tolerance 1e-12 " +
                    std::string("--output u.nc --coefficients ") + file);
    const auto u = values_of(folder / "u.nc", "solution", {num_faces, 3}, true);
    ASSERT_EQ(u.size(), 3 * num_faces);
    if (first.empty()) first = u;
    for (std::size_t n = 0; n < u.size(); ++n) EXPECT_NEAR(u[n], first[n], 1e-9);
  }
}

/// Sources are those of the model problem, integrated over what is open of a cell.
TEST_F(HelmholtzColumns, IntegrateTheSourceOverOpenCells) {
  write_files();
  (void)report_of(command + "--rhs rough --output open.nc");
  (void)report_of("helmholtz --grid plane.nc --levels levels.txt --rhs rough --output whole.nc");
  const auto open = values_of(folder / "open.nc", "rhs", {num_faces, levels}, true),
             all = values_of(folder / "whole.nc", "rhs", {num_faces, levels});
  ASSERT_EQ(open.size(), all.size());
  for (std::size_t n = 0; n < open.size(); ++n) {
    const std::size_t face = n / levels, k = n % levels;
    if (height(face, k) == 0) continue;
    EXPECT_NEAR(open[n] / volume(face, k), all[n] / (side * side * whole(k)), 1e-9);
  }
}

TEST_F(HelmholtzColumns, WithoutMassTellOfTheirParts) {
  write_plane("plane.nc");
  std::vector<double> wet(num_faces, 3);
  for (std::size_t j = 0; j < num_y; ++j) wet[2 * num_y + j] = 0;  // two basins
  write_variables("two.nc", {{"wet", {{"face", num_faces}}, wet, NC_INT}, {"mass", {}, {0}}});
  const std::string common =
      "helmholtz --grid plane.nc --levels 4 --bottom two.nc:wet --coefficients two.nc ";
  for (const std::string solver : {"fused-pcg", "pcg", "multigrid-pcg"}) {
    const auto refused = report_of(common + "--solver " + solver, 1);
    EXPECT_EQ(refused["status"], "inconsistent");
    EXPECT_EQ(refused["parts"]["components"], 2);
    EXPECT_EQ(refused["parts"]["singular"], 2);
    EXPECT_GT(refused["parts"]["rhs_defect"], 0.1);
    EXPECT_EQ(refused["true_relative_residual"], 1);
    EXPECT_EQ(refused["iterations"], 0);
    EXPECT_GT(refused["seconds"]["setup"], 0);
    EXPECT_EQ(refused["seconds"]["solve"], 0);
    const auto solved =
        report_of(common + "--project --tolerance 1e-9 --output u.nc --solver " + solver);
    EXPECT_EQ(solved["status"], "converged");
    EXPECT_LE(solved["true_relative_residual"], 1e-8);
    const auto u = values_of(folder / "u.nc", "solution", {num_faces, 4}, true),
               volumes = values_of(folder / "u.nc", "volume", {num_faces, 4});
    for (const auto& [begin, end] :
         {std::pair{std::size_t{0}, 2 * num_y}, {3 * num_y, num_faces}}) {
      double mean = 0;
      for (std::size_t n = 4 * begin; n < 4 * end; ++n)
        mean += volumes[n] > 0 ? volumes[n] * u[n] : 0;
      EXPECT_NEAR(mean, 0, 1e-9);
    }
    // What is left of the right-hand side has a solution without projection.
    EXPECT_EQ(report_of(common + "--rhs u.nc --solver " + solver)["status"], "converged");
  }
  const auto outcome = run(common + "--output none.nc");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.errors,
            "lamina helmholtz: --output: none.nc: not written, as the solve had no solution\n");
  EXPECT_FALSE(std::filesystem::exists(folder / "none.nc"));
  EXPECT_NE(outcome.output.find("2 connected parts of wet cells, 2 of them singular"),
            std::string::npos);
  EXPECT_NE(outcome.output.find("of the right-hand side has no solution"), std::string::npos);
}

/// Continents, a rough bottom, stratification, rough coefficients of edges, and a free surface.
TEST_F(HelmholtzColumns, MultigridTakesFewIterationsInAnOcean) {
  const int n = 16;
  const auto triangulation = Lamina::icosahedral_triangulation(n);
  const auto graph = Lamina::voronoi_cells(triangulation);
  const std::size_t faces = graph.areas.size();
  constexpr std::size_t nz = 20;
  std::vector<double> wet, vertical, pairs, horizontal;
  for (std::size_t f = 0; f < faces; ++f) {
    const auto& [x, y, z] = graph.centres.points[f];
    const double depth =
        0.55 + 0.5 * std::sin(3 * x + 2) * std::cos(3 * y + z) + 0.15 * Reference::unit_value(f);
    wet.push_back(std::clamp(std::floor(nz * depth), 0.0, static_cast<double>(nz)));
    const double factor = std::exp(2 * std::sin(5 * x) * y);
    for (std::size_t k = 0; k <= nz; ++k) {
      vertical.push_back(factor * std::pow(100, -static_cast<double>(k) / nz));
    }
  }
  for (const auto& edge : graph.edges) {
    pairs.push_back(edge.first);
    pairs.push_back(edge.second);
  }
  for (std::size_t e = 0; e < graph.edges.size() * nz; ++e) {
    horizontal.push_back(std::pow(10, 0.5 * Reference::unit_value(e)));
  }
  const std::size_t edges = graph.edges.size();
  write_variables("ocean.nc", {{"wet", {{"face", faces}}, wet, NC_INT}});
  write_variables("rough.nc", {{"vertical", {{"face", faces}, {"interface", nz + 1}}, vertical},
                               {"horizontal", {{"edge", edges}, {"level", nz}}, horizontal},
                               {"surface", {{"face", faces}}, std::vector<double>(faces, 0.1)},
                               {"edge_faces", {{"edge", edges}, {"two", 2}}, pairs, NC_INT}});
  write_variables("neumann.nc", {{"mass", {}, {0}}});
  const std::string common =
      "helmholtz --grid icosahedral 16 --levels 20 --rhs rough --solver multigrid-pcg "
      "--bottom ocean.nc:wet ";
  const auto iterations = [&](const std::string& options) {
    const auto report = report_of(common + options);
    EXPECT_EQ(report["status"], "converged");
    EXPECT_GE(report["multigrid_levels"].size(), 3u);
    const bool is_mixed = options.find("mixed") != options.npos;
    EXPECT_EQ(report["cycle_precision"], is_mixed ? "single" : "double");
    return report["iterations"].get<int>();
  };
  EXPECT_LE(iterations("--tolerance 1e-5"), 7);
  EXPECT_LE(iterations("--tolerance 1e-10"), 12);
  EXPECT_LE(iterations("--tolerance 1e-10 --precision mixed"), 13);
  EXPECT_LE(iterations("--tolerance 1e-5 --coefficients rough.nc"), 8);
  EXPECT_LE(iterations("--tolerance 1e-10 --coefficients rough.nc"), 14);
  EXPECT_LE(iterations("--tolerance 1e-5 --project --coefficients neumann.nc"), 10);
  EXPECT_LE(iterations("--tolerance 1e-10 --project --coefficients neumann.nc"), 18);
  // What single precision leaves in the null space does not grow.
  EXPECT_LE(iterations("--tolerance 1e-12 --precision mixed --project --coefficients neumann.nc"),
            22);
}

TEST_F(HelmholtzColumns, AreWrittenForParaView) {
  write_files();
  EXPECT_EQ(report_of(command + "--output u.vtu")["status"], "converged");
  const std::string text = folder.read("u.vtu");
  for (const char* name : {"solution", "rhs", "volume"}) {
    EXPECT_NE(text.find(std::string("Name=\"") + name + '"'), text.npos);
  }
}

TEST_F(HelmholtzColumns, AreCompared) {
  write_files();
  const auto report =
      report_of("compare " + command + "--precision double --space " LAMINA_PLAIN_SPACE);
  EXPECT_EQ(report.size(), 8u);  // four solvers, two layouts
  for (const auto& solve : report) EXPECT_EQ(solve["status"], "converged");
}

}  // namespace
}  // namespace LaminaTest
