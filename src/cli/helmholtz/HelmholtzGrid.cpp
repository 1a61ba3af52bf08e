// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "helmholtz/HelmholtzGrid.hpp"

#include <lamina/grids/HilbertOrder.hpp>
#include <lamina/grids/SphereGrids.hpp>
#include <lamina/io/MeshFile.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <numeric>
#include <utility>

#include "support/machine/HostMachine.hpp"
#include "support/options/CommandLine.hpp"

namespace Lamina::Cli {
namespace {

/// What a generator is asked for.
struct GridRequest {
  std::string kind;
  std::vector<std::string> numbers;
};

const char* const kinds =
    "panel|sphere M|icosahedral N|triangles N|lat-lon NX NY [SOUTH NORTH]|FILE";

[[noreturn]] void refuse(const std::string& expected, const std::string& got) {
  CommandLine::fail("--grid", expected, got);
}

int count_of(const GridRequest& request, std::size_t n, int lowest) {
  const auto value = parse_number<int>(request.numbers[n]);
  if (!value || *value < lowest) {
    refuse(fmt::format("{} and a whole number >= {}", request.kind, lowest), request.numbers[n]);
  }
  return *value;
}

double degrees_of(const GridRequest& request, std::size_t n) {
  const auto value = parse_number<double>(request.numbers[n]);
  if (!value || !(*value >= -90 && *value <= 90)) {
    refuse("latitudes in degrees from -90 to 90", request.numbers[n]);
  }
  return *value;
}

void require_count(const GridRequest& request, const char* what, std::size_t least,
                   std::size_t most) {
  const std::size_t count = request.numbers.size();
  if (count >= least && count <= most) return;
  refuse(fmt::format("{} {}", request.kind, what),
         fmt::format("{} number{}", count, count == 1 ? "" : "s"));
}

/// Refuses what the memory of the host cannot hold, or no int can count.
void require_columns(double num_columns) {
  constexpr double bytes_per_column = 1200;  // while a grid is made; as measured, with room
  const double available = HostMachine::available_bytes();
  constexpr double countable = 1e9;  // and so are their triangles, by an int
  const double most = std::min(available / bytes_per_column, countable);
  if (num_columns <= most) return;
  refuse(fmt::format("at most {:.0f} columns, for which the host has memory", most),
         fmt::format("{:.0f}", num_columns));
}

/// A grid before its columns are ordered.
struct RawGrid {
  ColumnGraph graph;
  CellPolygons polygons;
};

RawGrid zone(const GridRequest& request) {
  require_count(request, "NX NY [SOUTH NORTH]", 2, 4);
  const int num_x = count_of(request, 0, 3), num_y = count_of(request, 1, 1);
  const bool whole = request.numbers.size() < 4;
  if (request.numbers.size() == 3) refuse("lat-lon NX NY [SOUTH NORTH]", "3 numbers");
  const double south = whole ? -90 : degrees_of(request, 2),
               north = whole ? 90 : degrees_of(request, 3);
  if (!(south < north)) {
    refuse("SOUTH < NORTH", fmt::format("{} and {}", request.numbers[2], request.numbers[3]));
  }
  if (num_y == 1 && south == -90 && north == 90) {
    refuse("lat-lon with NY >= 2 from pole to pole", "1");
  }
  require_columns(1.0 * num_x * num_y);
  return {latitude_longitude(num_x, num_y, south, north),
          latitude_longitude_polygons(num_x, num_y, south, north)};
}

RawGrid generate(const GridRequest& request) {
  if (request.kind == "lat-lon") return zone(request);
  const bool cubed = request.kind == "sphere", triangles = request.kind == "triangles";
  require_count(request, cubed ? "M" : "N", 1, 1);
  const int n = count_of(request, 0, cubed ? 2 : 1);
  require_columns((cubed ? 6.0 : triangles ? 20.0 : 10.0) * n * n);
  const SphereTriangulation mesh =
      cubed ? cubed_sphere_triangulation(n) : icosahedral_triangulation(n);
  if (triangles) return {triangle_cells(mesh), triangle_polygons(mesh)};
  return {voronoi_cells(mesh), voronoi_polygons(mesh)};
}

void count_neighbours(HelmholtzGrid& grid) {
  std::vector<int> counts(grid.graph.areas.size(), 0);
  for (const auto& edge : grid.graph.edges) {
    ++counts[static_cast<std::size_t>(edge.first)];
    ++counts[static_cast<std::size_t>(edge.second)];
  }
  const auto [least, most] = std::minmax_element(counts.begin(), counts.end());
  grid.min_neighbours = *least;
  grid.max_neighbours = *most;
}

std::shared_ptr<const HelmholtzGrid> ordered(HelmholtzGrid grid, const ColumnGraph& graph) {
  OrderedColumns columns = along_hilbert_curve(graph);
  grid.graph = std::move(columns.graph);
  grid.original = std::move(columns.original);
  grid.quality = grid_quality(grid.graph);
  count_neighbours(grid);
  return std::make_shared<const HelmholtzGrid>(std::move(grid));
}

std::shared_ptr<const HelmholtzGrid> from_file(const std::filesystem::path& path) {
  constexpr double bytes_per_value = 32;  // of a mesh at least, while it is read
  const double most_values = std::min(HostMachine::available_bytes() / bytes_per_value,
                                      static_cast<double>(most_mesh_values));
  MeshFile mesh = for_option(
      "--grid", [&] { return read_mesh_file(path, static_cast<std::size_t>(most_values)); });
  HelmholtzGrid grid;
  // A folder may be written with a slash behind it.
  grid.name = (path.has_filename() ? path : path.parent_path()).filename().string();
  grid.convention = std::move(mesh.convention);
  grid.radius = mesh.radius;
  grid.polygons = std::move(mesh.polygons);
  grid.num_left_out = mesh.num_left_out;
  return ordered(std::move(grid), mesh.graph);
}

}  // namespace

double HelmholtzGrid::area() const {
  return std::accumulate(graph.areas.begin(), graph.areas.end(), 0.0);
}

// Triangles of a geodesic grid have half a width. What stays at any width is far above a
// thirtieth: 0.15 on a cubed sphere of quadrilaterals.
bool HelmholtzGrid::is_skew() const {
  if (convention == "FESOM") return false;  // fluxes of finite elements, areas of another dual
  const double width = std::sqrt(area() / static_cast<double>(graph.areas.size()));
  return quality.largest_skewness > 0.03 + (on_sphere() ? 0.6 * width : 0);
}

void declare_grid(CommandLine& line) {
  line.list(
      "--grid", "NAME ...",
      std::string("Horizontal grid: ") + kinds + ", a mesh of MPAS, ICON, UGRID or FESOM [panel]",
      1, 5);
  line.option("--levels", "N|FILE",
              "Levels of a grid other than a panel, or a file with the heights of their interfaces "
              "[128]");
}

std::shared_ptr<const HelmholtzGrid> read_grid(const CommandLine& line) {
  const std::vector<std::string> words = line.texts("--grid");
  if (words.empty()) return nullptr;
  const GridRequest request{words.front(), {words.begin() + 1, words.end()}};
  if (request.kind.empty()) refuse(kinds, "nothing");
  const bool is_panel = request.kind == "panel";
  const bool is_known = request.kind == "sphere" || request.kind == "icosahedral" ||
                        request.kind == "triangles" || request.kind == "lat-lon";
  if (!is_known) require_count(request, is_panel ? "with --size NX NY NZ" : "alone", 0, 0);
  if (is_panel) return nullptr;
  if (!is_known) return from_file(request.kind);
  RawGrid raw = generate(request);
  HelmholtzGrid grid;
  grid.name = fmt::format("{}", fmt::join(words, " "));
  grid.polygons = std::move(raw.polygons);
  return ordered(std::move(grid), raw.graph);
}

}  // namespace Lamina::Cli
