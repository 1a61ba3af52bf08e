// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/grids/CubedSpherePanel.hpp>
#include <lamina/grids/VerticalGrid.hpp>
#include <lamina/io/NetcdfFile.hpp>
#include <lamina/io/NetcdfReader.hpp>

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace Lamina {

/// A field on a panel as files hold it: `slab(i, values)` moves the cells (i, j, k) of one i from
/// or to values[num_levels * j + k]. No copy of the whole field is made, whatever its layout.
template <class Scalar>
using PanelSlab = std::function<void(int i, Scalar* values)>;

/// The slabs of a host field (column, level), for writing. The field must outlive the result.
template <class HostField>
auto slabs_of(const CubedSpherePanel& panel, const HostField& field) {
  using Scalar = typename HostField::non_const_value_type;
  return PanelSlab<Scalar>([panel, &field](int i, Scalar* values) {
    for (int j = 0; j < panel.num_y(); ++j) {
      for (std::size_t k = 0; k < field.extent(1); ++k) *values++ = field(panel.column(i, j), k);
    }
  });
}

/// A rectangle of the cells of a panel: first_x <= i < first_x + num_x, and so in y.
struct PanelBlock {
  int first_x = 0, first_y = 0, num_x = 0, num_y = 0;
};

/// A field to be written. CF attributes: `cell_methods` says whether values are cell averages
/// ("area: mean level: mean") or integrals ("area: sum level: sum").
template <class Scalar>
struct PanelVariable {
  std::string name, long_name, cell_methods;
  PanelSlab<Scalar> slab;
};

/// Writes fields on one panel of the cubed sphere as NetCDF-4 with CF-1.8 conventions.
///
/// Dimensions `x`, `y`, `level`; cell centres `longitude(x, y)`, `latitude(x, y)` in degrees and
/// their corners `longitude_bounds(x, y, nv)`, `latitude_bounds(x, y, nv)`, counter-clockwise;
/// `level(level)`, the middle radius of each level in units of the planet's radius, and
/// `level_bounds(level, bounds)`, its interfaces; `area(x, y)` on the unit sphere and
/// `level_volume(level)`, whose product is the volume of a cell; and the given variables (x, y,
/// level), float or double as `Scalar`.
///
/// The file appears when complete; until then an existing one stays, see `PendingFile`.
/// \throws FileError where it cannot be written.
template <class Scalar>
void write_panel_file(const std::filesystem::path& path, const CubedSpherePanel& panel,
                      const VerticalGrid& grid, const std::vector<FileAttribute>& attributes,
                      const std::vector<PanelVariable<Scalar>>& variables);

/// A variable (x, y, level) of a file, as `write_panel_file` writes it.
class PanelReader {
 public:
  /// Opens the file and checks the variable without reading its values. A child process reads, see
  /// `NetcdfReader` on when to make one.
  /// \throws FileError where `path` is no NetCDF file, or its variable `name` has other dimensions
  ///   than (x, y, level), other extents than those of the panel and `num_levels`, or no numbers
  PanelReader(const std::filesystem::path& path, const std::string& name,
              const CubedSpherePanel& panel, int num_levels);

  /// Reads all values, slab by slab; may be called again.
  /// \throws FileError for a value that is missing or not finite
  void read(const PanelSlab<const double>& slab) const;
  /// Reads a part: slab(i, values) gets the cells of the block with this i,
  /// values[num_levels * (j - first_y) + k].
  /// \param block  within the panel
  void read(const PanelBlock& block, const PanelSlab<const double>& slab) const;

 private:
  NetcdfReader m_file;
  std::string m_name;
  std::size_t m_num_x, m_num_y, m_num_levels;
  int m_variable;
};

/// The version of the NetCDF library in use.
std::string netcdf_version();

}  // namespace Lamina
