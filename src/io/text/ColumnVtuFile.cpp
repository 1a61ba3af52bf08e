// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Require.hpp>
#include <lamina/io/ColumnVtuFile.hpp>
#include <lamina/io/FileError.hpp>
#include <lamina/io/PendingFile.hpp>

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string>
#include <type_traits>

#include "AppendedArrays.hpp"

namespace Lamina {
namespace {

using Impl::AppendedArrays;
using Numbers = std::vector<std::int64_t>;

constexpr std::uint8_t polyhedron = 42;

std::uint8_t vtk_type(std::size_t num_corners) {
  constexpr std::uint8_t prisms[] = {13, 12, 15, 16};  // of 3 to 6 corners
  return num_corners <= 6 ? prisms[num_corners - 3] : polyhedron;
}

/// The cells of columns as VTK numbers them.
class PrismCells {
 public:
  PrismCells(const CellPolygons& polygons, const VerticalGrid& grid)
      : m_polygons(polygons), m_grid(grid) {
    for (int c = 0; c < polygons.size(); ++c) {
      const auto ends = polygons.of(c);
      LAMINA_REQUIRE(ends.size() >= 3, "write_column_vtu_file",
                     "argument polygons: cell " + std::to_string(c) +
                         ": expected 3 corners or more, got " + std::to_string(ends.size()));
      for (const int end : ends) {
        LAMINA_REQUIRE(end >= 0 && static_cast<std::size_t>(end) < polygons.points.size(),
                       "write_column_vtu_file",
                       "argument polygons: cell " + std::to_string(c) +
                           ": expected corners out of " + std::to_string(polygons.points.size()) +
                           " points, got " + std::to_string(end));
      }
      if (vtk_type(ends.size()) == polyhedron) m_face_numbers += num_face_numbers(ends.size());
    }
  }

  std::size_t num_levels() const { return static_cast<std::size_t>(m_grid.num_levels()); }
  std::size_t num_points() const { return m_polygons.points.size() * (num_levels() + 1); }
  std::size_t num_cells() const {
    return static_cast<std::size_t>(m_polygons.size()) * num_levels();
  }

  /// Points and cells of the head.
  std::string add_to(AppendedArrays& arrays) const {
    std::string head =
        "<Points>\n" +
        arrays.add("Float64", "Points", 3, num_points() * 3 * sizeof(double),
                   [this](std::ostream& stream) { write_points(stream); }) +
        "</Points>\n<Cells>\n" +
        add_numbers(arrays, "connectivity", 2 * m_polygons.corners.size() * num_levels(),
                    [](const PrismCells& cells, int c, std::int64_t k, Numbers& numbers) {
                      cells.add_corners(c, k, numbers);
                    }) +
        arrays.add("Int64", "offsets", 1, num_cells() * sizeof(std::int64_t),
                   [this](std::ostream& stream) { write_offsets(stream); }) +
        arrays.add("UInt8", "types", 1, num_cells(),
                   [this](std::ostream& stream) { write_types(stream); });
    if (m_face_numbers > 0) {
      head += add_numbers(arrays, "faces", m_face_numbers * num_levels(),
                          [](const PrismCells& cells, int c, std::int64_t k, Numbers& numbers) {
                            cells.add_faces(c, k, numbers);
                          }) +
              arrays.add("Int64", "faceoffsets", 1, num_cells() * sizeof(std::int64_t),
                         [this](std::ostream& stream) { write_face_offsets(stream); });
    }
    return head + "</Cells>\n";
  }

 private:
  /// The count of faces, and of each its corners after their count.
  static std::size_t num_face_numbers(std::size_t corners) {
    return 1 + 2 * (1 + corners) + corners * 5;
  }
  bool is_polyhedron(int c) const { return vtk_type(m_polygons.of(c).size()) == polyhedron; }
  std::int64_t point(int corner, std::int64_t interface) const {
    return corner * (static_cast<std::int64_t>(num_levels()) + 1) + interface;
  }

  /// An array to which `add` adds the numbers of each cell.
  template <class Add>
  std::string add_numbers(AppendedArrays& arrays, const char* name, std::size_t count,
                          const Add& add) const {
    return arrays.add("Int64", name, 1, count * sizeof(std::int64_t),
                      [this, add](std::ostream& stream) {
                        for (int c = 0; c < m_polygons.size(); ++c) {
                          Numbers numbers;
                          for (int k = 0; k < m_grid.num_levels(); ++k) add(*this, c, k, numbers);
                          AppendedArrays::put(stream, numbers);
                        }
                      });
  }

  void write_points(std::ostream& stream) const {
    const bool shell = m_grid.metric() == VerticalMetric::shell;
    std::vector<double> values;
    for (const auto& [x, y, z] : m_polygons.points) {
      values.clear();
      for (const double r : m_grid.interfaces()) {
        if (shell) values.insert(values.end(), {r * x, r * y, r * z});
        if (!shell) values.insert(values.end(), {x, y, r});
      }
      AppendedArrays::put(stream, values);
    }
  }

