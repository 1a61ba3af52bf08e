// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/blocks/Colouring.hpp>

#include <cstdint>
#include <vector>

namespace Lamina {

/// A mesh like those of unstructured solvers, of any size: the vertices of a box of NX x NY x NZ
/// cut into tetrahedra after Freudenthal (1942) and Kuhn, numbered at random. Inside, a vertex is
/// coupled with 14 others, by +-(1,0,0), (0,1,0), (0,0,1), (1,1,0), (1,0,1), (0,1,1), (1,1,1).
///
/// Vertex (i, j, k) has the lattice id (i NY + j) NZ + k; vertices are sorted by the hash
/// splitmix64 of their id.
class FreudenthalMesh {
 public:
  /// \throws InvalidArgument for extents below 1, and for 2^31 vertices and more.
  FreudenthalMesh(std::int64_t num_x, std::int64_t num_y, std::int64_t num_z);

  const BlockGraph& graph() const { return m_graph; }
  /// The lattice id of each row.
  const std::vector<int>& lattice_ids() const { return m_lattice_ids; }

 private:
  BlockGraph m_graph;
  std::vector<int> m_lattice_ids;
};

}  // namespace Lamina
