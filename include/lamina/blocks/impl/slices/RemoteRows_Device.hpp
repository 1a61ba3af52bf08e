// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Rows of other ranks in a sweep over slices.

#include <lamina/blocks/impl/rows/BlockRows.hpp>
#include <lamina/distributed/impl/PeerWords_Device.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace Lamina::Impl {

/// Rows that have to do with this rank alone.
struct NoRemoteRows {
  static constexpr bool exist = false;

  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void await(const Team&) const {}
  template <class Scalar>
  KOKKOS_FORCEINLINE_FUNCTION Scalar* row(const BlockVector<Scalar>& x, int column) const {
    return x.row(column);
  }
  template <class Values>
  KOKKOS_FORCEINLINE_FUNCTION void send(int, int, const Values&) const {}
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void raise(const Team&) const {}
};

/// Rows beside a cut. Halo rows of x are read where peers write them, and own rows are written
/// there, too, by the kernel that computes them: see `HaloWindow`.
template <class Scalar>
struct RemoteRows {
  static constexpr bool exist = true;

  int num_own = 0;
  const Scalar* const* halo = nullptr;  ///< where each halo row is
  const int* first_copies = nullptr;    ///< of each own row; one more than there are rows
  Scalar* const* copies = nullptr;      ///< where peers have it
  int num_teams = 0;                    ///< that wait and send
  MessageFlags awaited{}, raised{};

  /// All threads of a team call it.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void await(const Team& team) const {
    await_flags(team, awaited);
  }
  KOKKOS_FORCEINLINE_FUNCTION const Scalar* row(const BlockVector<Scalar>& x, int column) const {
    return column < num_own ? x.row(column) : halo[column - num_own];
  }
  /// Components from `component` on.
  template <std::size_t Count>
  KOKKOS_FORCEINLINE_FUNCTION void send(int row, int component, const Scalar (&y)[Count]) const {
    for (int n = first_copies[row]; n < first_copies[row + 1]; ++n) {
      Scalar* const to = copies[n] + component;
      for (std::size_t p = 0; p < Count; ++p) to[p] = y[p];
    }
  }
  /// All threads of a team call it.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void raise(const Team& team) const {
    raise_flags(team, raised, num_teams);
  }
};

}  // namespace Lamina::Impl
