// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// The operations of a cycle over any coefficients, one kernel each. n is the number of cells of the level.

#include <lamina/columns/ColumnLinePreconditioner.hpp>
#include <lamina/core/impl/ExtentOf.hpp>
#include <lamina/device/impl/Backend.hpp>
#include <lamina/krylov/impl/FieldRows.hpp>
#include <lamina/multigrid/impl/ColumnCoarsening.hpp>
#include <lamina/multigrid/impl/CycleCosts.hpp>
#include <lamina/multigrid/impl/CycleLevel.hpp>
#include <lamina/multigrid/impl/CyclePacks_Device.hpp>
#include <lamina/multigrid/impl/FinestLevel.hpp>
#include <lamina/multigrid/impl/SmoothColumns_Host.hpp>
#include <lamina/multigrid/impl/TransferTables.hpp>
#include <lamina/multigrid/impl/TurnedFields_Device.hpp>
#include <lamina/sweeps/RunSweep.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace Lamina::Impl {

/// r = b - A x
template <class In, class Out>
struct StoreDifference {
  static constexpr int num_sums = 0;
  static constexpr bool stores = true;
  In b;
  Out r;

  template <class Columns, class Value, class Sums>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const Columns& columns, int level, const Value&,
                                              const Value& image, Sums&) const {
    const Value residual = read<Value>(b, columns, level) - image;
    write(r, columns, level, residual);
  }
  KOKKOS_FORCEINLINE_FUNCTION void prefetch(std::int64_t column, int level,
                                            std::int64_t ahead) const {
    prefetch_line(&b(column, level) + ahead);
    prefetch_written_line(&r(column, level) + ahead);
  }
  KOKKOS_FORCEINLINE_FUNCTION StoreDifference<RowsOf<In>, RowsOf<Out>> from(int level) const {
    return {{b, level}, {r, level}};
  }
};
// traffic: reads 2n, writes n; flops: 22n
template <class Scalar, class Layout, class Memory>
struct DifferenceSweep {
  using array_layout = Layout;
  using In = FieldView<const Scalar, Layout, Memory>;
  using Out = FieldView<Scalar, Layout, Memory>;
  CycleGuard<Memory> guard;
  In b, x;
  Out r;

  template <class Visit>
  auto with_fields(const Visit& visit) const {
    return visit(b, x, r);
  }
  KOKKOS_FORCEINLINE_FUNCTION auto begin(bool) const {
    return SweepPass<FieldSource<In>, StoreDifference<In, Out>>{guard.active(), {x}, {b, r}};
  }
};

/// One kernel over `count` items.
template <class Space, class Kernel>
void run_items(const char* label, const Space& space, std::size_t count, const Kernel& kernel) {
  using Index = Kokkos::IndexType<std::int64_t>;
  Kokkos::parallel_for(
      label, Kokkos::RangePolicy<Space, Index>(space, 0, static_cast<std::int64_t>(count)), kernel);
}

/// A step, where `guard` is active. On a device it is (1 - weight) x + weight M^-1 (f + N x) with N = M - A: A x is not
/// formed.
/// \param workspace  of the lines of the level: on CPU cores a `LineWorkspace`, on a device `LineTables`
/// traffic: reads x and f, writes `to`: 3n, and what coefficients read for sweeps and line solves; without x 2n, and
/// what they read for line solves. On a device inverse pivots, n.
/// flops: 36n, without x 13n
template <class Space, class Coefficients, class Scalar, class Layout, class Memory,
          class Workspace>
void smooth_columns(const char* label, const Space& space, const ColumnSystem<Coefficients>& system,
                    const CycleGuard<Memory>& guard, const ColumnStep<Scalar, Layout, Memory>& step,
                    const Workspace& workspace) {
  const bool is_first = step.x.data() == nullptr;
  if constexpr (runs_on_host<Space>) {
    const TileStore store = tile_store<Layout>(step.to);
    Kokkos::parallel_for(label, range_of(space, workspace.num_workers()), [=](int worker) {
      if (!guard.active()) return;
      if (is_first) {
        first_smooth_columns_share(system, step, workspace, worker, store);
      } else {
        smooth_columns_share(system, step, workspace, worker, store);
      }
    });
  } else {
    const StoredLinePacks<Coefficients> lines{system, workspace, num_batches(workspace.links)};
    const PackStep<Scalar, typename Space::memory_space> packs{1 - step.weight, step.weight, step.f,
                                                               step.x, step.to};
    if (is_first) {
      run_step_packs<StepTerms::only_f>(label, space, lines, guard, packs);
    } else {
      run_step_packs<StepTerms::both>(label, space, lines, guard, packs);
    }
  }
}

