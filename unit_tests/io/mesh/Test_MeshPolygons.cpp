// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Corners of cells in meshes of MPAS, ICON and UGRID, and grids that follow from them.

#include <lamina/grids/SphereGrids.hpp>
#include <lamina/io/FileError.hpp>
#include <lamina/io/MeshFile.hpp>
#include <lamina/io/UgridFile.hpp>

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

using Lamina::CellPolygons, Lamina::ColumnGraph, Lamina::MeshFile, Lamina::read_mesh_file;
constexpr double degree = 180 / 3.14159265358979323846;

struct SampleMesh {
  ColumnGraph graph;
  CellPolygons polygons;
};

SampleMesh hexagons(int n) {
  const auto mesh = Lamina::icosahedral_triangulation(n);
  return {Lamina::voronoi_cells(mesh), Lamina::voronoi_polygons(mesh)};
}

/// A variable to be written: its dimensions by name and length, and its values.
struct SampleVariable {
  nc_type type;
  std::vector<std::pair<std::string, std::size_t>> dimensions;
  std::vector<double> values;
  std::map<std::string, std::string> texts = {};
  std::map<std::string, double> whole = {};      ///< attributes of type int
  std::map<std::string, double> fractions = {};  ///< attributes of type double
};
struct SampleFile {
  std::map<std::string, std::string> texts;
  std::map<std::string, SampleVariable> variables;
  std::map<std::string, double> numbers = {};
};

void write(const std::filesystem::path& path, const SampleFile& content) {
  RawNetcdf file(path, 0);
  for (const auto& [name, text] : content.texts) file.attribute(NC_GLOBAL, name, text);
  for (const auto& [name, number] : content.numbers) {
    file.attribute(NC_GLOBAL, name, NC_DOUBLE, {number});
  }
  std::map<std::string, int> dimensions;
  std::vector<std::pair<int, const SampleVariable*>> variables;
  for (const auto& [name, variable] : content.variables) {
    std::vector<int> numbers;
    for (const auto& [dimension, length] : variable.dimensions) {
      if (dimensions.count(dimension) == 0)
        dimensions[dimension] = file.dimension(dimension, length);
      numbers.push_back(dimensions[dimension]);
    }
    const int number = file.variable(name, variable.type, numbers);
    for (const auto& [key, text] : variable.texts) file.attribute(number, key, text);
    for (const auto& [key, value] : variable.whole) file.attribute(number, key, NC_INT, {value});
    for (const auto& [key, value] : variable.fractions) {
      file.attribute(number, key, NC_DOUBLE, {value});
    }
    variables.push_back({number, &variable});
  }
  for (const auto& [number, variable] : variables) {
    std::vector<std::size_t> count;
    for (const auto& [name, length] : variable->dimensions) count.push_back(length);
    file.write(number, std::vector<std::size_t>(count.size(), 0), count, variable->values);
  }
  file.close();
}

SampleVariable along(const std::string& dimension, std::vector<double> values) {
  return {NC_DOUBLE, {{dimension, values.size()}}, std::move(values)};
}

/// Corners row by row, behind the last one `none`.
std::vector<double> corner_table(const CellPolygons& polygons, double first, double none) {
  std::vector<double> values;
  for (int c = 0; c < polygons.size(); ++c) {
    for (std::size_t n = 0; n < static_cast<std::size_t>(polygons.max_corners()); ++n) {
      values.push_back(n < polygons.of(c).size() ? first + polygons.of(c)[n] : none);
    }
  }
  return values;
}

std::vector<double> coordinate(const std::vector<std::array<double, 3>>& points, bool latitude,
                               double unit) {
  std::vector<double> values;
  for (const auto& [x, y, z] : points) {
    values.push_back(unit * (latitude ? std::asin(z) : std::atan2(y, x)));
  }
  return values;
}

