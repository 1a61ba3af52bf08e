// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Require.hpp>
#include <lamina/io/FileError.hpp>
#include <lamina/io/PendingFile.hpp>
#include <lamina/io/VtuFile.hpp>

#include <cstdint>
#include <fstream>
#include <numeric>
#include <string>

#include "AppendedArrays.hpp"

namespace Lamina {
namespace {

std::uint8_t vtk_type(CellKind kind) {
  switch (kind) {
    case CellKind::tetrahedron: return 10;
    case CellKind::hexahedron: return 12;
    case CellKind::prism: return 13;
    case CellKind::pyramid: return 14;
  }
  return 0;
}

/// Corners, their ends and types as VTK counts them.
struct VtkCells {
  std::vector<std::int64_t> corners, ends;
  std::vector<std::uint8_t> types;
};

VtkCells vtk_cells(const MeshCells& cells, std::size_t num_points) {
  VtkCells result;
  if (cells.size() == 0) {
    constexpr std::uint8_t vertex = 1;
    result.corners.resize(num_points);
    result.ends.resize(num_points);
    std::iota(result.corners.begin(), result.corners.end(), 0);
    std::iota(result.ends.begin(), result.ends.end(), 1);
    result.types.assign(num_points, vertex);
    return result;
  }
  result.corners.assign(cells.corners.begin(), cells.corners.end());
  result.ends.assign(cells.offsets.begin() + 1, cells.offsets.end());
  for (const CellKind kind : cells.kinds) result.types.push_back(vtk_type(kind));
  return result;
}

}  // namespace

void write_vtu_file(const std::filesystem::path& path, const PointPlaces& places,
                    int num_components, const std::vector<double>& solution) {
  const char* name = "write_vtu_file";
  Impl::require_point_values(name, places, num_components, solution.size());
  const std::size_t num_points = solution.size() / static_cast<std::size_t>(num_components);
  LAMINA_REQUIRE(places.coordinates.size() == num_points, name,
                 "argument places: expected coordinates, got none");
  const VtkCells cells = vtk_cells(places.cells, num_points);

  Impl::AppendedArrays arrays;
  std::string head = Impl::vtu_head(num_points, cells.types.size()) +
                     "<PointData Scalars=\"solution\">\n" +
                     arrays.add("Float64", "solution", num_components, solution);
  if (!places.tags.empty()) head += arrays.add("Int64", "node_tag", 1, places.tags);
  head += "</PointData>\n<Points>\n" + arrays.add("Float64", "Points", 3, places.coordinates) +
          "</Points>\n<Cells>\n" + arrays.add("Int64", "connectivity", 1, cells.corners) +
          arrays.add("Int64", "offsets", 1, cells.ends) +
          arrays.add("UInt8", "types", 1, cells.types) + "</Cells>\n" + Impl::vtu_data;

  PendingFile pending(path);
  std::ofstream stream(pending.temporary(), std::ios::binary);
  stream << head;
  arrays.write(stream);
  stream << Impl::vtu_end;
  stream.close();
  if (!stream) throw pending.write_error();
  pending.commit();
}

}  // namespace Lamina
