// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Cyclic lines with constant coefficients on a device. A team takes a stretch of levels, extended
// by the reach of the recurrences at both ends. A thread holds some consecutive levels of it in
// registers, and runs the recurrence over them with 0 as the entering value. The value that enters
// is a sum over few threads before it, because the recurrence fades: each thread further away has a
// weight that is smaller by ratio^levels.

#include <lamina/core/impl/ExtentOf.hpp>
#include <lamina/device/impl/HostWork.hpp>
#include <lamina/device/impl/TeamSums_Device.hpp>
#include <lamina/lines/impl/CyclicToeplitzKernels.hpp>
#include <lamina/lines/impl/Tuning.hpp>

#include <cstddef>
#include <cstdint>

namespace Lamina::Impl {

/// How a line is cut into stretches: `count` stretches of `levels` levels, the last one shorter.
struct CyclicStretches {
  int count, levels;
};

/// Cuts evenly. A stretch and the reach at both ends have `span` levels at most.
inline CyclicStretches cyclic_stretches(int num_levels, int span, int reach) {
  const auto count = static_cast<int>(ceil_divide(num_levels, span - 2 * reach));
  return {count, static_cast<int>(ceil_divide(num_levels, count))};
}

/// The stretch of a team, with `Levels` consecutive levels to a thread.
template <class Scalar, int Levels>
struct CyclicStretch {
  Scalar ratio;
  int reach, num_levels;

  KOKKOS_FORCEINLINE_FUNCTION int wrapped(int k) const {
    while (k < 0) k += num_levels;
    while (k >= num_levels) k -= num_levels;
    return k;
  }
  /// The same for levels less than a whole line beyond the ends, without branches.
  KOKKOS_FORCEINLINE_FUNCTION int wrapped_once(int k) const {
    return k < 0 ? k + num_levels : k < num_levels ? k : k - num_levels;
  }
  /// ratio^Levels
  KOKKOS_FORCEINLINE_FUNCTION Scalar decay() const {
    Scalar power = ratio;
    for (int i = 1; i < Levels; i *= 2) power *= power;
    return power;
  }

  /// Both recurrences over the levels of all threads. `carries` has a value for each thread of the
  /// team: carries[n step] is that of the n-th thread of this line.
  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION void solve(const Member& member, Scalar* carries, int n, int count,
                                         int step, Scalar (&x)[extent_of<Levels>]) const {
    static_assert((Levels & (Levels - 1)) == 0);
    const int terms = (reach + Levels - 1) / Levels;
    const Scalar weight = decay();
    for (int i = 1; i < Levels; ++i) x[i] += ratio * x[i - 1];
    member.team_barrier();
    carries[n * step] = x[Levels - 1];
    member.team_barrier();
    Scalar enters = 0;
    for (int from = n > terms ? n - terms : 0; from < n; ++from) {
      enters = weight * enters + carries[from * step];
    }
    for (int i = 0; i < Levels; ++i) {
      enters *= ratio;
      x[i] += enters;
    }

    for (int i = Levels - 2; i >= 0; --i) x[i] += ratio * x[i + 1];
    member.team_barrier();
    carries[n * step] = x[0];
    member.team_barrier();
    enters = 0;
    for (int from = n + terms < count ? n + terms : count - 1; from > n; --from) {
      enters = weight * enters + carries[from * step];
    }
    for (int i = Levels - 1; i >= 0; --i) {
      enters *= ratio;
      x[i] += enters;
    }
  }
};

/// Prefetches the terms that `store_combined` reads.
template <int Terms, class Scalar>
KOKKOS_FORCEINLINE_FUNCTION void prefetch_terms(const LineCombination<Scalar>& to,
                                                std::int64_t line, std::int64_t i) {
  if constexpr (Terms > 0) prefetch_line(to.terms[0].line(line) + i);
  if constexpr (Terms > 1) prefetch_line(to.terms[1].line(line) + i);
}
/// out = a x_0 + b x_1 + c x for one value.
template <int Terms, class Scalar>
KOKKOS_FORCEINLINE_FUNCTION void store_combined(const LineCombination<Scalar>& to,
                                                std::int64_t line, std::int64_t i, Scalar x) {
  Scalar value = to.c * x;
  if constexpr (Terms > 0) value += to.factors[0] * to.terms[0].line(line)[i];
  if constexpr (Terms > 1) value += to.factors[1] * to.terms[1].line(line)[i];
  to.out.line(line)[i] = value;
}

/// Lines of contiguous levels. Values go through scratch memory, such that accesses to device
/// memory are coalesced.
template <class Scalar, int Terms>
struct DeviceCyclicAlong {
  using Tuning = CyclicToeplitzTuning;
  static constexpr int team_size = Tuning::along_threads, least_teams = Tuning::along_least_teams,
                       levels = Tuning::along_levels, span = team_size * levels;
  using Stretch = CyclicStretch<Scalar, levels>;

