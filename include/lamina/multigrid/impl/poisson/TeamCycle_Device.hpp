// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// The coarsest levels of a cycle in one kernel of one team on a device: launches of kernels cost more there
// than their work. Each sweep is a loop of the team over points, and ends with a barrier.

#include <lamina/device/impl/OverlappedTeams_Device.hpp>
#include <lamina/multigrid/impl/CycleLevel.hpp>
#include <lamina/multigrid/impl/Tuning.hpp>
#include <lamina/multigrid/impl/poisson/MarchGrid_Device.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <vector>

namespace Lamina::Impl {

/// A level with its fields. All but f of the first level are overwritten.
template <class Scalar>
struct TeamLevel {
  GridLevel<Scalar> level;
  MarchRow<Scalar> rows[2][2];  ///< see `march_rows`
  GridField<Scalar> f, solution, before, other;
};

/// solution = B f on the first level, a cycle from zero; or with `full` its solution by full multigrid.
template <class Scalar, class Memory>
struct TeamCycle {
  static constexpr int most_levels = 10;

  /// \param weights_  of the steps before the next level; those behind it have them in reverse order
  TeamCycle(const CycleGuard<Memory>& guard_, bool full_, const std::vector<Scalar>& weights_)
      : guard(guard_), full(full_), steps(static_cast<int>(weights_.size())) {
    std::copy(weights_.begin(), weights_.end(), weights);
  }
  /// The next coarser level.
  void add(const TeamLevel<Scalar>& level) {
    TeamLevel<Scalar>& to = levels[count++];
    to = level;
    march_rows(to.level, weights, steps, to.rows);
  }

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    team.wait_for_previous();
    if (!guard.active()) return;
    if (!full) return cycle(team, 0, false);
    for (int l = 0; l + 1 < count; ++l) restrict_field(team, l, levels[l].f);
    for (int l = count - 1; l >= 0; --l) cycle(team, l, l + 1 < count);
  }

 private:
  using Level = TeamLevel<Scalar>;
  using Field = GridField<Scalar>;

  /// body(i, line) for each point of a direction pair
  template <class Team, class Body>
  KOKKOS_FORCEINLINE_FUNCTION static void for_points(const Team& team, int along, int across,
                                                     const Body& body) {
    for (int n = team.team_rank(); n < along * across; n += team.team_size()) {
      const int line = n / along;
      body(n - line * along, line);
    }
    team.team_barrier();
  }
  template <class Team, class Body>
  KOKKOS_FORCEINLINE_FUNCTION static void for_points(const Team& team, const Level& l,
                                                     const Body& body) {
    for_points(team, l.level.along.count, l.level.across.count, body);
  }
  KOKKOS_FORCEINLINE_FUNCTION static const MarchRow<Scalar>& row(const Level& l, int i, int line) {
    return l.rows[line + 1 == l.level.across.count ? 1 : 0][i + 1 == l.level.along.count ? 1 : 0];
  }
  KOKKOS_FORCEINLINE_FUNCTION static Scalar at(const Level& l, const Field& x, int i, int line) {
    return l.level.contains(i, line) ? x(i, line) : Scalar(0);
  }
  /// What the row takes of the points around one.
  KOKKOS_FORCEINLINE_FUNCTION static Scalar around(const Level& l, const MarchRow<Scalar>& row,
                                                   const Field& x, int i, int line) {
    return row.along * (at(l, x, i - 1, line) + at(l, x, i + 1, line)) +
           row.across * (at(l, x, i, line - 1) + at(l, x, i, line + 1));
  }