/// r = f - A x, on a device 0 outside `wet`. Where `guard` is active.
/// traffic: reads 2n, writes n, what coefficients read for sweeps, and on a device a byte a cell; flops: 22n
template <class Space, class Coefficients, class Scalar, class Layout, class Memory,
          class Workspace>
void form_residual(const char* label, const Space& space, const ColumnSystem<Coefficients>& system,
                   const CycleGuard<Memory>& guard, [[maybe_unused]] const Workspace& workspace,
                   const WetCells<Layout, Memory>& wet,
                   const FieldView<const Scalar, Layout, Memory>& f,
                   const FieldView<const Scalar, Layout, Memory>& x,
                   const FieldView<Scalar, Layout, Memory>& r) {
  if constexpr (runs_on_host<Space>) {
    run_sweep(label, space, system, DifferenceSweep<Scalar, Layout, Memory>{guard, f, x, r});
  } else {
    run_packs<LevelPackTuning::teams<Scalar>>(
        label, space,
        ResidualPacks<Coefficients>{system, guard, workspace, wet, f, x, r,
                                    ColumnLanes::of(system.topology.num_levels),
                                    num_batches(workspace.links)});
  }
}

/// f = P^T r, from wet cells. Over several ranks f has rows, of which this rank's ones are written.
/// traffic: reads n, writes n/4; flops: 6n
template <class Scalar, class Layout, class Memory>
struct RestrictWet {
  static constexpr int levels = transferred_levels<Layout, Memory>;
  CycleGuard<Memory> guard;
  Restriction<Scalar, Memory> restriction;
  WetCells<Layout, Memory> wet;
  FieldView<Scalar, Layout, Memory> r, f;

  std::size_t items() const {
    return transfer_items<Layout, Memory>(restriction.num_coarse(), f.extent(1));
  }
  KOKKOS_FUNCTION void operator()(std::int64_t item) const {
    if (!guard.active()) return;
    const int num_levels = static_cast<int>(f.extent(1));
    const auto [place, first] =
        transfer_place<Layout, Memory>(item, restriction.num_coarse(), num_levels);
    if (first + levels <= num_levels) return take<levels>(place, first);
    for (int level = first; level < num_levels; ++level) take<1>(place, level);
  }

 private:
  template <int Count>
  KOKKOS_FORCEINLINE_FUNCTION void take(int place, int first) const {
    Scalar sums[extent_of<Count>] = {};
    const int entries = restriction.counts(place);
    for (int n = 0; n < entries; ++n) {
      const int fine = restriction.fine(place, n);
      const Scalar weight = restriction.weights(place, n);
      LAMINA_DEVICE_UNROLL()
      for (int i = 0; i < Count; ++i) {
        if (wet(fine, first + i) != 0) sums[i] += weight * r(fine, first + i);
      }
    }
    const int coarse = restriction.coarse(place);
    LAMINA_DEVICE_UNROLL()
    for (int i = 0; i < Count; ++i) f(coarse, first + i) = sums[i];
  }
};

/// x += P c, in wet cells.  traffic: reads 5n/4, writes n; flops: 6n
template <class Scalar, class Layout, class Memory>
struct ProlongWet {
  static constexpr int levels = transferred_levels<Layout, Memory>;
  CycleGuard<Memory> guard;
  Prolongation<Scalar, Memory> prolongation;
  WetCells<Layout, Memory> wet;
  FieldView<Scalar, Layout, Memory> c, x;

  std::size_t items() const {
    return transfer_items<Layout, Memory>(static_cast<int>(x.extent(0)), x.extent(1));
  }
  KOKKOS_FUNCTION void operator()(std::int64_t item) const {
    if (!guard.active()) return;
    const int num_levels = static_cast<int>(x.extent(1));
    const auto [column, first] =
        transfer_place<Layout, Memory>(item, static_cast<int>(x.extent(0)), num_levels);
    if (first + levels <= num_levels) return take<levels>(column, first);
    for (int level = first; level < num_levels; ++level) take<1>(column, level);
  }

 private:
  template <int Count>
  KOKKOS_FORCEINLINE_FUNCTION void take(int column, int first) const {
    Scalar sums[extent_of<Count>] = {};
    for (int n = 0; n < prolongation.slots; ++n) {
      const Scalar weight = prolongation.weights(column, n);
      // There may be no coarser column, on a rank that has only halo columns without open edges.
      if (weight == 0) continue;
      const int coarse = prolongation.columns(column, n);
      LAMINA_DEVICE_UNROLL()
      for (int i = 0; i < Count; ++i) {
        if (wet(column, first + i) != 0) sums[i] += weight * c(coarse, first + i);
      }
    }
    LAMINA_DEVICE_UNROLL()
    for (int i = 0; i < Count; ++i) {
      if (wet(column, first + i) != 0) x(column, first + i) += sums[i];
    }
  }
};

