// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/device/impl/HostWork.hpp>
#include <lamina/shallow_water/impl/multigrid/PeriodicCycleKernels.hpp>
#include <lamina/shallow_water/impl/multigrid/PeriodicLines_Host.hpp>
#include <lamina/sweeps/impl/CellSweep.hpp>

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace Lamina::Impl {

// What kernels store in cells, or in several of a line.

template <class Scalar, class Memory, class Rows>
struct FirstCellStep {
  CycleGuard<Memory> guard;
  Rows rows;
  Scalar weight;
  GridField<const Scalar> f;
  GridField<Scalar> to;

  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value value(std::int64_t i, std::int64_t j) const {
    return weight * load<Value>(f.line(j) + i) / row_of<Value>(rows, i, j).diagonal();
  }
};

template <class Scalar, class Memory, class Rows>
struct CellStep {
  CycleGuard<Memory> guard;
  Rows rows;
  Scalar weight;
  GridField<const Scalar> f, x;
  GridField<Scalar> to;

  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value value(std::int64_t i, std::int64_t j) const {
    const PeriodicRow<Value> row = row_of<Value>(rows, i, j);
    const GridCross<Value> cross = cross_of<Value>(x, i, j);
    return cross.centre + weight * (load<Value>(f.line(j) + i) - row.image(cross)) / row.diagonal();
  }
};

/// Line j of a period of `count`.
KOKKOS_FORCEINLINE_FUNCTION int wrapped(int j, int count) {
  return j < 0 ? j + count : j >= count ? j - count : j;
}

template <class Scalar, class Memory>
struct AddProlonged {
  CycleGuard<Memory> guard;
  PeriodicTransfer<Scalar> transfer;
  GridField<const Scalar> c;
  GridField<Scalar> to;

  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value value(std::int64_t i, std::int64_t j) const {
    const auto along = transfer.x.entry(static_cast<int>(i));
    const auto across = transfer.y.entry(static_cast<int>(j));
    const int in = line(across.in), beside = line(across.beside), coarse = transfer.x.num_coarse();
    const auto at = [&](int n) {
      return (1 - across.share) * c(wrapped(n, coarse), in) +
             across.share * c(wrapped(n, coarse), beside);
    };
    return to(i, j) + ((1 - along.share) * at(along.in) + along.share * at(along.beside));
  }
  void store_line(std::int64_t j) const {
    const auto across = transfer.y.entry(static_cast<int>(j));
    add_prolonged(transfer.x, c.line(line(across.in)), c.line(line(across.beside)), across.share,
                  to.line(j));
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION int line(int coarse_j) const {
    return transfer.coarse_wraps ? wrapped(coarse_j, transfer.y.num_coarse()) : coarse_j;
  }
};

/// Workers on CPU cores, each with a band of lines.
struct LineBands {};

/// P^T (f - A x).
template <class Scalar, class Memory, class Rows>
struct RestrictCells {
  CycleGuard<Memory> guard;
  Rows rows;
  CellTransfer<Scalar> along_x, along_y;
  GridSpan coarse_lines;
  int num_workers;
  GridField<const Scalar> f, x;
  GridField<Scalar> residual, to;

  void operator()(LineBands, std::int64_t worker) const {
    const WorkRange share = share_of(worker, num_workers, coarse_lines.size());
    const GridSpan band{coarse_lines.begin + static_cast<int>(share.begin),
                        coarse_lines.begin + static_cast<int>(share.end)};
    if (band.empty() || !guard.active()) return;
    Scalar* const scratch = residual.line(along_y.axis.begin_of(band.begin));
    int begun = band.begin;  // lines that have a value
    for (int j = along_y.first_with(band.begin); j < along_y.end_with(band.end - 1); ++j) {
      const auto entry = along_y.entry(j);
      const bool is_in = band.contains(entry.in),
                 is_beside = entry.share != 0 && band.contains(entry.beside);
      if (!is_in && !is_beside) continue;
      store_residual(line(j), scratch);
      restrict_in_place(along_x, scratch);
      const auto add = [&](int coarse_j, Scalar factor) {
        const bool is_first = coarse_j == begun;
        if (is_first) ++begun;
        add_line(is_first, factor, scratch, to.line(coarse_j));
      };
      if (is_in) add(entry.in, 1 - entry.share);
      if (is_beside) add(entry.beside, entry.share);
    }
  }
  KOKKOS_FUNCTION void operator()(SingleCells, std::int64_t n) const {
    if (!guard.active()) return;
    const int coarse_nx = along_x.num_coarse();
    const int coarse_i = static_cast<int>(n % coarse_nx),
              coarse_j = coarse_lines.begin + static_cast<int>(n / coarse_nx);
    Scalar sum = 0;
    for (int j = along_y.first_with(coarse_j); j < along_y.end_with(coarse_j); ++j) {
      const Scalar factor = along_y.factor(j, coarse_j);
      if (factor == 0) continue;
      for (int i = along_x.first_with(coarse_i); i < along_x.end_with(coarse_i); ++i) {
        sum += factor * along_x.factor(i, coarse_i) *
               residual_of<Scalar>(wrapped(i, along_x.axis.count), line(j));
      }
    }
    to(coarse_i, coarse_j) = sum;
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION int line(int j) const {
    return rows.level.wraps ? wrapped(j, along_y.axis.count) : j;
  }
  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value residual_of(std::int64_t i, std::int64_t j) const {
    return load<Value>(f.line(j) + i) - row_of<Value>(rows, i, j).image(cross_of<Value>(x, i, j));
  }
  /// With cells -1 and nx.
  void store_residual(int j, Scalar* r) const {
    const int count = along_x.axis.count;
    int i = 0;
    for (; i + lane_count<Scalar> <= count; i += lane_count<Scalar>) {
      store(r + i, residual_of<Lanes<Scalar>>(i, j));
    }
    for (; i < count; ++i) r[i] = residual_of<Scalar>(i, j);
    r[-1] = r[count - 1];
    r[count] = r[0];
  }
  void add_line(bool is_first, Scalar factor, const Scalar* __restrict r,
                Scalar* __restrict sum) const {
    const int count = along_x.num_coarse();
    if (is_first) {
      for (int n = 0; n < count; ++n) sum[n] = factor * r[n];
    } else {
      for (int n = 0; n < count; ++n) sum[n] += factor * r[n];
    }
  }
};

/// Couplings of a coarser level: length of the edge over distance of centres, with the weights of the edges that
/// it consists of. A kernel of `run_cells` over coarser cells, and those behind them.
template <class Scalar, class Rows>
struct CoarsenPeriodicCells {
  Rows rows;
  CellAxis fine_x, fine_y, coarse_x, coarse_y;
  PeriodicCouplings<Scalar> to;

  KOKKOS_FORCEINLINE_FUNCTION void cell(std::int64_t i, std::int64_t j) const {
    const int coarse_i = static_cast<int>(i), coarse_j = static_cast<int>(j);
    const int first_x = fine_x.begin_of(coarse_i), first_y = fine_y.begin_of(coarse_j);
    const bool in_x = coarse_i < coarse_x.count, in_y = coarse_j < coarse_y.count;
    const int end_x = in_x ? fine_x.begin_of(coarse_i + 1) : first_x,
              end_y = in_y ? fine_y.begin_of(coarse_j + 1) : first_y;
    Scalar west = 0, south = 0, mass = 0;
    for (int y = first_y; y < end_y; ++y) west += rows.template west<Scalar>(first_x, y);
    for (int x = first_x; x < end_x; ++x) south += rows.template south<Scalar>(x, first_y);
    for (int y = first_y; y < end_y; ++y) {
      for (int x = first_x; x < end_x; ++x) mass += rows.template mass<Scalar>(x, y);
    }
    to.west(i, j) = factor(fine_x, coarse_x, first_x, coarse_i) * west;
    to.south(i, j) = factor(fine_y, coarse_y, first_y, coarse_j) * south;
    to.mass(i, j) = mass;
  }

 private:
  /// Distance of finer cells over that of coarser ones; 0 of a single cell.
  KOKKOS_FORCEINLINE_FUNCTION static Scalar factor(const CellAxis& fine, const CellAxis& coarse,
                                                   int fine_edge, int coarse_edge) {
    if (coarse.count == 1) return 0;
    return static_cast<Scalar>(fine.distance(fine_edge) / (2 * coarse.distance(coarse_edge)));
  }
};

/// Stores values in cells of lines, and in the ghosts that repeat them; corners are left out. With a sum, the
/// products of values and f.
template <class Scalar, class Values>
struct StoreWithGhosts {
  using value_type = double;  // of the sum

  Rectangle rectangle;
  bool walls, wraps;
  int first_line;
  Values values;

  void operator()(CellLines, std::int64_t line) const {
    if (values.guard.active()) (void)store_line<false>(first_line + line);
  }
  void operator()(CellLines, std::int64_t line, double& sum) const {
    if (values.guard.active()) sum += store_line<true>(first_line + line);
  }
  KOKKOS_FUNCTION void operator()(SingleCells, std::int64_t n) const {
    if (values.guard.active()) (void)store_cell(n % rectangle.nx, first_line + n / rectangle.nx);
  }
  KOKKOS_FUNCTION void operator()(SingleCells, std::int64_t n, double& sum) const {
    if (!values.guard.active()) return;
    const std::int64_t i = n % rectangle.nx, j = first_line + n / rectangle.nx;
    add_product(sum, values.f(i, j), store_cell(i, j));
  }

 private:
  static constexpr bool by_lines = requires(const Values& values) { values.store_line(0); };

  template <bool Sum>
  double store_line(std::int64_t j) const {
    const std::int64_t nx = rectangle.nx, ny = rectangle.ny;
    Scalar* const to = values.to.line(j);
    LaneSums<Scalar> sums;
    double rest = 0;
    std::int64_t i = 0;
    if constexpr (by_lines) {
      values.store_line(j);
    } else {
      for (; i + lane_count<Scalar> <= nx; i += lane_count<Scalar>) {
        const Lanes<Scalar> value = values.template value<Lanes<Scalar>>(i, j);
        store(to + i, value);
        if constexpr (Sum) add_product(sums, load<Lanes<Scalar>>(values.f.line(j) + i), value);
      }
      for (; i < nx; ++i) {
        to[i] = values.template value<Scalar>(i, j);
        if constexpr (Sum) add_product(rest, values.f(i, j), to[i]);
      }
    }
    to[-1] = to[nx - 1];
    to[nx] = to[0];
    if (has_ghost_of(j, 0)) std::copy(to, to + nx, values.to.line(walls ? -1 : ny));
    if (has_ghost_of(j, ny - 1)) std::copy(to, to + nx, values.to.line(walls ? ny : -1));
    if constexpr (Sum) return sums.total() + rest;
    return 0;
  }
  KOKKOS_FORCEINLINE_FUNCTION Scalar store_cell(std::int64_t i, std::int64_t j) const {
    const std::int64_t nx = rectangle.nx, ny = rectangle.ny;
    const auto& to = values.to;
    const Scalar value = values.template value<Scalar>(i, j);
    to(i, j) = value;
    if (i == 0) to(nx, j) = value;
    if (i == nx - 1) to(-1, j) = value;
    if (has_ghost_of(j, 0)) to(i, walls ? -1 : ny) = value;
    if (has_ghost_of(j, ny - 1)) to(i, walls ? ny : -1) = value;
    return value;
  }
  KOKKOS_FORCEINLINE_FUNCTION bool has_ghost_of(std::int64_t j, std::int64_t outer) const {
    return j == outer && (walls || wraps);
  }
};

/// \param energy  where the sum goes, or null
template <class Scalar, class Space, class Values>
void store_with_ghosts(const std::string& label, const Space& space,
                       const PeriodicLevel<Scalar>& level, const GridSpan& lines,
                       const Values& values, [[maybe_unused]] double* energy) {
  using Memory = typename Space::memory_space;
  using Sum = Kokkos::View<double, Memory, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  using Tag = std::conditional_t<runs_on_host<Space>, CellLines, SingleCells>;
  if (lines.empty()) {  // of a rank without lines
    if (energy != nullptr) Kokkos::deep_copy(space, Sum(energy), 0.0);
    return;
  }
  const std::int64_t count =
      std::int64_t{lines.size()} * (runs_on_host<Space> ? 1 : level.rectangle.nx);
  const Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>, Tag> policy(space, 0, count);
  const StoreWithGhosts<Scalar, Values> kernel{level.rectangle, level.walls, level.wraps,
                                               lines.begin, values};
  if constexpr (requires { values.f; }) {
    if (energy != nullptr) {
      return Kokkos::parallel_reduce(label, policy, kernel, Sum(energy));
    }
  }
  Kokkos::parallel_for(label, policy, kernel);
}

/// run(rows) of a level.
template <class Scalar, class Run>
void with_rows(const PeriodicLevel<Scalar>& level, const Run& run) {
  if (level.is_stored()) return run(StoredRows<Scalar>{level});
  if (level.is_weighted()) return run(WeightedRows<Scalar, true>{level});
  run(WeightedRows<Scalar, false>{level});
}

template <class Space, class Scalar>
void PeriodicCycleKernels<Space, Scalar>::first_step(const Labels& labels, const Space& space,
                                                     const Guard& guard, const Level& level,
                                                     const GridSpan& lines, Scalar weight,
                                                     const Input& f, const Output& x,
                                                     double* energy) {
  with_rows(level, [&]<class Rows>(const Rows& rows) {
    store_with_ghosts(labels.first_step, space, level, lines,
                      FirstCellStep<Scalar, Memory, Rows>{guard, rows, weight, f, x}, energy);
  });
}

template <class Space, class Scalar>
void PeriodicCycleKernels<Space, Scalar>::step(const Labels& labels, const Space& space,
                                               const Guard& guard, const Level& level,
                                               const GridSpan& lines, Scalar weight, const Input& f,
                                               const Input& x, const Output& to, double* energy) {
  with_rows(level, [&]<class Rows>(const Rows& rows) {
    store_with_ghosts(labels.step, space, level, lines,
                      CellStep<Scalar, Memory, Rows>{guard, rows, weight, f, x, to}, energy);
  });
}

template <class Space, class Scalar>
void PeriodicCycleKernels<Space, Scalar>::restrict_residual(
    const Labels& labels, const Space& space, const Guard& guard, const Level& level,
    const Transfer& transfer, const GridSpan& coarse_lines, const Input& f, const Input& x,
    const Output& residual, const Output& coarse_f) {
  using Tag = std::conditional_t<runs_on_host<Space>, LineBands, SingleCells>;
  if (coarse_lines.empty()) return;
  const int workers = runs_on_host<Space> ? static_cast<int>(space.concurrency()) : 0;
  const std::int64_t count = runs_on_host<Space>
                                 ? std::int64_t{workers}
                                 : std::int64_t{coarse_lines.size()} * transfer.coarse().nx;
  with_rows(level, [&]<class Rows>(const Rows& rows) {
    Kokkos::parallel_for(
        labels.restriction,
        Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>, Tag>(space, 0, count),
        RestrictCells<Scalar, Memory, Rows>{guard, rows, transfer.x, transfer.y, coarse_lines,
                                            workers, f, x, residual, coarse_f});
  });
}

template <class Space, class Scalar>
void PeriodicCycleKernels<Space, Scalar>::prolong(const Labels& labels, const Space& space,
                                                  const Guard& guard, const Level& level,
                                                  const Transfer& transfer, const GridSpan& lines,
                                                  const Input& c, const Output& x) {
  store_with_ghosts(labels.prolongation, space, level, lines,
                    AddProlonged<Scalar, Memory>{guard, transfer, c, x}, nullptr);
}

template <class Space, class Scalar>
void PeriodicCycleKernels<Space, Scalar>::coarsen(const Labels& labels, const Space& space,
                                                  const Level& level, const Transfer& transfer,
                                                  const GridSpan& coarse_lines,
                                                  const PeriodicCouplings<Scalar>& coarse) {
  if (coarse_lines.empty()) return;
  const CellAxis &x = transfer.x.axis, &y = transfer.y.axis;
  with_rows(level, [&]<class Rows>(const Rows& rows) {
    run_cells<Scalar>(
        labels.coarsening.c_str(), space,
        {0, transfer.coarse().nx + 1, coarse_lines.begin, coarse_lines.end},
        CoarsenPeriodicCells<Scalar, Rows>{rows, x, y, x.coarser(), y.coarser(), coarse});
  });
}

}  // namespace Lamina::Impl
