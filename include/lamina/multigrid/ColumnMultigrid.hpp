// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/columns/ColumnLinePreconditioner.hpp>
#include <lamina/columns/ColumnOperator.hpp>
#include <lamina/columns/StoredCoefficients.hpp>
#include <lamina/core/Concepts.hpp>
#include <lamina/distributed/Decomposition.hpp>
#include <lamina/distributed/Transport.hpp>
#include <lamina/distributed/impl/ExchangeHalo.hpp>
#include <lamina/grids/LocalColumns.hpp>
#include <lamina/multigrid/MultigridPreconditioner.hpp>
#include <lamina/multigrid/impl/ColumnCycle.hpp>
#include <lamina/multigrid/impl/FinestLevel.hpp>
#include <lamina/multigrid/impl/RankCycle.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
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
/// own aggregate gives them. Cells without couplings are left to the line solves. The coarsest level that is
/// used is the first one on which couplings to other columns are at most 4 times the mass in all cells. There the
/// cycle takes 5 Chebyshev steps, which divide errors by 10. Without such a level coarsening goes
/// on until no column has a neighbour, where line solves are exact, or to `max_levels`, where the cycle takes 16.
///
/// \par Cost
/// A step of the smoother is one kernel, which applies the operator and solves the lines; residual, restriction and
/// prolongation are one each. With 2 steps 17 fields, and the coefficients 5 times, on the finest level, a third
/// of it more on the others. On a device values are read whatever coefficients are made of, steps read inverse pivots in place of
/// the mass, and copies of r and z move 4 fields more.
///
/// \par On a device
/// A cycle has fields with contiguous levels of its own, to which it copies r, and from which it copies z: so a warp
/// reads whole pieces of columns, wherever neighbours lie, and nothing below the bottom of a column. It holds the values
/// of the coefficients, whatever they are made of, and of each level inverse pivots. That takes 6 fields on the finest level
/// on quadrilaterals and 7 on polygons, and one more where coefficients tell of walls, beside 4 of the cycle.
///
/// \par Several ranks
/// Fields hold the columns of this rank, owned ones first, and all ranks call `solve` together. Levels are
/// shared, and gathered on each rank, as `ColumnHierarchy` has them, of the columns with wet cells. A
/// cycle exchanges messages 2 steps - 1 times on the finest level, 2 steps + 1 times on each coarser
/// one that ranks share, and once where all ranks go on with the same one. Of a coarsest level that ranks share,
/// with n steps, it does so n + 1 times, and n - 1 times where it is the finest one, too. B is the same to rounding
/// for any number of ranks whose aggregates are those of one process, and symmetric and positive
/// definite for any others. Both ranks of an edge must give it the same coupling.
///
/// \par Limits
/// Where coefficients do not tell of walls at which the field is 0, these are summed like mass: then the
/// number of iterations grows slowly with the grid.
///
/// \tparam Layout  of the fields that it is applied to
template <ColumnCoefficients Coefficients, FieldLayout Layout>
class ColumnMultigrid {
 public:
  using scalar_type = typename Coefficients::scalar_type;
  using memory_space = typename Coefficients::memory_space;
  using array_layout = Layout;

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

  /// The same over several ranks. Collective.
  /// \param local  the columns of this rank, that the mesh of `op` was made from
  /// \param parameters,  coarsening  the same on all ranks
  /// \throws InvalidArgument as above, and as `ColumnHierarchy`: on several ranks it is `RankFailure`, on
  ///   all of them. `InvalidArgument` on all ranks where they have other numbers of levels or parameters.
  template <ExecutionSpace Space>
  requires WorksIn<Space, memory_space> ColumnMultigrid(const Space& space,
                                                        const Transport& transport,
                                                        const LocalColumns& local,
                                                        const ColumnOperator<Coefficients>& op,
                                                        const MultigridParameters& parameters = {},
                                                        const HierarchyParameters& coarsening = {});

  /// The hierarchy stays; coefficients of all levels, what line solves need, and which level is the coarsest one
  /// that is used are found anew. For values that have changed without opening or closing faces. No allocation;
  /// fences `space`. Collective over several ranks. Where there
  /// were no walls at all when this was made, later ones count as mass on coarser levels: slower, not wrong. So are
  /// aggregates that follow couplings of other proportions; make a new one where these have changed by decades.
  template <ExecutionSpace Space>
  requires WorksIn<Space, memory_space>
  void update(const Space& space) const;

