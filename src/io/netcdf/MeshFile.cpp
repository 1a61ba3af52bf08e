// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/io/FileError.hpp>
#include <lamina/io/MeshFile.hpp>
#include <lamina/io/NetcdfReader.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <optional>
#include <string>
#include <system_error>
#include <tuple>
#include <vector>

#include "../text/FesomMesh.hpp"
#include "MeshInput.hpp"

namespace Lamina {
namespace {

/// Where a convention keeps what both have.
struct Names {
  const char *convention, *area, *neighbours, *length, *distance, *corners;
  bool edges_first;  ///< the neighbours of an edge, and the corners of a cell, are together
};
constexpr Names mpas{"MPAS", "areaCell", "cellsOnEdge", "dvEdge", "dcEdge", "verticesOnCell", true};
constexpr Names icon{"ICON",        "cell_area",        "adjacent_cell_of_edge",
                     "edge_length", "dual_edge_length", "vertex_of_cell",
                     false};

/// The columns beside an edge, -1 beyond the rim.
std::array<int, 2> columns_at(const MeshInput& input, const Names& names,
                              const std::vector<double>& neighbours, std::size_t edge,
                              std::size_t num_edges, std::size_t num_cells) {
  std::array<int, 2> columns{};
  for (std::size_t side = 0; side < 2; ++side) {
    const std::size_t place = names.edges_first ? 2 * edge + side : side * num_edges + edge;
    const double number = neighbours[place];
    if (!(number <= static_cast<double>(num_cells)) || number != std::floor(number)) {
      input.fail(fmt::format("variable {}, edge {}: expected a cell up to {}, got {}",
                             names.neighbours, edge, num_cells, number));
    }
    columns[side] = number <= 0 ? -1 : static_cast<int>(number) - 1;
  }
  if (columns[0] == columns[1]) {
    input.fail(fmt::format("variable {}, edge {}: expected two cells, or one and the rim, got {}",
                           names.neighbours, edge, columns[0] < 0 ? "no cell" : "one cell twice"));
  }
  return columns;
}

void read_edges(const MeshInput& input, const Names& names, std::size_t num_cells, double radius,
                ColumnGraph& graph) {
  // Sizes of edges at the rim are not used: some tools leave them 0 or missing.
  using Missing = NetcdfReader::Missing;
  const std::vector<double> lengths = input.values(names.length, {0}, Missing::as_nan);
  const std::size_t num_edges = lengths.size();
  const std::vector<double> distances = input.values(names.distance, {num_edges}, Missing::as_nan);
  const std::vector<double> neighbours =
      input.values(names.neighbours, names.edges_first ? std::vector<std::size_t>{num_edges, 2}
                                                       : std::vector<std::size_t>{2, num_edges});
  std::vector<std::tuple<int, int, std::size_t>> pairs;
  for (std::size_t n = 0; n < num_edges; ++n) {
    const auto [a, b] = columns_at(input, names, neighbours, n, num_edges, num_cells);
    if (a < 0 || b < 0) continue;
    input.require_size(names.length, n, lengths[n]);
    input.require_size(names.distance, n, distances[n]);
    graph.edges.push_back(
        {std::min(a, b), std::max(a, b), lengths[n] / radius, distances[n] / radius});
    pairs.push_back({graph.edges.back().first, graph.edges.back().second, n});
  }
  std::sort(pairs.begin(), pairs.end());
  for (std::size_t n = 1; n < pairs.size(); ++n) {
    const auto& [a, b, edge] = pairs[n];
    if (std::get<0>(pairs[n - 1]) != a || std::get<1>(pairs[n - 1]) != b) continue;
    input.fail(
        fmt::format("variable {}, edge {}: expected one edge between two cells, got another "
                    "of {} and {}",
                    names.neighbours, edge, a + 1, b + 1));
  }
}

/// Centres in space. On a sphere they become unit vectors. \return its radius
double take_centres(const MeshInput& input, bool on_sphere, std::size_t num_cells,
                    ColumnGraph& graph) {
  const auto x = input.finite("xCell", num_cells), y = input.finite("yCell", num_cells),
             z = input.finite("zCell", num_cells);
  graph.centres.surface =
      on_sphere ? ColumnCentres::Surface::sphere : ColumnCentres::Surface::plane;
  const double radius = on_sphere ? std::hypot(x[0], y[0], z[0]) : 1;
  for (std::size_t c = 0; c < num_cells; ++c) {
    const double size = on_sphere ? std::hypot(x[c], y[c], z[c]) : 1;
    if (!(std::abs(size - radius) <= 1e-4 * radius) || !(size > 0)) {
      input.fail(fmt::format(
          "variables xCell, yCell, zCell, index {}: expected a point of a sphere of radius {}, got "
          "one at {}",
          c, radius, size));
    }
    graph.centres.points.push_back({x[c] / size, y[c] / size, on_sphere ? z[c] / size : 0});
  }
  return radius;
}

/// An attribute of the file that says YES or NO.
bool is_yes(const MeshInput& input, const char* name, const std::string& otherwise) {
  std::string text = input.file().find_text(name).value_or(otherwise);
  text = text.substr(0, text.find_last_not_of(std::string(" \0", 2)) + 1);  // Fortran pads
  if (text != "YES" && text != "NO") {
    input.fail(fmt::format("attribute {}: expected YES or NO, got {}", name,
                           text.empty() ? "none" : text));
  }
  return text == "YES";
}

double take_mpas_centres(const MeshInput& input, std::size_t num_cells, ColumnGraph& graph) {
  const bool on_sphere = is_yes(input, "on_a_sphere", "");
  const double radius = take_centres(input, on_sphere, num_cells, graph);
  if (!on_sphere && is_yes(input, "is_periodic", "NO")) {
    graph.centres.periods = {input.file().find_number("x_period").value_or(0),
                             input.file().find_number("y_period").value_or(0)};
  }
  return radius;
}

/// Of a variable with an angle: 1 for radians, which ICON has, or that of a degree.
double unit_of_angle(const MeshInput& input, const char* name) {
  constexpr double degree = 3.14159265358979323846 / 180;
  const auto variable = input.file().find_variable(name);
  if (!variable) return 1;
  const std::string unit = input.file().find_text(*variable, "units").value_or("radian");
  if (unit.compare(0, 3, "rad") == 0) return 1;
  if (unit.compare(0, 6, "degree") == 0) return degree;
  input.fail(
      fmt::format("variable {}, attribute units: expected radian or degrees, got {}", name, unit));
}

std::vector<MeshInput::Point> icon_points(const MeshInput& input, const char* longitude,
                                          const char* latitude, std::size_t extent) {
  const double unit = unit_of_angle(input, longitude);
  if (unit_of_angle(input, latitude) != unit) {
    input.fail(fmt::format("variable {}, attribute units: expected that of {}, got another",
                           latitude, longitude));
  }
  return input.sphere_points(longitude, latitude, extent, unit);
}

/// Grid generators of ICON tell the radius by `sphere_radius`, older ones by `semi_major_axis`.
std::optional<double> find_icon_radius(const MeshInput& input) {
  for (const char* name : {"sphere_radius", "semi_major_axis"}) {
    const auto radius = input.file().find_number(name);
    if (!radius) continue;
    if (*radius > 0 && std::isfinite(*radius)) return radius;
    input.fail(fmt::format("attribute {}: expected a positive number, got {}", name, *radius));
  }
  return std::nullopt;
}

double take_icon_centres(const MeshInput& input, std::size_t num_cells, ColumnGraph& graph) {
  constexpr double earth = 6371229;  // metres, as ICON has it
  // Source: ICON, mo_grid_geometry_info: 2 to 4 are a planar torus, channel and plane.
  const double geometry = input.file().find_number("grid_geometry").value_or(1);
  if (geometry != 1) {
    input.fail(fmt::format("attribute grid_geometry: expected 1, a sphere, got {}", geometry));
  }
  graph.centres.points = icon_points(input, "clon", "clat", num_cells);
  return find_icon_radius(input).value_or(earth);
}

std::vector<MeshInput::Point> mpas_vertices(const MeshInput& input, bool on_sphere) {
  const auto x = input.finite("xVertex", 0), y = input.finite("yVertex", x.size()),
             z = input.finite("zVertex", x.size());
  std::vector<MeshInput::Point> points;
  for (std::size_t n = 0; n < x.size(); ++n) {
    const double size = on_sphere ? std::hypot(x[n], y[n], z[n]) : 1;
    if (!(size > 0)) {
      input.fail(
          fmt::format("variables xVertex, yVertex, zVertex, index {}: expected a point of a "
                      "sphere, got its centre",
                      n));
    }
    points.push_back({x[n] / size, y[n] / size, on_sphere ? z[n] / size : 0});
  }
  return points;
}

CellPolygons mpas_polygons(const MeshInput& input, const ColumnGraph& graph) {
  const std::size_t num_cells = graph.areas.size();
  CornerTable table{.name = mpas.corners, .numbers = {}, .most = 0};
  table.numbers = input.values(mpas.corners, {num_cells, 0});
  table.most = table.numbers.size() / num_cells;
  const std::vector<double> counts = input.sizes("nEdgesOnCell", num_cells);
  for (std::size_t c = 0; c < num_cells; ++c) {
    if (counts[c] > static_cast<double>(table.most)) {
      input.fail(fmt::format("variable nEdgesOnCell, index {}: expected at most {}, got {}", c,
                             table.most, counts[c]));
    }
    table.counts.push_back(static_cast<std::size_t>(counts[c]));
  }
  const bool on_sphere = graph.centres.surface == ColumnCentres::Surface::sphere;
  return polygons_of(input, table, mpas_vertices(input, on_sphere), graph.centres);
}

CellPolygons icon_polygons(const MeshInput& input, const ColumnGraph& graph) {
  const std::size_t num_cells = graph.areas.size();
  CornerTable table{.name = icon.corners, .numbers = std::vector<double>(3 * num_cells), .most = 3};
  const std::vector<double> columns = input.values(icon.corners, {3, num_cells});
  for (std::size_t n = 0; n < columns.size(); ++n) {
    table.numbers[n % num_cells * 3 + n / num_cells] = columns[n];
  }
  return polygons_of(input, table, icon_points(input, "vlon", "vlat", 0), graph.centres);
}

/// Refuses areas in another unit than the radius.
void require_areas_of_sphere(const MeshInput& input, const Names& names, const MeshFile& mesh) {
  constexpr double whole = 4 * 3.14159265358979323846;
  const std::vector<double>& areas = mesh.graph.areas;
  const double area = std::accumulate(areas.begin(), areas.end(), 0.0);
  if (!(area <= whole * (1 + 1e-3))) {
    input.fail(fmt::format(
        "variable {}: expected a sum of at most 4 pi R^2 with R = {:.6g}, got {:.6g} R^2",
        names.area, mesh.radius, area));
  }
  // A radius that is no planet's has areas in its own unit.
  if (&names == &mpas || (find_icon_radius(input) && mesh.radius < 1000)) return;
  const double square_metres = area / static_cast<double>(areas.size()) * mesh.radius * mesh.radius;
  if (square_metres < 1) {  // more than cells of a unit sphere have
    input.fail(fmt::format(
        "variable {}: expected an attribute sphere_radius, or a mean area of at "
        "least 1 m2, got {} and {}",
        names.area, find_icon_radius(input) ? "another radius" : "none", square_metres));
  }
}

/// MPAS or ICON.
MeshFile read_cells(const std::filesystem::path& path, const Names& names,
                    std::size_t most_values) {
  const MeshInput input(path, {names.area, names.neighbours, names.corners}, most_values);
  MeshFile mesh{.convention = names.convention, .graph = {}, .radius = 1};
  mesh.graph.areas = input.sizes(names.area, 0);
  const std::size_t num_cells = mesh.graph.areas.size();
  input.require_cells(names.area, num_cells);
  const bool is_mpas = &names == &mpas;
  mesh.radius = is_mpas ? take_mpas_centres(input, num_cells, mesh.graph)
                        : take_icon_centres(input, num_cells, mesh.graph);
  for (double& area : mesh.graph.areas) area /= mesh.radius * mesh.radius;
  if (mesh.graph.centres.surface == ColumnCentres::Surface::sphere) {
    require_areas_of_sphere(input, names, mesh);
  }
  read_edges(input, names, num_cells, mesh.radius, mesh.graph);
  if (input.has(names.corners)) {
    mesh.polygons = is_mpas ? mpas_polygons(input, mesh.graph) : icon_polygons(input, mesh.graph);
  }
  return mesh;
}

}  // namespace

MeshFile read_mesh_file(const std::filesystem::path& path, std::size_t most_values) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) return read_fesom_mesh(path);
  std::optional<int> topology;
  {
    const NetcdfReader file(path);
    if (file.find_variable(mpas.area)) return read_cells(path, mpas, most_values);
    if (file.find_variable(icon.area) && file.find_variable(icon.neighbours)) {
      return read_cells(path, icon, most_values);
    }
    topology = find_ugrid_topology(file);
  }
  if (topology) return read_ugrid_mesh(path, *topology, most_values);
  throw FileError(path, fmt::format("expected a mesh of MPAS, ICON or UGRID, with {}, {} or a "
                                    "variable of cf_role mesh_topology, got none of them",
                                    mpas.area, icon.area));
}

}  // namespace Lamina
