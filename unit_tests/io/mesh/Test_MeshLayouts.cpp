// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Meshes with the dimensions, attributes, kinds and further variables that the programs of ICON and MPAS write.

#include <lamina/grids/CellPolygons.hpp>
#include <lamina/grids/SphereTriangulation.hpp>
#include <lamina/io/FileError.hpp>
#include <lamina/io/MeshFile.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "io/RawNetcdf.hpp"
#include "support/MessageOf.hpp"
#include "support/ScratchFolder.hpp"

namespace LaminaTest {
namespace {

using Lamina::MeshFile;

/// A file that tests spoil.
struct LayoutFile {
  struct Variable {
    std::vector<std::string> dimensions;
    std::vector<double> values;
    std::string units = "";
    nc_type type = NC_DOUBLE;
  };
  std::vector<std::pair<std::string, std::size_t>> dimensions;
  std::map<std::string, Variable> variables{};
  std::map<std::string, std::string> texts{};
  std::map<std::string, std::pair<nc_type, double>> numbers{};

  std::size_t length_of(const std::string& name) const {
    for (const auto& [dimension, length] : dimensions) {
      if (dimension == name) return length;
    }
    return 0;
  }
  void write(const std::filesystem::path& path) const {
    RawNetcdf file(path, NC_64BIT_OFFSET);
    for (const auto& [name, text] : texts) file.attribute(NC_GLOBAL, name, text);
    for (const auto& [name, number] : numbers) {
      file.attribute(NC_GLOBAL, name, number.first, {number.second});
    }
    std::map<std::string, int> ids;
    for (const auto& [name, length] : dimensions) ids[name] = file.dimension(name, length);
    std::map<std::string, int> made;
    for (const auto& [name, variable] : variables) {
      std::vector<int> of;
      for (const std::string& dimension : variable.dimensions) of.push_back(ids.at(dimension));
      made[name] = file.variable(name, variable.type, of);
      if (!variable.units.empty()) file.attribute(made[name], "units", variable.units);
    }
    for (const auto& [name, variable] : variables) {
      std::vector<std::size_t> extents;
      for (const std::string& dimension : variable.dimensions) {
        extents.push_back(length_of(dimension));
      }
      file.write(made[name], std::vector<std::size_t>(extents.size(), 0), extents, variable.values);
    }
    file.close();
  }
};

constexpr double earth_of_icon = 6371229;

/// Longitudes and latitudes of points on the unit sphere, in radian.
template <class Points>
void add_angles(LayoutFile& file, const char* longitude, const char* latitude,
                const char* dimension, const Points& points) {
  LayoutFile::Variable lon{{dimension}, {}, "radian"}, lat = lon;
  for (const auto& [x, y, z] : points) {
    lon.values.push_back(std::atan2(y, x));
    lat.values.push_back(std::asin(std::clamp(z, -1.0, 1.0)));
  }
  file.variables[longitude] = lon;
  file.variables[latitude] = lat;
}

/// As the grid generators of ICON write it: indices from 1 with the item as the last dimension, angles in radian,
/// sizes in m and m2. Names, dimensions and units are those of mo_io_grid of ICON.
LayoutFile icon_layout(int n, double radius = earth_of_icon) {
  const auto triangulation = Lamina::icosahedral_triangulation(n);
  const auto graph = Lamina::triangle_cells(triangulation);
  const std::size_t cells = graph.areas.size(), edges = graph.edges.size(),
                    points = triangulation.points.size();
  LayoutFile file{.dimensions = {{"cell", cells},
                                 {"vertex", points},
                                 {"edge", edges},
                                 {"nc", 2},
                                 {"nv", 3},
                                 {"ne", 6},
                                 {"no", 4},
                                 {"two_grf", 2},
                                 {"max_chdom", 1},
                                 {"cell_grf", 14}}};
  file.texts = {{"title", "ICON grid description"},
                {"grid_mapping_name", "lat_long_on_sphere"},
                {"ellipsoid_name", "Sphere"},
                {"uuidOfHGrid", "00000000-0000-0000-0000-000000000000"}};
  file.numbers = {{"semi_major_axis", {NC_DOUBLE, radius}},
                  {"inverse_flattening", {NC_DOUBLE, 0}},
                  {"grid_level", {NC_INT, 1}},
                  {"grid_root", {NC_INT, n}},
                  {"grid_geometry", {NC_INT, 1}},
                  {"grid_cell_type", {NC_INT, 3}},
                  {"sphere_radius", {NC_DOUBLE, radius}}};
  add_angles(file, "clon", "clat", "cell", graph.centres.points);
  add_angles(file, "vlon", "vlat", "vertex", triangulation.points);
  LayoutFile::Variable area{{"cell"}, {}, "m2"}, length{{"edge"}, {}, "m"},
      dual = length, beside{{"nc", "edge"}, {}, "", NC_INT},
      corners{{"nv", "cell"}, {}, "", NC_INT};
  for (const double of_cell : graph.areas) area.values.push_back(of_cell * radius * radius);
  for (const auto& edge : graph.edges) {
    length.values.push_back(edge.length * radius);
    dual.values.push_back(edge.distance * radius);
    beside.values.push_back(edge.first + 1);
  }
  for (const auto& edge : graph.edges) beside.values.push_back(edge.second + 1);
  for (std::size_t corner = 0; corner < 3; ++corner) {
    for (const auto& triangle : triangulation.triangles) {
      corners.values.push_back(triangle[corner] + 1);
    }
  }
  file.variables["cell_area"] = file.variables["cell_area_p"] = area;
  file.variables["edge_length"] = length;
  file.variables["dual_edge_length"] = dual;
  file.variables["adjacent_cell_of_edge"] = beside;
  file.variables["vertex_of_cell"] = corners;
  file.variables["edge_of_cell"] = {{"nv", "cell"}, std::vector<double>(3 * cells, 1), "", NC_INT};
  file.variables["cell_sea_land_mask"] = {{"cell"}, std::vector<double>(cells, -1), "1,-1", NC_INT};
  file.variables["start_idx_c"] = {
      {"max_chdom", "cell_grf"}, std::vector<double>(14, 1), "", NC_INT};
  return file;
}

std::string problem_with(const ScratchFolder& folder, const LayoutFile& file) {
  const auto path = folder / "grid.nc";
  file.write(path);
  const std::string message = message_of<Lamina::FileError>([&] { Lamina::read_mesh_file(path); }),
                    name = path.string() + ": ";
  return message.compare(0, name.size(), name) == 0 ? message.substr(name.size()) : message;
}

void expect_triangles(const MeshFile& mesh, int n, double radius) {
  const auto graph = Lamina::triangle_cells(Lamina::icosahedral_triangulation(n));
  EXPECT_EQ(mesh.convention, "ICON");
  EXPECT_EQ(mesh.radius, radius);
  ASSERT_EQ(mesh.graph.areas.size(), graph.areas.size());
  ASSERT_EQ(mesh.graph.edges.size(), graph.edges.size());
  EXPECT_EQ(static_cast<std::size_t>(mesh.polygons.size()), graph.areas.size());
  for (std::size_t c = 0; c < graph.areas.size(); ++c) {
    EXPECT_NEAR(mesh.graph.areas[c], graph.areas[c], 1e-13);
    for (std::size_t d = 0; d < 3; ++d) {
      EXPECT_NEAR(mesh.graph.centres.points[c][d], graph.centres.points[c][d], 1e-13);
    }
  }
  for (std::size_t e = 0; e < graph.edges.size(); ++e) {
    EXPECT_NEAR(mesh.graph.edges[e].length, graph.edges[e].length, 1e-13);
    EXPECT_NEAR(mesh.graph.edges[e].distance, graph.edges[e].distance, 1e-13);
  }
}

TEST(MeshLayouts, OfIconAreRead) {
  const ScratchFolder folder;
  icon_layout(3).write(folder / "grid.nc");
  expect_triangles(Lamina::read_mesh_file(folder / "grid.nc"), 3, earth_of_icon);
  // Older generators do not write the radius, the geometry and the corners under these names.
  LayoutFile old = icon_layout(2, 6371000);
  for (const char* name : {"sphere_radius", "grid_geometry"}) old.numbers.erase(name);
  old.write(folder / "old.nc");
  expect_triangles(Lamina::read_mesh_file(folder / "old.nc"), 2, 6371000);
}

/// Tools that cut and remap files turn radian into degrees.
TEST(MeshLayouts, OfIconMayHaveDegrees) {
  const ScratchFolder folder;
  LayoutFile file = icon_layout(2);
  for (const char* name : {"clon", "clat"}) {
    LayoutFile::Variable& variable = file.variables[name];
    for (double& value : variable.values) value *= 180 / std::acos(-1.0);
    variable.units = name == std::string("clon") ? "degrees_east" : "degrees_north";
  }
  file.write(folder / "grid.nc");
  expect_triangles(Lamina::read_mesh_file(folder / "grid.nc"), 2, earth_of_icon);
  file.variables["clat"].units = "radian";
  EXPECT_EQ(problem_with(folder, file),
            "variable clat, attribute units: expected that of clon, got another");
  file.variables["clon"].units = "m";
  EXPECT_EQ(problem_with(folder, file),
            "variable clon, attribute units: expected radian or degrees, got m");
}

/// Edges at the rim of a limited area have one cell, and may have no distance.
TEST(MeshLayouts, OfIconMayHaveARim) {
  const ScratchFolder folder;
  LayoutFile file = icon_layout(2);
  const std::size_t edges = file.length_of("edge");
  auto& beside = file.variables["adjacent_cell_of_edge"].values;
  beside[4] = -1;
  beside[edges + 9] = 0;
  file.variables["dual_edge_length"].values[4] = 0;
  file.variables["edge_length"].values[9] = NC_FILL_DOUBLE;
  file.write(folder / "grid.nc");
  EXPECT_EQ(Lamina::read_mesh_file(folder / "grid.nc").graph.edges.size(), edges - 2);
  file.variables["dual_edge_length"].values[5] = 0;
  EXPECT_EQ(problem_with(folder, file),
            "variable dual_edge_length, index 5: expected a positive number, got 0");
  file.variables["dual_edge_length"].values[5] = NC_FILL_DOUBLE;
  EXPECT_EQ(problem_with(folder, file),
            "variable dual_edge_length, index 5: expected a positive number, got none");
}

TEST(MeshLayouts, OfIconAreSpheres) {
  const ScratchFolder folder;
  LayoutFile file = icon_layout(2);
  file.numbers["grid_geometry"].second = 2;  // a torus
  EXPECT_EQ(problem_with(folder, file), "attribute grid_geometry: expected 1, a sphere, got 2");
  for (const char* name : {"sphere_radius", "semi_major_axis"}) {
    file = icon_layout(2);
    file.numbers.erase("sphere_radius");
    file.numbers[name] = {NC_DOUBLE, 0};
    EXPECT_EQ(problem_with(folder, file),
              "attribute " + std::string(name) + ": expected a positive number, got 0");
  }
  file = icon_layout(2);
  auto& corners = file.variables["vertex_of_cell"].values;
  corners[7] = 43;
  EXPECT_EQ(problem_with(folder, file),
            "variable vertex_of_cell, cell 7: expected points from 1 to 42, got 43");
  corners[7] = 0;
  EXPECT_EQ(problem_with(folder, file),
            "variable vertex_of_cell, cell 7: expected 3 corners or more, got 0");
  file = icon_layout(2);
  file.variables["adjacent_cell_of_edge"].dimensions = {"edge", "nc"};
  EXPECT_EQ(problem_with(folder, file),
            "variable adjacent_cell_of_edge: expected 2 x 120, got (edge = 120, nc = 2)");
}

/// As the mesh tools of MPAS write it, with more dimensions and variables than are read.
LayoutFile mpas_layout(int n, double radius) {
  const auto triangulation = Lamina::icosahedral_triangulation(n);
  const auto graph = Lamina::voronoi_cells(triangulation);
  const auto polygons = Lamina::voronoi_polygons(triangulation);
  const std::size_t cells = graph.areas.size(), edges = graph.edges.size();
  LayoutFile file{.dimensions = {{"nCells", cells},
                                 {"nEdges", edges},
                                 {"nVertices", polygons.points.size()},
                                 {"maxEdges", 10},
                                 {"maxEdges2", 20},
                                 {"TWO", 2},
                                 {"vertexDegree", 3},
                                 {"nVertLevels", 1}}};
  file.texts = {{"on_a_sphere", "YES"}, {"is_periodic", "NO"}, {"mesh_spec", "1.0"}};
  file.numbers = {{"sphere_radius", {NC_DOUBLE, radius}}};
  const auto add_points = [&](const std::string& of, const char* dimension, const auto& at) {
    const char* const axes[] = {"x", "y", "z"};
    for (std::size_t d = 0; d < 3; ++d) {
      LayoutFile::Variable variable{{dimension}, {}};
      for (const auto& point : at) variable.values.push_back(point[d] * radius);
      file.variables[axes[d] + of] = variable;
    }
  };
  add_points("Cell", "nCells", graph.centres.points);
  add_points("Vertex", "nVertices", polygons.points);
  LayoutFile::Variable area{{"nCells"}, {}}, length{{"nEdges"}, {}},
      distance = length, beside{{"nEdges", "TWO"}, {}, "", NC_INT},
      counts{{"nCells"}, {}, "", NC_INT}, corners{{"nCells", "maxEdges"}, {}, "", NC_INT};
  for (const double of_cell : graph.areas) area.values.push_back(of_cell * radius * radius);
  for (const auto& edge : graph.edges) {
    length.values.push_back(edge.length * radius);
    distance.values.push_back(edge.distance * radius);
    beside.values.insert(beside.values.end(), {edge.first + 1.0, edge.second + 1.0});
  }
  for (int c = 0; c < polygons.size(); ++c) {
    const auto of_cell = polygons.of(c);
    counts.values.push_back(static_cast<double>(of_cell.size()));
    // Places after the last corner hold anything, often the last one again.
    for (std::size_t place = 0; place < 10; ++place) {
      corners.values.push_back(of_cell[std::min(place, of_cell.size() - 1)] + 1);
    }
  }
  file.variables["areaCell"] = area;
  file.variables["dvEdge"] = length;
  file.variables["dcEdge"] = distance;
  file.variables["cellsOnEdge"] = beside;
  file.variables["nEdgesOnCell"] = counts;
  file.variables["verticesOnCell"] = corners;
  file.variables["cellsOnCell"] = {
      {"nCells", "maxEdges"}, std::vector<double>(10 * cells, 0), "", NC_INT};
  file.variables["meshDensity"] = {{"nCells"}, std::vector<double>(cells, 1)};
  return file;
}

TEST(MeshLayouts, OfMpasAreRead) {
  const ScratchFolder folder;
  const auto graph = Lamina::voronoi_cells(Lamina::icosahedral_triangulation(3));
  for (const double radius : {1.0, 6371220.0}) {
    LayoutFile file = mpas_layout(3, radius);
    file.write(folder / "grid.nc");
    const MeshFile mesh = Lamina::read_mesh_file(folder / "grid.nc");
    EXPECT_EQ(mesh.convention, "MPAS");
    EXPECT_NEAR(mesh.radius, radius, 1e-9 * radius);
    ASSERT_EQ(mesh.graph.edges.size(), graph.edges.size());
    EXPECT_EQ(mesh.polygons.max_corners(), 6);
    for (std::size_t e = 0; e < graph.edges.size(); ++e) {
      EXPECT_NEAR(mesh.graph.edges[e].length, graph.edges[e].length, 1e-12);
    }
    // Of culled meshes
    file.variables["cellsOnEdge"].values[2 * 7 + 1] = 0;
    file.variables["dcEdge"].values[7] = 0;
    file.write(folder / "grid.nc");
    EXPECT_EQ(Lamina::read_mesh_file(folder / "grid.nc").graph.edges.size(),
              graph.edges.size() - 1);
    file.variables["dcEdge"].values[8] = 0;
    EXPECT_EQ(problem_with(folder, file),
              "variable dcEdge, index 8: expected a positive number, got 0");
  }
}

/// Centres on the unit sphere beside areas in square metres
TEST(MeshLayouts, OfMpasHaveOneUnit) {
  const ScratchFolder folder;
  LayoutFile file = mpas_layout(2, 6371220);
  for (const char* name : {"xCell", "yCell", "zCell"}) {
    for (double& value : file.variables[name].values) value /= 6371220;
  }
  const std::string start =
      "variable areaCell: expected a sum of at most 4 pi R^2 with R = 1, got ";
  EXPECT_EQ(problem_with(folder, file).substr(0, start.size()), start);
}

}  // namespace
}  // namespace LaminaTest
