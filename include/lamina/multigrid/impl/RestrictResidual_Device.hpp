// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Residual and restriction on a device, in one kernel. A team takes some levels of a tile of coarse
// columns. Its residuals stay in scratch. Neither walk stores to a field that the other one reads.

#include <lamina/device/impl/HostWork.hpp>
#include <lamina/device/impl/OverlappedTeams_Device.hpp>
#include <lamina/multigrid/impl/CycleLevel.hpp>
#include <lamina/multigrid/impl/Tuning.hpp>
#include <lamina/sweeps/FusedSweeps.hpp>
#include <lamina/sweeps/impl/LevelRows.hpp>
#include <lamina/sweeps/impl/Stencils_Device.hpp>
#include <lamina/sweeps/impl/Traversal_Device.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace Lamina::Impl {

/// f - A x of one column, in scratch: level first + i at place i * stride.
template <class In>
struct ResidualToScratch {
  using Scalar = ScalarOf<In>;
  static constexpr int num_sums = 0;
  static constexpr bool stores = true;
  In f;
  Scalar* scratch;
  int first, stride;

  template <class Columns, class Value, class Sums>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const Columns& columns, int level, const Value&,
                                              const Value& image, Sums&) const {
    scratch[(level - first) * stride] = Impl::read<Value>(f, columns, level) - image;
  }
  KOKKOS_FORCEINLINE_FUNCTION void prefetch(std::int64_t column, int level,
                                            std::int64_t ahead) const {
    Impl::prefetch_line(&f(column, level) + ahead);
  }
  KOKKOS_FORCEINLINE_FUNCTION ResidualToScratch<RowsOf<In>> from(int level) const {
    return {{f, level}, scratch, first - level, stride};
  }
};

/// What a thread walks over: a sweep of single columns.
template <class Field, class Layout>
struct ScratchSweep {
  using array_layout = Layout;
  using Pass = SweepPass<FieldSource<Field>, ResidualToScratch<Field>>;
  KOKKOS_FUNCTION Pass begin(bool) const;  // for its type alone
};

/// coarse = P^T (f - A x)
template <class Scalar, class Layout, class Memory, int Slots>
struct RestrictResidual {
  using Field = FieldView<const Scalar, Layout, Memory>;
  using System = TensorSystem<Scalar, Memory>;
  using Sweep = ScratchSweep<Field, Layout>;
  using Stencil = ColumnStencil<TensorCoefficients<Scalar, Memory>, Slots>;

  CycleGuard<Memory> guard;
  System system;
  Restriction<Scalar, Memory> restriction;
  Field f, x;
  FieldView<Scalar, Layout, Memory> coarse;
  int team_levels;

