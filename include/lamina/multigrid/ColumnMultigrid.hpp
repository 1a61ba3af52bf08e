// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/columns/ColumnLinePreconditioner.hpp>
#include <lamina/columns/ColumnOperator.hpp>
#include <lamina/columns/StoredCoefficients.hpp>
#include <lamina/core/Concepts.hpp>
#include <lamina/multigrid/MultigridPreconditioner.hpp>
#include <lamina/multigrid/impl/ColumnCycle.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace Lamina {

/// One V-cycle of multigrid for any `ColumnOperator`, for `Pcg` and `MultigridColumns`: the cycle of
/// `MultigridPreconditioner`, with coefficients that vary, columns that end at bottoms of their own, land,
/// and without mass.
///
/// \par Coarser levels
/// Aggregates and prolongation follow the couplings summed over the levels (`ColumnHierarchy`). A coarser
/// level has `StoredCoefficients`: mass and vertical couplings are sums over the members, those of an edge
/// sum_e c(e, k) distance_e / distance_E. Where coefficients tell which part of the mass is a coupling to walls
/// (`wall`, see `ColumnCoefficients`), walls are further away from coarser columns, by the root of
/// the area. Where a fine column is deeper than a coarse one that it would take values from, its
/// own aggregate gives them. Cells without couplings are left to the line solves. Coarsening goes
/// on until no column has a neighbour, where line solves are exact.
///
/// \par Cost
/// A cycle applies the operator 2 steps times a level, and solves the lines as often. Operations are kernels of their
/// own: with 2 steps about 40 fields, and the coefficients 8 times, on the finest level, a third of it more on
/// the others.
///
/// \par Limits
/// One process: no halo columns. Where coefficients do not tell of walls at which the field is 0, these are
/// summed like mass: then the number of iterations grows slowly with the grid.
///
/// \tparam Layout  of the fields that it is applied to
template <ColumnCoefficients Coefficients, FieldLayout Layout>
class ColumnMultigrid {
 public:
  using scalar_type = typename Coefficients::scalar_type;
  using memory_space = typename Coefficients::memory_space;

  /// Makes the hierarchy on the host, and the coefficients of all levels. Allocates, fences. Copies share the
  /// scratch: one solve runs at a time, on one instance.
  /// \param graph  that the mesh of `op` was made from
  /// \throws InvalidArgument for parameters out of range, a graph of other columns or neighbours, and halo
  ///   columns.
  template <ExecutionSpace Space>
  requires WorksIn<Space, memory_space> ColumnMultigrid(const Space& space,
                                                        const ColumnGraph& graph,
                                                        const ColumnOperator<Coefficients>& op,
                                                        const MultigridParameters& parameters = {});

  /// The hierarchy stays; coefficients of all levels, and what line solves need, are computed anew. For
  /// values that have changed without opening or closing faces. Enqueued on `space`: no allocation. Where there
  /// were no walls at all when this was made, later ones count as mass on coarser levels: slower, not wrong.
  template <ExecutionSpace Space>
  requires WorksIn<Space, memory_space>
  void update(const Space& space) const;

  /// `completed`, or `breakdown_zero_pivot` where lines of some level have bad pivots, see
  /// `ColumnLinePreconditioner::status`. Fences `space`.
  template <ExecutionSpace Space>
  requires WorksIn<Space, memory_space> SolveStatus status(const Space& space)
  const;

  int num_levels() const { return static_cast<int>(m_coarse.size()) + 1; }
  /// Columns of a level, of those with wet cells but for the finest one.
  int num_columns(int level) const {
    return level == 0 ? m_operator.num_columns() : m_coarse[index(level - 1)].op->num_columns();
  }

  /// Edges between these columns.
  std::int64_t num_edges(int level) const {
    return level == 0 ? m_num_edges
                      : static_cast<std::int64_t>(m_coarse[index(level - 1)].horizontal.extent(0));
  }

  int num_levels_of_columns() const { return m_operator.num_levels(); }  ///< cells of each

