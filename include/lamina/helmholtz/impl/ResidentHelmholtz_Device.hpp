// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Iterations of `FusedPcg` in one kernel: the teams wait for each other after each sweep, instead
// of ending with it. That saves up to a microsecond a sweep.

#include <lamina/core/impl/StencilChunks_Device.hpp>
#include <lamina/helmholtz/impl/Curvature_Device.hpp>
#include <lamina/helmholtz/impl/HelmholtzLines_Device.hpp>
#include <lamina/helmholtz/impl/Stencil_Device.hpp>
#include <lamina/krylov/impl/ResidentRows.hpp>
#include <lamina/lines/impl/LineSegments_Device.hpp>

#include <cstddef>

namespace Lamina::Impl {

/// Passes first_pass <= n <= last_pass of a solve, on packs of columns. `Levels`: of the segments
/// of line solves.
template <class Scalar, class Memory, int Levels>
struct ResidentHelmholtz {
  static constexpr int team_size = 512;
  using Layout = Kokkos::LayoutLeft;
  using Step = FusedStep<Memory>;
  using Rows = ResidentRows<Memory>;
  using Lines = HelmholtzLines<FusedRhs<Scalar, Layout, Memory>, Scalar, Layout, Memory, Levels>;
  using Segments = LineSegments<Lines>;
  using Source = FieldSource<FieldView<const Scalar, Layout, Memory>>;
  template <bool Update>
  using Advance = AdvanceSweep<Scalar, Layout, Memory, Update>;

  // All that sweeps need is known before. What they are told by their `step` is known in each pass
  // only, and not taken from there. Copies made in the kernel would be copies of each thread.
  Segments segments;
  Source z;
  Advance<false> even;  // passes
  Advance<true> odd;    // the solution takes both directions, before the older one is overwritten
  StencilChunks chunks;
  FusedSteps<Memory> steps;
  int first_pass, last_pass;
  double* parts;  // of the sums: of each team one for each entry of a row

  KOKKOS_FUNCTION static std::size_t group_scratch_bytes(const SegmentShape& shape) {
    constexpr std::size_t alignment = alignof(LevelCoefficients<double>);
    return (Segments::scratch_bytes(shape) + alignment - 1) / alignment * alignment;
  }
  static std::size_t scratch_bytes(const SegmentShape& shape) {
    return Rows::scratch_bytes +
           static_cast<std::size_t>(team_size / shape.team_size()) * group_scratch_bytes(shape);
  }

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const SegmentShape& shape = segments.carries.shape;
    const Rows rows(steps, team.scratch());
    const auto group = team.group(shape.team_size());
    auto* const scratch = reinterpret_cast<Scalar*>(
        static_cast<char*>(team.scratch()) + Rows::scratch_bytes +
        static_cast<std::size_t>(group.index()) * group_scratch_bytes(shape));
    rows.load(team, first_pass);
    if (group.exists()) segments.stage(group, scratch);
    team.team_barrier();
    int pass = first_pass;
    while (pass <= last_pass && take_pass(team, group, scratch, rows, pass)) ++pass;
    // A pass after the end finds nothing to do.
    if (pass <= last_pass) rows.set(team, pass + 1, Step::residual2, 0);
  }

 private:
  /// Adds up an entry of row `pass`.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void add_up(const Team& team, const Rows& rows, int pass, int entry,
                                          double part) const {
    double sum[1] = {part};
    // Each entry has parts of its own: teams may still read those of the sum before.
    team.add_up(sum, parts + entry * team.league_size());
    rows.set(team, pass, entry, sum[0]);
    team.team_barrier();
  }

  /// False where the solve has ended.
  template <class Team, class Group>
  KOKKOS_FORCEINLINE_FUNCTION bool take_pass(const Team& team, const Group& group, Scalar* scratch,
                                             const Rows& rows, int pass) const {
    const Step step = rows.step(pass);
    if (step.is_last || !step.residual_left(step.now)) return false;
    double energy = 0;
    if (group.exists()) segments.solve_tiles(group, scratch, &energy);
    add_up(team, rows, pass, Step::energy, energy);
    if (!step.continues(step.now)) return false;

    const CurvatureShare<Scalar, Memory> curvature{segments.lines.data, chunks};
    const Scalar unit = MeasureSweep<Scalar, Layout, Memory>::unit(step.now[Step::energy]);
    add_up(team, rows, pass, Step::line_curvature,
           curvature.take(team.group(stencil_team_size), z, unit,
                          curvature.prepare(team.group(stencil_team_size))));
    const auto iteration = step.iteration();
    if (iteration.proceed) {
      add_up(team, rows, pass + 1, Step::residual2,
             pass % 2 == 0 ? advance(team, even, iteration) : advance(team, odd, iteration));
    } else {
      team.team_barrier();
    }
    // In the first pass the row before is this one: not until all have read it.
    rows.set(team, pass, Step::curvature, iteration.curvature);
    return iteration.proceed;
  }

  template <class Team, class Sweep>
  KOKKOS_FORCEINLINE_FUNCTION double advance(const Team& team, const Sweep& sweep,
                                             const typename Step::Iteration& iteration) const {
    const StencilShare<Scalar, Layout, Memory, PackNeighbours<Scalar, Memory>, Sweep> share{
        segments.lines.data, chunks};
    const auto group = team.group(stencil_team_size);
    return share.take(group, sweep.pass(iteration), share.prepare(group));
  }
};

}  // namespace Lamina::Impl