  Stretch stretch;
  CyclicStretches stretches;
  LineCombination<Scalar> combination;

  static constexpr int scratch_values = span + team_size + team_size;
  static std::size_t scratch_bytes() { return (scratch_values + 2) * sizeof(Scalar) + 16; }
  /// Threads access values `levels` apart. One value of padding for each avoids bank conflicts.
  KOKKOS_FORCEINLINE_FUNCTION static int place(int n) { return n + n / levels; }

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member) const {
    Scalar* const values = static_cast<Scalar*>(
        member.team_scratch(0).get_shmem_aligned(scratch_values * sizeof(Scalar), 16));
    Scalar* const carries = values + span + team_size;
    const int rank = member.team_rank(), line = member.league_rank() / stretches.count;
    const int first = member.league_rank() % stretches.count * stretches.levels;
    const int rest = stretch.num_levels - first;
    const int count = rest < stretches.levels ? rest : stretches.levels;
    const int all = count + 2 * stretch.reach, begin = first - stretch.reach;

    const Scalar* const rhs = combination.rhs.line(line);
    Scalar x[levels];
    if (stretch.num_levels >= span) {
      for (int i = 0; i < levels; ++i) {
        x[i] = rhs[stretch.wrapped_once(begin + rank + i * team_size)];
      }
      for (int i = 0; i < levels; ++i) {
        const int n = rank + i * team_size;
        if (n < count) prefetch_terms<Terms>(combination, line, first + n);
      }
    } else {
      for (int i = 0; i < levels; ++i) x[i] = rhs[stretch.wrapped(begin + rank + i * team_size)];
    }
    for (int i = 0; i < levels; ++i) {
      const int n = rank + i * team_size;
      values[place(n)] = n < all ? x[i] : Scalar(0);
    }
    member.team_barrier();
    for (int i = 0; i < levels; ++i) x[i] = values[place(rank * levels + i)];
    stretch.solve(member, carries, rank, team_size, 1, x);
    for (int i = 0; i < levels; ++i) values[place(rank * levels + i)] = x[i];
    member.team_barrier();
    for (int n = rank; n < count; n += team_size) {
      store_combined<Terms>(combination, line, first + n, values[place(n + stretch.reach)]);
    }
  }
};

/// Contiguous lines: a memory transaction holds one level of several lines.
template <class Scalar, int Terms>
struct DeviceCyclicAcross {
  using Tuning = CyclicToeplitzTuning;
  static constexpr int lanes = Tuning::across_bytes / static_cast<int>(sizeof(Scalar)),
                       team_size = Tuning::across_threads, least_teams = Tuning::across_least_teams,
                       threads = team_size / lanes, levels = Tuning::across_levels / threads,
                       span = threads * levels;
  using Stretch = CyclicStretch<Scalar, levels>;

  Stretch stretch;
  CyclicStretches stretches;
  int num_lines;
  LineCombination<Scalar> combination;

  static std::size_t scratch_bytes() { return (team_size + 2) * sizeof(Scalar) + 16; }