  void add_corners(int c, std::int64_t k, Numbers& numbers) const {
    const auto ends = m_polygons.of(c);
    // VTK: the normal of the first triangle of a wedge points out of the cell, that of the first
    // polygon of other prisms into it.
    const bool top_first = ends.size() == 3;
    for (const std::int64_t interface : {k + (top_first ? 1 : 0), k + (top_first ? 0 : 1)}) {
      for (const int end : ends) numbers.push_back(point(end, interface));
    }
  }

  void write_offsets(std::ostream& stream) const {
    std::int64_t offset = 0;
    for (int c = 0; c < m_polygons.size(); ++c) {
      Numbers offsets(num_levels());
      const auto size = static_cast<std::int64_t>(2 * m_polygons.of(c).size());
      for (std::int64_t& end : offsets) end = offset += size;
      AppendedArrays::put(stream, offsets);
    }
  }

  void write_types(std::ostream& stream) const {
    for (int c = 0; c < m_polygons.size(); ++c) {
      AppendedArrays::put(
          stream, std::vector<std::uint8_t>(num_levels(), vtk_type(m_polygons.of(c).size())));
    }
  }

  /// Of a polyhedron; corners of each face are counter-clockwise seen from outside.
  void add_faces(int c, std::int64_t k, Numbers& numbers) const {
    if (!is_polyhedron(c)) return;
    const auto ends = m_polygons.of(c);
    const std::size_t size = ends.size();
    const auto count = static_cast<std::int64_t>(size);
    numbers.insert(numbers.end(), {count + 2, count});
    for (std::size_t n = size; n-- > 0;) numbers.push_back(point(ends[n], k));
    numbers.push_back(count);
    for (const int end : ends) numbers.push_back(point(end, k + 1));
    for (std::size_t n = 0; n < size; ++n) {
      const int from = ends[n], to = ends[(n + 1) % size];
      numbers.insert(numbers.end(),
                     {4, point(from, k), point(to, k), point(to, k + 1), point(from, k + 1)});
    }
  }

  void write_face_offsets(std::ostream& stream) const {
    std::int64_t offset = 0;
    for (int c = 0; c < m_polygons.size(); ++c) {
      Numbers offsets(num_levels(), -1);
      if (is_polyhedron(c)) {
        const auto size = static_cast<std::int64_t>(num_face_numbers(m_polygons.of(c).size()));
        for (std::int64_t& end : offsets) end = offset += size;
      }
      AppendedArrays::put(stream, offsets);
    }
  }

  const CellPolygons& m_polygons;
  const VerticalGrid& m_grid;
  std::size_t m_face_numbers = 0;  // of one level
};

template <class Scalar>
std::string add_field(AppendedArrays& arrays, const ColumnField<Scalar>& field, int num_columns,
                      std::size_t num_levels) {
  const char* type = std::is_same_v<Scalar, float> ? "Float32" : "Float64";
  const auto size = static_cast<std::size_t>(num_columns) * num_levels * sizeof(Scalar);
  return arrays.add(type, field.name, 1, size, [&field, num_columns, num_levels](auto& stream) {
    std::vector<Scalar> values(num_levels);
    for (int c = 0; c < num_columns; ++c) {
      field.values_of(c, values.data());
      AppendedArrays::put(stream, values);
    }
  });
}

}  // namespace

template <class Scalar>
void write_column_vtu_file(const std::filesystem::path& path, const CellPolygons& polygons,
                           const VerticalGrid& grid,
                           const std::vector<ColumnField<Scalar>>& fields) {
  const PrismCells cells(polygons, grid);
  AppendedArrays arrays;
  std::string head = Impl::vtu_head(cells.num_points(), cells.num_cells()) + "<CellData>\n";
  for (const auto& field : fields) {
    head += add_field(arrays, field, polygons.size(), cells.num_levels());
  }
  head += "</CellData>\n" + cells.add_to(arrays) + Impl::vtu_data;

  PendingFile pending(path);
  std::ofstream stream(pending.temporary(), std::ios::binary);
  stream << head;
  arrays.write(stream);
  stream << Impl::vtu_end;
  stream.close();
  if (!stream) throw pending.write_error();
  pending.commit();
}

#define LAMINA_COLUMN_VTU(Scalar)                                                                \
  template void write_column_vtu_file<Scalar>(const std::filesystem::path&, const CellPolygons&, \
                                              const VerticalGrid&,                               \
                                              const std::vector<ColumnField<Scalar>>&);
LAMINA_COLUMN_VTU(float)
LAMINA_COLUMN_VTU(double)

}  // namespace Lamina
