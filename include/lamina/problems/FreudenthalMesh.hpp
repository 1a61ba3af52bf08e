// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/blocks/Colouring.hpp>

#include <cstdint>
#include <vector>

namespace Lamina {

/// A mesh of any size that resembles those of unstructured solvers: the NX x NY x NZ vertices of a
/// box that is cut into tetrahedra after Freudenthal (1942) and Kuhn, in random order. An interior
/// vertex is coupled with 14 others, at +-(1,0,0), (0,1,0), (0,0,1), (1,1,0), (1,0,1), (0,1,1),
/// (1,1,1).
///
/// Vertex (i, j, k) has the lattice id (i NY + j) NZ + k. Vertices are sorted by the hash
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
