// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/device/impl/HostWork.hpp>
#include <lamina/device/impl/RangeOf.hpp>
#include <lamina/grids/impl/ColumnOrder.hpp>
#include <lamina/helmholtz/impl/HelmholtzKernels.hpp>
#include <lamina/krylov/impl/Blas1.hpp>
#include <lamina/multigrid/impl/CycleKernels.hpp>
#include <lamina/multigrid/impl/SmoothTiles_Host.hpp>
#include <lamina/multigrid/impl/Transfers.hpp>
#include <lamina/sweeps/RunSweep.hpp>

namespace Lamina::Impl {

/// r = f - A x
template <class In, class Out>
struct SubtractImage {
  static constexpr int num_sums = 0;
  static constexpr bool stores = true;
  In f;
  Out r;

  template <class Columns, class Value, class Sums>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const Columns& columns, int level, const Value&,
                                              const Value& image, Sums&) const {
    Impl::write(r, columns, level, Impl::read<Value>(f, columns, level) - image);
  }
  KOKKOS_FORCEINLINE_FUNCTION void prefetch(std::int64_t column, int level,
                                            std::int64_t ahead) const {
    Impl::prefetch_line(&f(column, level) + ahead);
    Impl::prefetch_written_line(&r(column, level) + ahead);
  }
  KOKKOS_FORCEINLINE_FUNCTION SubtractImage<Impl::RowsOf<In>, Impl::RowsOf<Out>> from(
      int level) const {
    return {{f, level}, {r, level}};
  }
};
template <class Scalar, class Layout, class Memory>
struct CycleResidualSweep {
  using array_layout = Layout;
  using In = FieldView<const Scalar, Layout, Memory>;
  using Out = FieldView<Scalar, Layout, Memory>;
  CycleGuard<Memory> guard;
  In f, x;
  Out r;

  template <class Visit>
  auto with_fields(const Visit& visit) const {
    return visit(f, x, r);
  }
  KOKKOS_FORCEINLINE_FUNCTION auto begin(bool) const {
    return SweepPass<FieldSource<In>, SubtractImage<In, Out>>{guard.active(), {x}, {f, r}};
  }
};

/// The right-hand side weight r of line solves on a device.
template <class Scalar, class Layout, class Memory>
struct WeightedRhs {
  static constexpr int num_sums = 0;
  static constexpr bool combines = false;
  CycleGuard<Memory> guard;
  Scalar weight;
  FieldView<const Scalar, Layout, Memory> r;

  template <class Value>
  struct Thread {
    ColumnCells<const Scalar, Value> r;
    Scalar weight;

    KOKKOS_FORCEINLINE_FUNCTION void load(bool exists, Value& a, Value&) {
      if (exists) a = r.load();
      r.go_up();
    }
    KOKKOS_FORCEINLINE_FUNCTION Value value(const Value& a, const Value&, bool) const {
      return weight * a;
    }
    KOKKOS_FORCEINLINE_FUNCTION void add_sums(double, double*) const {}
  };
  template <int Count>
  bool in_packs() const {
    return packs_aligned<Scalar, Count>(r);
  }
  KOKKOS_FUNCTION bool active() const { return guard.active(); }
  template <class Value>
  KOKKOS_FUNCTION Thread<Value> begin(int column, int level) const {
    return {{r, column, level}, weight};
  }
};

/// x += change, on a device.
template <class Scalar, class Layout, class Memory>
struct AddChange {
  CycleGuard<Memory> guard;
  FieldView<const Scalar, Layout, Memory> change;
  FieldView<Scalar, Layout, Memory> x;

  KOKKOS_FUNCTION void operator()(std::int64_t column, std::int64_t level) const {
    if (guard.active()) x(column, level) += change(column, level);
  }
};

/// `DeviceDot`, of vectors without entries unless the guard is active.
template <class Scalar, class Memory, int Width>
struct GuardedDot {
  CycleGuard<Memory> guard;
  DeviceDot<Scalar, Memory, Width> dot;

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    auto own = dot;
    if (!guard.active()) own.size = 0;
    own(team);
  }
};

template <class Space, class Scalar, class Layout>
void CycleKernels<Space, Scalar, Layout>::first_step(const Space& space, const Level& level,
                                                     const Guard& guard, Scalar weight,
                                                     const Input& f, const Output& x) {
  const char* label = "Lamina::MultigridPreconditioner::first_step";
  if constexpr (runs_on_host<Space>) {
    const TileStore store = tile_store<Layout>(x);
    Kokkos::parallel_for(label, range_of(space, level.lines.num_workers()), [=](int worker) {
      if (guard.active()) first_smooth_share<Scalar, Layout>(level, weight, f, x, worker, store);
    });
  } else {
    run_device_lines(label, space, level.system,
                     WeightedRhs<Scalar, Layout, Memory>{guard, weight, f}, x, level.lines,
                     TeamParts<Memory>(), nullptr);
  }
}

