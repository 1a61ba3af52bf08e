// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/blocks/impl/slices/SliceProducts_Device.hpp>
#include <lamina/core/impl/ExtentOf.hpp>
#include <lamina/device/impl/AsyncCopy_Device.hpp>
#include <lamina/device/impl/Backend.hpp>
#include <lamina/device/impl/LoadOnce_Device.hpp>
#include <lamina/device/impl/OverlappedTeams_Device.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace Lamina::Impl {

/// x_i = D_i^-1 (b_i - O_i x) for the rows of the slices [first, last). The splits of a slice add up
/// their parts of q = b - O x.
// traffic: that of `PointImplicitSolver::sweep_colour`, with b and x of each right-hand side, and
// with row numbers instead of offsets; also the padding of slices, of which at least the columns
// are read
template <class Scalar, class OffDiagonal, int Size, bool FewRows, int XWidth, int NumRhs,
          class Remote = NoRemoteRows>
struct SweepSlices : SliceProducts<Scalar, OffDiagonal, Size, FewRows, XWidth, NumRhs, Remote> {
  using Products = SliceProducts<Scalar, OffDiagonal, Size, FewRows, XWidth, NumRhs, Remote>;
  using Products::components, Products::block_values, Products::places;
  using Products::first, Products::last, Products::num_slots, Products::remote, Products::slices,
      Products::splits, Products::x;
  using typename Products::Place, typename Products::Shape, typename Products::Sums;
  static constexpr int lanes = Shape::lanes, max_threads = Shape::max_threads,
                       min_teams = Shape::min_teams, exchange_values = Shape::exchange_values,
                       exchange_bytes = Shape::exchange_bytes;

  /// A team of few rows takes one slice.
  int threads() const { return FewRows ? SliceShape::slice_lanes * splits : max_threads; }
  int num_teams() const {
    const int slots = num_slots();
    return (last - first + slots - 1) / slots;
  }
  /// Of the values that lanes exchange, and for few rows of the inverses of a slice.
  std::size_t scratch_bytes() const {
    constexpr int inverses = block_values * places * int{sizeof(Scalar)} + async_unit;
    if (FewRows) return exchange_bytes + inverses;
    return exchanges() ? exchange_bytes : 0;
  }
  KOKKOS_FUNCTION bool exchanges() const { return FewRows || splits > 1 || lanes > 1; }

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    team.let_next_begin();
    if constexpr (Remote::exist) {
      if (first == last) return take_none(team);
    }
    const Place at(*this, team);
    if constexpr (FewRows) {
      take_of_few(team, at);
    } else {
      take_of_many(team, at);
    }
    remote.raise(team);
  }

 private:
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void take_none(const Team& team) const {
    team.wait_for_previous();
    remote.await(team);
    remote.raise(team);
  }
  /// x = D^-1 q, by the lanes of the first split. Inverses are loaded when blocks no longer need
  /// the registers.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void take_of_many(const Team& team, const Place& at) const {
    Sums q;
    Scalar inverse[extent_of<block_values>];
    this->products(team, at, q);
    if (at.split == 0) {
      const Scalar* const from = inverses_of(at.slice) + at.place();
      for (int n = 0; n < block_values; ++n) load_once<1>(from + n * places, inverse + n);
    }
    const Scalar* const row_q = exchanged(team, at, q);
    if (at.row < 0 || at.split != 0) return;
    LAMINA_DEVICE_UNROLL()
    for (int r = 0; r < NumRhs; ++r) {
      Scalar y[extent_of<components>] = {};
      LAMINA_DEVICE_UNROLL()
      for (int c = 0; c < Size; ++c) {
        const Scalar q_c = lanes == 1 ? q[r][c % components] : row_q[r * exchange_values + c];
        for (int p = 0; p < components; ++p) y[p] += inverse[c * components + p] * q_c;
      }
      Scalar* const to = x.row(at.row) + r * Size + at.component();
      for (int p = 0; p < components; ++p) to[p] = y[p];
      remote.send(at.row, at.component(), y);
    }
  }
  /// The same with one component to a lane. Inverses are copied to scratch while the kernel of the
  /// colour before still runs.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void take_of_few(const Team& team, const Place& at) const {
    const Scalar* const inverse = copy_async_range(
        team, static_cast<char*>(team.scratch()) + exchange_bytes, inverses_of(at.slice),
        block_values * places, inverses_of(slices.num_slices));
    close_copies();
    Sums q;
    this->products(team, at, q);
    wait_for_copies<0>();
    const Scalar* const row_q = exchanged(team, at, q);
    if (at.row < 0 || at.split != 0) return;
    for (int r = 0; r < NumRhs; ++r) {
      Scalar y[1] = {};
      for (int c = 0; c < Size; ++c) {
        y[0] += inverse[c * places + at.lane] * row_q[r * exchange_values + c];
      }
      x.row(at.row)[r * Size + at.component()] = y[0];
      remote.send(at.row, at.component(), y);
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION const Scalar* inverses_of(std::int64_t slice) const {
    return slices.inverses + slice * (block_values * places);
  }

  /// Adds up the parts of all splits, for the first split. Returns the q of all lanes of a row in
  /// scratch, for the first right-hand side. The next one follows after `exchange_values` values.
  /// All threads of a team call it.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION const Scalar* exchanged(const Team& team, const Place& at,
                                                      Sums& q) const {
    if (!exchanges()) return nullptr;
    constexpr int slice_values = SliceShape::slice_lanes * components;
    const int split_values = num_slots() * slice_values;
    Scalar* const slot = static_cast<Scalar*>(team.scratch()) + at.slot * slice_values;
    Scalar* const mine = slot + at.split * split_values + at.lane * components;
    Products::for_all_sums([&](int r, int p) { mine[r * exchange_values + p] = q[r][p]; });
    team.team_barrier();
    if (splits > 1) {
      if (at.split == 0) {
        Products::for_all_sums([&](int r, int p) {
          Scalar* const value = mine + r * exchange_values + p;
          for (int s = 1; s < splits; ++s) q[r][p] += value[s * split_values];
          *value = q[r][p];
        });
      }
      if (lanes > 1) team.team_barrier();
    }
    return slot + at.row_of_slice * Size;
  }
};

