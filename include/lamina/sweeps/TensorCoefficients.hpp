// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/grids/impl/ColumnPacks.hpp>
#include <lamina/sweeps/ColumnSystem.hpp>

namespace Lamina {

/// The vertical vectors at one level, together: a device fetches them at once.
template <class Scalar>
struct alignas(4 * sizeof(Scalar)) LevelCoefficients {
  Scalar above, below, scale, inverse_scale;
};

/// The tensor product of `HelmholtzOperator`: geometry of columns times vectors over the levels,
/// rounded to `Scalar`. Names are those of its header.
template <class Scalar, class Memory>
struct TensorCoefficients {
  using scalar_type = Scalar;
  using memory_space = Memory;
  static constexpr double fields = 0;

  // (owned column)
  Kokkos::View<const Scalar*, Memory> area;       // |T|
  Kokkos::View<const Scalar*, Memory> diffusion;  // (sum_n alpha_n + alpha_b) / |T|
  Kokkos::View<const Scalar*, Memory> boundary;   // alpha_b
  // (owned column, slot)
  Kokkos::View<const Scalar**, Kokkos::LayoutLeft, Memory> couplings;  // alpha_n
  // (level)
  Kokkos::View<const Scalar*, Memory> mass;           // a'
  Kokkos::View<const Scalar*, Memory> above;          // b', couples to level k + 1
  Kokkos::View<const Scalar*, Memory> below;          // c', couples to level k - 1
  Kokkos::View<const Scalar*, Memory> scale;          // d
  Kokkos::View<const Scalar*, Memory> inverse_scale;  // 1 / d

  // The same for devices; levels from num_levels on hold zeros.
  Kokkos::View<const LevelCoefficients<Scalar>*, Memory> levels;
  Impl::ColumnPacks<Scalar, Memory> packs;
  Impl::ColumnEdges<Scalar, Memory> edges;  // see there where it is empty

  KOKKOS_FUNCTION CellRow<Scalar> row(int column, int level) const {
    const Scalar vertical = -scale(level) * area(column);
    return {scale(level) * (area(column) * mass(level) - boundary(column)), vertical * above(level),
            vertical * below(level)};
  }
  KOKKOS_FUNCTION Scalar coupling(int column, int slot, int level) const {
    return -scale(level) * couplings(column, slot);
  }

  /// Bytes that a sweep with couplings reads once per column and once per launch, beside fields.
  double stencil_bytes() const {
    const double slots = static_cast<double>(couplings.extent(1));
    return num_owned() * (2 * sizeof(Scalar) + slots * (sizeof(Scalar) + sizeof(int))) +
           vector_bytes();
  }
  /// The same of a line solve.
  double line_bytes() const { return num_owned() * 2.0 * sizeof(Scalar) + vector_bytes(); }

 private:
  double num_owned() const { return static_cast<double>(area.extent(0)); }
  double vector_bytes() const { return 4.0 * static_cast<double>(mass.extent(0)) * sizeof(Scalar); }
};

/// A tensor product on the columns of a mesh.
template <class Scalar, class Memory>
using TensorSystem = ColumnSystem<TensorCoefficients<Scalar, Memory>>;

}  // namespace Lamina
