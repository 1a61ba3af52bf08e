// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/shallow_water/impl/multigrid/PeriodicCycleKernels.hpp>
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

template <class Scalar, class Memory>
struct AddProlonged {
  CycleGuard<Memory> guard;
  CellPairs along_x, along_y;
  GridField<const Scalar> c;
  GridField<Scalar> to;

  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value value(std::int64_t i, std::int64_t j) const {
    return to(i, j) + c(along_x.of(static_cast<int>(i)), along_y.of(static_cast<int>(j)));
  }
};

/// P^T (f - A x). On CPU cores residuals of the lines of a coarser line go to a field first, in lanes.
template <class Scalar, class Memory, class Rows>
struct RestrictCells {
  CycleGuard<Memory> guard;
  Rows rows;
  CellPairs along_x, along_y;
  GridField<const Scalar> f, x;
  GridField<Scalar> residual, to;

  void operator()(CellLines, std::int64_t line) const {
    if (!guard.active()) return;
    const int coarse_j = static_cast<int>(line), first = along_y.first(coarse_j);
    Scalar* const sum = to.line(line);
    std::fill(sum, sum + along_x.coarse, Scalar(0));
    for (int j = first; j < along_y.first(coarse_j + 1); ++j) {
      store_residual(j);
      add_pairs(residual.line(j), sum);
    }
  }
  KOKKOS_FUNCTION void operator()(SingleCells, std::int64_t n) const {
    if (!guard.active()) return;
    const int coarse_i = static_cast<int>(n % along_x.coarse),
              coarse_j = static_cast<int>(n / along_x.coarse);
    Scalar sum = 0;
    for (int j = along_y.first(coarse_j); j < along_y.first(coarse_j + 1); ++j) {
      for (int i = along_x.first(coarse_i); i < along_x.first(coarse_i + 1); ++i) {
        sum += residual_of<Scalar>(i, j);
      }
    }
    to(coarse_i, coarse_j) = sum;
  }

 private:
  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value residual_of(std::int64_t i, std::int64_t j) const {
    return load<Value>(f.line(j) + i) - row_of<Value>(rows, i, j).image(cross_of<Value>(x, i, j));
  }
  void store_residual(int j) const {
    Scalar* const r = residual.line(j);
    int i = 0;
    for (; i + lane_count<Scalar> <= along_x.fine; i += lane_count<Scalar>) {
      store(r + i, residual_of<Lanes<Scalar>>(i, j));
    }
    for (; i < along_x.fine; ++i) r[i] = residual_of<Scalar>(i, j);
  }
  void add_pairs(const Scalar* __restrict r, Scalar* __restrict sum) const {
    if (along_x.fine == along_x.coarse) {
      sum[0] += r[0];
      return;
    }
    for (int n = 0; n < along_x.coarse; ++n) sum[n] += r[2 * n] + r[2 * n + 1];
    if (along_x.fine % 2 == 1) sum[along_x.coarse - 1] += r[along_x.fine - 1];
  }
};

/// Couplings of a coarser level: length of the edge over distance of centres, with the weights of the edges that
/// it consists of. A kernel of `run_cells` over coarser cells, and those behind them.
template <class Scalar, class Rows>
struct CoarsenPeriodicCells {
  Rows rows;
  CellAxis fine_x, fine_y, coarse_x, coarse_y;
  CellPairs along_x, along_y;
  PeriodicCouplings<Scalar> to;

