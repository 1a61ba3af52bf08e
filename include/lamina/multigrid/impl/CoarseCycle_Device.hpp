// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// The coarser levels of a cycle in one kernel, whose teams stay on the device: launches of small
// kernels cost more there than their work. Lines and residuals are those of the kernels of single
// levels.

#include <lamina/device/impl/HostWork.hpp>
#include <lamina/device/impl/ResidentTeams.hpp>
#include <lamina/multigrid/impl/CoarseCycle.hpp>
#include <lamina/multigrid/impl/RestrictResidual_Device.hpp>
#include <lamina/multigrid/impl/SmoothLines_Device.hpp>

#include <algorithm>
#include <cstddef>

namespace Lamina::Impl {

/// `Levels`: levels of the segment of a thread.
template <class Scalar, class Layout, class Memory, int Levels>
struct CoarseCycle {
  static constexpr int team_size = CycleTuning::resident_threads;
  using Level = CoarseLevel<Scalar, Memory>;
  using Input = FieldView<const Scalar, Layout, Memory>;
  using Output = FieldView<Scalar, Layout, Memory>;

  CycleGuard<Memory> guard;
  CoarseLevels<Scalar, Memory> coarse;
  int num_levels;  // of a column
  SegmentShape shape;
  int restriction_levels;

  std::size_t scratch_bytes() const {
    return lines_size() * sizeof(Scalar) + static_cast<std::size_t>(coarse.most_fine) *
                                               static_cast<std::size_t>(restriction_levels) *
                                               sizeof(Scalar);
  }

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    if (!guard.active()) return;  // in all teams, or in none
    const int last = coarse.count - 1, steps = coarse.num_steps;
    for (int l = 0; l < last; ++l) {
      const Level& level = coarse.levels[l];
      begin(team, level, coarse.weights, steps, swaps(2 * steps));
      restrict_to(team, level, coarse.levels[l + 1], swaps(2 * steps) == (steps % 2 == 1));
    }
    begin(team, coarse.levels[last], coarse.coarsest_weights, coarse.num_coarsest_steps,
          swaps(coarse.num_coarsest_steps));
    for (int l = last - 1; l >= 0; --l) {
      end(team, coarse.levels[l], coarse.levels[l + 1], swaps(2 * steps) == (steps % 2 == 1));
    }
  }

 private:
  using Rows = FieldSource<Input>;
  using Prolonged = ProlongedSource<Input, Scalar, Memory>;
  template <class Source>
  using Residual = ResidualRhs<Scalar, Layout, Memory, Source, few_slots, false>;
  using Weighted = WeightedRhs<Scalar, Layout, Memory>;
  template <class Rhs>
  using Lines = HelmholtzLines<Rhs, Scalar, Layout, Memory, Levels>;

  /// Whether the first of so many steps leaves its result in the other field, so that the last one
  /// leaves it in the solution.
  KOKKOS_FORCEINLINE_FUNCTION static bool swaps(int steps) { return (steps - 1) % 2 == 1; }
  /// Values of scratch of the line solves: entering values and tables.
  KOKKOS_FUNCTION std::size_t lines_size() const {
    return static_cast<std::size_t>(2 * shape.team_size()) + Lines<Weighted>::table_size(shape);
  }
  KOKKOS_FORCEINLINE_FUNCTION Output field(const Level& level, Scalar* values) const {
    return Output(values, static_cast<std::size_t>(level.system.topology.num_owned),
                  static_cast<std::size_t>(num_levels));
  }
  KOKKOS_FORCEINLINE_FUNCTION Output place(const Level& level, bool other) const {
    return field(level, other ? level.other : level.solution);
  }
  KOKKOS_FORCEINLINE_FUNCTION Input rhs(const Level& level) const {
    return field(level, level.rhs);
  }

  /// z from a right-hand side.
  template <class Team, class Rhs>
  KOKKOS_FORCEINLINE_FUNCTION void solve(const Team& team, const Level& level, const Rhs& from,
                                         const Output& z) const {
    const LineSegments<Lines<Rhs>> kernel{
        {level.system, from, z}, shape, level.carries, TeamParts<Memory>(), nullptr};
    auto* const scratch = static_cast<Scalar*>(team.scratch());
    kernel.stage(team, scratch);
    team.team_barrier();
    double no_sums[1] = {};
    kernel.solve_tiles(team, scratch, no_sums);
    team.league_barrier();
  }
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void step(const Team& team, const Level& level, Scalar weight,
                                        bool from_other) const {
    solve(team, level, Residual<Rows>{guard, weight, rhs(level), {place(level, from_other)}, false},
          place(level, !from_other));
  }

