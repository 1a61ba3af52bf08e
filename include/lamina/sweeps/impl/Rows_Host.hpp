// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Rows of an operator in vector lanes, for sweeps on CPU cores: along the levels of one column, or
// along neighbouring columns of one level. `image(...)` is (A x) of cells, from their values x, the
// values above and below, and those that the source has for their neighbours.

#include <lamina/core/impl/ExtentOf.hpp>
#include <lamina/device/impl/Access.hpp>
#include <lamina/device/impl/Lanes_Host.hpp>
#include <lamina/sweeps/ColumnSystem.hpp>
#include <lamina/sweeps/TensorCoefficients.hpp>
#include <lamina/sweeps/impl/Cells_Host.hpp>
#include <lamina/sweeps/impl/TensorImage.hpp>
#include <lamina/sweeps/impl/Tuning.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace Lamina::Impl {
inline namespace LAMINA_LANES {

/// How far ahead sweeps ask for data, in values.
template <class Scalar>
inline constexpr std::int64_t host_prefetch_distance = HostSweepTuning::bytes_ahead /
                                                       sizeof(Scalar);

/// coupling * difference. That of a single cell is rounded before it is added: it then is, with the
/// other sign, what the neighbour receives, and cancels in sums over cells. A fused multiply-add would
/// leave its rounding there, which is all that holds the mean where couplings are large
/// (`RoundingError`).
template <class Coupling, class Value>
[[gnu::always_inline]] inline Value inflow(const Coupling& coupling, const Value& difference) {
  Value product = coupling * difference;
  if constexpr (std::is_arithmetic_v<Value>) asm("" : "+m"(product));  // nothing is fused across it
  return product;
}

/// Slots of a column up to its last neighbour. Those behind hold the column itself: they add nothing.
inline int used_slots(const ColumnTopology<Kokkos::HostSpace>& topology, std::int64_t column) {
  auto slots = static_cast<int>(topology.neighbours.extent(1));
  while (slots > 0 && topology.neighbours(column, slots - 1) == column) --slots;
  return slots;
}
/// The same of the column among neighbouring columns that uses most.
template <class Scalar>
int used_slots_of_lanes(const ColumnTopology<Kokkos::HostSpace>& topology, std::int64_t column) {
  int slots = 0;
  for (int i = 0; i < lane_count<Scalar>; ++i) {
    slots = std::max(slots, used_slots(topology, column + i));
  }
  return slots;
}

/// Whether the neighbours of columns c, c + 1, ... follow each other in every slot.
template <class Scalar>
bool neighbours_contiguous(const ColumnTopology<Kokkos::HostSpace>& topology, std::int64_t column) {
  for (std::size_t n = 0; n < topology.neighbours.extent(1); ++n) {
    for (int i = 1; i < lane_count<Scalar>; ++i) {
      if (topology.neighbours(column + i, n) != topology.neighbours(column, n) + i) return false;
    }
  }
  return true;
}

/// What a source has for the neighbours, in one slot, of neighbouring columns.
template <class Scalar, class Source>
Lanes<Scalar> neighbour_lanes(const ColumnTopology<Kokkos::HostSpace>& topology,
                              const Source& source, std::int64_t column, int slot, int level,
                              bool contiguous) {
  if (contiguous) {
    return source.template value<Lanes<Scalar>>(topology.neighbours(column, slot), level);
  }
  return gather_lanes<Scalar>([&](int i) {
    return source.template value<Scalar>(topology.neighbours(column + i, slot), level);
  });
}

/// Neighbours of one column that sweeps hold, most meshes having fewer than the second number.
inline constexpr int quadrilateral = 4, most_held = 12;

/// The neighbours of one column. `Held`: so many, or up to so many, are held; 0: each is looked up.
template <int Held>
class HeldNeighbours {
 public:
  using Topology = ColumnTopology<Kokkos::HostSpace>;

  /// \param slots  that the column uses, see `used_slots`
  HeldNeighbours(const Topology& topology, std::int64_t column, int slots)
      : m_topology(topology), m_column(column), m_slots(slots) {
    if constexpr (Held > 0) {
      for (int n = 0; n < this->slots(); ++n) m_held[n] = topology.neighbours(column, n);
    }
  }
  /// A number that the compiler knows is worth unrolled loops: all four, used or not.
  int slots() const { return Held == quadrilateral ? Held : m_slots; }
  int operator[](int n) const {
    if constexpr (Held > 0) {
      return m_held[n];
    } else {
      return m_topology.neighbours(m_column, n);
    }
  }

 private:
  const Topology& m_topology;
  std::int64_t m_column;
  int m_slots;
  int m_held[extent_of<Held + 1>];
};

// --- Rows of a tensor product ---

/// One column. `Held`: see `HeldNeighbours`.
template <class Scalar, int Held>
class TensorColumn {
 public:
  using System = TensorSystem<Scalar, Kokkos::HostSpace>;

  /// \param slots  that the column uses, see `used_slots`
  TensorColumn(const System& system, std::int64_t column, int slots)
      : m_system(system),
        m_column(column),
        m_neighbours(system.topology, column, slots),
        m_area(system.coefficients.area(column)),
        m_boundary(system.coefficients.boundary(column)),
        m_mass(system.coefficients.mass.data()),
        m_above(system.coefficients.above.data()),
        m_below(system.coefficients.below.data()),
        m_scale(system.coefficients.scale.data()) {
    if constexpr (Held > 0) {
      for (int n = 0; n < m_neighbours.slots(); ++n) {
        m_couplings[n] = system.coefficients.couplings(column, n);
      }
    }
  }

  /// \param Value  lanes along the levels, or a scalar
  template <class Value, class Source>
  [[gnu::always_inline]] inline Value image(const Source& source, int k, const Value& x,
                                            const Value& above, const Value& below) const {
    const auto& couplings = m_system.coefficients.couplings;
    const int slots = m_neighbours.slots();
    Value flux = -m_boundary * x;
    for (int n = 0; n < slots; ++n) {
      const int neighbour = m_neighbours[n];
      const Scalar coupling = Held > 0 ? m_couplings[n] : couplings(m_column, n);
      // Neighbours are sorted: the last one is the one that no column before has touched.
      if (n == slots - 1) source.prefetch(neighbour, k, host_prefetch_distance<Scalar>);
      flux += inflow(coupling, source.template value<Value>(neighbour, k) - x);
    }
    return tensor_image<Value>(m_area, load<Value>(m_mass + k), load<Value>(m_above + k),
                               load<Value>(m_below + k), load<Value>(m_scale + k), x, above, below,
                               flux);
  }
  /// d_k sum_n alpha_n x_n, of the values of the neighbours alone.
  template <class Value, class Source>
  [[gnu::always_inline]] inline Value inflows(const Source& source, int k) const {
    const int slots = m_neighbours.slots();
    Value sum{};
    for (int n = 0; n < slots; ++n) {
      const int neighbour = m_neighbours[n];
      if (n == slots - 1) source.prefetch(neighbour, k, host_prefetch_distance<Scalar>);
      const Scalar coupling =
          Held > 0 ? m_couplings[n] : m_system.coefficients.couplings(m_column, n);
      sum += coupling * source.template value<Value>(neighbour, k);
    }
    return load<Value>(m_scale + k) * sum;
  }

 private:
  const System& m_system;
  std::int64_t m_column;
  HeldNeighbours<Held> m_neighbours;
  Scalar m_area, m_boundary;
  // Held here: stores to a field cannot change them.
  const Scalar *m_mass, *m_above, *m_below, *m_scale;
  Scalar m_couplings[extent_of<Held + 1>];
};

/// One level, for neighbouring columns. `Slots`: neighbours of a column; 0: as many as they use.
template <class Scalar, int Slots>
class TensorLevel {
 public:
  using System = TensorSystem<Scalar, Kokkos::HostSpace>;
  using Vector = Lanes<Scalar>;

  TensorLevel(const System& system, int k)
      : m_system(system),
        m_level(k),
        m_mass(system.coefficients.mass(k)),
        m_above(system.coefficients.above(k)),
        m_below(system.coefficients.below(k)),
        m_scale(system.coefficients.scale(k)) {}

  /// \param contiguous  see `neighbours_contiguous`
  /// \param used        see `used_slots_of_lanes`
  template <class Source>
  [[gnu::always_inline]] inline Vector image(const Source& source, std::int64_t column,
                                             bool contiguous, int used, const Vector& x,
                                             const Vector& above, const Vector& below) const {
    const auto& coefficients = m_system.coefficients;
    Vector flux = -read<Vector>(coefficients.boundary, column) * x;
    const int slots = Slots > 0 ? Slots : used;
    const auto add_slots = [&](const auto& neighbour) {
      for (int n = 0; n < slots; ++n) {
        flux += read<Vector>(coefficients.couplings, column, n) * (neighbour(n) - x);
      }
    };
    if (contiguous) {
      add_slots([&](int n) {
        return source.template value<Vector>(m_system.topology.neighbours(column, n), m_level);
      });
    } else {
      add_slots([&](int n) {
        return neighbour_lanes<Scalar>(m_system.topology, source, column, n, m_level, false);
      });
    }
    return tensor_image<Vector>(read<Vector>(coefficients.area, column), m_mass, m_above, m_below,
                                m_scale, x, above, below, flux);
  }

 private:
  const System& m_system;
  int m_level;
  Scalar m_mass, m_above, m_below, m_scale;
};

// --- Rows of any other operator, whose coefficients are asked for cell by cell ---

/// As `TensorColumn`.
template <class Coefficients, int Held>
class CellwiseColumn {
 public:
  using System = ColumnSystem<Coefficients>;
  using Scalar = typename Coefficients::scalar_type;

  CellwiseColumn(const System& system, std::int64_t column, int slots)
      : m_neighbours(system.topology, column, slots),
        m_cells(system.coefficients, column, m_neighbours.slots()) {}

  template <class Value, class Source>
  [[gnu::always_inline]] inline Value image(const Source& source, int k, const Value& x,
                                            const Value& above, const Value& below) const {
    const CellRow<Value> row = m_cells.template row<Value>(k);
    Value image = row.mass * x + row.above * (x - above) + row.below * (x - below);
    const int slots = m_neighbours.slots();
    if constexpr (requires { m_cells.prefetch(k, 0, slots); }) {
      m_cells.prefetch(k, host_prefetch_distance<Scalar>, slots);
    }
    for (int n = 0; n < slots; ++n) {
      const int neighbour = m_neighbours[n];
      if (n == slots - 1) source.prefetch(neighbour, k, host_prefetch_distance<Scalar>);
      image += inflow(m_cells.template coupling<Value>(n, k),
                      x - source.template value<Value>(neighbour, k));
    }
    return image;
  }

 private:
  HeldNeighbours<Held> m_neighbours;
  CellsOfColumn<Coefficients, Held> m_cells;
};

/// As `TensorLevel`.
template <class Coefficients>
class CellwiseLevel {
 public:
  using System = ColumnSystem<Coefficients>;
  using Scalar = typename Coefficients::scalar_type;
  using Vector = Lanes<Scalar>;

  CellwiseLevel(const System& system, int k)
      : m_topology(system.topology), m_cells(system.coefficients, k), m_level(k) {}

  template <class Source>
  [[gnu::always_inline]] inline Vector image(const Source& source, std::int64_t column,
                                             bool contiguous, int used, const Vector& x,
                                             const Vector& above, const Vector& below) const {
    const CellRow<Vector> row = m_cells.template row<Vector>(column);
    Vector image = row.mass * x + row.above * (x - above) + row.below * (x - below);
    for (int n = 0; n < used; ++n) {
      const Vector neighbour =
          neighbour_lanes<Scalar>(m_topology, source, column, n, m_level, contiguous);
      image += inflow(m_cells.template coupling<Vector>(column, n), x - neighbour);
    }
    return image;
  }

 private:
  const ColumnTopology<Kokkos::HostSpace>& m_topology;
  CellsOfLevel<Coefficients> m_cells;
  int m_level;
};

/// The rows of an operator. `Slots`: see `TensorColumn`.
template <class Coefficients>
struct RowsOnHost {
  template <int Slots>
  using Column = CellwiseColumn<Coefficients, Slots>;
  template <int Slots>
  using Level = CellwiseLevel<Coefficients>;
};
template <class Scalar>
struct RowsOnHost<TensorCoefficients<Scalar, Kokkos::HostSpace>> {
  template <int Slots>
  using Column = TensorColumn<Scalar, Slots>;
  template <int Slots>
  using Level = TensorLevel<Scalar, Slots>;
};

}  // namespace LAMINA_LANES
}  // namespace Lamina::Impl
