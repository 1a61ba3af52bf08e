// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/device/impl/HostWork.hpp>
#include <lamina/device/impl/RangeOf.hpp>
#include <lamina/grids/impl/TurnField_Host.hpp>
#include <lamina/helmholtz/impl/HelmholtzKernels.hpp>
#include <lamina/multigrid/impl/ColumnCycle.hpp>
#include <lamina/multigrid/impl/CycleKernels.hpp>
#include <lamina/multigrid/impl/CycleTransfers_Device.hpp>
#include <lamina/multigrid/impl/SmoothLines_Device.hpp>
#include <lamina/multigrid/impl/SmoothTiles_Host.hpp>
#include <lamina/multigrid/impl/TensorPacks.hpp>
#include <lamina/multigrid/impl/Transfers_Host.hpp>

namespace Lamina::Impl {

/// Calls work(worker) for each worker of the line solves, unless the guard is not active.
template <class Space, class Level, class Guard, class Work>
void for_each_worker(const char* label, const Space& space, const Level& level, const Guard& guard,
                     const Work& work) {
  Kokkos::parallel_for(label, range_of(space, level.lines.num_workers()), [=](int worker) {
    if (guard.active()) work(worker);
  });
}

/// A step on CPU cores.
template <class Scalar>
struct HostStep {
  using value_type = double;  // of the energy

  CycleLevel<Scalar, Kokkos::HostSpace> level;
  CycleGuard<Kokkos::HostSpace> guard;
  Scalar keep, weight;
  RowField<const Scalar> f;
  RowField<const Scalar> x;
  RowField<Scalar> to;
  TileStore store;

