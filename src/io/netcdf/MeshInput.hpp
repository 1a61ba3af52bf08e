// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/io/MeshFile.hpp>
#include <lamina/io/NetcdfReader.hpp>

#include <array>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace Lamina {

/// A mesh in a NetCDF file, of which whole variables are read.
class MeshInput {
 public:
  using Point = std::array<double, 3>;

  /// The library gets the limits that the largest of these variables needs.
  /// \param most_values  of any variable that is read
  /// \throws FileError with variable and shape where one has more
  MeshInput(const std::filesystem::path& path, const std::vector<std::string>& variables,
            std::size_t most_values);

  const NetcdfReader& file() const { return m_file; }
  [[noreturn]] void fail(const std::string& problem) const;

  bool has(const std::string& name) const { return m_file.find_variable(name).has_value(); }
  /// \throws FileError where there is none
  int number_of(const std::string& name) const;

  /// \param extents  as they must be; 0: any
  std::vector<double> values(const std::string& name, std::vector<std::size_t> extents,
                             NetcdfReader::Missing missing = NetcdfReader::Missing::refused) const;
  /// The same, all finite.
  std::vector<double> finite(const std::string& name, std::size_t extent) const;
  /// The same, all positive and finite.
  std::vector<double> sizes(const std::string& name, std::size_t extent) const;
  /// Refuses a value of a variable that is not positive and finite.
  void require_size(const std::string& name, std::size_t index, double value) const;

  /// At least one.
  void require_cells(const std::string& name, std::size_t num_cells) const;

  /// Points of the unit sphere, from radians.
  std::vector<Point> sphere_points(const std::string& longitude, const std::string& latitude,
                                   std::size_t extent, double radians_of_unit = 1) const;

 private:
  std::size_t m_most_values;
  NetcdfReader m_file;
};

/// The table of a variable of corners, one row for each cell.
struct CornerTable {
  std::string name;
  std::vector<double> numbers;        ///< NaN: none
  std::size_t most;                   ///< corners of a row
  std::vector<std::size_t> counts{};  ///< of each row; empty: corners end at a NaN
  int first = 1;                      ///< the number of the first point
  int none = 0;                       ///< stands for no corner, where it is below `first`
};

/// The rows as polygons that are counter-clockwise. A corner that comes twice in succession is one.
/// \throws FileError with variable and cell for points that do not exist, and fewer than 3 corners
CellPolygons polygons_of(const MeshInput& input, const CornerTable& table,
                         std::vector<MeshInput::Point> points, const ColumnCentres& centres);

/// The variable that describes a mesh of faces; none: there is none.
std::optional<int> find_ugrid_topology(const NetcdfReader& file);

/// A mesh of the conventions of UGRID.
/// \param topology  the variable that describes it
MeshFile read_ugrid_mesh(const std::filesystem::path& path, int topology, std::size_t most_values);

}  // namespace Lamina