/// The smallest content of UGRID.
SampleFile ugrid_content(const SampleMesh& mesh, double first = 0) {
  SampleFile content;
  content.variables["topology"] = {NC_INT,
                                   {},
                                   {0},
                                   {{"cf_role", "mesh_topology"},
                                    {"face_node_connectivity", "nodes_of_face"},
                                    {"node_coordinates", "lon lat"}},
                                   {{"topology_dimension", 2}}};
  const auto count = static_cast<std::size_t>(mesh.polygons.size()),
             most = static_cast<std::size_t>(mesh.polygons.max_corners());
  content.variables["nodes_of_face"] = {NC_INT,
                                        {{"nface", count}, {"most", most}},
                                        corner_table(mesh.polygons, first, -999),
                                        {},
                                        {{"_FillValue", -999}, {"start_index", first}}};
  content.variables["lon"] = along("nnode", coordinate(mesh.polygons.points, false, degree));
  content.variables["lat"] = along("nnode", coordinate(mesh.polygons.points, true, degree));
  content.variables["lon"].texts["units"] = "degrees_east";
  content.variables["lat"].texts["units"] = "degrees_north";
  return content;
}

void add_centres(const SampleMesh& mesh, SampleFile& content) {
  content.variables["topology"].texts["face_coordinates"] = "flon flat";
  for (const bool latitude : {false, true}) {
    auto& variable = content.variables[latitude ? "flat" : "flon"];
    variable = along("nface", coordinate(mesh.graph.centres.points, latitude, degree));
    variable.texts["standard_name"] = latitude ? "latitude" : "longitude";
  }
}

void expect_grid(const ColumnGraph& found, const ColumnGraph& expected, double tolerance) {
  ASSERT_EQ(found.areas.size(), expected.areas.size());
  for (std::size_t c = 0; c < expected.areas.size(); ++c) {
    EXPECT_NEAR(found.areas[c], expected.areas[c], tolerance * expected.areas[c]);
  }
  std::map<std::pair<int, int>, double> couplings;
  for (const auto& edge : expected.edges) {
    couplings[std::minmax(edge.first, edge.second)] = edge.length / edge.distance;
  }
  ASSERT_EQ(found.edges.size(), couplings.size());
  for (const auto& edge : found.edges) {
    EXPECT_NEAR(edge.length / edge.distance, (couplings[{edge.first, edge.second}]), tolerance);
  }
}

TEST(MeshPolygons, OfUgridMakeTheGrid) {
  const ScratchFolder folder;
  const SampleMesh mesh = hexagons(3);
  for (const double first : {0.0, 1.0}) {
    SampleFile content = ugrid_content(mesh, first);
    add_centres(mesh, content);
    if (first == 1) content.variables["flon"].texts.clear();  // its partner tells what it is
    write(folder / "a.nc", content);
    const MeshFile found = read_mesh_file(folder / "a.nc");
    EXPECT_EQ(found.convention, "UGRID");
    EXPECT_EQ(found.graph.centres.surface, Lamina::ColumnCentres::Surface::sphere);
    expect_grid(found.graph, mesh.graph, 1e-12);
    EXPECT_EQ(found.polygons.corners, mesh.polygons.corners);
  }
}

TEST(MeshPolygons, OfUgridMayBeTurnedClockwiseInRadiansAndWithoutCentres) {
  const ScratchFolder folder;
  const auto triangulation = Lamina::icosahedral_triangulation(3);
  SampleMesh mesh{Lamina::triangle_cells(triangulation), Lamina::triangle_polygons(triangulation)};
  const auto corners = mesh.polygons.corners;
  for (std::size_t n = 0; n < corners.size(); n += 3) {
    std::swap(mesh.polygons.corners[n + 1], mesh.polygons.corners[n + 2]);
  }
  SampleFile content = ugrid_content(mesh);
  auto& table = content.variables["nodes_of_face"];
  // Corners before faces, as some write it.
  const auto rows = table.values;
  for (std::size_t n = 0; n < rows.size(); ++n) table.values[n % 3 * 180 + n / 3] = rows[n];
  std::swap(table.dimensions[0], table.dimensions[1]);
  table.whole.erase("start_index");
  content.variables["topology"].texts["face_dimension"] = "nface";
  content.variables["topology"].texts["node_coordinates"] = "lat lon";
  for (const char* name : {"lon", "lat"}) {
    auto& variable = content.variables[name];
    variable.texts = {{"units", "radians"},
                      {"standard_name", name == std::string("lon") ? "longitude" : "latitude"}};
    for (double& value : variable.values) value /= degree;
  }
  write(folder / "a.nc", content);
  const MeshFile found = read_mesh_file(folder / "a.nc");
  expect_grid(found.graph, mesh.graph, 1e-12);
  for (int c = 0; c < found.polygons.size(); ++c) {
    EXPECT_GT(found.polygons.area(c, Lamina::ColumnCentres::Surface::sphere), 0);
  }
}

