// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Require.hpp>
#include <lamina/grids/impl/ColumnOrder.hpp>
#include <lamina/helmholtz/FusedHelmholtz.hpp>
#include <lamina/helmholtz/MixedHelmholtz.hpp>
#include <lamina/helmholtz/RoundingError.hpp>
#include <lamina/krylov/FusedStep.hpp>
#include <lamina/krylov/impl/AdvanceHalo.hpp>
#include <lamina/krylov/impl/OwnedColumns.hpp>
#include <lamina/multigrid/MultigridPreconditioner.hpp>
#include <lamina/multigrid/impl/RoundedVectors.hpp>

#include <concepts>
#include <limits>
#include <optional>
#include <type_traits>
#include <vector>

namespace Lamina {

/// Whether solves in double precision take as many iterations with a cycle in single precision as with one in
/// double precision, or one more. So it is while the rounding of couplings in single precision leaves something
/// of the mass term. With couplings between levels ten times as strong they take two more, with a thousand times
/// three.
/// \param error  of the `HelmholtzOperator` in double precision
inline bool suits_single_cycle(const RoundingError& error) {
  constexpr double long_epsilon = std::numeric_limits<double>::epsilon(),
                   short_epsilon = std::numeric_limits<float>::epsilon();
  // The mean over columns hides what one column has, by the root of their number.
  constexpr double most_between_columns = 0.05;
  const double between_levels = error.vertical / (long_epsilon * long_epsilon),
               between_columns = error.by_recurrence / long_epsilon;
  return between_levels * short_epsilon <= 1 &&
         between_columns * short_epsilon <= most_between_columns;
}

/// The sweeps of `FusedPcg` for `HelmholtzOperator` with a multigrid cycle as preconditioner. It is a
/// model of `FusedModel`, which describes arguments and guards of the sweeps. Residual, curvature and
/// update are those of `FusedHelmholtz`, 7 fields an iteration. A cycle moves about 19 more, on a
/// device 22, and 27 of a mesh whose columns are in no packs, see `MultigridPreconditioner`.
///
/// \par Precisions
/// `Scalar` is that of the right-hand side and the solution, `VectorScalar` that of r, z and p, `CycleScalar`
/// that of the cycle. Those that are used:
///
///   Scalar  VectorScalar  CycleScalar
///   double  double        float        in double precision, where `suits_single_cycle`
///   double  float         float        mixed precision, as `MixedHelmholtz`
///   double  double        double
///   float   float         float
///
/// The first one rounds r before a cycle, and widens z after it: 3 fields of double precision more, where the
/// cycle saves half of its own.
///
/// \par Several ranks
/// With a `multigrid` of several ranks all of them solve together. An iteration exchanges messages as often as
/// a cycle does, and once more, of z; it adds up the scalars over all ranks once.
///
/// \par Example
///
///   const Lamina::MultigridPreconditioner<double, Memory> multigrid(space, hierarchy, grid, equation);
///   Lamina::FusedPcg pcg(space, Lamina::MultigridHelmholtz<double, Memory>(space, multigrid));
template <FieldScalar Scalar, MemorySpace Memory, FieldScalar VectorScalar = Scalar,
          FieldScalar CycleScalar = VectorScalar>
class MultigridHelmholtz {
 public:
  using scalar_type = Scalar;
  using vector_scalar_type = VectorScalar;
  using memory_space = Memory;
  static constexpr bool few_iterations = true;

  /// Allocates scratch for `space`. Fences `space`. Copies share it, and that of `multigrid`: one solve
  /// runs at a time, on one instance.
  template <ExecutionSpace Space>
  requires WorksIn<Space, Memory> && std::same_as<Scalar, CycleScalar> MultigridHelmholtz(
      const Space& space, const MultigridPreconditioner<Scalar, Memory>& multigrid)
      : MultigridHelmholtz(space, multigrid, Sweeps(space, multigrid.finest())) {
    if (has_longer_vectors()) m_packed_sweeps.emplace(space, multigrid.packed_finest());
  }

