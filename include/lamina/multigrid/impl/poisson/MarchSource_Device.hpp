// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// What the threads of `GridMarch` read: lines of f, x and c, some lines ahead.

#include <lamina/device/impl/Backend.hpp>
#include <lamina/multigrid/impl/Tuning.hpp>
#include <lamina/multigrid/impl/poisson/GridLevel.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace Lamina::Impl {

/// A row of the operator with the factors of f in the steps.
template <class Scalar>
struct MarchRow {
  Scalar diagonal = 0, along = 0, across = 0;
  Scalar factors[GridSmoothing<Scalar>::max_steps] = {};
};

/// Lines of a tile: of `to` and `coarse`, those that are read, and those that the first stage passes.
struct MarchLines {
  GridSpan to, coarse, x, f, c, heads;
};

/// How many lines each team takes, and how many teams there are.
struct MarchCut {
  int tiles = 1;  ///< along a line
  int lines = 2;  ///< of a band, an even number
  int bands = 1;
  int first_line = 0;

  int teams() const { return tiles * bands; }
};

/// Rows of the last line or another one, and of the last cell of them or another one.
template <class Scalar>
void march_rows(const GridLevel<Scalar>& level, const Scalar* weights, int steps,
                MarchRow<Scalar> (&rows)[2][2]) {
  for (int line = 0; line < 2; ++line) {
    for (int cell = 0; cell < 2; ++cell) {
      const GridRow<Scalar> row = level.row(line == 1 ? level.across.count - 1 : -2, cell == 1);
      MarchRow<Scalar>& of = rows[line][cell];
      of.diagonal = row.diagonal;
      of.along = row.along;
      of.across = row.across;
      for (int k = 0; k < steps; ++k) of.factors[k] = weights[k] / row.diagonal;
    }
  }
}

/// What the threads of a march read, and where.
template <class Scalar, int Steps, bool FromZero, bool Restricts>
struct MarchSource {
  using scalar_type = Scalar;
  static constexpr int width = GridMarchTuning::threads;
  static constexpr int margin = Restricts ? Steps + 2 : Steps;   ///< cells on each side of a tile
  static constexpr int group = GridMarchTuning::lines_together;  ///< lines whose loads go together
  static constexpr int first = FromZero ? 1 : 0;                 ///< the stage at the head
  static constexpr int residual_lag = Steps + 1 - first;
  static constexpr int most_lag = Restricts ? residual_lag : Steps - first;
  /// Stages whose values others read.
  static constexpr int num_stages = Steps - first + (Restricts ? 1 : 0);
  static constexpr int num_coarse = group / 2;  ///< coarser lines of a group
  static_assert(group % 2 == 0);
  static constexpr std::size_t lines_behind = most_lag + 1, stage_room = num_stages + 1;

  /// Lines that are loaded ahead.
  struct Loaded {
    Scalar f[group] = {}, x[group] = {}, c[num_coarse][2] = {};
  };
  /// What a thread keeps.
  struct State {
    int cell = 0;
    bool exists = false, is_own = false;
    MarchRow<Scalar> row;
    GridEntries<Scalar> entries{};
    Loaded next;
    Scalar f[group] = {}, x[group] = {};
    Scalar f_behind[lines_behind] = {};                  // of lines head - 1, ...
    Scalar near[stage_room] = {}, far[stage_room] = {};  // of a stage: its last lines
    Scalar sum = 0, c_before = 0;
    double energy = 0;
  };

  GridLevel<Scalar> level;
  GridField<const Scalar> f, x, c;
  GridSpan lines, coarse_lines;  ///< of the results
  MarchCut cut;
  MarchRow<Scalar> rows[2][2];  ///< see `march_rows`

