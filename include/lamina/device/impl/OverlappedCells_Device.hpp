// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/device/impl/OverlappedTeams_Device.hpp>

#include <cstdint>
#include <string>

namespace Lamina::Impl {

/// kernel(column, level) in a thread of its own.
template <class Kernel, class Layout>
struct OverlappedCells {
  static constexpr int team_size = 256;
  Kernel kernel;
  std::int64_t columns, levels;

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    team.wait_for_previous();
    const std::int64_t cell =
        static_cast<std::int64_t>(team.league_rank()) * team_size + team.team_rank();
    if (cell >= columns * levels) return;
    if constexpr (levels_contiguous<Layout>) {
      kernel(cell / levels, cell % levels);
    } else {
      kernel(cell % columns, cell / columns);
    }
  }
};

/// Calls kernel(column, level) for all cells of fields of a layout on a device. Starts with the kernel before, as its
/// neighbours do: between those of a few microseconds one that starts in turn would cost as much again.
template <class Layout, class Space, class Kernel>
void launch_cells(const std::string& label, const Space& space, std::int64_t columns,
                  std::int64_t levels, const Kernel& kernel) {
  using Cells = OverlappedCells<Kernel, Layout>;
  const std::int64_t teams = (columns * levels + Cells::team_size - 1) / Cells::team_size;
  if (teams == 0) return;
  launch_teams<Cells::team_size, 1>(label, space, static_cast<int>(teams), Cells::team_size, 0,
                                    Cells{kernel, columns, levels});
}

}  // namespace Lamina::Impl
