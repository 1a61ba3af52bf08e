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
#include <limits>
#include <optional>
#include <vector>

namespace Lamina {
namespace {

using Point = std::array<double, 3>;

/// Where a convention keeps what both have.
struct Names {
  const char *convention, *area, *neighbours, *length, *distance;
  bool edges_first;  ///< the neighbours of an edge are together
};
constexpr Names mpas{"MPAS", "areaCell", "cellsOnEdge", "dvEdge", "dcEdge", true};
constexpr Names icon{"ICON",        "cell_area",        "adjacent_cell_of_edge",
                     "edge_length", "dual_edge_length", false};

/// A mesh in a file, of which whole variables are read.
class MeshInput {
 public:
  /// The library gets the limits that the largest variable needs.
  explicit MeshInput(const std::filesystem::path& path) : m_file(path, limits_of(path)) {
    m_names = m_file.find_variable(mpas.area) ? &mpas : &icon;
    if (!m_file.find_variable(m_names->area)) {
      fail(fmt::format("expected a mesh of MPAS or ICON, with {} or {}, got neither", mpas.area,
                       icon.area));
    }
  }

  const Names& names() const { return *m_names; }
  const NetcdfReader& file() const { return m_file; }
  [[noreturn]] void fail(const std::string& problem) const {
    throw FileError(m_file.path(), problem);
  }

  /// \param extents  as they must be; 0: any
  std::vector<double> values(const std::string& name, std::vector<std::size_t> extents) const {
    const auto variable = m_file.find_variable(name);
    if (!variable) fail(fmt::format("expected a variable {}, got none", name));
    const auto dimensions = m_file.dimensions(*variable);
    const std::string expected = text_of(extents);
    bool fits = dimensions.size() == extents.size();
    std::size_t size = 1;
    for (std::size_t d = 0; fits && d < extents.size(); ++d) {
      fits = extents[d] == 0 || extents[d] == dimensions[d].length;
      extents[d] = dimensions[d].length;
      size *= extents[d];
    }
    if (!fits) {
      fail(fmt::format("variable {}: expected {}, got {}", name, expected, shape_text(dimensions)));
    }
    std::vector<double> result(size);
    if (size > 0) {
      m_file.read(*variable, std::vector<std::size_t>(extents.size(), 0), extents, result.data());
    }
    return result;
  }
  /// The same, all positive and finite.
  std::vector<double> sizes(const std::string& name, std::size_t extent) const {
    std::vector<double> result = values(name, {extent});
    for (std::size_t n = 0; n < result.size(); ++n) {
      if (!(result[n] > 0) || !std::isfinite(result[n])) {
        fail(fmt::format("variable {}, index {}: expected a positive number, got {}", name, n,
                         result[n]));
      }
    }
    return result;
  }

 private:
  static ReadLimits limits_of(const std::filesystem::path& path) {
    const NetcdfReader file(path);
    ReadLimits limits;
    for (const Names& names : {mpas, icon}) {
      const auto variable = file.find_variable(names.neighbours);
      if (!variable) continue;
      std::size_t size = 1;
      for (const NetcdfDimension& dimension : file.dimensions(*variable)) size *= dimension.length;
      limits.num_values = std::max(limits.num_values, size);
    }
    return limits;
  }
  static std::string text_of(const std::vector<std::size_t>& extents) {
    std::string text;
    for (const std::size_t extent : extents) {
      text += (text.empty() ? "" : " x ") + (extent == 0 ? "any" : std::to_string(extent));
    }
    return text;
  }

