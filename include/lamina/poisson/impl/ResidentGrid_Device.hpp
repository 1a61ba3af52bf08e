// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Iterations of `FusedPcg` on a grid that fits on the chip of a device: each team keeps a band of
// lines in its scratch memory, sums and lines beside bands go through memory, and the teams wait
// for each other twice in an iteration.

#include <lamina/device/impl/HostWork.hpp>
#include <lamina/device/impl/Pack.hpp>
#include <lamina/device/impl/TeamSums_Device.hpp>
#include <lamina/krylov/FusedStep.hpp>
#include <lamina/krylov/impl/ResidentRows.hpp>
#include <lamina/poisson/impl/PoissonKernels.hpp>
#include <lamina/poisson/impl/Tuning.hpp>
#include <lamina/sweeps/impl/CgSweeps.hpp>
#include <lamina/sweeps/impl/GridStencil_Device.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace Lamina::Impl {

/// How the lines of a grid are dealt out to teams.
struct GridBands {
  GridTopology grid;
  int lines = 0;  ///< of a band, fewer in the last one
  int pitch = 0;  ///< from a line to the next in scratch memory
  int teams = 0;

  /// Of one field with a line beyond either end of the band.
  KOKKOS_FUNCTION std::size_t num_points() const {
    return static_cast<std::size_t>(lines + 2) * static_cast<std::size_t>(pitch);
  }
};

/// r -= alpha A p in scratch memory; what lies beside another band also goes to memory.
template <class Scalar>
struct ResidentSink {
  static constexpr bool stores = true;
  static constexpr int num_sums = 0;
  GridField<Scalar> r, edges;
  Scalar alpha;
  int num_lines;

  template <class Value, class Sums>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(std::int64_t i, int line, const Value&,
                                              const Value& image, Sums&) const {
    const Value residual = read<Value>(r, i, line) - alpha * image;
    write(r, i, line, residual);
    if (line == 1 || line == num_lines) write(edges, i, line, residual);
  }
};

/// Passes first_pass <= n <= last_pass of a solve.
// traffic: reads 3n, writes 3n for all passes together, without the lines beside bands
template <class Scalar, class Memory>
struct ResidentGrid {
  static constexpr int width = pack_width<Scalar>, team_size = ResidentGridTuning::threads;
  using Step = FusedStep<Memory>;
  using Rows = ResidentRows<Memory>;
  using Value = Pack<Scalar, width>;

  GridBands bands;
  FusedSteps<Memory> steps;
  int first_pass, last_pass;
  double* parts;  // of the sums
  GridField<Scalar> residuals[2], directions[2], solution;