  KOKKOS_FORCEINLINE_FUNCTION void cell(std::int64_t i, std::int64_t j) const {
    const int coarse_i = static_cast<int>(i), coarse_j = static_cast<int>(j);
    const int first_x = along_x.first(coarse_i), first_y = along_y.first(coarse_j);
    const bool in_x = coarse_i < coarse_x.count, in_y = coarse_j < coarse_y.count;
    const int end_x = in_x ? along_x.first(coarse_i + 1) : first_x,
              end_y = in_y ? along_y.first(coarse_j + 1) : first_y;
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

/// Stores values in cells, and in the ghosts that repeat them; corners are left out. With a sum, the products of
/// values and f.
template <class Scalar, class Values>
struct StoreWithGhosts {
  using value_type = double;  // of the sum

  Rectangle rectangle;
  bool walls;
  Values values;

  void operator()(CellLines, std::int64_t j) const {
    if (values.guard.active()) (void)store_line<false>(j);
  }
  void operator()(CellLines, std::int64_t j, double& sum) const {
    if (values.guard.active()) sum += store_line<true>(j);
  }
  KOKKOS_FUNCTION void operator()(SingleCells, std::int64_t n) const {
    if (values.guard.active()) (void)store_cell(n % rectangle.nx, n / rectangle.nx);
  }
  KOKKOS_FUNCTION void operator()(SingleCells, std::int64_t n, double& sum) const {
    if (!values.guard.active()) return;
    const std::int64_t i = n % rectangle.nx, j = n / rectangle.nx;
    add_product(sum, values.f(i, j), store_cell(i, j));
  }

 private:
  static constexpr bool in_lanes = !std::is_same_v<Values, AddProlonged<Scalar, Kokkos::HostSpace>>;

  template <bool Sum>
  double store_line(std::int64_t j) const {
    const std::int64_t nx = rectangle.nx, ny = rectangle.ny;
    Scalar* const to = values.to.line(j);
    LaneSums<Scalar> sums;
    double rest = 0;
    std::int64_t i = 0;
    if constexpr (in_lanes) {
      for (; i + lane_count<Scalar> <= nx; i += lane_count<Scalar>) {
        const Lanes<Scalar> value = values.template value<Lanes<Scalar>>(i, j);
        store(to + i, value);
        if constexpr (Sum) add_product(sums, load<Lanes<Scalar>>(values.f.line(j) + i), value);
      }
    }
    for (; i < nx; ++i) {
      to[i] = values.template value<Scalar>(i, j);
      if constexpr (Sum) add_product(rest, values.f(i, j), to[i]);
    }
    to[-1] = to[nx - 1];
    to[nx] = to[0];
    if (j == 0) std::copy(to, to + nx, values.to.line(walls ? -1 : ny));
    if (j == ny - 1) std::copy(to, to + nx, values.to.line(walls ? ny : -1));
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
    if (j == 0) to(i, walls ? -1 : ny) = value;
    if (j == ny - 1) to(i, walls ? ny : -1) = value;
    return value;
  }
};

/// \param energy  where the sum goes, or null
template <class Scalar, class Space, class Values>
void store_with_ghosts(const std::string& label, const Space& space, const Rectangle& rectangle,
                       bool walls, const Values& values, [[maybe_unused]] double* energy) {
  using Memory = typename Space::memory_space;
  using Tag = std::conditional_t<runs_on_host<Space>, CellLines, SingleCells>;
  const std::int64_t count =
      runs_on_host<Space> ? std::int64_t{rectangle.ny} : CellRange::all(rectangle).count();
  const Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>, Tag> policy(space, 0, count);
  const StoreWithGhosts<Scalar, Values> kernel{rectangle, walls, values};
  if constexpr (requires { values.f; }) {
    if (energy != nullptr) {
      return Kokkos::parallel_reduce(
          label, policy, kernel,
          Kokkos::View<double, Memory, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(energy));
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
                                                     Scalar weight, const Input& f, const Output& x,
                                                     double* energy) {
  with_rows(level, [&]<class Rows>(const Rows& rows) {
    store_with_ghosts<Scalar>(labels.first_step, space, level.rectangle, level.walls,
                              FirstCellStep<Scalar, Memory, Rows>{guard, rows, weight, f, x},
                              energy);
  });
}

template <class Space, class Scalar>
void PeriodicCycleKernels<Space, Scalar>::step(const Labels& labels, const Space& space,
                                               const Guard& guard, const Level& level,
                                               Scalar weight, const Input& f, const Input& x,
                                               const Output& to, double* energy) {
  with_rows(level, [&]<class Rows>(const Rows& rows) {
    store_with_ghosts<Scalar>(labels.step, space, level.rectangle, level.walls,
                              CellStep<Scalar, Memory, Rows>{guard, rows, weight, f, x, to},
                              energy);
  });
}

template <class Space, class Scalar>
void PeriodicCycleKernels<Space, Scalar>::restrict_residual(
    const Labels& labels, const Space& space, const Guard& guard, const Level& level,
    const PeriodicTransfer& transfer, const Input& f, const Input& x, const Output& residual,
    const Output& coarse_f) {
  using Tag = std::conditional_t<runs_on_host<Space>, CellLines, SingleCells>;
  const CellRange coarse = CellRange::all(transfer.coarse());
  const std::int64_t count = runs_on_host<Space> ? std::int64_t{coarse.lines()} : coarse.count();
  with_rows(level, [&]<class Rows>(const Rows& rows) {
    Kokkos::parallel_for(
        labels.restriction,
        Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>, Tag>(space, 0, count),
        RestrictCells<Scalar, Memory, Rows>{guard, rows, CellPairs(transfer.x),
                                            CellPairs(transfer.y), f, x, residual, coarse_f});
  });
}

template <class Space, class Scalar>
void PeriodicCycleKernels<Space, Scalar>::prolong(const Labels& labels, const Space& space,
                                                  const Guard& guard, const Level& level,
                                                  const PeriodicTransfer& transfer, const Input& c,
                                                  const Output& x) {
  store_with_ghosts<Scalar>(
      labels.prolongation, space, level.rectangle, level.walls,
      AddProlonged<Scalar, Memory>{guard, CellPairs(transfer.x), CellPairs(transfer.y), c, x},
      nullptr);
}

template <class Space, class Scalar>
void PeriodicCycleKernels<Space, Scalar>::coarsen(const Labels& labels, const Space& space,
                                                  const Level& level,
                                                  const PeriodicTransfer& transfer,
                                                  const PeriodicCouplings<Scalar>& coarse) {
  const Rectangle cells = transfer.coarse();
  with_rows(level, [&]<class Rows>(const Rows& rows) {
    run_cells<Scalar>(labels.coarsening.c_str(), space, {0, cells.nx + 1, 0, cells.ny + 1},
                      CoarsenPeriodicCells<Scalar, Rows>{
                          rows, transfer.x, transfer.y, transfer.x.coarser(), transfer.y.coarser(),
                          CellPairs(transfer.x), CellPairs(transfer.y), coarse});
  });
}

}  // namespace Lamina::Impl
