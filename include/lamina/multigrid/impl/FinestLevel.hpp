// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// What a cycle of `ColumnMultigrid` keeps of an operator. On CPU cores kernels take operator and fields as they are. Those
// of a device take packs of contiguous levels: it holds the values of any coefficients, and tables of its own.

#include <lamina/columns/ColumnLinePreconditioner.hpp>
#include <lamina/columns/ColumnOperator.hpp>
#include <lamina/columns/StoredCoefficients.hpp>
#include <lamina/columns/impl/LineRow.hpp>
#include <lamina/core/Concepts.hpp>
#include <lamina/device/impl/HostTable.hpp>
#include <lamina/grids/impl/Tuning.hpp>
#include <lamina/multigrid/impl/ColumnCoarsening.hpp>
#include <lamina/multigrid/impl/LevelPacks_Device.hpp>
#include <lamina/multigrid/impl/LevelTables.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>

namespace Lamina::Impl {

/// Whether some of the mass may be couplings to walls.
template <class Coefficients>
bool may_have_walls(const Coefficients& coefficients) {
  if constexpr (requires { coefficients.has_walls(); }) {
    return coefficients.has_walls();
  } else {
    return requires { coefficients.wall(0, 0); };
  }
}

template <class Coefficients, class Values>
struct StoreCells {
  Coefficients coefficients;
  Values mass, vertical, walls;  // the last may be empty

  KOKKOS_FUNCTION void operator()(std::int64_t c, std::int64_t k) const {
    using Value = typename Values::value_type;
    const int column = static_cast<int>(c), level = static_cast<int>(k);
    const auto row = coefficients.row(column, level);
    mass(column, level) = static_cast<Value>(row.mass);
    vertical(column, level) = static_cast<Value>(row.above);
    if (walls.extent(0) > 0) {
      walls(column, level) = static_cast<Value>(wall_of(coefficients, column, level));
    }
  }
};
template <class Coefficients, class Values>
struct StoreEdges {
  Coefficients coefficients;
  Kokkos::View<const EdgePlace*, typename Values::memory_space> places;
  Values horizontal;

  KOKKOS_FUNCTION void operator()(std::int64_t e, std::int64_t k) const {
    const EdgePlace at = places(static_cast<std::size_t>(e));
    const int level = static_cast<int>(k);
    if (at.column < 0) return;
    horizontal(static_cast<std::size_t>(e), level) =
        static_cast<typename Values::value_type>(coefficients.coupling(at.column, at.slot, level));
  }
};

/// The finest level on a device: the values of coefficients, with contiguous levels in whole packs.
template <class Coefficients>
class StoredLevel {
 public:
  using Memory = typename Coefficients::memory_space;
  using Value = typename KeptRow<Coefficients>::type;
  using coefficients_type =
      StoredCoefficients<typename Coefficients::scalar_type, Memory, Kokkos::LayoutRight, Value>;

  /// \param graph  that the mesh of `op` was made from
  template <class Space>
  StoredLevel(const Space& space, const ColumnGraph& graph, const ColumnOperator<Coefficients>& op)
      : m_from(op.system()),
        m_places(list_of<Memory>("Lamina::ColumnMultigrid::edge_places", find_edge_places(graph))),
        m_mass(allocate("mass", op.num_columns())),
        m_vertical(allocate("vertical", op.num_columns())),
        m_horizontal(allocate("horizontal", static_cast<int>(graph.edges.size()))),
        m_walls(
            allocate("walls", may_have_walls(op.system().coefficients) ? op.num_columns() : 0)) {
    const ColumnMesh<Memory> mesh(graph);
    m_operator.emplace(mesh, packed_levels(op.num_levels()),
                       coefficients_type(space, mesh, m_mass, m_vertical, m_horizontal, m_walls));
    copy(space);
  }
  const ColumnOperator<coefficients_type>& op() const { return *m_operator; }