  void operator()(int worker) const {
    if (guard.active()) smooth_share<false>(level, keep, weight, f, x, to, worker, store);
  }
  void operator()(int worker, double& energy) const {
    if (guard.active()) energy += smooth_share<true>(level, keep, weight, f, x, to, worker, store);
  }
};

template <class Scalar, class Memory>
TensorLines<Scalar, Memory> line_packs_of(const CycleLevel<Scalar, Memory>& level) {
  return {level.system, level.packs.inverses, level.packs.links};
}
/// A step of a level in packs of levels.
template <class Space, class Scalar, class Memory, class Step>
void run_tensor_step(const CycleLabels& labels, const Space& space,
                     const CycleLevel<Scalar, Memory>& level, const CycleGuard<Memory>& guard,
                     const TeamParts<Memory>& parts, const Step& step) {
  // A rank may have no coarser column: then it has no column here.
  if (step.c.data() != nullptr && step.c.extent(0) > 0) {
    run_packs<1>(labels.prolongation.c_str(), space,
                 ProlongPacks<Scalar, Memory, AllWet>{
                     guard, level.packs.prolongation, AllWet(), step.c, step.x,
                     ColumnLanes::of(level.system.topology.num_levels)});
  }
  const char* const label = labels.step.c_str();
  const PackStep<Scalar, Memory> packs{step.keep, step.weight, step.f,     step.x,
                                       step.to,   parts,       step.energy};
  if (step.energy != nullptr) {
    run_step_packs<StepTerms::both_and_energy>(label, space, line_packs_of(level), guard, packs);
  } else if (step.f.data() != nullptr) {
    run_step_packs<StepTerms::both>(label, space, line_packs_of(level), guard, packs);
  } else {
    run_step_packs<StepTerms::only_x>(label, space, line_packs_of(level), guard, packs);
  }
}

template <class Space, class Scalar, class Layout>
void CycleKernels<Space, Scalar, Layout>::first_step(const Labels& labels, const Space& space,
                                                     const Level& level, const Guard& guard,
                                                     Scalar weight, const Input& f,
                                                     const Output& x) {
  const char* const label = labels.first_step.c_str();
  if constexpr (runs_on_host<Space>) {
    const TileStore store = tile_store<Layout>(x);
    for_each_worker(label, space, level, guard, [=](int worker) {
      first_smooth_share<Scalar>(level, weight, f, x, worker, store);
    });
  } else {
    if constexpr (levels_contiguous<Layout>) {
      if (!level.packs.empty()) {
        return run_step_packs<StepTerms::only_f>(label, space, line_packs_of(level), guard,
                                                 {Scalar(0), weight, f, Input(), x});
      }
    }
    run_device_lines(label, space, level.system,
                     WeightedRhs<Scalar, Layout, Memory, Guard>{guard, weight, f}, x, level.lines,
                     TeamParts<Memory>(), nullptr);
  }
}

template <class Space, class Scalar, class Layout>
void CycleKernels<Space, Scalar, Layout>::step(const Labels& labels, const Space& space,
                                               const Level& level, const Guard& guard,
                                               const TeamParts<Memory>& parts, const Step& step) {
  if (step.num_columns < level.system.topology.num_owned) {
    Level part = level;
    part.system.topology.num_owned = step.num_columns;
    return CycleKernels::step(labels, space, part, guard, parts, step);
  }
  const char *const label = labels.step.c_str(), *const prolong = labels.prolongation.c_str();
  const bool prolongs = step.c.data() != nullptr;
  if constexpr (runs_on_host<Space>) {
    if (prolongs) {
      for_each_worker(prolong, space, level, guard,
                      [=](int worker) { prolong_share<Scalar>(level, step.c, step.x, worker); });
    }
    const HostStep<Scalar> work{level,  guard,  step.keep, step.weight,
                                step.f, step.x, step.to,   tile_store<Layout>(step.to)};
    const auto workers = range_of(space, level.lines.num_workers());
    if (step.energy == nullptr) return Kokkos::parallel_for(label, workers, work);
    Kokkos::parallel_reduce(label, workers, work, ResultView<double, Memory>(step.energy));
  } else {
    if constexpr (levels_contiguous<Layout>) {
      if (!level.packs.empty()) return run_tensor_step(labels, space, level, guard, parts, step);
    }
    if (prolongs) {
      run_device_prolongation(prolong, space, guard, level.prolongation, step.c, step.x);
    }
    run_device_step(label, space, level, guard, parts, step);
  }
}

template <class Space, class Scalar, class Layout>
void CycleKernels<Space, Scalar, Layout>::restrict_residual(const Labels& labels,
                                                            const Space& space, const Level& level,
                                                            const Guard& guard, const Input& f,
                                                            const Input& x, const Output& r,
                                                            const Output& coarse) {
  const char* const label = labels.restriction.c_str();
  if constexpr (runs_on_host<Space>) {
    for_each_worker(label, space, level, guard,
                    [=](int worker) { restrict_share<Scalar>(level, f, x, coarse, worker); });
  } else {
    if constexpr (levels_contiguous<Layout>) {
      if (!level.packs.empty()) {
        const auto lanes = ColumnLanes::of(level.system.topology.num_levels);
        run_packs<LevelPackTuning::teams<Scalar>>(
            labels.residual.c_str(), space,
            TensorResidual<Scalar, Memory>{line_packs_of(level), guard, f, x, r, lanes});
        const auto& restriction = level.packs.restriction;
        return run_packs<1>(
            label, space,
            RestrictPacks<Scalar, Memory>{guard, restriction, as_const_field(r), coarse, lanes,
                                          static_cast<int>(restriction.entries.extent(1))});
      }
    }
    using Difference = DifferenceSweep<Scalar, Layout, Memory>;
    run_device_sweep(labels.residual.c_str(), space, level.system, Difference{guard, f, x, r},
                     TeamParts<Memory>());
    run_device_restriction(label, space, guard, level.restriction, as_const_field(r), coarse);
  }
}

template <class Space, class Scalar, class From, class To, class Memory>
void turn_field(const Space& space, const CycleGuard<Memory>& guard,
                const FieldView<const Scalar, From, Memory>& from,
                const FieldView<Scalar, To, Memory>& to) {
  const int workers = static_cast<int>(space.concurrency());
  Kokkos::parallel_for("Lamina::MultigridPreconditioner::turn", range_of(space, workers),
                       [=](int worker) {
                         if (guard.active()) turn_share(from, to, worker, workers);
                       });
}

}  // namespace Lamina::Impl
