// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Sweeps of the five-point stencil on a device.

#include <lamina/device/impl/StencilChunks_Device.hpp>
#include <lamina/device/impl/TeamSums_Device.hpp>
#include <lamina/poisson/impl/GridStencil.hpp>

#include <algorithm>
#include <cstdint>

namespace Lamina::Impl {

/// Sums of a sweep to the row of its step, once all teams have theirs; nothing for other sweeps.
template <class Sweep, class Memory, class Member>
KOKKOS_FORCEINLINE_FUNCTION void add_up_sweep(const Sweep& sweep, const TeamParts<Memory>& parts,
                                              const Member& member, double* scratch,
                                              const GridSums<double>& sums) {
  if constexpr (Sweep::has_sums) {
    using Step = FusedStep<Memory>;
    double* const row = sweep.step.now;
    parts.template add_up<2>(member, scratch, sums.of, [=](int n, double sum) {
      if (n == 0) {
        row[Step::residual2] = sum;
        row[Step::energy] = sum;
      } else {
        row[Step::line_curvature] = sum;
      }
    });
  }
}

/// The sums of both neighbours in the line.
template <int Width, class Scalar, class Value>
KOKKOS_FORCEINLINE_FUNCTION Value beside_in_line(Scalar left, const Value& x, Scalar right) {
  if constexpr (Width == 1) {
    return left + right;
  } else {
    Value sum;
    for (int i = 0; i < Width; ++i) {
      sum[i] = (i > 0 ? x[i - 1] : left) + (i + 1 < Width ? x[i + 1] : right);
    }
    return sum;
  }
}

/// Takes `Width` points from j on of the lines begin <= line < end and walks across these: what is
/// read of a line serves three. Beyond the lines that there are, and beyond their points, is 0.
template <int Width, class Scalar, class Source, class Sink>
KOKKOS_FORCEINLINE_FUNCTION void walk_lines(int num_lines, int num_points, const Source& source,
                                            const Sink& sink, int j, int begin, int end,
                                            GridSums<double>& sums) {
  using Value = std::conditional_t<Width == 1, Scalar, Pack<Scalar, Width>>;
  Value up{}, x = source.line(begin).template at<Value>(j);
  if (begin > 0) up = source.line(begin - 1).template at<Value>(j);
  for (int line = begin; line < end; ++line) {
    Value down{};
    if (line + 1 < num_lines) down = source.line(line + 1).template at<Value>(j);
    const Scalar left = j > 0 ? source.line(line).template at<Scalar>(j - 1) : Scalar(0);
    const Scalar right =
        j + Width < num_points ? source.line(line).template at<Scalar>(j + Width) : Scalar(0);
    const Value image = Scalar(4) * x - beside_in_line<Width>(left, x, right) - up - down;
    sink.line(line)(j, num_points - j, x, image, sums);
    up = x;
    x = down;
  }
}

/// One thread takes packs of some lines and walks across these.
template <class Sweep, class Scalar, class Memory, int Width>
struct DeviceGrid {
  int size;
  Sweep sweep;
  StencilChunks chunks;
  TeamParts<Memory> parts;

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member) const {
    GridSums<double> sums;
    const auto pass = sweep.begin(member.league_rank() == 0 && member.team_rank() == 0);
    if (pass.active) {
      chunks.template for_each<Kokkos::LayoutLeft>(member, [&](int pack, int begin, int end) {
        walk_lines<Width, Scalar>(size, size, pass.source, pass.sink, pack * Width, begin, end,
                                  sums);
      });
    }
    if constexpr (Sweep::has_sums) {
      add_up_sweep(sweep, parts, member, static_cast<double*>(member.scratch()), sums);
    }
  }
};

/// A team takes one tile after the other, with a margin of one point, into scratch memory.
template <class Sweep, class Scalar, class Memory>
struct DeviceGridTiles {
  static constexpr int lines = 16, width = 64, team_size = 256, least_teams = 4;
  static constexpr int margin_width = width + 2, margin_points = (lines + 2) * margin_width;

  int size, across;  // tiles to a line
  int count;         // tiles
  Sweep sweep;
  TeamParts<Memory> parts;

  /// The sums take the place of the last tile.
  static std::size_t scratch_bytes() {
    return std::max(margin_points * sizeof(Scalar), team_size * sizeof(double));
  }

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member) const {
    GridSums<double> sums;
    const auto pass = sweep.begin(member.league_rank() == 0 && member.team_rank() == 0);
    if (pass.active) {
      for (int tile = member.league_rank(); tile < count; tile += member.league_size()) {
        take_tile(member, pass.source, pass.sink, static_cast<Scalar*>(member.scratch()),
                  tile / across * lines, tile % across * width, sums);
      }
    }
    if constexpr (Sweep::has_sums) {
      add_up_sweep(sweep, parts, member, static_cast<double*>(member.scratch()), sums);
    }
  }

  template <class Member, class Source, class Sink>
  KOKKOS_FORCEINLINE_FUNCTION void take_tile(const Member& member, const Source& source,
                                             const Sink& sink, Scalar* tile, int first_line,
                                             int first, GridSums<double>& sums) const {
    for (int n = member.team_rank(); n < margin_points; n += team_size) {
      const int line = first_line + n / margin_width - 1, j = first + n % margin_width - 1;
      const bool inside = line >= 0 && line < size && j >= 0 && j < size;
      tile[n] = inside ? source.line(line).template at<Scalar>(j) : Scalar(0);
    }
    member.team_barrier();
    for (int n = member.team_rank(); n < lines * width; n += team_size) {
      const int line = first_line + n / width, j = first + n % width;
      if (line < size && j < size) {
        const Scalar* const x = tile + (n / width + 1) * margin_width + n % width + 1;
        const Scalar image = 4 * x[0] - x[-1] - x[1] - x[-margin_width] - x[margin_width];
        sink.line(line)(j, 1, x[0], image, sums);
      }
    }
    member.team_barrier();
  }
};

/// Sweeps over all points with `Width` of them to a thread, each thread over some lines or only one.
template <int Width, class Scalar, class Space, class Sweep, class Memory>
void run_device_grid(const char* label, const Space& space, int size, std::int64_t stride,
                     bool one_line, const Sweep& sweep, const TeamParts<Memory>& parts) {
  const auto packs = static_cast<int>(ceil_divide(size, Width));
  const StencilChunks chunks = one_line
                                   ? StencilChunks{packs, size, size, 1}
                                   : stencil_chunks<Kokkos::LayoutLeft>(space, packs, stride, size);
  launch_stencil(label, space, DeviceGrid<Sweep, Scalar, Memory, Width>{size, sweep, chunks, parts},
                 any_number_of_rounds, KernelStart::in_turn);  // it may read through textures
}

template <class Scalar, class Space, class Sweep, class Memory>
void run_device_tiles(const char* label, const Space& space, int size, const Sweep& sweep,
                      const TeamParts<Memory>& parts) {
  using Kernel = DeviceGridTiles<Sweep, Scalar, Memory>;
  const auto across = static_cast<int>(ceil_divide(size, Kernel::width)),
             down = static_cast<int>(ceil_divide(size, Kernel::lines));
  const Kernel kernel{size, across, across * down, sweep, parts};
  const int teams =
      teams_at_once(kernel.count, teams_that_fit(space, Kernel::team_size, Kernel::least_teams));
  launch_teams<Kernel::team_size, Kernel::least_teams>(
      label, space, teams, Kernel::team_size, Kernel::scratch_bytes(),
      WaitingKernel<Kernel>{kernel}, KernelStart::in_turn);  // as others of `FusedPoisson`
}

}  // namespace Lamina::Impl