  NetcdfReader m_file;
  const Names* m_names = nullptr;
};

/// The columns beside an edge, -1 beyond the rim.
std::array<int, 2> columns_at(const MeshInput& input, const std::vector<double>& neighbours,
                              std::size_t edge, std::size_t num_edges, std::size_t num_cells) {
  std::array<int, 2> columns{};
  for (std::size_t side = 0; side < 2; ++side) {
    const std::size_t place = input.names().edges_first ? 2 * edge + side : side * num_edges + edge;
    const double number = neighbours[place];
    if (!(number <= static_cast<double>(num_cells)) || number != std::floor(number)) {
      input.fail(fmt::format("variable {}, edge {}: expected a cell up to {}, got {}",
                             input.names().neighbours, edge, num_cells, number));
    }
    columns[side] = number <= 0 ? -1 : static_cast<int>(number) - 1;
  }
  if (columns[0] == columns[1]) {
    input.fail(fmt::format("variable {}, edge {}: expected two cells, or one and the rim, got {}",
                           input.names().neighbours, edge,
                           columns[0] < 0 ? "no cell" : "one cell twice"));
  }
  return columns;
}

void read_edges(const MeshInput& input, std::size_t num_cells, double radius, ColumnGraph& graph) {
  const Names& names = input.names();
  const std::vector<double> lengths = input.sizes(names.length, 0);
  const std::size_t num_edges = lengths.size();
  const std::vector<double> distances = input.sizes(names.distance, num_edges);
  const std::vector<double> neighbours =
      input.values(names.neighbours, names.edges_first ? std::vector<std::size_t>{num_edges, 2}
                                                       : std::vector<std::size_t>{2, num_edges});
  for (std::size_t n = 0; n < num_edges; ++n) {
    const auto [a, b] = columns_at(input, neighbours, n, num_edges, num_cells);
    if (a < 0 || b < 0) continue;
    graph.edges.push_back(
        {std::min(a, b), std::max(a, b), lengths[n] / radius, distances[n] / radius});
  }
}

/// Centres in space. On a sphere they become unit vectors. \return its radius
double take_centres(const MeshInput& input, bool on_sphere, std::size_t num_cells,
                    ColumnGraph& graph) {
  const auto x = input.values("xCell", {num_cells}), y = input.values("yCell", {num_cells}),
             z = input.values("zCell", {num_cells});
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

double take_mpas_centres(const MeshInput& input, std::size_t num_cells, ColumnGraph& graph) {
  const auto is = [&](const char* name) {
    const std::string text = input.file().find_text(name).value_or("NO");
    return text.find("YES") != text.npos;  // Fortran pads with blanks
  };
  const bool on_sphere = is("on_a_sphere");
  const double radius = take_centres(input, on_sphere, num_cells, graph);
  if (!on_sphere && is("is_periodic")) {
    graph.centres.periods = {input.file().find_number("x_period").value_or(0),
                             input.file().find_number("y_period").value_or(0)};
  }
  return radius;
}

double take_icon_centres(const MeshInput& input, std::size_t num_cells, ColumnGraph& graph) {
  constexpr double earth = 6371229;  // metres, as ICON has it
  const auto longitudes = input.values("clon", {num_cells}),
             latitudes = input.values("clat", {num_cells});
  constexpr double right_angle = 1.5707963267948966;
  for (std::size_t c = 0; c < num_cells; ++c) {
    if (!(std::abs(latitudes[c]) <= right_angle * (1 + 1e-6))) {
      input.fail(fmt::format("variable clat, index {}: expected radians from -pi/2 to pi/2, got {}",
                             c, latitudes[c]));
    }
    const double ring = std::cos(latitudes[c]);
    graph.centres.points.push_back(
        {ring * std::cos(longitudes[c]), ring * std::sin(longitudes[c]), std::sin(latitudes[c])});
  }
  const double radius = input.file().find_number("sphere_radius").value_or(earth);
  if (!(radius > 0) || !std::isfinite(radius)) {
    input.fail(fmt::format("attribute sphere_radius: expected a positive number, got {}", radius));
  }
  return radius;
}

}  // namespace

MeshFile read_mesh_file(const std::filesystem::path& path) {
  const MeshInput input(path);
  MeshFile mesh{.convention = input.names().convention, .graph = {}, .radius = 1};
  mesh.graph.areas = input.sizes(input.names().area, 0);
  const std::size_t num_cells = mesh.graph.areas.size();
  if (num_cells == 0 || num_cells > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    input.fail(fmt::format("variable {}: expected 1 to 2^31 - 1 cells, got {}", input.names().area,
                           num_cells));
  }
  mesh.radius = &input.names() == &mpas ? take_mpas_centres(input, num_cells, mesh.graph)
                                        : take_icon_centres(input, num_cells, mesh.graph);
  for (double& area : mesh.graph.areas) area /= mesh.radius * mesh.radius;
  read_edges(input, num_cells, mesh.radius, mesh.graph);
  return mesh;
}

}  // namespace Lamina
