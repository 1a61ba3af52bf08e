// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/core/KernelRecord.hpp>
#include <lamina/core/ProfilingRegion.hpp>
#include <lamina/core/Require.hpp>
#include <lamina/core/impl/RequireDisjoint.hpp>
#include <lamina/distributed/Decomposition.hpp>
#include <lamina/grids/VerticalGrid.hpp>
#include <lamina/helmholtz/HelmholtzOperator.hpp>
#include <lamina/krylov/impl/OwnedColumns.hpp>
#include <lamina/multigrid/ColumnHierarchy.hpp>
#include <lamina/multigrid/impl/CycleKernels.hpp>
#include <lamina/multigrid/impl/RankCycle.hpp>

#include <limits>
#include <vector>

namespace Lamina {
namespace Impl {
struct LevelRings;
}

/// How a multigrid cycle works, see `MultigridPreconditioner`.
struct MultigridParameters {
  int steps = 2;  ///< smoothing steps before and after each coarser level, 1 to 3
  /// Levels of the hierarchy that may be used, >= 1.
  int max_levels = std::numeric_limits<int>::max();
};

/// One V-cycle of tensor-product multigrid for `HelmholtzOperator`, as a preconditioner: columns
/// are coarsened, their levels are not, and vertical lines are solved exactly.
///
/// \par Equation
/// z = B r, with B symmetric and positive definite, such that B A is close to the identity. A level
/// with operator A, whose part without couplings between columns is M, does
///
///   x = w_1 M^-1 f;  x += w_k M^-1 (f - A x) for k = 2, ..., steps
///   c = the cycle of the next coarser level for P^T (f - A x);  x += P c
///   x += w_k M^-1 (f - A x) for k = steps, ..., 1
///
/// Operators of coarser levels are those of coarser meshes, see `ColumnHierarchy`, with the
/// vertical vectors of the finest. The weights are those of Chebyshev polynomials of the first kind
/// on [1/2, 2], [1/3, 2] and [1/5, 2] for 1, 2 and 3 steps. No eigenvalue of M^-1 A exceeds 2,
/// whatever the mesh: no eigenvalue is estimated. Steps are computed as (1 - w_k) x + w_k M^-1 (f + N x)
/// with N = M - A, the couplings between columns: no difference along a column is formed, and the second
/// step from x = 0 needs no f. The coarsest level that is used is the first one on which
/// omega^2 alpha_T / |T| is at most 4 in all columns. There the cycle takes 2 to 5 Chebyshev steps, as many
/// as divide errors by 10, and up to 16 on the last level of a hierarchy that is too short.
///
/// \par Convergence
/// `Pcg` and `FusedPcg` need 4 to 5 iterations to reduce a residual by 1e-5, and 8 to 9 for 1e-10,
/// on a cubed-sphere panel of 16 to 128 columns a side.
/// They need up to 6 and 11 on the polygons of `voronoi_plane`, and 7
/// and 15 where these are most irregular. The number depends neither on the number of levels of a
/// column nor on lambda^2.
///
/// \par Cost
/// A cycle with two steps reads or writes 14.5 fields of the finest level, 16.5 on a device; and
/// a third of that on all coarser levels. On CPU cores fields with contiguous columns (`LayoutLeft`) are
/// copied to contiguous levels and back, 4 fields more, but not in `FusedPcg`, which copies them once a
/// solve. It owns one field, on CPU cores three, and three fields on each coarser level: in all two or four
/// times the size of z on quadrilateral meshes.
///
/// On a device a cycle of a mesh whose columns are in no packs, such as one of polygons, takes contiguous levels four
/// at a time. It keeps the inverse pivots of all lines, which each step reads, and two fields more; fields
/// with contiguous columns, or whose columns are not whole packs of levels, are copied there and
/// back, 4 fields more, but not in `FusedPcg`, whose vectors then are such fields.
///
/// \par Example
///
///   const Lamina::ColumnHierarchy hierarchy(panel.graph());
///   const Lamina::MultigridPreconditioner<double, Memory> multigrid(space, hierarchy, grid,
///                                                                   equation);
///   Lamina::Pcg pcg(space, multigrid.finest(), multigrid);
///
/// \par Several ranks
/// With a hierarchy of several ranks fields hold the columns of this rank, owned ones first, and
/// all ranks call `solve` together. On the finest level a cycle exchanges x before each step that reads neighbours,
/// 2 steps - 1 times. On coarser levels that ranks share, each rank also does the work of the columns around its
/// own ones, at a distance of at most 2, 3 or 5 edges with 1, 2 and 3 steps. There two exchanges
/// are enough, of f and of x at the end; on the first of them there is one more, of what is restricted to columns of
/// other ranks. Where all ranks go on with the same level there is one. A coarsest level that ranks share also
/// exchanges x where its steps come to the end of R rings: before steps R + 2, 2 R + 2 and so on; the finest one
/// before each step but the first. The work of rings is that of the columns at the rim of a rank times
/// their number. B is the same to rounding for any number of ranks whose aggregates are those of one
/// process, and symmetric and positive definite for any others.
template <FieldScalar Scalar, MemorySpace Memory>
class MultigridPreconditioner {
 public:
  using scalar_type = Scalar;
  using memory_space = Memory;

