// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/grids/Plane.hpp>
#include <lamina/grids/SphereGrids.hpp>
#include <lamina/io/FileError.hpp>
#include <lamina/io/MeshFile.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "io/RawNetcdf.hpp"
#include "support/MessageOf.hpp"
#include "support/ScratchFolder.hpp"

namespace LaminaTest {
namespace {

using Lamina::ColumnGraph;
using Lamina::MeshFile;

constexpr double earth = 6371229;

/// The values of a file by variable, which tests spoil.
struct Content {
  std::map<std::string, std::vector<double>> values;
  std::map<std::string, std::string> texts;
  std::map<std::string, double> numbers;
  std::map<std::string, std::string> strings = {};  ///< attributes of type NC_STRING
};

void add_edges(const ColumnGraph& graph, double radius, const char* neighbours, const char* length,
               const char* distance, bool edges_first, Content& content) {
  for (const auto& edge : graph.edges) {
    content.values[length].push_back(edge.length * radius);
    content.values[distance].push_back(edge.distance * radius);
    // The second first: the order at an edge is free.
    content.values[neighbours].push_back(edge.second + 1);
    if (edges_first) content.values[neighbours].push_back(edge.first + 1);
  }
  if (edges_first) return;
  for (const auto& edge : graph.edges) content.values[neighbours].push_back(edge.first + 1);
}

Content mpas_content(const ColumnGraph& graph, double radius, bool on_sphere = true) {
  Content content;
  content.texts["on_a_sphere"] = on_sphere ? "YES             " : "NO              ";
  for (std::size_t c = 0; c < graph.areas.size(); ++c) {
    content.values["areaCell"].push_back(graph.areas[c] * radius * radius);
    const char* const names[] = {"xCell", "yCell", "zCell"};
    for (std::size_t d = 0; d < 3; ++d) {
      content.values[names[d]].push_back(graph.centres.points[c][d] * radius);
    }
  }
  add_edges(graph, radius, "cellsOnEdge", "dvEdge", "dcEdge", true, content);
  return content;
}

Content icon_content(const ColumnGraph& graph) {
  Content content;
  content.numbers["sphere_radius"] = earth;
  for (std::size_t c = 0; c < graph.areas.size(); ++c) {
    const auto& [x, y, z] = graph.centres.points[c];
    content.values["cell_area"].push_back(graph.areas[c] * earth * earth);
    content.values["clon"].push_back(std::atan2(y, x));
    content.values["clat"].push_back(std::asin(z));
  }
  add_edges(graph, earth, "adjacent_cell_of_edge", "edge_length", "dual_edge_length", false,
            content);
  return content;
}

/// \param mode  NC_NETCDF4, or 0 for the classic format
void write(const std::filesystem::path& path, const Content& content, int mode = 0) {
  RawNetcdf file(path, mode);
  for (const auto& [name, text] : content.texts) file.attribute(NC_GLOBAL, name, text);
  for (const auto& [name, text] : content.strings) file.string_attribute(NC_GLOBAL, name, text);
  for (const auto& [name, number] : content.numbers) {
    file.attribute(NC_GLOBAL, name, NC_DOUBLE, {number});
  }
  struct Variable {
    int number;
    std::vector<std::size_t> extents;
  };
  std::map<std::string, Variable> variables;
  std::map<std::size_t, int> dimensions;
  const auto dimension = [&](std::size_t length) {
    if (dimensions.count(length) == 0) {
      dimensions[length] = file.dimension("d" + std::to_string(length), length);
    }
    return dimensions[length];
  };
  for (const auto& [name, values] : content.values) {
    std::vector<std::size_t> extents{values.size()};
    const bool whole = name == "cellsOnEdge" || name == "adjacent_cell_of_edge";
    if (name == "cellsOnEdge") extents = {values.size() / 2, 2};
    if (name == "adjacent_cell_of_edge") extents = {2, values.size() / 2};
    std::vector<int> numbers;
    for (const std::size_t extent : extents) numbers.push_back(dimension(extent));
    variables[name] = {file.variable(name, whole ? NC_INT : NC_DOUBLE, numbers), extents};
  }
  for (const auto& [name, variable] : variables) {
    file.write(variable.number, std::vector<std::size_t>(variable.extents.size(), 0),
               variable.extents, content.values.at(name));
  }
  file.close();
}

void expect_same(const ColumnGraph& found, const ColumnGraph& expected) {
  ASSERT_EQ(found.areas.size(), expected.areas.size());
  for (std::size_t c = 0; c < expected.areas.size(); ++c) {
    EXPECT_NEAR(found.areas[c], expected.areas[c], 1e-14 * expected.areas[c]);
    for (std::size_t d = 0; d < 3; ++d) {
      EXPECT_NEAR(found.centres.points[c][d], expected.centres.points[c][d], 1e-14);
    }
  }
  ASSERT_EQ(found.edges.size(), expected.edges.size());
  for (std::size_t n = 0; n < expected.edges.size(); ++n) {
    const auto &edge = found.edges[n], &other = expected.edges[n];
    EXPECT_EQ(edge.first, std::min(other.first, other.second));
    EXPECT_EQ(edge.second, std::max(other.first, other.second));
    EXPECT_NEAR(edge.length, other.length, 1e-14 * other.length);
    EXPECT_NEAR(edge.distance, other.distance, 1e-14 * other.distance);
  }
}

TEST(MeshFile, ReadsMpasOfAnyRadiusAndFormat) {
  const ScratchFolder folder;
  const ColumnGraph hexagons = Lamina::icosahedral_hexagons(4);
  for (const double radius : {1.0, earth}) {
    for (const int mode : {0, NC_NETCDF4}) {
      write(folder / "a.nc", mpas_content(hexagons, radius), mode);
      const MeshFile mesh = Lamina::read_mesh_file(folder / "a.nc");
      EXPECT_EQ(mesh.convention, "MPAS");
      EXPECT_NEAR(mesh.radius, radius, 1e-14 * radius);
      EXPECT_EQ(mesh.graph.centres.surface, Lamina::ColumnCentres::Surface::sphere);
      expect_same(mesh.graph, hexagons);
    }
  }
}

TEST(MeshFile, ReadsPeriodicPlanesOfMpas) {
  const ScratchFolder folder;
  const ColumnGraph plane = Lamina::plane(5, 4, {}, 10, 8);
  Content content = mpas_content(plane, 1, false);
  content.texts["is_periodic"] = "YES";
  content.numbers = {{"x_period", 10}, {"y_period", 8}};
  write(folder / "a.nc", content);
  const MeshFile mesh = Lamina::read_mesh_file(folder / "a.nc");
  EXPECT_EQ(mesh.radius, 1);
  EXPECT_EQ(mesh.graph.centres.surface, Lamina::ColumnCentres::Surface::plane);
  EXPECT_EQ(mesh.graph.centres.periods, (std::array<double, 2>{10, 8}));
  expect_same(mesh.graph, plane);
}

TEST(MeshFile, ReadsIcon) {
  const ScratchFolder folder;
  const ColumnGraph triangles = Lamina::icosahedral_triangles(4);
  Content content = icon_content(triangles);
  write(folder / "a.nc", content);
  const MeshFile mesh = Lamina::read_mesh_file(folder / "a.nc");
  EXPECT_EQ(mesh.convention, "ICON");
  EXPECT_EQ(mesh.radius, earth);
  expect_same(mesh.graph, triangles);
  content.numbers.clear();
  write(folder / "a.nc", content);
  EXPECT_EQ(Lamina::read_mesh_file(folder / "a.nc").radius, earth);
}

/// What is said of a file, without its name.
std::string problem_of(const std::filesystem::path& path, const Content& content) {
  write(path, content);
  const std::string message = message_of<Lamina::FileError>([&] { Lamina::read_mesh_file(path); });
  const std::string name = path.string() + ": ";
  return message.compare(0, name.size(), name) == 0 ? message.substr(name.size()) : message;
}

TEST(MeshFile, ReadsAttributesOfTypeString) {
  const ScratchFolder folder;
  const ColumnGraph hexagons = Lamina::icosahedral_hexagons(2);
  Content content = mpas_content(hexagons, earth);
  content.texts.clear();
  content.strings["on_a_sphere"] = "YES";
  write(folder / "a.nc", content, NC_NETCDF4);
  const MeshFile mesh = Lamina::read_mesh_file(folder / "a.nc");
  EXPECT_EQ(mesh.graph.centres.surface, Lamina::ColumnCentres::Surface::sphere);
  expect_same(mesh.graph, hexagons);
}

TEST(MeshFile, IsToldWhetherMpasIsASphere) {
  const ScratchFolder folder;
  Content content = mpas_content(Lamina::icosahedral_hexagons(2), 1);
  content.texts.clear();
  EXPECT_EQ(problem_of(folder / "a.nc", content),
            "attribute on_a_sphere: expected YES or NO, got none");
  content.texts["on_a_sphere"] = "maybe";
  EXPECT_EQ(problem_of(folder / "a.nc", content),
            "attribute on_a_sphere: expected YES or NO, got maybe");
}

TEST(MeshFile, NeedsFiniteCentresOfPlanes) {
  const ScratchFolder folder;
  for (const double value : {std::nan(""), HUGE_VAL}) {
    for (const std::string name : {"xCell", "yCell", "zCell"}) {
      Content content = mpas_content(Lamina::plane(3, 3, {}, 3, 3), 1, false);
      content.values[name][4] = value;
      EXPECT_EQ(problem_of(folder / "a.nc", content),
                "variable " + name + ", index 4: expected a finite number, got " +
                    (std::isnan(value) ? "nan" : "inf"));
    }
  }
}

TEST(MeshFile, NeedsAreasInTheUnitOfTheRadius) {
  const ScratchFolder folder;
  Content mpas = mpas_content(Lamina::icosahedral_hexagons(2), 1);
  for (double& area : mpas.values["areaCell"]) area *= 1.002;
  EXPECT_EQ(problem_of(folder / "a.nc", mpas),
            "variable areaCell: expected a sum of at most 4 pi R^2 with R = 1, got 12.5915 "
            "R^2");
  Content icon = icon_content(Lamina::icosahedral_triangles(2));
  icon.numbers.clear();
  for (double& area : icon.values["cell_area"]) area /= earth * earth;
  EXPECT_EQ(problem_of(folder / "a.nc", icon).substr(0, 106),
            "variable cell_area: expected an attribute sphere_radius, or a mean area of at least 1 "
            "m2, got none and 0.1");
}

TEST(MeshFile, LeavesOutEdgesAtTheRim) {
  const ScratchFolder folder;
  Content mpas = mpas_content(Lamina::icosahedral_hexagons(2), 1);
  mpas.values["cellsOnEdge"][0] = 0;
  write(folder / "a.nc", mpas);
  EXPECT_EQ(Lamina::read_mesh_file(folder / "a.nc").graph.edges.size(), 119u);
  Content icon = icon_content(Lamina::icosahedral_triangles(2));
  icon.values["adjacent_cell_of_edge"][0] = -1;
  icon.values["adjacent_cell_of_edge"][121] = 0;
  write(folder / "a.nc", icon);
  EXPECT_EQ(Lamina::read_mesh_file(folder / "a.nc").graph.edges.size(), 118u);
}

TEST(MeshFile, SaysWhatIsWrong) {
  const ScratchFolder folder;
  const Content good = mpas_content(Lamina::icosahedral_hexagons(2), 1);
  const auto problem = [&](const Content& spoilt) { return problem_of(folder / "a.nc", spoilt); };
  const auto with = [&](const std::string& name, std::size_t index, double value) {
    Content content = good;
    content.values[name][index] = value;
    return problem(content);
  };
  const auto without = [&](const std::string& name) {
    Content content = good;
    content.values.erase(name);
    return problem(content);
  };
  EXPECT_EQ(without("areaCell"),
            "expected a mesh of MPAS, ICON or UGRID, with areaCell, cell_area or a variable of "
            "cf_role mesh_topology, got none of them");
  EXPECT_EQ(without("dvEdge"), "expected a variable dvEdge, got none");
  EXPECT_EQ(without("cellsOnEdge"), "expected a variable cellsOnEdge, got none");
  EXPECT_EQ(with("areaCell", 3, 0),
            "variable areaCell, index 3: expected a positive number, got 0");
  EXPECT_EQ(with("dcEdge", 7, -1), "variable dcEdge, index 7: expected a positive number, got -1");
  EXPECT_EQ(with("cellsOnEdge", 5, 43),
            "variable cellsOnEdge, edge 2: expected a cell up to 42, got 43");
  Content content = good;
  content.values["cellsOnEdge"][4] = content.values["cellsOnEdge"][5] = 9;
  EXPECT_EQ(problem(content),
            "variable cellsOnEdge, edge 2: expected two cells, or one and the rim, got one cell "
            "twice");
  content.values["cellsOnEdge"][4] = content.values["cellsOnEdge"][5] = 0;
  EXPECT_EQ(problem(content),
            "variable cellsOnEdge, edge 2: expected two cells, or one and the rim, got no cell");
  EXPECT_EQ(with("xCell", 2, 2).substr(0, 73),
            "variables xCell, yCell, zCell, index 2: expected a point of a sphere of r");
  content = good;
  for (const std::size_t n : {0u, 1u})
    content.values["cellsOnEdge"][4 + n] = good.values.at("cellsOnEdge")[n];
  EXPECT_EQ(problem(content).substr(0, 76),
            "variable cellsOnEdge, edge 2: expected one edge between two cells, got anoth");
  content = good;
  content.values["yCell"].pop_back();
  EXPECT_EQ(problem(content), "variable yCell: expected 42, got (d41 = 41)");
  content = icon_content(Lamina::icosahedral_triangles(1));
  content.values["clat"][4] = 90;
  EXPECT_EQ(problem(content),
            "variable clat, index 4: expected radians from -pi/2 to pi/2, got 90");
}

}  // namespace
}  // namespace LaminaTest
