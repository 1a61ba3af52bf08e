// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// A `GridSmoothing` on a device: a kernel for each step, a thread for each point. Neighbours come from the
// caches. What a thread needs of the step before, or of a prolongation, it computes itself where that is cheap.

#include <lamina/multigrid/impl/CycleLevel.hpp>
#include <lamina/multigrid/impl/poisson/GridLevel.hpp>
#include <lamina/sweeps/impl/CellSweep.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace Lamina::Impl {

/// The first step from zero, or the first two of them.
// traffic: reads n, writes n; flops: 2n, two steps 18n
template <class Scalar, class Memory, bool Two>
struct FirstSteps {
  CycleGuard<Memory> guard;
  GridLevel<Scalar> level;
  GridField<const Scalar> f;
  GridField<Scalar> to;
  Scalar weight, second_weight;

  KOKKOS_FORCEINLINE_FUNCTION Scalar first(int i, int line) const {
    if (!level.contains(i, line)) return 0;
    return weight / level.row(line, i + 1 == level.along.count).diagonal * f(i, line);
  }
  KOKKOS_FORCEINLINE_FUNCTION Scalar value(int i, int line) const {
    if constexpr (!Two) {
      return first(i, line);
    } else {
      return level.row(line, i + 1 == level.along.count)
          .step(second_weight, f(i, line), first(i, line), first(i - 1, line) + first(i + 1, line),
                first(i, line - 1) + first(i, line + 1));
    }
  }
};

/// A step from x + P c, or from one of them.
// traffic: reads 2n, writes n, with c reads n/4 more, without x n less; flops: 9n, with c 34n
template <class Scalar, class Memory, bool FromX, bool FromCoarse>
struct LaterStep {
  CycleGuard<Memory> guard;
  GridLevel<Scalar> level;
  GridField<const Scalar> f, x, c;
  GridField<Scalar> to;
  Scalar weight;

  KOKKOS_FORCEINLINE_FUNCTION Scalar start(int i, int line) const {
    if (!level.contains(i, line)) return 0;
    Scalar sum = 0;
    if constexpr (FromX) sum += x(i, line);
    if constexpr (FromCoarse) {
      const auto along = level.along.entries(i);
      const auto across = level.across.entries(line);
      sum += across.first_factor * (along.first_factor * c(along.first, across.first) +
                                    along.second_factor * c(along.second, across.first)) +
             across.second_factor * (along.first_factor * c(along.first, across.second) +
                                     along.second_factor * c(along.second, across.second));
    }
    return sum;
  }
  KOKKOS_FORCEINLINE_FUNCTION Scalar value(int i, int line) const {
    return level.row(line, i + 1 == level.along.count)
        .step(weight, f(i, line), start(i, line), start(i - 1, line) + start(i + 1, line),
              start(i, line - 1) + start(i, line + 1));
  }
};

/// P^T (f - A x), or of f alone, at a coarser point.
// traffic: reads 2n, writes n/4, without x reads n; flops: 22n
template <class Scalar, class Memory, bool FromX>
struct RestrictPoint {
  CycleGuard<Memory> guard;
  GridLevel<Scalar> level;
  GridField<const Scalar> f, x;
  GridField<Scalar> to;

  KOKKOS_FORCEINLINE_FUNCTION Scalar at(int i, int line) const {
    return level.contains(i, line) ? x(i, line) : Scalar(0);
  }
  KOKKOS_FORCEINLINE_FUNCTION Scalar residual(int i, int line) const {
    if (!level.contains(i, line)) return 0;
    if constexpr (!FromX) {
      return f(i, line);
    } else {
      return f(i, line) - level.row(line, i + 1 == level.along.count)
                              .image(at(i, line), at(i - 1, line) + at(i + 1, line),
                                     at(i, line - 1) + at(i, line + 1));
    }
  }
  /// Along a line.
  KOKKOS_FORCEINLINE_FUNCTION Scalar sum(int n, int line) const {
    const auto& along = level.along;
    if (!along.halves) return residual(n, line);
    const int i = 2 * n + 1;
    return Scalar(0.5) * residual(i - 1, line) + residual(i, line) +
           along.factor_behind(i + 1) * residual(i + 1, line);
  }
  KOKKOS_FORCEINLINE_FUNCTION Scalar value(int n, int coarse_line) const {
    const auto& across = level.across;
    if (!across.halves) return sum(n, coarse_line);
    const int line = 2 * coarse_line + 1;
    return Scalar(0.5) * sum(n, line - 1) + sum(n, line) +
           across.factor_behind(line + 1) * sum(n, line + 1);
  }
};

/// Stores the value of each point, as a kernel of `run_cells`.
template <class Values>
struct StoreValues {
  Values values;
  KOKKOS_FORCEINLINE_FUNCTION void cell(std::int64_t i, std::int64_t line) const {
    if (!values.guard.active()) return;
    values.to(i, line) = values.value(static_cast<int>(i), static_cast<int>(line));
  }
};
/// The same with the sum of their products with f.
template <class Values>
struct StoreValuesAndSum {
  Values values;
  CellRange range;
  KOKKOS_FUNCTION void operator()(std::int64_t n, double& sum) const {
    if (!values.guard.active()) return;
    const std::int64_t i = range.i_begin + n % range.width(),
                       line = range.j_begin + n / range.width();
    const auto value = values.value(static_cast<int>(i), static_cast<int>(line));
    values.to(i, line) = value;
    sum += static_cast<double>(values.f(i, line)) * static_cast<double>(value);
  }
};

/// \param energy  where the sum goes, or null
template <class Scalar, class Space, class Values>
void store_values(const char* label, const Space& space, const CellRange& range,
                  const Values& values, double* energy = nullptr) {
  if (energy == nullptr) return run_cells<Scalar>(label, space, range, StoreValues<Values>{values});
  using Memory = typename Space::memory_space;
  Kokkos::parallel_reduce(
      label, Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, range.count()),
      StoreValuesAndSum<Values>{values, range},
      Kokkos::View<double, Memory, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(energy));
}

}  // namespace Lamina::Impl
