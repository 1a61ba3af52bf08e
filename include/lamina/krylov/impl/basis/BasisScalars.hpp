// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Scalar work between passes over vectors, by one team: it adds up the parts of sums, and computes
// coefficients.

#include <lamina/krylov/impl/basis/KrylovBasis.hpp>

#include <cmath>
#include <cstddef>

namespace Lamina::Impl {

/// A team of one thread, for host spaces.
class LoneThread {
 public:
  KOKKOS_FORCEINLINE_FUNCTION explicit LoneThread(void* scratch) : m_scratch(scratch) {}
  KOKKOS_FORCEINLINE_FUNCTION void* scratch() const { return m_scratch; }
  KOKKOS_FORCEINLINE_FUNCTION int team_rank() const { return 0; }
  KOKKOS_FORCEINLINE_FUNCTION int team_size() const { return 1; }
  KOKKOS_FORCEINLINE_FUNCTION void team_barrier() const {}

 private:
  void* m_scratch;
};

/// Adds up the parts of sums. A group of threads takes one sum at a time.
template <class Team, class Basis>
struct PartSums {
  static constexpr int most_lanes = 32;

  const Team& team;
  const Basis& basis;
  double* partial;  ///< scratch, one value a thread

  /// One thread calls set(n, sum) for each n < count. source(n) is {sum, number of its parts}. All
  /// threads of the team call this function.
  template <class Source, class Set>
  KOKKOS_FORCEINLINE_FUNCTION void add_up(int count, const Source& source, const Set& set) const {
    const int size = team.team_size(), rank = team.team_rank();
    const int lanes = size < most_lanes ? size : most_lanes, groups = size / lanes;
    const int lane = rank % lanes;
    for (int first = 0; first < count; first += groups) {
      const int n = first + rank / lanes;
      double sum = 0;
      if (n < count) {
        const auto from = source(n);
        for (int p = lane; p < from.num_parts; p += lanes) sum += basis.part(from.sum, p);
      }
      partial[rank] = sum;
      team.team_barrier();
      if (lane == 0 && n < count) {
        double total = 0;
        for (int i = 0; i < lanes; ++i) total += partial[rank + i];
        set(n, total);
      }
      team.team_barrier();
    }
  }
};
struct PartsOfSum {
  int sum, num_parts;
};

/// The sums that a kernel below reads, in its order: from the parts of this process, or the totals of
/// all ranks.
template <class Team, class Kernel>
KOKKOS_FORCEINLINE_FUNCTION void take_sums(const Team& team, const Kernel& kernel, double* sums,
                                           double* partial) {
  const int count = kernel.num_sums();
  if (kernel.totals == nullptr) {
    PartSums<Team, decltype(kernel.basis)>{team, kernel.basis, partial}.add_up(
        count, [&](int n) { return kernel.source(n); }, [&](int n, double sum) { sums[n] = sum; });
    return;
  }
  for (int n = team.team_rank(); n < count; n += team.team_size()) sums[n] = kernel.totals[n];
  team.team_barrier();
}

/// The sums that a kernel below reads as totals of this rank, for all ranks to add up.
template <class Kernel>
struct RankTotals {
  template <class Team>
  using Sums = PartSums<Team, decltype(Kernel::basis)>;

  Kernel kernel;
  double* totals;

  static constexpr std::size_t scratch_values(int, int team_size) {
    return static_cast<std::size_t>(team_size);
  }

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const Sums<Team> parts{team, kernel.basis, static_cast<double*>(team.scratch())};
    parts.add_up(
        kernel.num_sums(), [&](int n) { return kernel.source(n); },
        [&](int n, double sum) { totals[n] = sum; });
  }
};

/// 1 / norm, and 0 for the zero vector.
KOKKOS_FORCEINLINE_FUNCTION double inverse_norm(double norm) { return norm == 0 ? 0 : 1 / norm; }

/// |u_0| and |b|.
template <class Scalar>
struct StartScalars {
  KrylovBasis<Scalar> basis;
  int num_parts;
  const double* totals = nullptr;

  static constexpr std::size_t scratch_values(int, int team_size) {
    return static_cast<std::size_t>(6 + team_size);
  }
  KOKKOS_FORCEINLINE_FUNCTION int num_sums() const { return 6; }
  KOKKOS_FORCEINLINE_FUNCTION PartsOfSum source(int n) const {
    return {basis.square_sums() + n, num_parts};
  }

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    double* const sums = static_cast<double*>(team.scratch());
    take_sums(team, *this, sums, sums + 6);
    if (team.team_rank() != 0) return;
    basis.norm(0) = SquareSums::norm<Scalar>(sums);
    basis.rhs_norm() = SquareSums::norm<Scalar>(sums + 3);
  }
};

