// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// `StencilMemory::shared` on a device: a team takes one tile after the other, with a margin of one
// cell, into scratch memory.

#include <lamina/device/impl/OverlappedTeams_Device.hpp>
#include <lamina/poisson/impl/Tuning.hpp>
#include <lamina/sweeps/impl/GridSystem.hpp>
#include <lamina/sweeps/impl/Traversal_Device.hpp>

#include <algorithm>
#include <cstddef>

namespace Lamina::Impl {

template <class System, class Sweep>
struct DeviceGridTiles {
  using Scalar = typename System::scalar_type;
  using Sums = SweepSums<double, SinkOf<Sweep>>;
  static constexpr int lines = GridTileTuning::lines, width = GridTileTuning::width,
                       team_size = GridTileTuning::threads;
  static constexpr int margin_width = width + 2, margin_cells = (lines + 2) * margin_width;

  System system;
  int across;  // tiles to a line
  int count;   // tiles
  Sweep sweep;
  TeamParts<typename System::memory_space> parts;
  double* sums;  // where they go

  /// The sums take the place of the last tile.
  static std::size_t scratch_bytes() {
    return std::max(margin_cells * sizeof(Scalar), team_size * sizeof(double));
  }

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member) const {
    Sums found;
    const auto pass = sweep.begin(member.league_rank() == 0 && member.team_rank() == 0);
    if (pass.active) {
      for (int tile = member.league_rank(); tile < count; tile += member.league_size()) {
        take_tile(member, pass.source, pass.sink, static_cast<Scalar*>(member.scratch()),
                  tile / across * lines, tile % across * width, found);
      }
    }
    add_up_sweep<Sweep>(parts, member, found, sums);
  }

 private:
  /// Where line or cell n stands, of `count`.
  KOKKOS_FORCEINLINE_FUNCTION static int place(int n, int count, int before, int behind) {
    if (n < 0) return before;
    return n < count ? n : n == count ? behind : GridTopology::none;
  }

  template <class Member, class Source, class Sink>
  KOKKOS_FORCEINLINE_FUNCTION void take_tile(const Member& member, const Source& source,
                                             const Sink& sink, Scalar* tile, int first_line,
                                             int first, Sums& found) const {
    const int num_lines = system.topology.num_levels, num_cells = system.topology.num_owned;
    for (int n = member.team_rank(); n < margin_cells; n += team_size) {
      const GridTopology& grid = system.topology;
      const int line = place(first_line + n / margin_width - 1, num_lines, grid.south, grid.north),
                i = place(first + n % margin_width - 1, num_cells, grid.west, grid.east);
      const bool exists = line != GridTopology::none && i != GridTopology::none;
      tile[n] = exists ? source.template value<Scalar>(i, line) : Scalar(0);
    }
    member.team_barrier();
    for (int n = member.team_rank(); n < lines * width; n += team_size) {
      const int line = first_line + n / width, i = first + n % width;
      if (line < num_lines && i < num_cells) {
        const Scalar* const at = tile + (n / width + 1) * margin_width + n % width + 1;
        const GridCross<Scalar> x{at[0], at[-1], at[1], at[-margin_width], at[margin_width]};
        sink(i, line, x.centre, system.coefficients.image(x), found);
      }
    }
    member.team_barrier();
  }
};

template <class Space, class System, class Sweep>
void run_device_tiles(const char* label, const Space& space, const System& system,
                      const Sweep& sweep, const TeamParts<typename System::memory_space>& parts) {
  using Kernel = DeviceGridTiles<System, Sweep>;
  const auto across = static_cast<int>(ceil_divide(system.topology.num_owned, Kernel::width)),
             down = static_cast<int>(ceil_divide(system.topology.num_levels, Kernel::lines));
  const Kernel kernel{system, across, across * down, sweep, parts, sums_of(sweep)};
  const int teams = teams_at_once(
      kernel.count, teams_that_fit(space, Kernel::team_size, GridTileTuning::least_teams));
  launch_teams<Kernel::team_size, GridTileTuning::least_teams>(
      label, space, teams, Kernel::team_size, Kernel::scratch_bytes(),
      WaitingKernel<Kernel>{kernel}, KernelStart::in_turn);  // as others of `FusedPoisson`
}

}  // namespace Lamina::Impl
