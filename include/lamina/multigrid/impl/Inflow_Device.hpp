// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// What enters a column from its neighbours, at several levels at once: a thread of a device goes from neighbour to
// neighbour. It looks up an edge once, and many loads are in flight at a time.

#include <lamina/columns/impl/LevelsFrom.hpp>
#include <lamina/core/impl/ExtentOf.hpp>
#include <lamina/device/impl/Backend.hpp>
#include <lamina/multigrid/impl/Tuning.hpp>
#include <lamina/sweeps/ColumnSystem.hpp>
#include <lamina/sweeps/impl/HeldColumn.hpp>

#include <cstddef>

namespace Lamina::Impl {

/// Couplings of an edge at levels of a segment.
template <class Coefficients>
struct SegmentCouplings {
  using Scalar = typename Coefficients::scalar_type;
  const Coefficients& coefficients;
  HeldColumn<Coefficients, 0> held;
  int slot, first;

  KOKKOS_FORCEINLINE_FUNCTION bool exists() const { return slot >= 0; }
  KOKKOS_FORCEINLINE_FUNCTION Scalar operator()(int n) const {
    return held.coupling(coefficients, slot, first + n);
  }
};
/// \param slot  -1: there is none
template <class Coefficients>
KOKKOS_FORCEINLINE_FUNCTION auto segment_couplings(const Coefficients& coefficients, int column,
                                                   int slot, int first) {
  if constexpr (requires { coefficients.edge_segment(column, slot, first); }) {
    return coefficients.edge_segment(column, slot, first);
  } else {
    return SegmentCouplings<Coefficients>{coefficients, hold_column<0>(coefficients, column), slot,
                                          first};
  }
}

/// What a thread subtracts from the values of neighbours: nothing, or its own value.
struct NoDifference {
  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value operator()(const Value& other, std::size_t) const {
    return other;
  }
};
template <class Value, std::size_t Levels>
struct DifferenceTo {
  const Value (&own)[Levels];
  KOKKOS_FORCEINLINE_FUNCTION Value operator()(const Value& other, std::size_t n) const {
    return other - own[n];
  }
};

/// to_n += sum_s coupling_s difference(x_s), from the neighbours s of a column, at levels first + n. The last of `count`
/// levels is taken again for those behind it, `count` > 0: nothing is branched upon, and all loads of several neighbours
/// are in flight at once.
template <class Coefficients, class FieldType, class Difference, class Value, std::size_t Levels>
KOKKOS_FORCEINLINE_FUNCTION void add_inflow(const ColumnSystem<Coefficients>& system,
                                            const FieldType& x, int column, int first, int count,
                                            const Difference& difference, Value (&to)[Levels]) {
  constexpr int together = InflowTuning::neighbours<Value, static_cast<int>(Levels)>;
  const int slots = static_cast<int>(system.topology.neighbours.extent(1));
  int level[Levels];
  LAMINA_DEVICE_UNROLL()
  for (std::size_t n = 0; n < Levels; ++n) {
    level[n] = static_cast<int>(n) < count ? static_cast<int>(n) : count - 1;
  }
  LAMINA_DEVICE_UNROLL(1)
  for (int slot = 0; slot < slots; slot += together) {
    Value other[extent_of<together>][Levels], coupling[extent_of<together>][Levels];
    LAMINA_DEVICE_UNROLL()
    for (int s = 0; s < together; ++s) {
      const bool exists = slot + s < slots;
      const LevelsFrom<Value> from(
          x, exists ? system.topology.neighbours(column, slot + s) : column, first);
      const auto couplings =
          segment_couplings(system.coefficients, column, exists ? slot + s : -1, first);
      LAMINA_DEVICE_UNROLL()
      for (std::size_t n = 0; n < Levels; ++n) {
        other[s][n] = couplings.exists() ? from(level[n]) : Value(0);
        coupling[s][n] = couplings.exists() ? static_cast<Value>(couplings(level[n])) : Value(0);
      }
    }
    LAMINA_DEVICE_UNROLL()
    for (int s = 0; s < together; ++s) {
      LAMINA_DEVICE_UNROLL()
      for (std::size_t n = 0; n < Levels; ++n) {
        to[n] += coupling[s][n] * difference(other[s][n], n);
      }
    }
  }
}

}  // namespace Lamina::Impl
