// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/grids/CellPolygons.hpp>
#include <lamina/grids/VerticalGrid.hpp>
#include <lamina/io/ColumnField.hpp>
#include <lamina/io/NetcdfFile.hpp>
#include <lamina/io/NetcdfReader.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace Lamina {

/// A horizontal grid as a file of fields holds it. All lists are in the order of the file.
struct UgridMesh {
  CellPolygons polygons;
  ColumnCentres centres;
  std::vector<double> areas;
};

/// Writes fields on columns as NetCDF-4 with the conventions CF-1.8 and UGRID-1.0: what xarray,
/// uxarray and others open as data on faces.
///
/// Dimensions `face`, `node`, `corner`, `level`. `mesh` names the topology: `face_nodes(face, corner)`
/// from 0, counter-clockwise, -1 behind the last corner; on a sphere `node_longitude(node)`,
/// `node_latitude(node)` and the centres `longitude(face)`, `latitude(face)` in degrees, on a plane
/// `node_x`, `node_y`, `x`, `y`. Lengths and areas of a plane are in the unit of the mesh, which is not
/// known: they have no `units`. Then `area(face)`, on the unit sphere; `level`, `level_bounds` and
/// `level_volume` as in `write_panel_file`; and the given fields (face, level), float or double as
/// `Scalar`, with `_FillValue` NaN where values may be missing.
///
/// The file appears when complete; until then an existing one stays, see `PendingFile`.
/// Source: UGRID Conventions 1.0, "2D flexible mesh topology".
/// \throws FileError where it cannot be written.
/// \throws InvalidArgument unless there are as many polygons, centres and areas.
template <class Scalar>
void write_ugrid_file(const std::filesystem::path& path, const UgridMesh& mesh,
                      const VerticalGrid& grid, const std::vector<FileAttribute>& attributes,
                      const std::vector<ColumnField<Scalar>>& fields);

/// A variable (face, level) of a file, as `write_ugrid_file` writes it.
class UgridFieldReader {
 public:
  /// Opens the file and checks the variable without reading its values. A child process reads, see
  /// `NetcdfReader` on when to make one.
  /// \throws FileError where `path` is no NetCDF file, or its variable `name` is missing, has other
  ///   dimensions than (face, level) of these lengths, or no numbers
  UgridFieldReader(const std::filesystem::path& path, const std::string& name, int num_faces,
                   int num_levels, NetcdfReader::Missing missing = NetcdfReader::Missing::refused);

  /// Reads all values, face by face; may be called again.
  /// \throws FileError for a value that is missing or not finite, unless missing ones become NaN
  void read(const ColumnValues<const double>& take) const;

 private:
  NetcdfReader m_file;
  std::string m_name;
  std::size_t m_num_faces, m_num_levels;
  int m_variable;
  NetcdfReader::Missing m_missing;
};

}  // namespace Lamina