  /// The right-hand side of level k of a line that goes on elsewhere.
  KOKKOS_FORCEINLINE_FUNCTION Scalar rhs_of(int k, int line) const {
    if (k == -1) return combination.before[line];
    if (k == stretch.num_levels) return combination.behind[line];
    return k >= 0 && k < stretch.num_levels ? combination.rhs.line(k)[line] : Scalar(0);
  }

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member) const {
    Scalar* const carries = static_cast<Scalar*>(
        member.team_scratch(0).get_shmem_aligned(team_size * sizeof(Scalar), 16));
    const int lane = member.team_rank() % lanes, thread = member.team_rank() / lanes;
    const int groups = (num_lines + lanes - 1) / lanes;
    // Neighbouring teams take neighbouring lines.
    const int line = member.league_rank() % groups * lanes + lane;
    const int first = member.league_rank() / groups * stretches.levels;
    const int rest = stretch.num_levels - first;
    const int count = rest < stretches.levels ? rest : stretches.levels;
    const int all = line < num_lines ? count + 2 * stretch.reach : 0;
    const int begin = thread * levels;

    Scalar x[extent_of<levels>];
    if (combination.before != nullptr) {
      const int k = first - stretch.reach + begin;
      for (int i = 0; i < levels; ++i) x[i] = begin + i < all ? rhs_of(k + i, line) : Scalar(0);
    } else {
      int k = stretch.wrapped(first - stretch.reach + begin);
      for (int i = 0; i < levels; ++i) {
        x[i] = begin + i < all ? combination.rhs.line(k)[line] : Scalar(0);
        if (++k == stretch.num_levels) k = 0;
      }
    }
    for (int i = 0; i < levels; ++i) {
      const int n = begin + i - stretch.reach;
      if (line < num_lines && n >= 0 && n < count) {
        prefetch_terms<Terms>(combination, first + n, line);
      }
    }
    stretch.solve(member, carries + lane, thread, threads, lanes, x);
    for (int i = 0; i < levels; ++i) {
      const int n = begin + i - stretch.reach;
      if (line < num_lines && n >= 0 && n < count) {
        store_combined<Terms>(combination, first + n, line, x[i]);
      }
    }
  }
};

template <class Kernel, class Space>
void launch_cyclic(const char* label, const Space& space, int teams, const Kernel& kernel) {
  Kokkos::parallel_for(
      label,
      DeviceTeams<Space, Kernel::team_size, Kernel::least_teams>(space, teams, Kernel::team_size)
          .set_scratch_size(0, Kokkos::PerTeam(Kernel::scratch_bytes())),
      kernel);
}

template <int Terms, class Space, class Scalar>
void run_device_cyclic_terms(const char* label, const Space& space, const ToeplitzFactors& factors,
                             const LinesShape& shape, bool along,
                             const LineCombination<Scalar>& combination) {
  const auto ratio = static_cast<Scalar>(factors.ratio);
  if (along) {
    using Kernel = DeviceCyclicAlong<Scalar, Terms>;
    const auto stretches = cyclic_stretches(shape.num_levels, Kernel::span, factors.reach);
    launch_cyclic(label, space, shape.num_lines * stretches.count,
                  Kernel{{ratio, factors.reach, shape.num_levels}, stretches, combination});
  } else {
    using Kernel = DeviceCyclicAcross<Scalar, Terms>;
    const auto stretches = cyclic_stretches(shape.num_levels, Kernel::span, factors.reach);
    const auto groups = static_cast<int>(ceil_divide(shape.num_lines, Kernel::lanes));
    launch_cyclic(
        label, space, groups * stretches.count,
        Kernel{{ratio, factors.reach, shape.num_levels}, stretches, shape.num_lines, combination});
  }
}

template <class Space, class Scalar>
void run_device_cyclic(const char* label, const Space& space, const ToeplitzFactors& factors,
                       const LinesShape& shape, bool along, LineCombination<Scalar> combination) {
  combination.c *= static_cast<Scalar>(factors.inverse);
  if (combination.num_terms == 0) {
    run_device_cyclic_terms<0>(label, space, factors, shape, along, combination);
  } else if (combination.num_terms == 1) {
    run_device_cyclic_terms<1>(label, space, factors, shape, along, combination);
  } else {
    run_device_cyclic_terms<2>(label, space, factors, shape, along, combination);
  }
}

}  // namespace Lamina::Impl