/// Both, where r is as `form_residual` gives it.
template <class Space, class Scalar, class Layout, class Memory, class Table>
void restrict_wet(const char* label, const Space& space, const CycleGuard<Memory>& guard,
                  const Table& restriction, const WetCells<Layout, Memory>& wet,
                  const FieldView<Scalar, Layout, Memory>& r,
                  const FieldView<Scalar, Layout, Memory>& f) {
  if constexpr (runs_on_host<Space>) {
    const RestrictWet<Scalar, Layout, Memory> kernel{guard, restriction, wet, r, f};
    run_items(label, space, kernel.items(), kernel);
  } else {
    const auto lanes = ColumnLanes::of(static_cast<int>(f.extent(1)));
    run_packs<1>(label, space,
                 RestrictPacks<Scalar, Memory>{guard, restriction, r, f, lanes,
                                               static_cast<int>(restriction.entries.extent(1))});
  }
}
template <class Space, class Scalar, class Layout, class Memory, class Table>
void prolong_wet(const char* label, const Space& space, const CycleGuard<Memory>& guard,
                 const Table& prolongation, const WetCells<Layout, Memory>& wet,
                 const FieldView<Scalar, Layout, Memory>& c,
                 const FieldView<Scalar, Layout, Memory>& x) {
  // A rank may have no coarser column: then it has only halo columns without open edges.
  if (c.extent(0) == 0) return;
  if constexpr (runs_on_host<Space>) {
    const ProlongWet<Scalar, Layout, Memory> kernel{guard, prolongation, wet, c, x};
    run_items(label, space, kernel.items(), kernel);
  } else {
    run_packs<1>(label, space,
                 ProlongPacks<Scalar, Memory>{guard, prolongation, wet, c, x,
                                              ColumnLanes::of(static_cast<int>(x.extent(1)))});
  }
}

/// Sum of r z on CPU cores; 0 unless the guard is active.
template <class Scalar, class Memory>
struct SumEnergy {
  using value_type = double;
  /// Several sums, so that additions do not wait for each other.
  static constexpr int lanes = 8;
  CycleGuard<Memory> guard;
  FieldRows<const Scalar> r, z;
  RowItems<true, lanes> items;

  void operator()(std::int64_t item, double& sum) const {
    if (!guard.active()) return;
    const auto part = items.part(item);
    const Scalar *const left = r.row(part.row), *const right = z.row(part.row);
    std::int64_t i = part.begin;
    double sums[extent_of<lanes>] = {};
    for (; i + lanes <= part.end; i += lanes) {
      for (int n = 0; n < lanes; ++n) {
        sums[n] += static_cast<double>(left[i + n]) * static_cast<double>(right[i + n]);
      }
    }
    for (const double other : sums) sum += other;
    for (; i < part.end; ++i) sum += static_cast<double>(left[i]) * static_cast<double>(right[i]);
  }
};

/// *result = <r, z>, in double precision; 0 unless the guard is active.  traffic: reads 2n; flops: 2n
template <class Space, class Scalar, class Memory>
void sum_energy(const Space& space, const CycleGuard<Memory>& guard, FieldRows<const Scalar> r,
                FieldRows<const Scalar> z, double* result) {
  using Sum = SumEnergy<Scalar, Memory>;
  const auto items = items_of<Space, Sum::lanes>(r, z);
  Kokkos::parallel_reduce(
      "Lamina::MultigridColumns::energy", ItemPolicy<Space>(space, 0, items.size()),
      Sum{guard, r, z, items},
      Kokkos::View<double, Memory, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(result));
}

/// Labels of the copies of r and z of a cycle on a device.
inline constexpr const char* turn_labels[] = {"Lamina::ColumnMultigrid::turn_r",
                                              "Lamina::ColumnMultigrid::turn_z"};

/// The labels of the kernels of one level.
struct ColumnCycleLabels {
  std::string first_step, step, residual, restriction, sum_rows, prolongation;

  /// \param level  0: the finest
  explicit ColumnCycleLabels(std::size_t level) {
    const std::string prefix = level_prefix("ColumnMultigrid", level);
    first_step = prefix + "first_step";
    step = prefix + "step";
    residual = prefix + "residual";
    restriction = prefix + "restrict";
    sum_rows = prefix + "sum_rows";
    prolongation = prefix + "prolong";
  }
};

}  // namespace Lamina::Impl

#include <lamina/multigrid/impl/CompiledCycle.hpp>
