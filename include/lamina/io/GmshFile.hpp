// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/blocks/Colouring.hpp>
#include <lamina/io/MeshCells.hpp>

#include <array>
#include <cstdint>
#include <filesystem>
#include <vector>

namespace Lamina {

/// The corners of the volume elements of a mesh, and which of them share an edge. Nodes that are no
/// corner of a volume element are left out; the others follow in the order of their tags.
struct GmshMesh {
  std::vector<std::int64_t> tags;  ///< of the points, ascending
  std::vector<std::array<double, 3>> points;
  BlockGraph graph;  ///< row i is point i, coupled along the edges of the elements
  MeshCells cells;   ///< in the order of their tags
};

/// Reads a mesh of Gmsh, MSH 4.1 or 2, ASCII or binary. Volume elements are tetrahedra, hexahedra,
/// prisms and pyramids, mixed as they may be; those of higher order count by their corners. Lines,
/// surfaces, points, and sections other than $Nodes and $Elements are skipped.
/// Source: Gmsh Reference Manual, "MSH file format".
/// \throws FileError with the line or byte at fault, for files of other formats, versions and byte
///   orders; for types of elements that are not known; for nodes and elements whose tags are out of
///   the range that the file states; for tags that come again with other content; for elements with
///   unknown nodes or one corner twice; for coordinates that are not finite; for numbers of nodes
///   and elements that are not what the file states; and for meshes without volume elements.
GmshMesh read_gmsh(const std::filesystem::path& file);

}  // namespace Lamina