TEST(MeshPolygons, AreReadBackFromOwnOutput) {
  const ScratchFolder folder;
  const SampleMesh mesh = hexagons(4);
  Lamina::write_ugrid_file<double>(folder / "a.nc",
                                   {mesh.polygons, mesh.graph.centres, mesh.graph.areas},
                                   Lamina::VerticalGrid::graded(1, 0.1), {}, {});
  expect_grid(read_mesh_file(folder / "a.nc").graph, mesh.graph, 1e-12);
  // A plane
  CellPolygons squares;
  for (const double y : {0.0, 2.0}) {
    for (const double x : {0.0, 3.0, 6.0}) squares.points.push_back({x, y, 0});
  }
  for (const int corner : {0, 1})
    squares.add(std::array{corner, corner + 1, corner + 4, corner + 3});
  Lamina::ColumnCentres plane;
  plane.surface = Lamina::ColumnCentres::Surface::plane;
  const ColumnGraph graph = Lamina::polygon_cells(squares, plane);
  Lamina::write_ugrid_file<double>(folder / "b.nc", {squares, graph.centres, graph.areas},
                                   Lamina::VerticalGrid::graded(1, 0.1), {}, {});
  const MeshFile found = read_mesh_file(folder / "b.nc");
  EXPECT_EQ(found.graph.centres.surface, Lamina::ColumnCentres::Surface::plane);
  EXPECT_EQ(found.graph.areas, (std::vector<double>{6, 6}));
  EXPECT_EQ(found.graph.edges.at(0).length, 2);
  EXPECT_EQ(found.graph.edges.at(0).distance, 3);
}

TEST(MeshPolygons, OfUgridSayWhatIsWrong) {
  const ScratchFolder folder;
  const SampleFile good = ugrid_content(hexagons(1));
  const auto problem = [&](const auto& spoil) {
    SampleFile content = good;
    spoil(content.variables);
    write(folder / "a.nc", content);
    const std::string message =
        message_of<Lamina::FileError>([&] { read_mesh_file(folder / "a.nc"); });
    const std::string begin = (folder / "a.nc").string() + ": ";
    return message.compare(0, begin.size(), begin) == 0 ? message.substr(begin.size()) : message;
  };
  using Variables = std::map<std::string, SampleVariable>;
  EXPECT_EQ(problem([](Variables& v) { v["topology"].texts.erase("node_coordinates"); }),
            "variable of cf_role mesh_topology: expected attributes face_node_connectivity and "
            "node_coordinates of two variables, got none of the second");
  EXPECT_EQ(problem([](Variables& v) { v.erase("lat"); }), "expected a variable lat, got none");
  EXPECT_EQ(problem([](Variables& v) { v["nodes_of_face"].values[7] = 20; }),
            "variable nodes_of_face, cell 1: expected points from 0 to 19, got 20");
  EXPECT_EQ(problem([](Variables& v) { v["nodes_of_face"].values[7] = -999; }),
            "variable nodes_of_face, cell 1: expected 3 corners or more, got 2");
  EXPECT_EQ(problem([](Variables& v) { v["nodes_of_face"].whole["start_index"] = 2; }),
            "variable nodes_of_face, attribute start_index: expected 0 or 1, got 2");
  EXPECT_EQ(problem([](Variables& v) {
              v["nodes_of_face"].whole.erase("start_index");
              v["nodes_of_face"].fractions["start_index"] = 0.5;
            }),
            "variable nodes_of_face, attribute start_index: expected 0 or 1, got 0.5");
  EXPECT_EQ(problem([](Variables& v) { v["lat"].values[3] = 91; }),
            "variable lat, index 3: expected degrees from -90 to 90, got 91");
  EXPECT_EQ(problem([](Variables& v) { v["lon"].values[3] = INFINITY; }),
            "variable lon, index 3: expected a finite number, got inf");
  EXPECT_EQ(problem([](Variables& v) { v["lon"].texts["units"] = "radians"; }),
            "variables lon and lat: expected longitude and latitude, or x and y, in one unit, got "
            "others");
  EXPECT_EQ(problem([](Variables& v) {
              auto& values = v["nodes_of_face"].values;
              std::copy_n(values.begin(), 5, values.begin() + 5);
            }).substr(0, 70),
            "polygons: expected one cell on either side of the line from point 0 to");
}