  /// Copies the values anew; what is made of them `LevelLines` updates.
  template <class Space>
  void update(const Space& space) const {
    if constexpr (requires { m_from.coefficients.update(space); }) {
      m_from.coefficients.update(space);
    }
    copy(space);
  }

 private:
  using Values = Kokkos::View<Value**, Kokkos::LayoutRight, Memory>;

  Values allocate(const char* name, int rows) const {
    return Values(std::string("Lamina::ColumnMultigrid::") + name, static_cast<std::size_t>(rows),
                  static_cast<std::size_t>(packed_levels(m_from.topology.num_levels)));
  }
  // traffic: reads and writes 5n of the values on quadrilaterals, 6n on polygons
  template <class Space>
  void copy(const Space& space) const {
    run("Lamina::ColumnMultigrid::store_cells", space, m_from.topology.num_owned,
        StoreCells<Coefficients, Values>{m_from.coefficients, m_mass, m_vertical, m_walls});
    run("Lamina::ColumnMultigrid::store_edges", space, static_cast<int>(m_places.extent(0)),
        StoreEdges<Coefficients, Values>{m_from.coefficients, m_places, m_horizontal});
  }
  /// In tiles: what is read may have contiguous columns.
  template <class Space, class Kernel>
  void run(const char* label, const Space& space, int rows, const Kernel& kernel) const {
    if (rows == 0) return;
    using Order = Kokkos::Rank<2, Kokkos::Iterate::Left, Kokkos::Iterate::Left>;
    using Policy = Kokkos::MDRangePolicy<Space, Order, Kokkos::IndexType<std::int64_t>>;
    Kokkos::parallel_for(label,
                         Policy(space, {0, 0}, {rows, m_from.topology.num_levels},
                                {ColumnOrderTuning::tile_columns, ColumnOrderTuning::tile_levels}),
                         kernel);
  }

  ColumnSystem<Coefficients> m_from;
  Kokkos::View<const EdgePlace*, Memory> m_places;
  Values m_mass, m_vertical, m_horizontal, m_walls;
  std::optional<ColumnOperator<coefficients_type>> m_operator{};
};

/// The finest level on CPU cores: the operator itself.
template <class Coefficients>
class OwnLevel {
 public:
  using coefficients_type = Coefficients;

  template <class Space>
  OwnLevel(const Space&, const ColumnGraph&, const ColumnOperator<Coefficients>& op)
      : m_operator(op) {}
  const ColumnOperator<Coefficients>& op() const { return m_operator; }
  template <class Space>
  void update(const Space&) const {}  // line solves do that

 private:
  ColumnOperator<Coefficients> m_operator;
};

/// What a cycle has in the memory of a space: the finest level, what line solves need, transfers, the layout of its
/// fields.
template <class Memory>
inline constexpr bool cycles_in_packs = !std::is_same_v<Memory, Kokkos::HostSpace>;
template <class Coefficients>
using FinestLevel = std::conditional_t<cycles_in_packs<typename Coefficients::memory_space>,
                                       StoredLevel<Coefficients>, OwnLevel<Coefficients>>;
template <class Coefficients>
using CycleLines =
    std::conditional_t<cycles_in_packs<typename Coefficients::memory_space>,
                       LevelLines<Coefficients>, ColumnLinePreconditioner<Coefficients>>;
template <class Scalar, class Memory>
using CycleRestriction =
    std::conditional_t<cycles_in_packs<Memory>, PackedRestriction<Scalar, Memory>,
                       Restriction<Scalar, Memory>>;
template <class Scalar, class Memory>
using CycleProlongation =
    std::conditional_t<cycles_in_packs<Memory>, PackedProlongation<Scalar, Memory>,
                       Prolongation<Scalar, Memory>>;
template <class Layout, class Memory>
using CycleLayout = std::conditional_t<cycles_in_packs<Memory>, Kokkos::LayoutRight, Layout>;

}  // namespace Lamina::Impl
