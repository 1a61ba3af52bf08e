// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/grids/CellPolygons.hpp>
#include <lamina/grids/VerticalGrid.hpp>
#include <lamina/io/ColumnField.hpp>

#include <filesystem>
#include <vector>

namespace Lamina {

/// Writes fields on columns as an unstructured grid of VTK (`.vtu`), which ParaView opens: each level
/// of each column is a cell between two interfaces, and fields are data of cells. Cells on triangles,
/// quadrilaterals, pentagons and hexagons are prisms, others polyhedra. Cell num_levels * c + k is
/// level k of column c.
///
/// In a shell, points are those of the polygons times the radius of an interface; on a plane, the
/// interface is their z. Numbers are binary, in the byte order of this machine.
///
/// The file appears when complete; until then an existing one stays, see `PendingFile`.
/// Source: VTK File Formats, "XML file formats", appended raw data.
/// \throws FileError where it cannot be written.
/// \throws InvalidArgument for a polygon of fewer than three corners, or of corners that are no points.
template <class Scalar>
void write_column_vtu_file(const std::filesystem::path& path, const CellPolygons& polygons,
                           const VerticalGrid& grid,
                           const std::vector<ColumnField<Scalar>>& fields);

}  // namespace Lamina