/// Corners of MPAS and ICON are told in the same two ways as in their own files.
SampleFile mpas_content_with_corners(const SampleMesh& mesh) {
  SampleFile content{{{"on_a_sphere", "YES"}}, {}};
  const std::size_t count = mesh.graph.areas.size();
  content.variables["areaCell"] = along("nCells", mesh.graph.areas);
  const char *const cells[] = {"xCell", "yCell", "zCell"}, *const vertices[] = {
                                                               "xVertex", "yVertex", "zVertex"};
  for (std::size_t d = 0; d < 3; ++d) {
    content.variables[cells[d]] = along("nCells", {});
    content.variables[vertices[d]] = along("nVertices", {});
    for (const auto& point : mesh.graph.centres.points) {
      content.variables[cells[d]].values.push_back(point[d]);
    }
    for (const auto& point : mesh.polygons.points) {
      content.variables[vertices[d]].values.push_back(point[d]);
    }
    for (const char* name : {cells[d], vertices[d]}) {
      content.variables[name].dimensions[0].second = content.variables[name].values.size();
    }
  }
  std::vector<double> lengths, distances, neighbours, counts;
  for (const auto& edge : mesh.graph.edges) {
    lengths.push_back(edge.length);
    distances.push_back(edge.distance);
    neighbours.insert(neighbours.end(), {edge.first + 1.0, edge.second + 1.0});
  }
  for (int c = 0; c < mesh.polygons.size(); ++c) {
    counts.push_back(static_cast<double>(mesh.polygons.of(c).size()));
  }
  content.variables["dvEdge"] = along("nEdges", lengths);
  content.variables["dcEdge"] = along("nEdges", distances);
  content.variables["cellsOnEdge"] = {NC_INT, {{"nEdges", lengths.size()}, {"TWO", 2}}, neighbours};
  content.variables["nEdgesOnCell"] = along("nCells", counts);
  content.variables["verticesOnCell"] = {
      NC_INT,
      {{"nCells", count}, {"maxEdges", static_cast<std::size_t>(mesh.polygons.max_corners())}},
      corner_table(mesh.polygons, 1, 0)};
  return content;
}

TEST(MeshPolygons, OfMpasAreThoseOfItsVertices) {
  const ScratchFolder folder;
  const SampleMesh mesh = hexagons(2);
  SampleFile content = mpas_content_with_corners(mesh);
  write(folder / "a.nc", content);
  const MeshFile found = read_mesh_file(folder / "a.nc");
  EXPECT_EQ(found.polygons.corners, mesh.polygons.corners);
  EXPECT_EQ(found.polygons.offsets, mesh.polygons.offsets);
  content.variables["nEdgesOnCell"].values[4] = 9;
  write(folder / "a.nc", content);
  EXPECT_EQ(
      message_of<Lamina::FileError>([&] { read_mesh_file(folder / "a.nc"); }),
      (folder / "a.nc").string() + ": variable nEdgesOnCell, index 4: expected at most 6, got 9");
  content.variables["nEdgesOnCell"].values[4] = 6;
  content.variables["verticesOnCell"].values[8] = 0;
  write(folder / "a.nc", content);
  EXPECT_EQ(message_of<Lamina::FileError>([&] { read_mesh_file(folder / "a.nc"); }),
            (folder / "a.nc").string() +
                ": variable verticesOnCell, cell 1: expected points from 1 to 80, got 0");
  content.variables["verticesOnCell"] = {NC_INT, {}, {1}};
  write(folder / "a.nc", content);
  EXPECT_EQ(message_of<Lamina::FileError>([&] { read_mesh_file(folder / "a.nc"); }),
            (folder / "a.nc").string() + ": variable verticesOnCell: expected 42 x any, got ()");
}