/// Launches a kernel for as many right-hand sides as it takes, and for one where rows of x are not
/// aligned for two entries.
template <class Space, class Scalar, class OffDiagonal>
void launch_slices(const char* label, const Space& space,
                   const SlicedRows<Scalar, OffDiagonal>& slices, int first, int last, int splits,
                   const BlockVector<const Scalar>& b, const BlockVector<Scalar>& x, int num_rhs,
                   LaunchGraph<Space>* graph) {
  if (first == last) return;
  with_slice_shape(slices.shape, [&]<int Size, bool FewRows>() {
    int side = 0;
    const auto launch = [&]<int XWidth, int NumRhs>() {
      using Kernel = SweepSlices<Scalar, OffDiagonal, Size, FewRows, XWidth, NumRhs>;
      for (; num_rhs - side >= NumRhs; side += NumRhs) {
        const std::int64_t component = std::int64_t{side} * Size;
        const Kernel kernel{{slices, from_component(b, component), from_component(x, component),
                             first, last, splits, NoRemoteRows()}};
        launch_teams<Kernel::max_threads, Kernel::min_teams>(
            label, space, kernel.num_teams(), kernel.threads(), kernel.scratch_bytes(), kernel,
            KernelStart::overlapped, graph);
      }
    };
    if (num_rhs > 1 && x.rows_begin_at_multiples_of(2)) {
      if constexpr (SliceShape{Size, FewRows}.max_rhs() >= 8) launch.template operator()<2, 8>();
      launch.template operator()<2, 4>();
      launch.template operator()<2, 2>();
    }
    constexpr int width = SliceShape::x_width(Size, FewRows, pack_width<Scalar>);
    if (x.rows_begin_at_multiples_of(width)) launch.template operator()<width, 1>();
    launch.template operator()<1, 1>();
  });
}

/// A team whose rank counts from a later team of the kernel.
template <class Team>
class LaterTeam : public Team {
 public:
  KOKKOS_FORCEINLINE_FUNCTION LaterTeam(const Team& team, int before)
      : Team(team), m_before(before) {}
  KOKKOS_FORCEINLINE_FUNCTION int league_rank() const { return Team::league_rank() - m_before; }

 private:
  int m_before;
};

/// The rows of a colour of one of several ranks, for one right-hand side. The first teams have the
/// rows beside a cut. They alone wait for peers, and are done first where more warps share their
/// slices: what they send travels while the others work.
template <class Scalar, class OffDiagonal, int Size, bool FewRows>
struct SweepSlicesOfRank {
  using Beside = SweepSlices<Scalar, OffDiagonal, Size, FewRows, 1, 1, RemoteRows<Scalar>>;
  using Others = SweepSlices<Scalar, OffDiagonal, Size, FewRows, 1, 1>;

  static constexpr int max_threads = Others::max_threads,
                       min_teams = FewRows || sizeof(OffDiagonal) != 4
                                       ? Others::min_teams
                                       : BlockSliceTuning::teams_of_rank(Size, Others::min_teams);

  Beside beside;
  Others others;

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    if (team.league_rank() < beside.remote.num_teams) {
      beside(team);
    } else {
      others(LaterTeam<Team>(team, beside.remote.num_teams));
    }
  }
};

/// Launches it for the slices [first, last), of which those before `others` are beside a cut.
template <class Space, class Scalar, class OffDiagonal>
void launch_slices_of_rank(const char* label, const Space& space,
                           const SlicedRows<Scalar, OffDiagonal>& slices, int first, int others,
                           int last, int splits, const BlockVector<const Scalar>& b,
                           const BlockVector<Scalar>& x, const RemoteRows<Scalar>& remote) {
  with_slice_shape(slices.shape, [&]<int Size, bool FewRows>() {
    using Kernel = SweepSlicesOfRank<Scalar, OffDiagonal, Size, FewRows>;
    // Teams of few rows are as large as their splits.
    const int splits_beside = FewRows ? splits : slices.shape.max_splits();
    Kernel kernel{{{slices, b, x, first, others, splits_beside, remote}},
                  {{slices, b, x, others, last, splits, NoRemoteRows()}}};
    const int teams = std::max(1, kernel.beside.num_teams());  // peers wait for flags
    kernel.beside.remote.num_teams = teams;
    launch_teams<Kernel::max_threads, Kernel::min_teams>(
        label, space, teams + kernel.others.num_teams(), kernel.others.threads(),
        std::max(kernel.beside.scratch_bytes(), kernel.others.scratch_bytes()), kernel);
  });
}

}  // namespace Lamina::Impl