  KOKKOS_FUNCTION int num_parts() const {
    return (system.topology.num_levels + team_levels - 1) / team_levels;
  }
  KOKKOS_FUNCTION std::int64_t num_pieces() const {
    return static_cast<std::int64_t>(restriction.num_tiles()) * num_parts();
  }
  std::size_t scratch_bytes() const {
    return static_cast<std::size_t>(restriction.most_fine) * static_cast<std::size_t>(team_levels) *
           sizeof(Scalar);
  }

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member) const {
    if (guard.active()) run(member, static_cast<Scalar*>(member.scratch()));
  }
  /// \param residuals  scratch of the team
  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION void run(const Member& member, Scalar* residuals) const {
    for (std::int64_t piece = member.league_rank(); piece < num_pieces();
         piece += member.league_size()) {
      // Neighbouring teams take neighbours in memory.
      const std::int64_t length = levels_contiguous<Layout> ? num_parts() : restriction.num_tiles();
      const int row = static_cast<int>(piece / length), place = static_cast<int>(piece % length);
      const int tile = levels_contiguous<Layout> ? row : place;
      const int first = (levels_contiguous<Layout> ? place : row) * team_levels;
      const int levels = first + team_levels < system.topology.num_levels
                             ? team_levels
                             : system.topology.num_levels - first;
      compute_residuals(member, tile, first, levels, residuals);
      member.team_barrier();
      restrict_them(member, tile, first, levels, residuals);
      member.team_barrier();
    }
  }

 private:
  /// Where the residual of a fine column of a tile is, at a level counted from the first one.
  KOKKOS_FORCEINLINE_FUNCTION int place_of(int column, int level) const {
    return levels_contiguous<Layout> ? column * team_levels + level
                                     : level * restriction.most_fine + column;
  }
  /// Calls body(item, part) for the share of a thread of items times parts.
  template <class Member, class Body>
  KOKKOS_FORCEINLINE_FUNCTION static void for_each(const Member& member, int items, int parts,
                                                   const Body& body) {
    const int length = levels_contiguous<Layout> ? parts : items;
    for (int n = member.team_rank(); n < items * parts; n += member.team_size()) {
      const int row = n / length, place = n - row * length;
      body(levels_contiguous<Layout> ? row : place, levels_contiguous<Layout> ? place : row);
    }
  }

  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION void compute_residuals(const Member& member, int tile, int first,
                                                     int levels, Scalar* residuals) const {
    constexpr int step = levels_contiguous<Layout> ? 1 : CycleTuning::thread_levels;
    const int stride = levels_contiguous<Layout> ? 1 : restriction.most_fine;
    const int begin = restriction.first_fine(tile);
    for_each(member, restriction.first_fine(tile + 1) - begin, (levels + step - 1) / step,
             [&](int column, int part) {
               const int from = part * step, to = from + step < levels ? from + step : levels;
               const typename Sweep::Pass pass{
                   true, {x}, {f, residuals + place_of(column, from), first + from, stride}};
               const StencilChunks none{};
               SweepSums<double, ResidualToScratch<Field>> sums;
               SweepShare<System, Stencil, Sweep>{system, none}.take_piece(
                   pass, Stencil(system, restriction.fine(begin + column)), first + from,
                   first + to, sums);
             });
  }
  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION void restrict_them(const Member& member, int tile, int first,
                                                 int levels, const Scalar* residuals) const {
    const int begin = restriction.first_coarse(tile);
    for_each(member, restriction.first_coarse(tile + 1) - begin, levels, [&](int item, int level) {
      const int place = begin + item;
      Scalar sum = 0;
      for (int n = restriction.first_entry(place); n < restriction.first_entry(place + 1); ++n) {
        sum += restriction.weights(n) * residuals[place_of(restriction.entries(n), level)];
      }
      coarse(restriction.coarse(place), first + level) = sum;
    });
  }
};

/// Levels that a team takes at once.
template <class Scalar>
int restriction_levels_of(int most_fine) {
  const int fit =
      CycleTuning::restriction_bytes / (std::max(1, most_fine) * static_cast<int>(sizeof(Scalar)));
  return std::clamp(fit, 1, CycleTuning::restriction_levels);
}

template <class Layout, class Space, class Scalar, class Memory>
void run_device_restriction(const char* label, const Space& space,
                            const CycleLevel<Scalar, Memory>& level,
                            const CycleGuard<Memory>& guard,
                            const FieldView<const Scalar, Layout, Memory>& f,
                            const FieldView<const Scalar, Layout, Memory>& x,
                            const FieldView<Scalar, Layout, Memory>& coarse) {
  using Tuning = CycleTuning;
  const auto& restriction = level.restriction;
  const auto run = [&]<int Slots>() {
    const WaitingKernel<RestrictResidual<Scalar, Layout, Memory, Slots>> waiting{
        {guard, level.system, restriction, f, x, coarse,
         restriction_levels_of<Scalar>(restriction.most_fine)}};
    const auto& kernel = waiting.kernel;
    launch_teams<Tuning::restriction_threads, Tuning::restriction_teams>(
        label, space, teams_at_once(kernel.num_pieces(), max_summing_teams),
        Tuning::restriction_threads, kernel.scratch_bytes(), waiting);
  };
  if (level.system.topology.neighbours.extent(1) <= few_slots) {
    run.template operator()<few_slots>();
  } else {
    run.template operator()<many_slots>();
  }
}

}  // namespace Lamina::Impl
