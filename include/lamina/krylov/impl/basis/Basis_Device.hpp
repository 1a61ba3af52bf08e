// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Passes over a basis on a device. Each team leaves its part of a sum for the next kernel.

#include <lamina/device/impl/Access.hpp>
#include <lamina/device/impl/HostWork.hpp>
#include <lamina/device/impl/OverlappedTeams_Device.hpp>
#include <lamina/device/impl/Pack.hpp>
#include <lamina/krylov/impl/Tuning.hpp>
#include <lamina/krylov/impl/basis/KrylovBasis.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace Lamina::Impl {

/// The part of a team in `Count` sums. All threads call it; one thread calls set(n, sum of
/// values[n]).
template <int Count, class Team, class Set>
KOKKOS_FORCEINLINE_FUNCTION void add_up_team(const Team& team, const double* values,
                                             const Set& set) {
  constexpr int stretch = BasisTuning::stretch;
  double* const scratch = static_cast<double*>(team.scratch());
  const int rank = team.team_rank(), size = team.team_size();
  team.team_barrier();
  for (int n = 0; n < Count; ++n) scratch[n * size + rank] = values[n];
  team.team_barrier();
  const int stretches = (size + stretch - 1) / stretch;
  for (int item = rank; item < Count * stretches; item += size) {
    const int n = item / stretches, first = item % stretches;
    double sum = 0;
    for (int i = first; i < size; i += stretches) sum += scratch[n * size + i];
    scratch[n * size + first] = sum;  // no other thread reads this value
  }
  team.team_barrier();
  for (int n = rank; n < Count; n += size) {
    double sum = 0;
    for (int i = 0; i < stretches; ++i) sum += scratch[n * size + i];
    set(n, sum);
  }
}

/// The sums over w = u_{j+1}. A team takes `columns` columns of the basis, and packs far apart.
/// Teams with the same packs have consecutive ranks: one of them reads w and u_j from memory, the
/// others from cache.
template <class Scalar>
struct DeviceBasisSums {
  static constexpr int columns = BasisTuning::columns, num_sums = 2 * columns;
  using Value = Pack<Scalar, pack_width<Scalar>>;

  KrylovBasis<Scalar> basis;
  int j, groups;

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const int group = team.league_rank() % groups, part = team.league_rank() / groups;
    const int parts = team.league_size() / groups;
    const int first = group * columns;
    const Scalar *const w = basis.vector(j + 1), *const u = basis.vector(j);
    double sums[num_sums] = {};
    SquareSums squares;
    const std::int64_t step = static_cast<std::int64_t>(parts) * team.team_size();
    const std::int64_t packs = basis.stride / Value::count;  // padded by zeros
    for (std::int64_t pack = static_cast<std::int64_t>(part) * team.team_size() + team.team_rank();
         pack < packs; pack += step) {
      const std::int64_t begin = pack * Value::count;
      const Value w_values = load<Value>(w + begin), u_values = load<Value>(u + begin);
      Value column[columns];
      for (int g = 0; g < columns; ++g) {
        column[g] = first + g <= j ? load<Value>(basis.vector(first + g) + begin)
                                   : spread<Value>(Scalar(0));
      }
      for (int g = 0; g < columns; ++g) {
        add_product(sums[2 * g], column[g], w_values);
        add_product(sums[2 * g + 1], column[g], u_values);
      }
      if (group == 0) {
        for (int i = 0; i < Value::count; ++i) squares.add(w_values[i]);
      }
    }
    add_up_team<num_sums>(team, sums, [&](int n, double sum) {
      const int i = first + n / 2;
      if (i <= j && n % 2 == 0) basis.part(basis.image_sum(i), part) = sum;
      if (i < j && n % 2 == 1) basis.part(basis.previous_sum(i), part) = sum;
    });
    if (group != 0) return;
    const double of_w[] = {squares.plain, squares.of_small, squares.of_large};
    add_up_team<SquareSums::count>(
        team, of_w, [&](int n, double sum) { basis.part(basis.square_sums() + n, part) = sum; });
  }
};

/// u_count = scale (w - sum over i < count of c_i u_i), and its square. w is in the place of
/// u_count, or zero.
template <class Scalar>
struct DeviceBasisUpdate {
  static constexpr int columns = BasisTuning::columns, num_sums = 1;
  using Value = Pack<Scalar, pack_width<Scalar>>;
  using Sums = Pack<double, pack_width<Scalar>>;