template <class Space, class Scalar, class Layout>
void CycleKernels<Space, Scalar, Layout>::step(const Space& space, const Level& level,
                                               const Guard& guard, Scalar weight, const Input& f,
                                               const Output& x, const Output& other) {
  const char* label = "Lamina::MultigridPreconditioner::step";
  if constexpr (runs_on_host<Space>) {
    const TileStore store = tile_store<Layout>(other);
    Kokkos::parallel_for(label, range_of(space, level.lines.num_workers()), [=](int worker) {
      if (!guard.active()) return;
      smooth_share<false, Scalar, Layout>(level, weight, f, x, other, worker, store);
    });
  } else {
    residual(space, level, guard, f, x, other);
    // In place: a thread reads its part of a column before any of the column is written.
    run_device_lines(label, space, level.system,
                     WeightedRhs<Scalar, Layout, Memory>{guard, weight, other}, other, level.lines,
                     TeamParts<Memory>(), nullptr);
    copy_columns("Lamina::MultigridPreconditioner::add", space,
                 AddChange<Scalar, Layout, Memory>{guard, other, x}, x.extent(0), x.extent(1));
  }
}

template <class Space, class Scalar, class Layout>
void CycleKernels<Space, Scalar, Layout>::residual(const Space& space, const Level& level,
                                                   const Guard& guard, const Input& f,
                                                   const Input& x, const Output& r) {
  run_sweep("Lamina::MultigridPreconditioner::residual", space, level.system,
            CycleResidualSweep<Scalar, Layout, Memory>{guard, f, x, r});
}

template <class Space, class Scalar, class Layout>
void CycleKernels<Space, Scalar, Layout>::restrict_residual(const Space& space, const Level& level,
                                                            const Guard& guard, const Input& r,
                                                            const Output& f) {
  run_transfer<Layout>("Lamina::MultigridPreconditioner::restrict", space,
                       RestrictColumns<Scalar, Layout, Memory>{guard, level.transfer, r, f},
                       level.system.topology.num_levels);
}

template <class Space, class Scalar, class Layout>
void CycleKernels<Space, Scalar, Layout>::prolong(const Space& space, const Level& level,
                                                  const Guard& guard, const Input& c,
                                                  const Output& x) {
  run_transfer<Layout>("Lamina::MultigridPreconditioner::prolong", space,
                       ProlongColumns<Scalar, Layout, Memory>{guard, level.transfer, c, x},
                       level.system.topology.num_levels);
}

/// result = <f, x> of a device; 0 unless active.
template <class Space, class Scalar, class Layout, class Memory>
void sum_energy(const Space& space, const CycleGuard<Memory>& guard, const TeamParts<Memory>& parts,
                const FieldView<const Scalar, Layout, Memory>& f,
                const FieldView<const Scalar, Layout, Memory>& x, double* result) {
  constexpr int team_size = DotTuning::threads, least_teams = DotTuning::least_teams;
  const auto size = static_cast<std::int64_t>(f.extent(0)) * static_cast<std::int64_t>(f.extent(1));
  with_pack_width<Scalar>(
      [&](auto width) {
        const std::int64_t pieces = ceil_divide(ceil_divide(size, width), team_size);
        const int teams = teams_at_once(pieces, teams_that_fit(space, team_size, least_teams));
        launch_summing<team_size, least_teams>(
            "Lamina::MultigridPreconditioner::energy", space, teams,
            GuardedDot<Scalar, Memory, width>{guard, {f.data(), x.data(), size, parts, result}});
      },
      f.data(), x.data());
}

template <class Space, class Scalar, class Layout>
void CycleKernels<Space, Scalar, Layout>::step_with_energy(
    const Space& space, const Level& level, const Guard& guard, const TeamParts<Memory>& parts,
    Scalar weight, const Input& f, const Output& x, const Output& other, double* result) {
  if constexpr (runs_on_host<Space>) {
    const TileStore store = tile_store<Layout>(other);
    Kokkos::parallel_reduce(
        "Lamina::MultigridPreconditioner::step", range_of(space, level.lines.num_workers()),
        [=](int worker, double& sum) {
          if (!guard.active()) return;
          sum += smooth_share<true, Scalar, Layout>(level, weight, f, x, other, worker, store);
        },
        ResultView<double, Memory>(result));
  } else {
    step(space, level, guard, weight, f, x, other);
    sum_energy<Space, Scalar, Layout>(space, guard, parts, f, as_const_field(x), result);
  }
}

}  // namespace Lamina::Impl
