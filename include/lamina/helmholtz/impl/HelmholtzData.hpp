// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/grids/impl/ColumnPacks.hpp>

namespace Lamina::Impl {

/// The vertical vectors at one level, together: a device fetches them at once.
template <class Scalar>
struct alignas(4 * sizeof(Scalar)) LevelCoefficients {
  Scalar above, below, scale, inverse_scale;
};

/// Geometry and vertical vectors of `HelmholtzOperator`, rounded to `Scalar`; names as in its
/// header.
template <class Scalar, class Memory>
struct HelmholtzData {
  int num_owned = 0, num_columns = 0, num_levels = 0;

  // (owned column)
  Kokkos::View<const Scalar*, Memory> area;       // |T|
  Kokkos::View<const Scalar*, Memory> diffusion;  // (sum_n alpha_n + alpha_b) / |T|
  Kokkos::View<const Scalar*, Memory> boundary;   // alpha_b
  // (owned column, slot)
  Kokkos::View<const int**, Kokkos::LayoutLeft, Memory> neighbours;
  Kokkos::View<const Scalar**, Kokkos::LayoutLeft, Memory> couplings;  // alpha_n
  // (level)
  Kokkos::View<const Scalar*, Memory> mass;           // a'
  Kokkos::View<const Scalar*, Memory> above;          // b', couples to level k + 1
  Kokkos::View<const Scalar*, Memory> below;          // c', couples to level k - 1
  Kokkos::View<const Scalar*, Memory> scale;          // d
  Kokkos::View<const Scalar*, Memory> inverse_scale;  // 1 / d

  // The same for devices; levels from num_levels on hold zeros.
  Kokkos::View<const LevelCoefficients<Scalar>*, Memory> levels;
  ColumnPacks<Scalar, Memory> packs;
  ColumnEdges<Scalar, Memory> edges;  // see there where it is empty

  /// What the kernels read once per column and once per launch, beside the fields.
  double stencil_bytes() const {
    const double slots = static_cast<double>(neighbours.extent(1));
    return num_owned * (2 * sizeof(Scalar) + slots * (sizeof(Scalar) + sizeof(int))) +
           4.0 * num_levels * sizeof(Scalar);
  }
  double line_bytes() const {
    return num_owned * 2.0 * sizeof(Scalar) + 4.0 * num_levels * sizeof(Scalar);
  }
  double cells() const { return static_cast<double>(num_owned) * num_levels; }
};

}  // namespace Lamina::Impl