  /// z = B r. Enqueued on `space`: no allocation, no fence.
  /// \param r,  z  (num_columns, num_levels) of `Layout`; they must not overlap
  /// \throws InvalidArgument for wrong extents, and where r and z overlap.
  template <ExecutionSpace Space, FieldOf<scalar_type, memory_space> In,
            FieldOf<scalar_type, memory_space> Out>
  requires WorksIn<Space, memory_space> && WritableField<Out> &&
      std::same_as<typename In::array_layout, Layout> &&
      std::same_as<typename Out::array_layout, Layout>
  void solve(const Space& space, const In& r, const Out& z) const;

  /// Costs of the kernels of a cycle, level by level. Those of coarser levels are called
  /// "Lamina::ColumnMultigrid::level_1::..." and so on.
  std::vector<KernelCost> kernel_costs() const;

  /// \cond
  // For models of the library: the same without checks, where a guard is active.
  template <class Space>
  void cycle(const Space& space, const Impl::CycleGuard<memory_space>& guard,
             const FieldView<const scalar_type, Layout, memory_space>& r,
             const FieldView<scalar_type, Layout, memory_space>& z) const {
    descend(space, guard, 0, m_operator, m_lines, r, z);
  }
  /// \endcond

 private:
  using Guard = Impl::CycleGuard<memory_space>;
  using Stored = StoredCoefficients<scalar_type, memory_space, Layout>;
  using Values = Kokkos::View<scalar_type**, Layout, memory_space>;
  using Wet = Impl::WetCells<Layout, memory_space>;
  using InField = FieldView<const scalar_type, Layout, memory_space>;
  using OutField = FieldView<scalar_type, Layout, memory_space>;
  /// What each level has: scratch, and but for the coarsest one the way to the next coarser one.
  struct Way {
    Impl::ColumnCycleLabels labels;
    Values residual, correction;
    Wet wet{};
    Impl::CoarseTables<memory_space> tables{};
    Impl::Restriction<scalar_type, memory_space> restriction{};
    Impl::Prolongation<scalar_type, memory_space> prolongation{};
  };
  struct CoarseLevel {
    Values mass, vertical, horizontal, walls, rhs, solution;  // walls may be empty
    std::optional<ColumnOperator<Stored>> op{};
    std::optional<ColumnLinePreconditioner<Stored>> lines{};
  };

  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  Values allocate(int num_columns) const {
    return Values("Lamina::ColumnMultigrid::field", index(num_columns),
                  index(m_operator.num_levels()));
  }
  template <class Space>
  std::vector<std::vector<bool>> find_wet(const Space& space, const Wet& wet) const;
  template <class Space>
  Impl::WetGraph find_graph(const Space& space, const ColumnGraph& graph,
                            const std::vector<Impl::EdgePlace>& places,
                            const std::vector<std::vector<bool>>& wet);
  Wet copy_wet(const std::vector<std::vector<bool>>& wet) const;
  template <class Space>
  void add_level(const Space& space, const HierarchyLevel& fine, const ColumnGraph& coarse,
                 const std::vector<int>& columns, const std::vector<Impl::EdgePlace>& places,
                 const ColumnTransfer& transfer, const Wet& wet);
  /// Coefficients of level l + 1 from those of level l.
  template <class Space>
  void coarsen(const Space& space, std::size_t l) const;
  template <class Space, class Of>
  void coarsen_from(const Space& space, std::size_t l, const Of& coefficients) const;
  template <class Space, class Operator, class Lines>
  void descend(const Space& space, const Guard& guard, std::size_t l, const Operator& op,
               const Lines& lines, const InField& f, const OutField& x) const;
  template <class Space, class Operator, class Lines>
  void smooth(const Space& space, const Guard& guard, const Way& way, const Operator& op,
              const Lines& lines, scalar_type weight, const InField& f, const OutField& x) const;

  template <class Operator, class Lines>
  void add_costs(std::size_t l, const Operator& op, const Lines& lines,
                 std::vector<KernelCost>& costs) const;

  ColumnOperator<Coefficients> m_operator;
  std::int64_t m_num_edges;
  bool m_has_walls = false;
  ColumnLinePreconditioner<Coefficients> m_lines;
  std::vector<scalar_type> m_weights, m_coarsest_weights;
  std::vector<Way> m_ways;  // of each level
  std::vector<CoarseLevel> m_coarse;
};

}  // namespace Lamina

#include <lamina/multigrid/impl/ColumnMultigrid_Impl.hpp>
