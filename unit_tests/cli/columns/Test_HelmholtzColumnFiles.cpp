// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The forms in which `lamina helmholtz` takes levels, bottoms and coefficients: orders, units, kinds of files

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

#include "cli/columns/HelmholtzColumnsTest.hpp"
#include "io/NetcdfValues.hpp"

namespace LaminaTest {
namespace {

using HelmholtzColumnFiles = HelmholtzColumnsTest;

/// Wet levels as models count them, from the surface, give the same as depths at interfaces.
TEST_F(HelmholtzColumnFiles, TakesWetLevelsOfMpasAndFesom) {
  write_plane("plane.nc");
  folder.write("levels.txt", "-10 -6 -3.5 -2 -1 0");
  std::vector<double> wet(num_faces), depth(num_faces);
  std::string interfaces;
  for (std::size_t f = 0; f < num_faces; ++f) {
    const std::size_t count = Reference::splitmix64(f) % (levels + 1);
    wet[f] = static_cast<double>(count);
    depth[f] = -heights[levels - count];
    interfaces += std::to_string(count == 0 ? 0 : count + 1) + '\n';
  }
  folder.write("nlvls.out", interfaces);
  write_variables("bottoms.nc", {{"maxLevelCell", {{"nCells", num_faces}}, wet, NC_INT},
                                 {"bottomDepth", {{"nCells", num_faces}}, depth}});
  // Numbers of levels rewritten with missing values, and heights of a topography.
  std::vector<double> rewritten = wet, filled = wet, topography;
  for (std::size_t f = 0; f < num_faces; ++f) {
    if (wet[f] == 0) rewritten[f] = std::numeric_limits<double>::quiet_NaN();
    if (wet[f] == 0) filled[f] = NC_FILL_INT;
    topography.push_back(wet[f] == 0 ? 2 : -depth[f]);
  }
  write_variables("rewritten.nc", {{"maxLevelCell", {{"nCells", num_faces}}, rewritten}});
  write_variables("other.nc",
                  {{"filled", {{"face", num_faces}}, filled, NC_INT},
                   {"z", {{"face", num_faces}}, topography, NC_FLOAT, {{"positive", "up"}}}});
  std::vector<double> first;
  for (const char* bottom :
       {"bottoms.nc", "bottoms.nc:maxLevelCell", "nlvls.out", "bottoms.nc:bottomDepth",
        "rewritten.nc", "other.nc:filled", "other.nc:z"}) {
    const auto report = report_of(
        "helmholtz --grid plane.nc --levels levels.txt --rhs rough "
        "--output u.nc --bottom " +
        std::string(bottom));
    EXPECT_EQ(report["problem"]["wet"]["partial_cells"], 0);
    EXPECT_EQ(report["problem"]["bottom"], bottom);
    const auto volumes = values_of(folder / "u.nc", "volume", {num_faces, levels});
    if (first.empty()) first = volumes;
    EXPECT_EQ(volumes, first) << bottom;
    for (std::size_t f = 0; f < num_faces; ++f) {
      const auto begin = volumes.begin() + static_cast<std::ptrdiff_t>(f * levels);
      EXPECT_EQ(std::count(begin, begin + levels, 0.0), static_cast<long>(levels) - wet[f]);
    }
  }
}

/// Levels of MPAS are from the top; otherwise a coordinate tells.
TEST_F(HelmholtzColumnFiles, TakesLevelsInTheirOrder) {
  write_plane("plane.nc");
  const std::vector<double> up{1, 2, 3, 4, 5}, down{5, 4, 3, 2, 1}, faces_up{1, 2, 4, 7, 3, 5},
      faces_down{5, 3, 7, 4, 2, 1};
  const auto write = [&](const std::string& name, const char* level, const char* interface,
                         bool from_top, std::vector<Variable> coordinates = {}) {
    coordinates.push_back({"mass", {{level, levels}}, from_top ? down : up});
    coordinates.push_back(
        {"vertical", {{interface, levels + 1}}, from_top ? faces_down : faces_up});
    write_variables(name, coordinates);
  };
  const std::vector<double> depths_of_faces{0, 1, 2, 3, 4, 5}, heights_of_faces{5, 4, 3, 2, 1, 0};
  const auto axes_of = [&](const std::vector<double>& of_levels,
                           const std::vector<double>& of_faces, const char* positive) {
    return std::vector<Variable>{
        {"level", {{"level", levels}}, of_levels, NC_DOUBLE, {{"positive", positive}}},
        {"interface", {{"interface", levels + 1}}, of_faces, NC_DOUBLE, {{"positive", positive}}}};
  };
  write("up.nc", "level", "interface", false);
  write("mpas.nc", "nVertLevels", "nVertLevelsP1", true);
  write("depths.nc", "level", "interface", true, axes_of(up, depths_of_faces, "down"));
  write("heights.nc", "level", "interface", true, axes_of(down, heights_of_faces, "Up"));
  write("fall.nc", "level", "interface", false, axes_of(down, heights_of_faces, "down"));
  std::vector<double> first;
  for (const char* file : {"up.nc", "mpas.nc", "depths.nc", "heights.nc", "fall.nc"}) {
    (void)report_of("helmholtz --grid plane.nc --levels 5 --lambda2 1 --output u.nc " +
                    std::string("--coefficients ") + file);
    const auto u = values_of(folder / "u.nc", "solution", {num_faces, levels}, true);
    if (first.empty()) first = u;
    for (std::size_t n = 0; n < u.size(); ++n) EXPECT_NEAR(u[n], first[n], 1e-12) << file;
  }
}

/// Heights of interfaces as text, as depths of a variable, and in any order; packed depths of bottoms.
TEST_F(HelmholtzColumnFiles, TakesDepthsInTheirForm) {
  write_plane("plane.nc");
  folder.write("levels.txt", "-10 -6 -3.5 -2 -1 0");
  std::vector<double> depth, packed;
  for (std::size_t f = 0; f < num_faces; ++f) {
    packed.push_back(static_cast<double>(Reference::splitmix64(f) % 41));
    depth.push_back(0.25 * packed[f]);
  }
  write_variables("z.nc",
                  {{"z", {{"any", 6}}, {0, 1, 2, 3.5, 6, 10}, NC_DOUBLE, {{"positive", "down"}}},
                   {"up", {{"any", 6}}, {0, -1, -2, -3.5, -6, -10}}});
  write_variables(
      "depth.nc",
      {{"depth", {{"face", num_faces}}, depth},
       {"packed", {{"face", num_faces}}, packed, NC_SHORT, {}, {{"scale_factor", 0.25}}}});
  std::vector<double> first;
  for (const char* options :
       {"--levels levels.txt --bottom depth.nc:depth", "--levels z.nc:z --bottom depth.nc:depth",
        "--levels z.nc:up --bottom depth.nc:packed"}) {
    const auto report =
        report_of("helmholtz --grid plane.nc --output u.nc " + std::string(options));
    EXPECT_EQ(report["problem"]["heights"]["lowest"], -10);
    EXPECT_EQ(report["problem"]["heights"]["highest"], 0);
    EXPECT_EQ(report["problem"]["unknowns"], report["problem"]["wet"]["cells"]);
    EXPECT_TRUE(report["rounding_error"].is_null());
    const auto volumes = values_of(folder / "u.nc", "volume", {num_faces, levels});
    ASSERT_EQ(volumes.size(), num_faces * levels);
    if (first.empty()) first = volumes;
    EXPECT_EQ(volumes, first) << options;
  }
}

TEST_F(HelmholtzColumnFiles, ANumberOfLevelsIsNoFile) {
  write_plane("plane.nc");
  folder.write("3", "0 1 2 4 8 16");
  EXPECT_EQ(report_of("helmholtz --grid plane.nc --levels 3")["problem"]["nz"], 3);
  EXPECT_EQ(report_of("helmholtz --grid plane.nc --levels ./3")["problem"]["nz"], 5);
}

/// A mesh of the sphere as MPAS has it. The last variable holds the cells beside each edge.
std::vector<FileVariable> mpas_mesh(const Lamina::ColumnGraph& graph, double radius) {
  const std::size_t faces = graph.areas.size(), edges = graph.edges.size();
  std::vector<double> areas, lengths, distances, pairs;
  std::array<std::vector<double>, 3> points;
  for (std::size_t f = 0; f < faces; ++f) {
    areas.push_back(graph.areas[f] * radius * radius);
    for (std::size_t d = 0; d < 3; ++d) {
      points[d].push_back(graph.centres.points[f][d] * radius);
    }
  }
  for (const auto& edge : graph.edges) {
    lengths.push_back(edge.length * radius);
    distances.push_back(edge.distance * radius);
    pairs.push_back(edge.first + 1);
    pairs.push_back(edge.second + 1);
  }
  return {{"areaCell", {{"nCells", faces}}, areas},
          {"xCell", {{"nCells", faces}}, points[0]},
          {"yCell", {{"nCells", faces}}, points[1]},
          {"zCell", {{"nCells", faces}}, points[2]},
          {"dvEdge", {{"nEdges", edges}}, lengths},
          {"dcEdge", {{"nEdges", edges}}, distances},
          {"cellsOnEdge", {{"nEdges", edges}, {"TWO", 2}}, pairs, NC_INT}};
}

/// Heights and depths have the unit of a mesh in metres, and make the problem on the unit sphere.
TEST_F(HelmholtzColumnFiles, TakesMetresOfAMesh) {
  constexpr double radius = 6371229;
  const auto graph = Lamina::voronoi_cells(Lamina::icosahedral_triangulation(4));
  const std::size_t faces = graph.areas.size(), edges = graph.edges.size();
  const std::vector<double> interfaces{-4000, -2500, -1000, -200, -10, 0};
  std::vector<double> depth, of_edges;
  for (std::size_t f = 0; f < faces; ++f) {
    // At an interface, or in the middle of a level, or land.
    const std::size_t k = f % 5;
    depth.push_back(f % 7 == 0   ? 0
                    : f % 2 == 0 ? -interfaces[k]
                                 : -(interfaces[k] + interfaces[k + 1]) / 2);
  }
  for (const auto& edge : graph.edges) of_edges.push_back(1 + edge.length);
  auto mesh = mpas_mesh(graph, radius);
  const Variable cells_of_edges = mesh.back(),
                 horizontal{"horizontal", {{"nEdges", edges}}, of_edges};
  mesh.push_back(horizontal);
  mesh.push_back({"bottomDepth", {{"nCells", faces}}, depth});
  write_variables("mesh.nc", mesh, {{"on_a_sphere", "YES"}});
  const auto in_radii = [&](std::vector<double> values) {
    for (double& value : values) value /= radius;
    return values;
  };
  write_variables("unit.nc", {cells_of_edges,
                              horizontal,
                              {"depth", {{"face", faces}}, in_radii(depth)},
                              {"z", {{"interface", 6}}, in_radii(interfaces)}});
  folder.write("metres.txt", "-4000 -2500 -1000 -200 -10 0");
  const auto metres = report_of(
                 "helmholtz --grid mesh.nc --levels metres.txt --bottom mesh.nc:bottomDepth "
                 "--coefficients mesh.nc --rhs rough"),
             radii = report_of(
                 "helmholtz --grid icosahedral 4 --levels unit.nc:z --bottom unit.nc:depth "
                 "--coefficients unit.nc --rhs rough");
  EXPECT_EQ(metres["problem"]["radius"], radius);
  EXPECT_NEAR(metres["problem"]["heights"]["lowest"].get<double>(), -4000, 1e-6);
  EXPECT_NEAR(metres["problem"]["heights"]["highest"].get<double>(), 0, 1e-6);
  const auto& wet = metres["problem"]["wet"];
  EXPECT_EQ(wet, radii["problem"]["wet"]);
  std::size_t cut = 0;
  for (std::size_t f = 0; f < faces; ++f) cut += f % 7 != 0 && f % 2 != 0 ? 1 : 0;
  EXPECT_EQ(wet["partial_cells"], cut);
  EXPECT_EQ(metres["iterations"], radii["iterations"]);
  const auto &history = metres["residual_history"], &other = radii["residual_history"];
  ASSERT_EQ(history.size(), other.size());
  for (std::size_t n = 0; n < history.size(); ++n) {
    EXPECT_NEAR(history[n].get<double>(), other[n].get<double>(), 1e-6);
  }
}

}  // namespace
}  // namespace LaminaTest