  /// The same with a cycle in single precision.
  /// \param op  the operator of the finest level of `multigrid` in double precision
  /// \throws InvalidArgument where extents differ.
  template <ExecutionSpace Space>
  requires WorksIn<Space, Memory> && std::same_as<Scalar, double> &&
      std::same_as<CycleScalar, float>
      MultigridHelmholtz(const Space& space, const HelmholtzOperator<double, Memory>& op,
                         const MultigridPreconditioner<float, Memory>& multigrid)
      : MultigridHelmholtz(space, multigrid, make_sweeps(space, op, multigrid.finest())) {
    if (has_longer_vectors()) {
      m_packed_sweeps =
          make_sweeps(space, op.with_levels(multigrid.packed_levels()), multigrid.packed_finest());
    }
  }

  /// Bytes in `Memory` of a model and of a `FusedPcg` made from it, on a grid of that size, at most,
  /// beside those of operator and cycle.
  template <ExecutionSpace Space>
  requires WorksIn<Space, Memory>
  static double required_bytes(const Space& space, const ColumnGridSize& size) {
    ColumnGridSize vectors = size;
    if (Impl::may_cycle_in_packs<Space>(size)) {
      vectors.num_levels = Impl::packed_levels(size.num_levels);
    }
    const auto cells = static_cast<double>(vectors.num_cells());
    // In packs of levels there may be two kinds of sweeps, and u has memory of its own.
    const double packed = Impl::may_cycle_in_packs<Space>(size)
                              ? Sweeps::required_bytes(space, vectors) + cells * sizeof(Scalar)
                              : 0;
    return Sweeps::required_bytes(space, size) + packed + Impl::parts_bytes<Memory> +
           (rounds ? Impl::RoundedVectors<Memory>::required_bytes(cells) : 0);
  }

  int num_owned() const { return m_sweeps.num_owned(); }
  int num_columns() const { return m_sweeps.num_columns(); }
  int num_levels() const { return m_sweeps.num_levels(); }

  /// \cond
  /// `FusedPcg` may bring fields to the layout of the faster sweeps, in the order of the mesh, or to packs of levels.
  Impl::ColumnOrder<Memory> column_order() const {
    Impl::ColumnOrder<Memory> order;
    order.packed_levels = m_multigrid.packed_levels();
    return order;
  }
  static constexpr bool may_pack_levels = true;
  /// \endcond

  /// r = step.scale (b - A x);  row n: <r, r>.
  template <ExecutionSpace Space, class In, class Out>
  void residual(const Space& space, const FusedStep<Memory>& step, const In& b, const In& x,
                const Out& r) const {
    sweeps_of(r).residual(space, step, b, x, r);
  }
  /// z = B r, a cycle;  row n: <r, z>, of r as the cycle has it. Over several ranks also in the halo columns of
  /// z.
  template <ExecutionSpace Space, class In, class Out>
  void precondition(const Space& space, const FusedStep<Memory>& step, const In& r,
                    const Out& z) const {
    const Impl::CycleGuard<Memory> guard{.step = step, .guarded = true};
    if constexpr (rounds) {
      m_rounded.precondition(space, guard, r, z, [&](const auto& in, const auto& out) {
        m_multigrid.cycle(space, guard, m_parts, in, out);
        Impl::exchange_halo(space, decomposition().halo, out);
      });
    } else {
      m_multigrid.cycle(space, guard, m_parts, r, z);
      Impl::exchange_halo(space, decomposition().halo, z);
    }
  }
  /// Row n: <z, A z>.
  template <ExecutionSpace Space, class In>
  void measure(const Space& space, const FusedStep<Memory>& step, const In& z) const {
    sweeps_of(z).measure(space, step, z);
  }
  /// p' = z + beta p;  r -= alpha A p';  row n + 1: <r, r>;  row n: <p', A p'>.
  /// With `update` also u += (alpha_before p + alpha p') / step.scale.
  template <ExecutionSpace Space, class In, class Out, class Solution>
  void advance(const Space& space, const FusedStep<Memory>& step, bool update, const In& z,
               const In& p, const Out& new_p, const Out& r, const Solution& u) const {
    sweeps_of(r).advance(space, step, update, z, p, new_p, r, u);
  }