  template <class Team>
  KOKKOS_FUNCTION void step(const Team& team, const Level& l, int k, const Field& from,
                            const Field& to) const {
    const Scalar keeps = 1 - weights[k];
    for_points(team, l, [&](int i, int line) {
      const MarchRow<Scalar>& of = row(l, i, line);
      to(i, line) =
          keeps * from(i, line) + of.factors[k] * (l.f(i, line) + around(l, of, from, i, line));
    });
  }
  /// to = x + P c, or P c alone.
  template <class Team>
  KOKKOS_FUNCTION void prolong(const Team& team, int n, bool adds, const Field& x,
                               const Field& to) const {
    const Level& l = levels[n];
    const Field& c = levels[n + 1].solution;
    for_points(team, l, [&](int i, int line) {
      const auto along = l.level.along.entries(i);
      const auto across = l.level.across.entries(line);
      const Scalar sum =
          across.first_factor * (along.first_factor * c(along.first, across.first) +
                                 along.second_factor * c(along.second, across.first)) +
          across.second_factor * (along.first_factor * c(along.first, across.second) +
                                  along.second_factor * c(along.second, across.second));
      to(i, line) = adds ? x(i, line) + sum : sum;
    });
  }
  /// f of the next level = P^T r
  template <class Team>
  KOKKOS_FUNCTION void restrict_field(const Team& team, int n, const Field& r) const {
    const Level& l = levels[n];
    const GridDirection<Scalar>&along = l.level.along, &across = l.level.across;
    const Field& to = levels[n + 1].f;
    const auto sum = [&](int coarse, int line) {
      if (!along.halves) return at(l, r, coarse, line);
      const int i = 2 * coarse + 1;
      return Scalar(0.5) * at(l, r, i - 1, line) + at(l, r, i, line) +
             along.factor_behind(i + 1) * at(l, r, i + 1, line);
    };
    for_points(team, along.num_coarse(), across.num_coarse(), [&](int i, int coarse_line) {
      if (!across.halves) {
        to(i, coarse_line) = sum(i, coarse_line);
        return;
      }
      const int line = 2 * coarse_line + 1;
      to(i, coarse_line) = Scalar(0.5) * sum(i, line - 1) + sum(i, line) +
                           across.factor_behind(line + 1) * sum(i, line + 1);
    });
  }

  template <class Team>
  KOKKOS_FUNCTION void cycle(const Team& team, int begin, bool from_coarser) const {
    const int last = count - 1;
    for (int n = begin; n < last; ++n) descend(team, n, n == begin && from_coarser);
    const Level& point = levels[last];
    for_points(team, point, [&](int i, int line) {
      point.solution(i, line) = point.f(i, line) / row(point, i, line).diagonal;
    });
    for (int n = last - 1; n >= begin; --n) ascend(team, n);
  }
  /// The steps before the next level, whose result is in `before`, and f of that level.
  template <class Team>
  KOKKOS_FUNCTION void descend(const Team& team, int n, bool from_coarser) const {
    const Level& l = levels[n];
    const auto place = [&](int done) -> const Field& {
      return (steps - done) % 2 == 0 ? l.before : l.other;
    };
    int done = 0;
    if (from_coarser) {
      prolong(team, n, false, l.before, place(0));
    } else {
      const Field& to = place(1);
      for_points(team, l,
                 [&](int i, int line) { to(i, line) = row(l, i, line).factors[0] * l.f(i, line); });
      done = 1;
    }
    for (; done < steps; ++done) step(team, l, done, place(done), place(done + 1));
    for_points(team, l, [&](int i, int line) {
      const MarchRow<Scalar>& of = row(l, i, line);
      l.other(i, line) =
          l.f(i, line) - (of.diagonal * l.before(i, line) - around(l, of, l.before, i, line));
    });
    restrict_field(team, n, l.other);
  }
  template <class Team>
  KOKKOS_FUNCTION void ascend(const Team& team, int n) const {
    const Level& l = levels[n];
    const auto place = [&](int done) -> const Field& {
      return done == steps ? l.solution : done % 2 == 0 ? l.other : l.before;
    };
    prolong(team, n, true, l.before, place(0));
    for (int done = 0; done < steps; ++done) {
      step(team, l, steps - 1 - done, place(done), place(done + 1));
    }
  }

  CycleGuard<Memory> guard;
  bool full;
  TeamLevel<Scalar> levels[most_levels];
  int count = 0, steps;
  Scalar weights[GridSmoothing<Scalar>::max_steps] = {};
};

/// A team of one thread of a CPU core.
struct SingleThread {
  KOKKOS_FUNCTION static int team_rank() { return 0; }
  KOKKOS_FUNCTION static int team_size() { return 1; }
  KOKKOS_FUNCTION static void team_barrier() {}
  KOKKOS_FUNCTION static void wait_for_previous() {}
};
template <class Scalar, class Memory>
struct TeamCycleOnHost {
  TeamCycle<Scalar, Memory> cycle;
  void operator()(int) const { cycle(SingleThread()); }
};

}  // namespace Lamina::Impl