  /// Makes the operators of all levels, allocates scratch for `space`, and prepares the line
  /// solves. Fences `space`. Copies share the scratch: one solve runs at a time, on one instance.
  /// \throws InvalidArgument for parameters out of range, and as `HelmholtzOperator`.
  template <ExecutionSpace Space>
  requires WorksIn<Space, Memory> MultigridPreconditioner(
      const Space& space, const ColumnHierarchy& hierarchy, const VerticalGrid& grid,
      const HelmholtzParameters& equation, const MultigridParameters& parameters = {});

  /// The same over several ranks. Collective.
  /// \param hierarchy  of the ranks of `transport`
  /// \param grid,  equation, parameters  the same on all ranks
  /// \throws InvalidArgument as above, and for a hierarchy of another number of ranks: on several
  ///   ranks it is `RankFailure`, on all of them. `InvalidArgument` on all ranks where they have
  ///   other numbers of levels, parameters of the equation or of the cycle.
  template <ExecutionSpace Space>
  requires WorksIn<Space, Memory> MultigridPreconditioner(
      const Space& space, const Transport& transport, const ColumnHierarchy& hierarchy,
      const VerticalGrid& grid, const HelmholtzParameters& equation,
      const MultigridParameters& parameters = {});

  /// Bytes in `Memory` of a preconditioner on a grid in rows of that size, about, of all levels that the
  /// parameters allow. The constructor
  /// needs about 500 bytes a column on the host meanwhile, with a hierarchy. Ranks need the columns around their
  /// own ones on coarser levels besides.
  template <ExecutionSpace Space>
  requires WorksIn<Space, Memory>
  static double required_bytes(const Space& space, const ColumnGridSize& size,
                               const MultigridParameters& parameters = {});

  /// The operator of the finest level: that of `HelmholtzOperator` on the same mesh. On a device fused
  /// solvers of it do not pad the rows of a grid, as they may with an operator of its own.
  const HelmholtzOperator<Scalar, Memory>& finest() const { return m_levels.front().op; }
  /// That of the finest level, for fields in either precision.
  const Decomposition<Memory>& decomposition() const { return m_ranks; }
  /// Levels that a cycle uses.
  int num_used_levels() const { return static_cast<int>(m_levels.size()); }

  /// z = B r. Enqueued on `space`: no allocation, no fence.
  /// \param r,  z  (num_columns, num_levels), of one layout; they must not overlap. Halo columns of
  ///   r are not read, those of z hold anything afterwards.
  /// \throws InvalidArgument for wrong extents, and where r and z overlap.
  template <ExecutionSpace Space, FieldOf<Scalar, Memory> In, FieldOf<Scalar, Memory> Out>
  requires WorksIn<Space, Memory> && WritableField<Out> &&
      std::same_as<typename In::array_layout, typename Out::array_layout>
  void solve(const Space& space, const In& r, const Out& z) const {
    const char* function = "MultigridPreconditioner::solve";
    Impl::require_field(function, "r", r, finest().num_columns(), finest().num_levels());
    Impl::require_field(function, "z", z, finest().num_columns(), finest().num_levels());
    Impl::require_disjoint(function, "r", r, "z", z);
    const Impl::ProfilingRegion region("Lamina::MultigridPreconditioner::solve");
    cycle(space, {}, {}, Impl::as_const_field(r), Impl::as_field(z));
  }
  /// Refuses all other types.
  template <class Space, class In, class Out>
  Impl::ExpectsFieldAndWritableField<Scalar, Impl::SameLayout, Memory> solve(
      const Space& space, const In& r, const Out& z) const = delete;

