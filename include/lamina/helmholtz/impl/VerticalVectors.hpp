// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/grids/VerticalGrid.hpp>

#include <vector>

namespace Lamina {

struct HelmholtzParameters;

namespace Impl {

/// The vertical vectors of `HelmholtzOperator` in double precision.
struct VerticalVectors {
  std::vector<double> mass;           ///< a'_k
  std::vector<double> above;          ///< b'_k, 0 at the top
  std::vector<double> below;          ///< c'_k, 0 at the bottom
  std::vector<double> scale;          ///< d_k
  std::vector<double> inverse_scale;  ///< 1 / d_k

  /// \throws InvalidArgument for parameters out of range, as `HelmholtzOperator`.
  VerticalVectors(const VerticalGrid& grid, const HelmholtzParameters& parameters);
};

}  // namespace Impl
}  // namespace Lamina