  /// `completed`, or `breakdown_zero_pivot` where lines of a level that is used have bad pivots, see
  /// `ColumnLinePreconditioner::status`; of this rank. Fences `space`.
  template <ExecutionSpace Space>
  requires WorksIn<Space, memory_space> SolveStatus status(const Space& space)
  const;

  /// The operator of the finest level.
  const ColumnOperator<Coefficients>& finest() const { return m_operator; }
  /// That of the finest level, for fields in either precision.
  const Decomposition<memory_space>& decomposition() const { return m_ranks; }
  /// That a cycle uses. `update` may change it.
  int num_levels() const { return static_cast<int>(m_used->coarsest) + 1; }
  /// Columns of a level on all ranks, of those with wet cells but for the finest one.
  std::int64_t num_columns(int level) const { return m_ways[index(level)].num_columns; }
  /// Edges between these columns.
  std::int64_t num_edges(int level) const { return m_ways[index(level)].num_edges; }

  /// z = B r. Enqueued on `space`: no allocation, no fence.
  /// \param r,  z  (num_columns, num_levels) of `Layout`; they must not overlap. Halo columns of z then hold anything.
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
  // For models of the library: the same without checks, where a guard is active; *energy = <r, z> in owned columns.
  template <class Space>
  void cycle(const Space& space, const Impl::CycleGuard<memory_space>& guard,
             const FieldView<const scalar_type, Layout, memory_space>& r,
             const FieldView<scalar_type, Layout, memory_space>& z,
             const Impl::TeamParts<memory_space>& parts = {}, double* energy = nullptr) const;
  /// \endcond

 private:
  using Guard = Impl::CycleGuard<memory_space>;
  static constexpr bool in_packs = Impl::cycles_in_packs<memory_space>;
  // Of the cycle, and its coarser levels
  using Own = Impl::CycleLayout<Layout, memory_space>;
  using Finest = typename Impl::FinestLevel<Coefficients>::coefficients_type;
  using Stored = StoredCoefficients<scalar_type, memory_space, Own>;
  using Values = Kokkos::View<scalar_type**, Own, memory_space>;
  using Wet = Impl::WetCells<Own, memory_space>;
  using WetTable = Impl::WetTable;
  using InField = FieldView<const scalar_type, Own, memory_space>;
  using OutField = FieldView<scalar_type, Own, memory_space>;
  /// What each level has: scratch, and but for the coarsest one the way to the next coarser one.
  struct Way {
    Impl::ColumnCycleLabels labels;
    std::int64_t num_columns = 0, num_edges = 0;  // of all ranks
    Values residual{}, second_iterate{};
    Wet wet{};
    Impl::CoarseTables<memory_space> tables{};
    Impl::CycleRestriction<scalar_type, memory_space> restriction{};
    Impl::CycleProlongation<scalar_type, memory_space> prolongation{};
    // Over several ranks, of levels that they share:
    bool is_shared = false,
         is_gathered = false;  // the latter: the next coarser one is on all ranks
    HaloExchange<memory_space> halo{};
    Impl::RankRows<memory_space> rows{};  // that are restricted to the next coarser level
    // Where that is on all ranks: rows of columns and edges, which ranks add up
    Impl::RankRows<memory_space> edge_rows{};
    Values row_values{}, vertical_rows{}, wall_rows{}, edge_values{};
  };
  struct CoarseLevel {
    Values mass, vertical, horizontal, walls, rhs,
        solution;  // walls may be empty; rhs may have rows
    std::optional<ColumnOperator<Stored>> op{};
    std::optional<Impl::CycleLines<Stored>> lines{};
  };

