// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/io/MeshCells.hpp>

#include <optional>

namespace Lamina::Impl {

/// What Gmsh's number of a type of elements stands for. The corners of an element are the first of
/// its nodes, whatever its order.
struct GmshElementType {
  int num_nodes;
  std::optional<CellKind> cell;  ///< of volume elements
};

/// Nothing for types that are not known here.
/// Source: Gmsh Reference Manual, "MSH file format", and GmshDefines.h for orders beyond.
std::optional<GmshElementType> find_gmsh_element_type(long long number);

}  // namespace Lamina::Impl