  KOKKOS_FORCEINLINE_FUNCTION static int least(int a, int b) { return a < b ? a : b; }
  KOKKOS_FORCEINLINE_FUNCTION static int most(int a, int b) { return a < b ? b : a; }
  KOKKOS_FORCEINLINE_FUNCTION static bool within(const GridSpan& span, int i) {
    return i >= span.begin && i < span.end;
  }
  KOKKOS_FORCEINLINE_FUNCTION MarchLines lines_of_band(int band) const {
    const int count = level.across.count;
    const bool halves = level.across.halves;
    MarchLines of{};
    of.to.begin = most(cut.first_line + band * cut.lines, lines.begin);
    of.to.end = least(cut.first_line + (band + 1) * cut.lines, lines.end);
    int begin = of.to.begin, end = of.to.end;  // of the last step
    GridSpan residual{};
    if constexpr (Restricts) {
      of.coarse.begin = most(halves ? of.to.begin / 2 : of.to.begin, coarse_lines.begin);
      of.coarse.end = least(halves ? of.to.end / 2 : of.to.end, coarse_lines.end);
      if (of.coarse.begin < of.coarse.end) {
        residual = of.coarse;
        if (halves) residual = {2 * of.coarse.begin, least(2 * of.coarse.end + 1, count)};
        begin = least(begin, residual.begin - 1);
        end = most(end, residual.end + 1);
      }
    }
    of.x = {most(begin - Steps, 0), least(end + Steps, count)};
    of.f =
        Steps == 0 ? residual : GridSpan{most(begin - Steps + 1, 0), least(end + Steps - 1, count)};
    of.heads.begin = (FromZero ? of.f.begin : of.x.begin) / 2 * 2;
    of.heads.end = Steps == 0 ? 0 : of.to.end + Steps - first;
    if (residual.begin < residual.end) {
      of.heads.end = most(of.heads.end, residual.end + residual_lag + 1);
    }
    of.c = {level.across.entries(of.x.begin).first, level.across.entries(of.x.end - 1).second + 1};
    return of;
  }

  KOKKOS_FORCEINLINE_FUNCTION MarchRow<Scalar> row_of(const State& s, bool is_last_line) const {
    if (!s.exists) return {};  // the values of cells beyond walls stay zero
    return rows[is_last_line ? 1 : 0][s.cell + 1 == level.along.count ? 1 : 0];
  }
  KOKKOS_FORCEINLINE_FUNCTION void begin(State& s, const MarchLines& of, int tile,
                                         int thread) const {
    constexpr int own = width - 2 * margin;
    s.cell = tile * own - margin + thread;
    s.exists = s.cell >= 0 && s.cell < level.along.count;
    s.is_own = s.exists && thread >= margin && thread < margin + own;
    s.row = row_of(s, false);
    if constexpr (!FromZero) {
      if (c.values != nullptr && s.exists) {
        s.entries = level.along.entries(s.cell);
        const int before = of.heads.begin / 2 - 1;
        if (within(of.c, before)) {
          s.c_before = along_coarse(s, c(s.entries.first, before), c(s.entries.second, before));
        }
      }
    }
    load(s, of, of.heads.begin);
  }
  KOKKOS_FORCEINLINE_FUNCTION static Scalar along_coarse(const State& s, Scalar first_value,
                                                         Scalar second_value) {
    return s.entries.first_factor * first_value + s.entries.second_factor * second_value;
  }

  /// Asks for the lines of a group.
  KOKKOS_FORCEINLINE_FUNCTION void load(State& s, const MarchLines& of, int base) const {
    LAMINA_DEVICE_UNROLL()
    for (int g = 0; g < group; ++g) {
      const int line = base + g;
      s.next.f[g] = s.exists && within(of.f, line) ? f(s.cell, line) : Scalar(0);
    }
    if constexpr (FromZero) return;
    if (x.values != nullptr) {
      LAMINA_DEVICE_UNROLL()
      for (int g = 0; g < group; ++g) {
        const int line = base + g;
        s.next.x[g] = s.exists && within(of.x, line) ? x(s.cell, line) : Scalar(0);
      }
    }
    if (c.values == nullptr) return;
    LAMINA_DEVICE_UNROLL()
    for (int q = 0; q < num_coarse; ++q) {
      const int line = base / 2 + q;
      const bool there = s.exists && within(of.c, line);
      s.next.c[q][0] = there ? c(s.entries.first, line) : Scalar(0);
      s.next.c[q][1] = there ? c(s.entries.second, line) : Scalar(0);
    }
  }
  /// The lines that were asked for: x_0 = x + P c.
  KOKKOS_FORCEINLINE_FUNCTION void take_group(State& s, int base) const {
    LAMINA_DEVICE_UNROLL()
    for (int g = 0; g < group; ++g) {
      s.f[g] = s.next.f[g];
      s.x[g] = s.next.x[g];
    }
    if constexpr (FromZero) return;
    if (c.values == nullptr) return;
    LAMINA_DEVICE_UNROLL()
    for (int q = 0; q < num_coarse; ++q) {
      const Scalar here = along_coarse(s, s.next.c[q][0], s.next.c[q][1]);
      if (level.across.halves) {
        s.x[2 * q] += level.across.factor_behind(base + 2 * q) * s.c_before + Scalar(0.5) * here;
        s.x[2 * q + 1] += here;
      } else if (q == 0) {
        s.x[0] += here;
      }
      s.c_before = here;
    }
  }
};

}  // namespace Lamina::Impl