/// |u_j|
template <class Scalar>
struct NormScalar {
  KrylovBasis<Scalar> basis;
  int j, num_parts;
  const double* totals = nullptr;

  static constexpr std::size_t scratch_values(int, int team_size) {
    return static_cast<std::size_t>(1 + team_size);
  }
  KOKKOS_FORCEINLINE_FUNCTION int num_sums() const { return 1; }
  KOKKOS_FORCEINLINE_FUNCTION PartsOfSum source(int) const { return {basis.norm_sum(), num_parts}; }

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    double* const sum = static_cast<double*>(team.scratch());
    take_sums(team, *this, sum, sum + 1);
    if (team.team_rank() == 0) basis.norm(j) = std::sqrt(*sum);
  }
};

/// Computes column j of the Hessenberg matrix and the update of w, from the sums over w = A M^-1
/// u_j.
template <class Scalar>
struct ColumnScalars {
  KrylovBasis<Scalar> basis;
  int j, num_parts;
  int norm_parts;  ///< of |u_j|
  const double* totals = nullptr;

  static constexpr std::size_t scratch_values(int restart, int team_size) {
    return static_cast<std::size_t>(3 * restart + 5 + team_size);
  }

  /// The order of sums: j + 1 of <u_i, w>, j of <u_i, u_j>, 3 of squares, <u_j, u_j>.
  KOKKOS_FORCEINLINE_FUNCTION int num_sums() const { return 2 * j + (j > 0 ? 5 : 4); }
  KOKKOS_FORCEINLINE_FUNCTION PartsOfSum source(int n) const {
    if (n <= j) return {basis.image_sum(n), num_parts};
    if (n <= 2 * j) return {basis.previous_sum(n - j - 1), num_parts};
    if (n <= 2 * j + 3) return {basis.square_sums() + n - (2 * j + 1), num_parts};
    return {basis.norm_sum(), norm_parts};
  }

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    double* const h = static_cast<double*>(team.scratch());
    double* const sums = h + basis.restart;
    const int rank = team.team_rank(), size = team.team_size();
    take_sums(team, *this, sums, sums + 2 * basis.restart + 5);
    const double norm = j > 0 ? std::sqrt(sums[2 * j + 4]) : basis.norm(0);
    const double inverse = inverse_norm(norm);
    if (j > 0 && rank == 0) basis.norm(j) = norm;
    for (int i = rank; i <= j; i += size) {
      const double both = i == j ? inverse : inverse_norm(basis.norm(i));
      h[i] = sums[i] * both * inverse;
      if (i < j) basis.lower_entry(j, i) = sums[j + 1 + i] * both * inverse;
    }
    substitute(team, h);
    const double image = SquareSums::norm<Scalar>(sums + 2 * j + 1) * inverse;
    for (int i = rank; i <= j; i += size) {
      basis.column(j)[i] = h[i];
      const double own = i == j ? norm : basis.norm(i);
      basis.update[1 + i] = h[i] * inverse_norm(own) * norm;
    }
    if (rank == 0) set_scales(h, image, inverse);
  }

  /// Solves (I + L) h = V^T w in place. The barriers also make L visible.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void substitute(const Team& team, double* h) const {
    const int rank = team.team_rank(), size = team.team_size();
    for (int k = 0; k < j; ++k) {
      team.team_barrier();
      const double known = h[k];
      for (int i = rank; i <= j; i += size) {
        if (i > k) h[i] -= basis.lower_entry(i, k) * known;
      }
    }
    team.team_barrier();
  }

  /// Predicts |w - V h|^2 = |w|^2 - |h|^2. Rounding leaves some 1e-14 of |w|^2 at least.
  KOKKOS_FORCEINLINE_FUNCTION void set_scales(const double* h, double image, double inverse) const {
    constexpr double least = 1e-14;
    double left = 1;
    for (int i = 0; i <= j && image > 0; ++i) left -= h[i] / image * (h[i] / image);
    const double predicted = image * std::sqrt(left > least ? left : least);
    const double power = power_of_two_below(inverse > 0 ? predicted / inverse : 0);
    basis.update[0] = 1 / power;
    basis.image_norm(j) = image;
    basis.below_scale(j) = inverse * power;
  }
};

}  // namespace Lamina::Impl