  /// Costs of the kernels of a cycle, level by level. Those of coarser levels are called
  /// "Lamina::MultigridPreconditioner::level_1::..." and so on.
  std::vector<KernelCost> kernel_costs() const;
  /// Cost of one `solve`.
  KernelCost cycle_cost() const;

  /// \cond
  // For models of the library.
  /// The same for checked fields. With a guard also <r, z>, in its row; where it is not active, z
  /// stays as it is.
  /// \param parts  of the sum, on a device
  template <class Space, class In, class Out>
  void cycle(const Space& space, const Impl::CycleGuard<Memory>& guard,
             const Impl::TeamParts<Memory>& parts, const In& r, const Out& z) const {
    using Layout = typename Out::array_layout;
    if constexpr (Impl::cycles_in<Space, Layout>) {
      if (takes(r) && takes(z)) return descend(space, guard, parts, 0, r, z);
    }
    const Level& finest_level = m_levels.front();
    const auto rhs = field<Kokkos::LayoutRight>(finest_level, finest_level.rhs),
               solution = field<Kokkos::LayoutRight>(finest_level, finest_level.solution);
    const auto work = [&] { descend(space, guard, parts, 0, Impl::as_const_field(rhs), solution); };
    if constexpr (runs_on_host<Space>) {
      Impl::turn_field(space, guard, r, rhs);
      work();
      Impl::turn_field(space, guard, Impl::as_const_field(solution), z);
    } else {
      Impl::turn_in(Impl::turn_r_label, space, guard, r, rhs, m_ends);
      work();
      Impl::turn_out(Impl::turn_z_label, space, guard, Impl::as_const_field(solution), z, m_ends,
                     {});
    }
  }
  /// Levels of fields that a cycle takes as they are, contiguous ones; those behind the last are 0. 0: a cycle takes
  /// fields of either layout. On devices, see Cost.
  int packed_levels() const { return m_packed_levels; }
  /// The finest level on such fields.
  HelmholtzOperator<Scalar, Memory> packed_finest() const {
    return finest().with_levels(m_packed_levels);
  }
  /// \endcond

 private:
  using Storage = Kokkos::View<Scalar*, Memory>;
  struct Level {
    Impl::CycleLabels labels;
    HelmholtzOperator<Scalar, Memory> op;
    Impl::CycleLevel<Scalar, Memory> data;
    Storage rhs, solution, other;  // the first two on coarser levels, on CPU cores, and in packs
    int rhs_rows = 0;              // of rhs: columns, or more for what ranks restrict to it
    // Over several ranks, of levels that they share:
    bool is_shared = false;
    HaloExchange<Memory> halo{};
    std::vector<int> ring_ends{};   // see `LevelRings`; empty without rings
    Impl::RankRows<Memory> rows{};  // that the finest level restricts, and the last shared one
    Storage row_values{};           // of them, where that level is not shared
  };

  /// Levels of the fields of a cycle.
  int cycle_levels() const { return m_packed_levels > 0 ? m_packed_levels : finest().num_levels(); }
  /// Whether a cycle works on a field of the user as it is.
  template <class FieldType>
  bool takes(const FieldType& field) const {
    if (m_packed_levels == 0) return true;
    return Impl::levels_contiguous<typename FieldType::array_layout> &&
           static_cast<int>(field.extent(1)) == m_packed_levels &&
           Impl::packs_aligned<Scalar, Impl::LevelPackTuning::levels>(field);
  }
  /// Whether the cycle takes packs of levels, on all ranks alike. Collective.
  template <class Space>
  bool wants_packs(const Transport* transport, const HelmholtzOperator<Scalar, Memory>& op) const;
  Impl::CountedKernels counted_kernels() const;

