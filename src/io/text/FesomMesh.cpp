// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FesomMesh.hpp"

#include <lamina/core/Require.hpp>
#include <lamina/grids/MedianCells.hpp>
#include <lamina/io/FileError.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "TextLines.hpp"

namespace Lamina {
namespace {

/// What the first line says: how many lines follow.
std::int64_t count_of(Impl::TextLines& lines, const char* what) {
  std::string_view line;
  std::int64_t count = 0;
  if (!lines.next_data(line)) lines.fail_with(std::string("expected the number of ") + what);
  std::string_view rest = line;
  if (!Impl::parse(Impl::take_word(rest), count) || count < 1 ||
      count > std::numeric_limits<int>::max()) {
    lines.fail(std::string("expected the number of ") + what + ", 1 to 2^31 - 1, got " +
               Impl::quoted(line));
  }
  return count;
}

/// Calls take(line) for so many lines.
template <class Take>
void for_each_line(Impl::TextLines& lines, std::int64_t count, const char* what, const Take& take) {
  std::string_view line;
  for (std::int64_t n = 0; n < count; ++n) {
    if (!lines.next_data(line)) lines.fail_at_end(count, n, what);
    take(n, line);
  }
  if (lines.next_data(line)) {
    lines.fail("expected " + std::to_string(count) + ' ' + what + ", got more");
  }
}

void read_nodes(const std::filesystem::path& path, SphereTriangulation& mesh) {
  Impl::TextLines lines(path);
  constexpr double radian = 3.14159265358979323846 / 180;
  for_each_line(lines, count_of(lines, "nodes"), "nodes", [&](std::int64_t n, auto line) {
    std::string_view rest = line;
    std::int64_t number = 0;
    std::array<double, 2> degrees{};
    if (!Impl::parse(Impl::take_word(rest), number) || number != n + 1 ||
        !Impl::take_numbers(rest, std::span(degrees)) || !std::isfinite(degrees[0]) ||
        !(std::abs(degrees[1]) <= 90)) {
      lines.fail("expected node " + std::to_string(n + 1) +
                 ", its longitude and latitude in degrees, got " + Impl::quoted(line));
    }
    const double lambda = radian * degrees[0], phi = radian * degrees[1];
    mesh.points.push_back(
        {std::cos(phi) * std::cos(lambda), std::cos(phi) * std::sin(lambda), std::sin(phi)});
  });
}

void read_triangles(const std::filesystem::path& path, SphereTriangulation& mesh) {
  Impl::TextLines lines(path);
  const auto num_nodes = static_cast<int>(mesh.points.size());
  CellPolygons triangle{std::vector<std::array<double, 3>>(3), {0, 3}, {0, 1, 2}};
  for_each_line(lines, count_of(lines, "triangles"), "triangles", [&](std::int64_t, auto line) {
    std::string_view rest = line;
    std::array<int, 3> corners{};
    const bool whole =
        Impl::take_numbers(rest, std::span(corners)) && Impl::take_word(rest).empty() &&
        std::all_of(corners.begin(), corners.end(),
                    [num_nodes](int corner) { return corner >= 1 && corner <= num_nodes; });
    if (!whole) {
      lines.fail("expected three nodes from 1 to " + std::to_string(num_nodes) + ", got " +
                 Impl::quoted(line));
    }
    for (std::size_t n = 0; n < 3; ++n) {
      --corners[n];
      triangle.points[n] = mesh.points[static_cast<std::size_t>(corners[n])];
    }
    const double area = triangle.area(0, ColumnCentres::Surface::sphere);
    if (area == 0 || corners[0] == corners[1] || corners[1] == corners[2] ||
        corners[2] == corners[0]) {
      lines.fail("expected a triangle with an area, got " + Impl::quoted(line));
    }
    if (area < 0) std::swap(corners[1], corners[2]);
    mesh.triangles.push_back(corners);
  });
}

}  // namespace

MeshFile read_fesom_mesh(const std::filesystem::path& folder) {
  SphereTriangulation triangulation;
  read_nodes(folder / "nod2d.out", triangulation);
  read_triangles(folder / "elem2d.out", triangulation);
  MeshFile mesh{.convention = "FESOM", .graph = {}, .radius = 1};
  try {
    MedianCells cells = median_cells(triangulation);
    mesh.graph = std::move(cells.graph);
    mesh.polygons = std::move(cells.polygons);
    mesh.num_left_out = cells.num_left_out;
  } catch (const InvalidArgument& error) {
    const std::string text = error.what(), begin = "Lamina::median_cells: ";
    throw FileError(folder / "elem2d.out",
                    text.rfind(begin, 0) == 0 ? text.substr(begin.size()) : text);
  }
  return mesh;
}

}  // namespace Lamina
