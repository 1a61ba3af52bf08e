// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// What kernels of a device know of `StoredCoefficients`. <z, A z>, where columns are contiguous: each edge is read once.

#include <lamina/columns/impl/LineRow.hpp>
#include <lamina/columns/impl/ListedColumnEdges.hpp>
#include <lamina/core/Concepts.hpp>
#include <lamina/core/impl/ExtentOf.hpp>
#include <lamina/device/impl/Backend.hpp>
#include <lamina/sweeps/ColumnSystem.hpp>
#include <lamina/sweeps/impl/EdgeSums_Device.hpp>

#include <type_traits>

namespace Lamina {

template <FieldScalar Scalar, MemorySpace Memory, FieldLayout Layout, FieldScalar Value>
class StoredCoefficients;

namespace Impl {

/// Row sums and couplings are as they are stored.
template <class Scalar, class Memory, class Layout, class Stored>
struct KeptRow<StoredCoefficients<Scalar, Memory, Layout, Stored>> {
  using type = std::conditional_t<sizeof(Stored) < sizeof(Scalar), Stored, Scalar>;
};

/// The edges that a column lists, of which a thread holds `Held`. `More`: it may list any number.
template <class Coefficients, int Held, bool More = false>
struct StoredSides {
  static constexpr EdgeSumTuning::Levels tuning =
      sizeof(typename Coefficients::value_type) < sizeof(typename Coefficients::scalar_type)
          ? EdgeSumTuning::narrow_stored_sides
          : EdgeSumTuning::stored_sides;
  static constexpr int together = tuning.together, ahead = tuning.ahead,
                       least_teams = tuning.least_teams;
  using System = ColumnSystem<Coefficients>;
  using Scalar = typename Coefficients::scalar_type;
  using Value = Pack<Scalar, 1>;
  int column;
  int neighbour[extent_of<Held>], edge[extent_of<Held>];

  static int count(const System& system) { return system.topology.num_owned; }

  StoredSides() = default;
  KOKKOS_FUNCTION StoredSides(const System& system, int item) : column(item) {
    const auto& listed = system.coefficients.listed();
    for (int n = 0; n < Held; ++n) {
      neighbour[n] = listed.neighbours(item, n);
      edge[n] = listed.edges(item, n);
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION int columns() const { return column; }
  template <class Source>
  KOKKOS_FORCEINLINE_FUNCTION Value add_edges(const System& system, Value terms,
                                              const Source& source, Scalar unit, int level,
                                              int of_mesh, const Value& x) const {
    // Without a branch between loads: an absent neighbour is the column itself.
    Scalar other[extent_of<Held>];
    LAMINA_DEVICE_UNROLL()
    for (int n = 0; n < Held; ++n) {
      other[n] = unit * source.template value<Scalar>(neighbour[n], level);
    }
    typename Coefficients::value_type coupling[extent_of<Held>];
    LAMINA_DEVICE_UNROLL()
    for (int n = 0; n < Held; ++n) {
      coupling[n] = system.coefficients.value_of_edge(edge[n], of_mesh);
    }
    LAMINA_DEVICE_UNROLL()
    for (int n = 0; n < Held; ++n) {
      const Scalar apart = other[n] - x[0];
      terms[0] += static_cast<Scalar>(coupling[n]) * (apart * apart);
    }
    if constexpr (More) {
      const auto& listed = system.coefficients.listed();
      for (int n = Held; n < static_cast<int>(listed.edges.extent(1)); ++n) {
        const int of_slot = listed.edges(column, n);
        if (of_slot < 0) continue;
        const Scalar apart =
            unit * source.template value<Scalar>(listed.neighbours(column, n), level) - x[0];
        terms[0] += system.coefficients.of_edge(of_slot, of_mesh) * (apart * apart);
      }
    }
    return terms;
  }
};

template <class Scalar, class Memory, class Layout, class Stored, class Value>
struct SummedColumns<StoredCoefficients<Scalar, Memory, Layout, Stored>, Value> {
  using Coefficients = StoredCoefficients<Scalar, Memory, Layout, Stored>;

  int column;

  SummedColumns() = default;
  KOKKOS_FORCEINLINE_FUNCTION SummedColumns(const Coefficients&, int own) : column(own) {}

  KOKKOS_FORCEINLINE_FUNCTION static int of_mesh(const Coefficients&) { return 0; }
  KOKKOS_FORCEINLINE_FUNCTION CellRow<Scalar> at_level(const Coefficients& stored,
                                                       int level) const {
    return stored.row(column, level);
  }
  template <class System, class Sides, class Source>
  KOKKOS_FORCEINLINE_FUNCTION void add_level(const System& system, const Sides& sides, int,
                                             const CellRow<Scalar>& row, const Source& source,
                                             Scalar unit, int k, int level, const Value& x,
                                             const Value& above, double& sum) const {
    const Value up = above - x;
    const Value of_column = row.mass * (x * x) + row.above * (up * up);
    const Value terms = sides.add_edges(system, of_column, source, unit, k, level, x);
    sum += static_cast<double>(terms[0]);
  }
};

template <class Scalar, class Memory, class Layout, class Stored>
struct ListedSides<StoredCoefficients<Scalar, Memory, Layout, Stored>> {
  using Coefficients = StoredCoefficients<Scalar, Memory, Layout, Stored>;
  static constexpr int most = static_cast<int>(ListedEdges::most);
  using Two = StoredSides<Coefficients, 2>;
  using Few = StoredSides<Coefficients, most>;
  using Many = StoredSides<Coefficients, most, true>;
  static int slots(const ColumnSystem<Coefficients>& system) {
    return static_cast<int>(system.coefficients.listed().edges.extent(1));
  }
};

}  // namespace Impl
}  // namespace Lamina