  template <class Space>
  void make_transfers(const Space& space, const ColumnHierarchy& hierarchy,
                      const std::vector<Impl::LevelRings>& rings, int l);
  template <class Space>
  void make_levels(const Space& space, const Transport* transport, const ColumnHierarchy& hierarchy,
                   const VerticalGrid& grid, const HelmholtzParameters& equation,
                   const MultigridParameters& parameters);
  /// \param num_rows  of rhs, if that is more than there are columns
  template <class Space>
  Level make_level(const Space& space, const HelmholtzOperator<Scalar, Memory>& op, int l,
                   std::size_t num_rows, bool is_shared) const;
  template <class Space>
  Impl::CycleLevel<Scalar, Memory> make_data(const Space& space,
                                             const HelmholtzOperator<Scalar, Memory>& op) const;
  /// Refuses parameters that ranks have not alike. Collective.
  static void require_same_cycle(const Transport& transport, const ColumnHierarchy& hierarchy,
                                 const VerticalGrid& grid, const HelmholtzParameters& equation,
                                 const MultigridParameters& parameters);
  /// Largest stiffness of each level, over all ranks.
  static std::vector<double> find_stiffness(const Transport* transport,
                                            const ColumnHierarchy& hierarchy, double omega2);
  /// Exchanges of the levels. Collective.
  void connect_ranks(const Transport& transport, const ColumnHierarchy& hierarchy,
                     const std::vector<Impl::LevelRings>& rings);
  /// The cycle from this level on.
  template <class Space, class In, class Out>
  void descend(const Space& space, const Impl::CycleGuard<Memory>& guard,
               const Impl::TeamParts<Memory>& parts, int l, const In& f, const Out& x) const;
  /// f of the next coarser level = P^T (f - A x), in all columns that kernels work on there.
  /// \param r  scratch on a device
  template <class Space, class In, class Out>
  void restrict_to(const Space& space, const Impl::CycleGuard<Memory>& guard, const Level& level,
                   const Level& coarser, const In& f, const In& x, const Out& r,
                   const Out& coarse_f) const;
  /// f of a coarser level. Over several ranks its memory may have more rows.
  template <class Layout>
  static FieldView<Scalar, Layout, Memory> rhs_field(const Level& level) {
    return Impl::first_columns(field<Layout>(level, level.rhs, level.rhs_rows),
                               level.op.num_columns());
  }
  /// Steps with weights from `first` on. x and other are swapped at each of them.
  /// \param coarse  the first one adds P coarse; may be without memory
  /// \param energy  where <f, x> goes after the last step, or null
  template <class Space, class In, class Out>
  void smooth(const Space& space, const Impl::CycleGuard<Memory>& guard,
              const Impl::TeamParts<Memory>& parts, const Level& level,
              const std::vector<Scalar>& weights, std::size_t first, const In& f, const In& coarse,
              Impl::KnownRings& known, Out& x, Out& other, double* energy) const;
  template <class Layout>
  static FieldView<Scalar, Layout, Memory> field(const Level& level, const Storage& storage) {
    return field<Layout>(level, storage, level.op.num_columns());
  }
  template <class Layout>
  static FieldView<Scalar, Layout, Memory> field(const Level& level, const Storage& storage,
                                                 int num_rows) {
    return FieldView<Scalar, Layout, Memory>(
        storage.data(), static_cast<std::size_t>(num_rows),
        static_cast<std::size_t>(level.data.system.topology.num_levels));
  }

  Decomposition<Memory> m_ranks;
  std::vector<Level> m_levels;  // from the finest on
  int m_packed_levels = 0;
  Kokkos::View<int*, Memory> m_ends;  // of owned columns, in packs: all num_levels
  std::vector<Scalar> m_weights, m_reversed_weights, m_coarsest_weights;
};

}  // namespace Lamina

#include <lamina/multigrid/impl/MultigridPreconditioner_Impl.hpp>
