// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/columns/CubedSpherePanel.hpp>
#include <lamina/columns/VerticalGrid.hpp>
#include <lamina/io/NetcdfFile.hpp>

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

/// Checks that `path` is a NetCDF file whose variable `name` has the dimensions (x, y, level) and
/// the extents of the panel and `num_levels`, without reading its values. \throws FileError where
/// it is not.
void require_panel_variable(const std::filesystem::path& path, const std::string& name,
                            const CubedSpherePanel& panel, int num_levels);

/// Reads variable `name`, as `write_panel_file` writes it, slab by slab.
/// \throws FileError as `require_panel_variable`, and for a value that is missing or not finite.
void read_panel_variable(const std::filesystem::path& path, const std::string& name,
                         const CubedSpherePanel& panel, int num_levels,
                         const PanelSlab<const double>& slab);

/// The version of the NetCDF library in use.
std::string netcdf_version();

}  // namespace Lamina