  /// Bands for at most `most_teams` teams, with a pack for each of their threads.
  static GridBands bands_of(const GridTopology& grid, int most_teams) {
    const int packs = static_cast<int>(ceil_divide(grid.num_owned, width)),
              all_lines = grid.num_levels;
    const auto fewest = std::max(ceil_divide(all_lines, most_teams), ceil_divide(team_size, packs));
    const int lines = std::min(all_lines, static_cast<int>(fewest));
    return {grid, lines, packs * width, static_cast<int>(ceil_divide(all_lines, lines))};
  }
  static std::size_t scratch_bytes(const GridBands& bands) {
    const auto pitch = static_cast<std::size_t>(bands.pitch);
    return (3 * bands.num_points() - 2 * pitch) * sizeof(Scalar) + Rows::scratch_bytes;
  }

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const Band band = band_of(team);
    load_band(team, band);
    int pass = first_pass;
    while (take_pass(team, band, pass)) {
      if (++pass > last_pass) break;
      exchange(team, band, pass);
    }
    team.team_barrier();
    if (pass > first_pass) store_band(team, band, pass);
  }

 private:
  /// What a team has in scratch memory. Line 1 is the first of the band; lines 0 and num_lines + 1
  /// are those beside it, of zeros beyond the grid. The solution begins with line 1.
  struct Band {
    int begin, num_lines;
    Rows rows;
    GridField<Scalar> r, p, u;
  };

  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION Band band_of(const Team& team) const {
    const int begin = team.league_rank() * bands.lines, rest = bands.grid.num_levels - begin;
    Band band{begin, rest < bands.lines ? rest : bands.lines, Rows(steps, team.scratch()), {}, {},
              {}};
    band.r.values =
        reinterpret_cast<Scalar*>(static_cast<char*>(team.scratch()) + Rows::scratch_bytes);
    band.p.values = band.r.values + bands.num_points();
    band.u.values = band.p.values + bands.num_points() - bands.pitch;
    band.r.stride = band.p.stride = band.u.stride = bands.pitch;
    return band;
  }

  /// The lines of a field in memory by the numbers that they have in a band.
  KOKKOS_FORCEINLINE_FUNCTION static GridField<Scalar> beside(const GridField<Scalar>& field,
                                                              const Band& band) {
    GridField<Scalar> lines = field;
    lines.values += (band.begin - 1) * field.stride;
    return lines;
  }

  /// body(j, begin, end) for the packs of the lines first <= line < last that this thread takes.
  template <class Team, class Body>
  KOKKOS_FORCEINLINE_FUNCTION void for_each(const Team& team, int first, int last,
                                            const Body& body) const {
    const int packs = bands.pitch / width, across = packs < team_size ? packs : team_size;
    const int groups = team_size / across, group = team.team_rank() / across;
    if (group >= groups) return;
    const int share = (last - first + groups - 1) / groups;
    const int begin = first + group * share, end = begin + share < last ? begin + share : last;
    if (begin >= end) return;
    for (int pack = team.team_rank() % across; pack < packs; pack += across) {
      body(pack * width, begin, end);
    }
  }

  // --- The parts of a pass ---

  /// Lines beside the band are read, as neighbours.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void load_band(const Team& team, const Band& band) const {
    const auto r = beside(residuals[first_pass % 2], band),
               p = beside(directions[(first_pass + 1) % 2], band), u = beside(solution, band);
    for_each(team, 0, band.num_lines + 2, [&](int j, int begin, int end) {
      for (int line = begin; line < end; ++line) {
        const int global = band.begin + line - 1;
        const bool inside = global >= 0 && global < bands.grid.num_levels;
        store(band.r.line(line) + j, inside ? load<Value>(r.line(line) + j) : Value{});
        store(band.p.line(line) + j, inside ? load<Value>(p.line(line) + j) : Value{});
        if (line > 0 && line <= band.num_lines) {
          store(band.u.line(line) + j, load<Value>(u.line(line) + j));
        }
      }
    });
    band.rows.load(team, first_pass);
    team.team_barrier();
  }

  /// The vectors as pass `pass` finds them.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void store_band(const Team& team, const Band& band, int pass) const {
    const auto r = beside(residuals[pass % 2], band), p = beside(directions[(pass + 1) % 2], band),
               u = beside(solution, band);
    for_each(team, 1, band.num_lines + 1, [&](int j, int begin, int end) {
      for (int line = begin; line < end; ++line) {
        store(r.line(line) + j, load<Value>(band.r.line(line) + j));
        store(p.line(line) + j, load<Value>(band.p.line(line) + j));
        store(u.line(line) + j, load<Value>(band.u.line(line) + j));
      }
    });
  }

  /// Hands the lines of the band of a field, and their images, to a sink.
  template <class Team, class Sink, class Sums>
  KOKKOS_FORCEINLINE_FUNCTION void sweep(const Team& team, const Band& band,
                                         const GridField<Scalar>& field, const Sink& sink,
                                         Sums& sums) const {
    using Stencil = GridStencil<FivePoint<Scalar, Memory>, width>;
    const typename Stencil::System system{{bands.grid.num_owned, band.num_lines + 2}, {}};
    const FieldSource<GridField<Scalar>> source{field};
    for_each(team, 1, band.num_lines + 1, [&](int i, int begin, int end) {
      Stencil(system, i / width).walk(system, source, sink, begin, end, sums);
    });
  }

  /// True where it changed the vectors.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION bool take_pass(const Team& team, const Band& band, int pass) const {
    const Step step = band.rows.step(pass);
    measure(team, band, step, pass);
    return !step.is_last && advance(team, band, step, pass);
  }

  /// <r, r>, <r, A r>
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void measure(const Team& team, const Band& band, const Step& step,
                                           int pass) const {
    SweepSums<double, MeasureBoth> sums;
    if (step.formed_residual()) sweep(team, band, band.r, MeasureBoth(), sums);
    team.add_up(sums.of, parts);
    band.rows.set(team, pass, Step::residual2, sums.of[0]);
    band.rows.set(team, pass, Step::energy, sums.of[0]);
    band.rows.set(team, pass, Step::line_curvature, sums.of[1]);
    team.team_barrier();
  }

  /// p' = r + beta p, also beside the band;  u += alpha_before p + alpha p' in every other pass;
  /// r' = r - alpha A p'
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION bool advance(const Team& team, const Band& band, const Step& step,
                                           int pass) const {
    const auto it = step.iteration();
    band.rows.set(team, pass, Step::curvature, it.curvature);
    if (!it.proceed) return false;
    const auto alpha = static_cast<Scalar>(it.alpha), beta = static_cast<Scalar>(it.beta),
               alpha_before = static_cast<Scalar>(it.alpha_before);
    const bool update = steps.updates(pass);
    for_each(team, 0, band.num_lines + 2, [&](int j, int begin, int end) {
      for (int line = begin; line < end; ++line) {
        const Value p = load<Value>(band.p.line(line) + j);
        const Value new_p = load<Value>(band.r.line(line) + j) + beta * p;
        store(band.p.line(line) + j, new_p);
        if (update && line > 0 && line <= band.num_lines) {
          Scalar* const u = band.u.line(line) + j;
          store(u, load<Value>(u) + alpha_before * p + alpha * new_p);
        }
      }
    });
    team.team_barrier();
    const ResidentSink<Scalar> sink{band.r, beside(residuals[(pass + 1) % 2], band), alpha,
                                    band.num_lines};
    SweepSums<double, ResidentSink<Scalar>> none;
    sweep(team, band, band.p, sink, none);
    return true;
  }

  /// Takes the residual beside the band, as pass `pass` finds it, from the teams there.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void exchange(const Team& team, const Band& band, int pass) const {
    team.league_barrier();
    const auto r = beside(residuals[pass % 2], band);
    const int packs = bands.pitch / width;
    for (int n = team.team_rank(); n < 2 * packs; n += team_size) {
      const int line = n < packs ? 0 : band.num_lines + 1, global = band.begin + line - 1;
      const int j = (n < packs ? n : n - packs) * width;
      if (global >= 0 && global < bands.grid.num_levels) {
        store(band.r.line(line) + j, load<Value>(r.line(line) + j));
      }
    }
    team.team_barrier();
  }
};

}  // namespace Lamina::Impl
