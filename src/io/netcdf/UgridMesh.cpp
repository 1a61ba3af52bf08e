// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Require.hpp>
#include <lamina/io/FileError.hpp>

#include <fmt/format.h>

#include <array>
#include <sstream>
#include <utility>

#include "MeshInput.hpp"

namespace Lamina {
namespace {

constexpr double radians_of_degree = 3.14159265358979323846 / 180;

/// What the attributes of the topology name.
struct Topology {
  std::string connectivity, face_dimension;
  std::array<std::string, 2> nodes, faces;  ///< coordinates; those of faces may be empty
};

std::array<std::string, 2> two_words(const std::string& text) {
  std::istringstream stream(text);
  std::array<std::string, 2> words;
  stream >> words[0] >> words[1];
  return words;
}

/// Of the file, which is open without limits for values.
Topology topology_of(const NetcdfReader& file, int variable) {
  const auto text = [&](const char* name) {
    return file.find_text(variable, name).value_or(std::string());
  };
  Topology topology{.connectivity = text("face_node_connectivity"),
                    .face_dimension = text("face_dimension"),
                    .nodes = two_words(text("node_coordinates")),
                    .faces = two_words(text("face_coordinates"))};
  if (topology.connectivity.empty() || topology.nodes[1].empty()) {
    throw FileError(file.path(),
                    "variable of cf_role mesh_topology: expected attributes face_node_connectivity "
                    "and node_coordinates of two variables, got " +
                        std::string(topology.connectivity.empty() ? "none of the first"
                                                                  : "none of the second"));
  }
  return topology;
}

std::vector<std::string> names_of(const Topology& topology) {
  std::vector<std::string> names{topology.connectivity};
  for (const auto& pair : {topology.nodes, topology.faces}) {
    for (const std::string& name : pair) {
      if (!name.empty()) names.push_back(name);
    }
  }
  return names;
}

/// Which coordinate a variable holds, and in what.
struct Coordinate {
  bool on_sphere = false, in_radians = false, is_second = false;
  bool is_told = false;  ///< by attributes
};

/// Some files tell it of one of a pair only.
void take_from_other(Coordinate& coordinate, const Coordinate& other) {
  if (coordinate.is_told) return;
  coordinate.on_sphere = other.on_sphere;
  coordinate.in_radians = other.in_radians;
}

Coordinate coordinate_of(const MeshInput& input, const std::string& name, bool is_second) {
  const int variable = input.number_of(name);
  const std::string standard = input.file().find_text(variable, "standard_name").value_or(""),
                    units = input.file().find_text(variable, "units").value_or("");
  const auto begins = [](const std::string& text, const char* with) {
    return text.rfind(with, 0) == 0;
  };
  Coordinate coordinate{.on_sphere = standard == "longitude" || standard == "latitude" ||
                                     begins(units, "degree") || begins(units, "radian"),
                        .in_radians = begins(units, "rad"),
                        .is_second = is_second,
                        .is_told = !standard.empty() || !units.empty()};
  if (standard == "longitude" || units == "degrees_east" || standard == "projection_x_coordinate") {
    coordinate.is_second = false;
  }
  if (standard == "latitude" || units == "degrees_north" || standard == "projection_y_coordinate") {
    coordinate.is_second = true;
  }
  return coordinate;
}

/// Points of two variables, in either order. \param extent  0: any
std::vector<MeshInput::Point> points_of(const MeshInput& input, std::array<std::string, 2> names,
                                        std::size_t extent, ColumnCentres::Surface& surface) {
  Coordinate first = coordinate_of(input, names[0], false),
             second = coordinate_of(input, names[1], true);
  take_from_other(first, second);
  take_from_other(second, first);
  if (first.is_second && !second.is_second) {
    std::swap(first, second);
    std::swap(names[0], names[1]);
  }
  if (first.is_second != false || second.is_second != true || first.on_sphere != second.on_sphere ||
      first.in_radians != second.in_radians) {
    input.fail(
        fmt::format("variables {} and {}: expected longitude and latitude, or x and y, in one "
                    "unit, got others",
                    names[0], names[1]));
  }
  surface = first.on_sphere ? ColumnCentres::Surface::sphere : ColumnCentres::Surface::plane;
  if (first.on_sphere) {
    return input.sphere_points(names[0], names[1], extent,
                               first.in_radians ? 1 : radians_of_degree);
  }
  const auto x = input.finite(names[0], extent), y = input.finite(names[1], x.size());
  std::vector<MeshInput::Point> points;
  for (std::size_t n = 0; n < x.size(); ++n) points.push_back({x[n], y[n], 0});
  return points;
}

/// The rows of the connectivity, which a file may hold as columns.
CornerTable table_of(const MeshInput& input, const Topology& topology) {
  const int variable = input.number_of(topology.connectivity);
  const auto dimensions = input.file().dimensions(variable);
  CornerTable table{.name = topology.connectivity, .numbers = {}, .most = 0};
  table.numbers = input.values(topology.connectivity, {0, 0}, NetcdfReader::Missing::as_nan);
  const double first = input.file().find_number(variable, "start_index").value_or(0);
  if (first != 0 && first != 1) {
    input.fail(fmt::format("variable {}, attribute start_index: expected 0 or 1, got {}",
                           topology.connectivity, first));
  }
  table.first = static_cast<int>(first);
  table.none = table.first - 1;
  const bool turned = dimensions[1].name == topology.face_dimension &&
                      dimensions[0].name != topology.face_dimension;
  const std::size_t num_faces = dimensions[turned ? 1 : 0].length;
  table.most = dimensions[turned ? 0 : 1].length;
  input.require_cells(topology.connectivity, num_faces);
  if (table.most < 3) {
    input.fail(fmt::format("variable {}: expected 3 corners a face or more, got {}",
                           topology.connectivity, table.most));
  }
  if (!turned) return table;
  std::vector<double> rows(table.numbers.size());
  for (std::size_t n = 0; n < rows.size(); ++n) {
    rows[n % num_faces * table.most + n / num_faces] = table.numbers[n];
  }
  table.numbers = std::move(rows);
  return table;
}

}  // namespace

std::optional<int> find_ugrid_topology(const NetcdfReader& file) {
  for (int variable = 0; variable < file.num_variables(); ++variable) {
    if (file.find_text(variable, "cf_role") != "mesh_topology") continue;
    if (file.find_number(variable, "topology_dimension").value_or(2) == 2) return variable;
  }
  return std::nullopt;
}

MeshFile read_ugrid_mesh(const std::filesystem::path& path, int variable, std::size_t most_values) {
  const Topology topology = topology_of(NetcdfReader(path), variable);
  const MeshInput input(path, names_of(topology), most_values);
  ColumnCentres centres;
  std::vector<MeshInput::Point> nodes = points_of(input, topology.nodes, 0, centres.surface);
  const CornerTable table = table_of(input, topology);
  MeshFile mesh{.convention = "UGRID", .graph = {}, .radius = 1};
  mesh.polygons = polygons_of(input, table, std::move(nodes), centres);
  if (!topology.faces[1].empty()) {
    ColumnCentres::Surface surface{};
    centres.points = points_of(input, topology.faces, table.numbers.size() / table.most, surface);
    if (surface != centres.surface) {
      input.fail("coordinates of faces: expected those of nodes, got others");
    }
  }
  try {
    mesh.graph = polygon_cells(mesh.polygons, centres);
  } catch (const InvalidArgument& error) {
    const std::string text = error.what(), begin = "Lamina::polygon_cells: ";
    input.fail(text.rfind(begin, 0) == 0 ? text.substr(begin.size()) : text);
  }
  return mesh;
}

}  // namespace Lamina