  KrylovBasis<Scalar> basis;
  int count;
  bool has_w;

  KOKKOS_FORCEINLINE_FUNCTION static void subtract(Sums& sums, double factor, const Value& column) {
    for (int i = 0; i < Value::count; ++i) sums[i] -= factor * static_cast<double>(column[i]);
  }

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    Scalar* const u = basis.vector(count);
    const double scale = basis.update[0];
    const double* const factors = basis.update + 1;
    double square = 0;
    const std::int64_t step = static_cast<std::int64_t>(team.league_size()) * team.team_size();
    const std::int64_t packs = basis.stride / Value::count;
    for (std::int64_t pack =
             static_cast<std::int64_t>(team.league_rank()) * team.team_size() + team.team_rank();
         pack < packs; pack += step) {
      const std::int64_t begin = pack * Value::count;
      Sums sums = {};
      if (has_w) {
        const Value w_values = load<Value>(u + begin);
        for (int i = 0; i < Value::count; ++i) sums[i] = static_cast<double>(w_values[i]);
      }
      int first = 0;
      for (; first + columns <= count; first += columns) {
        Value column[columns];
        for (int g = 0; g < columns; ++g) column[g] = load<Value>(basis.vector(first + g) + begin);
        for (int g = 0; g < columns; ++g) subtract(sums, factors[first + g], column[g]);
      }
      for (; first < count; ++first) {
        subtract(sums, factors[first], load<Value>(basis.vector(first) + begin));
      }
      Value value;
      for (int i = 0; i < Value::count; ++i) {
        // The padding stays zero even where coefficients are not finite.
        value[i] = begin + i < basis.size ? static_cast<Scalar>(scale * sums[i]) : Scalar(0);
        square += static_cast<double>(value[i]) * static_cast<double>(value[i]);
      }
      store(u + begin, value);
    }
    add_up_team<1>(team, &square, [&](int, double sum) {
      basis.part(basis.norm_sum(), team.league_rank()) = sum;
    });
  }
};

/// u_0 = scale (b - q), and the squares of it and of b.
template <class Scalar>
struct DeviceBasisStart {
  static constexpr int num_sums = 2 * SquareSums::count;

  KrylovBasis<Scalar> basis;
  double scale;
  FlatField<const Scalar> b;
  const Scalar* q;

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    Scalar* const u = basis.vector(0);
    SquareSums of_u, of_b;
    const std::int64_t step = static_cast<std::int64_t>(team.league_size()) * team.team_size();
    for (std::int64_t e =
             static_cast<std::int64_t>(team.league_rank()) * team.team_size() + team.team_rank();
         e < basis.size; e += step) {
      const Scalar value = b[e];
      u[e] = static_cast<Scalar>(scale * (static_cast<double>(value) - static_cast<double>(q[e])));
      of_u.add(u[e]);
      of_b.add(value);
    }
    const double sums[] = {of_u.plain, of_u.of_small, of_u.of_large,
                           of_b.plain, of_b.of_small, of_b.of_large};
    add_up_team<num_sums>(team, sums, [&](int n, double sum) {
      basis.part(basis.square_sums() + n, team.league_rank()) = sum;
    });
  }
};

/// Launches one of the kernels above.
template <class Space, class Kernel>
void launch_basis(const char* label, const Space& space, int teams, const Kernel& kernel) {
  constexpr int threads = BasisTuning::threads;
  launch_teams<threads, BasisTuning::least_teams>(
      label, space, teams, threads,
      static_cast<std::size_t>(threads) * Kernel::num_sums * sizeof(double),
      WaitingKernel<Kernel>{kernel});
}
/// Launches one team that computes scalars.
template <class Space, class Kernel>
void launch_scalars(const char* label, const Space& space, int restart, const Kernel& kernel) {
  constexpr int team_size = BasisTuning::scalar_threads;
  launch_teams<team_size, 1>(label, space, 1, team_size,
                             Kernel::scratch_values(restart, team_size) * sizeof(double),
                             WaitingKernel<Kernel>{kernel});
}

/// Teams for so many packs. All of them fit on the device at once.
template <class Space>
int basis_teams(const Space& space, std::int64_t packs, std::int64_t most) {
  constexpr int threads = BasisTuning::threads;
  const std::int64_t fit = std::min(teams_that_fit(space, threads, BasisTuning::least_teams), most);
  return teams_at_once(ceil_divide(packs, threads), std::max<std::int64_t>(1, fit));
}

}  // namespace Lamina::Impl