  /// Copies share it.
  struct UsedLevels {
    Kokkos::View<double*, memory_space> stiff;  // cells of each level, of all ranks
    typename Kokkos::View<double*, memory_space>::HostMirror on_host;
    std::size_t coarsest;
    bool is_weak;  // that one has no stiff cells
  };

  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  /// Of its fields: those of the operator, on a device as many as fill packs.
  int cycle_levels() const {
    return in_packs ? Impl::packed_levels(m_operator.num_levels()) : m_operator.num_levels();
  }
  std::size_t bytes_per_column() const { return index(cycle_levels()) * sizeof(scalar_type); }
  Values allocate(int num_columns) const {
    return Values("Lamina::ColumnMultigrid::field", index(num_columns), index(cycle_levels()));
  }
  /// The columns of a level in the tables of its kernels, as its coarser one is made.
  struct Places {
    std::vector<int> columns;
    std::vector<Impl::EdgePlace> edges;
    WetTable wet;
  };
  /// \param transport  null: one process
  template <class Space>
  void make_levels(const Space& space, const Transport* transport, const LocalColumns& local,
                   const MultigridParameters& parameters, const HierarchyParameters& coarsening);
  void require_columns(const LocalColumns& local, const MultigridParameters& parameters) const;
  void set_weights(const MultigridParameters& parameters);
  template <class Space>
  WetTable find_wet(const Space& space) const;
  template <class Space>
  Impl::WetGraph find_graph(const Space& space, const LocalColumns& local,
                            const std::vector<Impl::EdgePlace>& places, const WetTable& wet) const;
  Wet copy_wet(const WetTable& wet) const;
  void add_way(const Transport* transport, const ColumnGraph& graph, bool is_shared,
               const WetTable& wet);
  template <class Space>
  void add_level(const Space& space, const Transport* transport, const HierarchyLevel& fine,
                 const HierarchyLevel& coarse, const Places& places, const WetTable& coarse_wet);
  // Parts of it
  void add_transfers(const HierarchyLevel& fine, const HierarchyLevel& coarse, const Places& places,
                     const ColumnTransfer& transfer);
  void add_fields(const HierarchyLevel& fine, const HierarchyLevel& coarse);
  static Impl::CoarseTables<memory_space> tables_of(const Impl::CoarseLists& lists);
  void connect_rows(const Transport& transport, const HierarchyLevel& fine, bool in_place);
  void connect_edges(const Transport& transport, const RestrictedRows& edges);
  /// Coefficients of level l + 1 from those of level l.
  template <class Space>
  void coarsen(const Space& space, std::size_t l) const;
  /// Kernels of packs do not write dry ones, which `update` may move: what these hold, NaN maybe, becomes 0.
  template <class Space>
  void clear_packs(const Space& space) const;
  /// Finds the coarsest level that is used.
  template <class Space>
  void use_levels(const Space& space) const;
  template <class Space, class Of>
  void count_stiff(const Space& space, const ColumnSystem<Of>& system, double* count) const;
  const std::vector<scalar_type>& coarsest_weights() const;
  template <class Space, class Of>
  void coarsen_from(const Space& space, std::size_t l, const Of& coefficients) const;
  /// A field of coarse columns or edges from the rows of all ranks.
  template <class Space>
  void gather_rows(const Space& space, const Guard& guard, const std::string& label,
                   const Impl::RankRows<memory_space>& rows, const Values& from,
                   const OutField& to) const {
    Impl::exchange_halo(space, rows.exchange, OutField(from));
    Impl::sum_rank_rows(label, space, guard, rows, InField(from), to);
  }
  template <class Space, class Operator, class Lines>
  void descend(const Space& space, const Guard& guard, std::size_t l, const Operator& op,
               const Lines& lines, const InField& f, const OutField& x) const;
  template <class Space, class Operator, class Lines>
  void restrict_to(const Space& space, const Guard& guard, std::size_t l, const Operator& op,
                   const Lines& lines, const InField& f, const OutField& x,
                   const OutField& coarse_f) const;
  template <class Operator, class Lines>
  void add_costs(std::size_t l, const Operator& op, const Lines& lines,
                 std::vector<KernelCost>& costs) const;

  ColumnOperator<Coefficients> m_operator;
  Decomposition<memory_space> m_ranks;
  bool m_has_walls = false, m_is_whole = false;
  std::optional<Impl::FinestLevel<Coefficients>> m_finest{};
  std::optional<Impl::CycleLines<Finest>> m_lines{};
  Values m_rhs{}, m_solution{};  // of the finest level, on a device
  std::vector<scalar_type> m_weights, m_weak_weights, m_last_weights,
      m_exact_weights{scalar_type(1)};
  std::shared_ptr<UsedLevels> m_used{};
  std::vector<Way> m_ways;  // of each level
  std::vector<CoarseLevel> m_coarse;
};

}  // namespace Lamina

#include <lamina/multigrid/impl/ColumnMultigrid_Impl.hpp>