  /// The first step, and those that follow.
  template <class Team>
  KOKKOS_FUNCTION void begin(const Team& team, const Level& level, const Scalar* weights, int steps,
                             bool in_other) const {
    solve(team, level, Weighted{guard, weights[0], rhs(level)}, place(level, in_other));
    for (int k = 1; k < steps; ++k, in_other = !in_other) step(team, level, weights[k], in_other);
  }
  template <class Team>
  KOKKOS_FUNCTION void restrict_to(const Team& team, const Level& level, const Level& coarser,
                                   bool in_other) const {
    const RestrictResidual<Scalar, Layout, Memory, few_slots> kernel{guard,
                                                                     level.system,
                                                                     level.restriction,
                                                                     rhs(level),
                                                                     place(level, in_other),
                                                                     field(coarser, coarser.rhs),
                                                                     restriction_levels};
    kernel.run(team, static_cast<Scalar*>(team.scratch()) + lines_size());
    team.league_barrier();
  }
  /// The steps after a coarser level.
  template <class Team>
  KOKKOS_FUNCTION void end(const Team& team, const Level& level, const Level& coarser,
                           bool in_other) const {
    const Scalar* const weights = coarse.weights;
    const Prolonged source{place(level, in_other), field(coarser, coarser.solution),
                           level.prolongation};
    int k = coarse.num_steps - 1;
    solve(team, level, Residual<Prolonged>{guard, weights[k], rhs(level), source, false},
          place(level, !in_other));
    for (in_other = !in_other; k > 0; in_other = !in_other) {
      step(team, level, weights[--k], in_other);
    }
  }
};

/// The shape of teams, without columns where none fits.
template <class Scalar, class Memory>
SegmentShape resident_shape(const CoarseLevels<Scalar, Memory>& coarse) {
  const int segments = coarse.cut.padded_count();
  const bool fits = segments > 0 && CycleTuning::resident_threads % segments == 0;
  return {fits ? CycleTuning::resident_threads / segments : 0, segments};
}

template <int Levels, class Layout, class Space, class Scalar, class Memory>
bool run_resident_levels(const char* label, const Space& space, const CycleGuard<Memory>& guard,
                         const CoarseLevels<Scalar, Memory>& coarse, int num_levels) {
  using Kernel = CoarseCycle<Scalar, Layout, Memory, Levels>;
  const SegmentShape shape = resident_shape(coarse);
  if (shape.columns == 0) return false;
  // Each time, while the device has work: a process may have several devices.
  const ResidentLimits limits = resident_limits<Kernel::team_size, Kernel>(space);
  const Kernel kernel{guard, coarse, num_levels, shape,
                      restriction_levels_of<Scalar>(coarse.most_fine)};
  if (limits.teams == 0 || kernel.scratch_bytes() > limits.scratch_bytes) return false;
  const auto tiles = static_cast<int>(ceil_divide(coarse.num_columns, shape.columns));
  launch_resident<Kernel::team_size>(label, space, std::min(limits.teams, tiles),
                                     kernel.scratch_bytes(), kernel);
  return true;
}

/// Runs the levels in one kernel, if that is possible.
template <class Layout, class Space, class Scalar, class Memory>
bool run_coarse_levels(const char* label, const Space& space, const CycleGuard<Memory>& guard,
                       const CoarseLevels<Scalar, Memory>& coarse, int num_levels) {
  if constexpr (has_resident_teams<Space>) {
    if (coarse.count == 0) return false;
    if (coarse.cut.levels == long_helmholtz_segment) {
      return run_resident_levels<long_helmholtz_segment, Layout>(label, space, guard, coarse,
                                                                 num_levels);
    }
    if (coarse.cut.levels == short_helmholtz_segment) {
      return run_resident_levels<short_helmholtz_segment, Layout>(label, space, guard, coarse,
                                                                  num_levels);
    }
  }
  return false;
}

}  // namespace Lamina::Impl