  /// See `FusedModel`.
  const Decomposition<Memory>& decomposition() const { return m_multigrid.decomposition(); }
  /// p' = z + beta p on the halo columns.
  template <ExecutionSpace Space, class In, class Out>
  void advance_halo(const Space& space, const FusedStep<Memory>& step, const In& z, const In& p,
                    const Out& new_p) const {
    const auto halo = [this](const auto& field) { return Impl::last_columns(field, num_owned()); };
    Impl::advance_halo("Lamina::MultigridHelmholtz::advance_halo", space, step, halo(z), halo(p),
                       halo(new_p));
  }

  /// Costs of the kernels, by label.
  std::vector<KernelCost> kernel_costs() const {
    std::vector<KernelCost> costs = m_sweeps.kernel_costs();
    for (const KernelCost& cost : m_multigrid.kernel_costs()) costs.push_back(cost);
    if constexpr (rounds) {
      for (const KernelCost& cost : m_rounded.kernel_costs()) costs.push_back(cost);
    }
    const double halo_cells = static_cast<double>(num_columns() - num_owned()) * num_levels();
    if (halo_cells > 0) {
      costs.push_back({"Lamina::MultigridHelmholtz::advance_halo",
                       halo_cells * 3 * sizeof(vector_scalar_type), 2 * halo_cells});
    }
    return costs;
  }

 private:
  using Sweeps = std::conditional_t<std::is_same_v<Scalar, VectorScalar>,
                                    FusedHelmholtz<Scalar, Memory>, MixedHelmholtz<Memory>>;
  /// r and z are rounded for the cycle.
  static constexpr bool rounds = !std::is_same_v<VectorScalar, CycleScalar>;

  /// Whether vectors in packs of levels have more of them than b and x.
  bool has_longer_vectors() const { return m_multigrid.packed_levels() > num_levels(); }
  template <class FieldType>
  const Sweeps& sweeps_of(const FieldType& field) const {
    return static_cast<int>(field.extent(1)) == num_levels() ? m_sweeps : *m_packed_sweeps;
  }
  template <ExecutionSpace Space>
  static Sweeps make_sweeps(const Space& space, const HelmholtzOperator<double, Memory>& op,
                            const HelmholtzOperator<float, Memory>& finest) {
    if constexpr (rounds) {
      LAMINA_REQUIRE(op.num_owned() == finest.num_owned() &&
                         op.num_columns() == finest.num_columns() &&
                         op.num_levels() == finest.num_levels(),
                     "MultigridHelmholtz",
                     "argument op: expected as many columns and levels as multigrid has");
      return Sweeps(space, op);
    } else {
      return Sweeps(space, op, finest);
    }
  }

  template <ExecutionSpace Space>
  MultigridHelmholtz(const Space&, const MultigridPreconditioner<CycleScalar, Memory>& multigrid,
                     const Sweeps& sweeps)
      : m_multigrid(multigrid), m_sweeps(sweeps) {
    if constexpr (!runs_on_host<Space>) {
      m_parts = Impl::TeamParts<Memory>("Lamina::MultigridHelmholtz::parts");
    }
    if constexpr (rounds) {
      m_rounded = {num_owned(), num_columns(),
                   has_longer_vectors() ? multigrid.packed_levels() : num_levels()};
    }
  }

  MultigridPreconditioner<CycleScalar, Memory> m_multigrid;
  Sweeps m_sweeps;
  std::optional<Sweeps> m_packed_sweeps{};
  Impl::TeamParts<Memory> m_parts;         // of <r, z>, on a device
  Impl::RoundedVectors<Memory> m_rounded;  // empty where the cycle takes the vectors as they are
};

}  // namespace Lamina
