// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

namespace Lamina {

/// How the kernels of `PoissonOperator` and `FusedPoisson` read the points of the five-point stencil.
enum class StencilMemory {
  global,     ///< each neighbour of a point from global memory, through the caches
  texture1d,  ///< as `global`, but through texture objects of linear memory
  texture2d,  ///< as `global`, but through two-dimensional texture objects
  shared,     ///< from tiles with a margin of one point, which a device copies to scratch memory
              ///< first; on CPU cores as `global`
  automatic,  ///< on a device, threads walk across the lines and keep in registers what they have
              ///< read; on CPU cores as `global`, with vectors along the lines
};

}  // namespace Lamina
