// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/blocks/Colouring.hpp>

#include <array>
#include <cstdint>
#include <filesystem>
#include <vector>

namespace Lamina {

/// The points of a mesh of tetrahedra, and which of them share an edge. Nodes of the file that no
/// tetrahedron uses are left out; the others follow in the order of their tags.
struct GmshMesh {
  std::vector<std::int64_t> tags;  ///< of the points, ascending
  std::vector<std::array<double, 3>> points;
  BlockGraph graph;  ///< row i is point i, coupled along the edges of the tetrahedra
  std::int64_t num_tetrahedra = 0;
};

/// Reads a mesh in the ASCII format MSH 4.1 of Gmsh (`gmsh -3 mesh.geo -format msh41`). Tetrahedra
/// are the elements of type 4; others, and sections other than $Nodes and $Elements, are skipped.
/// Source: Gmsh Reference Manual, "MSH file format".
/// \throws FileError, with the line at fault, for files of another format or version and for binary
///   ones; for nodes and tetrahedra whose tags are out of the range that the file states, or appear
///   twice; for elements with unknown nodes; for coordinates that are not finite; for numbers of
///   nodes and elements that are not what the file states; and for meshes without tetrahedra.
GmshMesh read_gmsh(const std::filesystem::path& file);

}  // namespace Lamina