TEST(MeshPolygons, OfIconAreTriangles) {
  const ScratchFolder folder;
  const auto triangulation = Lamina::icosahedral_triangulation(2);
  const SampleMesh mesh{Lamina::triangle_cells(triangulation),
                        Lamina::triangle_polygons(triangulation)};
  SampleFile content;
  content.variables["cell_area"] = along("cell", mesh.graph.areas);
  content.variables["clon"] = along("cell", coordinate(mesh.graph.centres.points, false, 1));
  content.variables["clat"] = along("cell", coordinate(mesh.graph.centres.points, true, 1));
  content.variables["vlon"] = along("vertex", coordinate(mesh.polygons.points, false, 1));
  content.variables["vlat"] = along("vertex", coordinate(mesh.polygons.points, true, 1));
  std::vector<double> lengths, distances, firsts, seconds;
  for (const auto& edge : mesh.graph.edges) {
    lengths.push_back(edge.length);
    distances.push_back(edge.distance);
    firsts.push_back(edge.first + 1);
    seconds.push_back(edge.second + 1);
  }
  const std::size_t num_edges = firsts.size(), num_cells = mesh.graph.areas.size();
  firsts.insert(firsts.end(), seconds.begin(), seconds.end());
  content.variables["edge_length"] = along("edge", lengths);
  content.variables["dual_edge_length"] = along("edge", distances);
  content.variables["adjacent_cell_of_edge"] = {NC_INT, {{"nc", 2}, {"edge", num_edges}}, firsts};
  std::vector<double> corners(3 * num_cells);
  for (std::size_t n = 0; n < corners.size(); ++n) {
    corners[n % 3 * num_cells + n / 3] = mesh.polygons.corners[n] + 1;
  }
  content.variables["vertex_of_cell"] = {NC_INT, {{"nv", 3}, {"cell", num_cells}}, corners};
  content.numbers["sphere_radius"] = 1;
  write(folder / "a.nc", content);
  EXPECT_EQ(read_mesh_file(folder / "a.nc").polygons.corners, mesh.polygons.corners);
}

TEST(MeshPolygons, OfAPeriodicPlaneStayWhole) {
  // Two cells of width 1 and 2, of which the second one crosses the seam at x = 3.
  const ScratchFolder folder;
  SampleMesh mesh;
  mesh.graph.areas = {1, 2};
  mesh.graph.centres.points = {{1.5, 0.5, 0}, {0, 0.5, 0}};
  mesh.graph.edges = {{0, 1, 1, 1.5}};
  mesh.polygons.points = {{1, 0, 0}, {2, 0, 0}, {2, 1, 0}, {1, 1, 0}};
  mesh.polygons.add(std::array{0, 1, 2, 3});
  mesh.polygons.add(std::array{1, 0, 3, 2});
  SampleFile content = mpas_content_with_corners(mesh);
  content.texts = {{"on_a_sphere", "NO"}, {"is_periodic", "YES"}};
  content.numbers = {{"x_period", 3}, {"y_period", 0}};
  write(folder / "a.nc", content);
  const CellPolygons found = read_mesh_file(folder / "a.nc").polygons;
  EXPECT_EQ(found.points.size(), 6u);
  EXPECT_EQ(found.area(0, Lamina::ColumnCentres::Surface::plane), 1);
  EXPECT_EQ(found.area(1, Lamina::ColumnCentres::Surface::plane), 2);
  double least = 0;
  for (const int corner : found.of(1)) {
    least = std::min(least, found.points[static_cast<std::size_t>(corner)][0]);
  }
  EXPECT_EQ(least, -1);
}

}  // namespace
}  // namespace LaminaTest
