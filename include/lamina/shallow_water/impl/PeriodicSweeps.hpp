// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// What the sweeps of `PeriodicHelmholtz` apply its stencil to, and what they do with the image.

#include <lamina/device/impl/Access.hpp>
#include <lamina/device/impl/HostWork.hpp>
#include <lamina/device/impl/StreamingStore_X86.hpp>
#include <lamina/krylov/FusedStep.hpp>
#include <lamina/shallow_water/impl/GhostedField.hpp>
#include <lamina/shallow_water/impl/PeriodicHelmholtzKernels.hpp>
#include <lamina/shallow_water/impl/StateKernels.hpp>

#include <cstdint>
#include <type_traits>

namespace Lamina::Impl {

/// Sums of a sweep, of single cells or in lanes.
template <class Part>
struct PeriodicSums {
  Part of[2] = {};
};

// `prefetch` asks for a cell, and for what is near to it, on CPU cores.

/// A field as it is.
template <class Scalar>
struct PeriodicCells {
  GhostedField<const Scalar> x;
  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value at(std::int64_t i, std::int64_t j) const {
    return load<Value>(x.line(j) + i);
  }
  void prefetch(std::int64_t i, std::int64_t j) const { prefetch_line(x.line(j) + i); }
};

/// r + beta p, nowhere stored.
template <class Scalar>
struct PeriodicDirection {
  GhostedField<const Scalar> r, p;
  Scalar beta;
  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value at(std::int64_t i, std::int64_t j) const {
    return load<Value>(r.line(j) + i) + beta * load<Value>(p.line(j) + i);
  }
  void prefetch(std::int64_t i, std::int64_t j) const {
    prefetch_line(r.line(j) + i);
    prefetch_line(p.line(j) + i);
  }
};

/// A source and a sink, made when a kernel begins; not active, nothing is to be done.
template <class Source, class Sink>
struct PeriodicPass {
  bool active;
  Source source;
  Sink sink;
};

/// r -= A u
template <class Scalar>
struct PeriodicSubtract {
  static constexpr bool has_sums = false;
  GhostedField<const Scalar> u;
  GhostedField<Scalar> r;

  struct Sink {
    GhostedField<Scalar> r;
    template <class Value, class Sums>
    KOKKOS_FORCEINLINE_FUNCTION void operator()(std::int64_t i, std::int64_t j, const Value&,
                                                const Value& image, Sums&) const {
      Scalar* const at = r.line(j) + i;
      const Value residual = load<Value>(at) - image;
      store(at, residual);
    }
    void prefetch(std::int64_t i, std::int64_t j) const { prefetch_line(r.line(j) + i); }
  };
  KOKKOS_FORCEINLINE_FUNCTION PeriodicPass<PeriodicCells<Scalar>, Sink> begin(bool) const {
    return {true, {u}, {r}};
  }
};

/// <r, r>, <r, A r>
template <class Scalar, class Memory>
struct PeriodicMeasure {
  static constexpr bool has_sums = true;
  FusedStep<Memory> step;
  GhostedField<const Scalar> r;

  struct Sink {
    template <class Value, class Sums>
    KOKKOS_FORCEINLINE_FUNCTION void operator()(std::int64_t, std::int64_t, const Value& x,
                                                const Value& image, Sums& sums) const {
      add_product(sums.of[0], x, x);
      add_product(sums.of[1], x, image);
    }
    void prefetch(std::int64_t, std::int64_t) const {}
  };
  KOKKOS_FORCEINLINE_FUNCTION PeriodicPass<PeriodicCells<Scalar>, Sink> begin(bool) const {
    return {step.formed_residual(), {r}, {}};
  }
};

/// p' = x;  r' = r - alpha A x;  with `Update` u += alpha_before p + alpha x. With `Stream` (lanes
/// on the host only) p' and r' go past the caches.
template <class Scalar, class Memory, bool Update, bool Stream>
struct PeriodicAdvance {
  static constexpr bool has_sums = false;
  FusedStep<Memory> step;
  GhostedField<const Scalar> r, p;
  GhostedField<Scalar> new_p, new_r, u;
  bool from_zero;  ///< u counts as zero

  struct Sink {
    GhostedField<const Scalar> r, p;
    GhostedField<Scalar> new_p, new_r, u;
    Scalar alpha, alpha_before;
    bool from_zero;

    template <class Value, class Sums>
    KOKKOS_FORCEINLINE_FUNCTION void operator()(std::int64_t i, std::int64_t j, const Value& x,
                                                const Value& image, Sums&) const {
      const Value residual = load<Value>(r.line(j) + i) - alpha * image;
      if constexpr (Update) {
        Scalar* const at = u.line(j) + i;
        Value solution{};
        if (!from_zero) solution = load<Value>(at);
        solution = solution + alpha_before * load<Value>(p.line(j) + i) + alpha * x;
        store(at, solution);
      }
      put(new_p.line(j) + i, x);
      put(new_r.line(j) + i, residual);
    }
    void prefetch(std::int64_t i, std::int64_t j) const {
      if constexpr (Update) prefetch_line(u.line(j) + i);
    }

   private:
    template <class Value>
    KOKKOS_FORCEINLINE_FUNCTION static void put(Scalar* to, const Value& value) {
      if constexpr (Stream && !std::is_arithmetic_v<Value>) {
        stream_lanes(to, value);
      } else {
        store(to, value);
      }
    }
  };
  /// One of those that begin also reports.
  KOKKOS_FORCEINLINE_FUNCTION PeriodicPass<PeriodicDirection<Scalar>, Sink> begin(
      bool reports) const {
    const auto it = step.iteration();
    if (reports) step.now[FusedStep<Memory>::curvature] = it.curvature;
    return {it.proceed,
            {r, p, static_cast<Scalar>(it.beta)},
            {r, p, new_p, new_r, u, static_cast<Scalar>(it.alpha),
             static_cast<Scalar>(it.alpha_before), from_zero}};
  }
};

/// x = solution
template <class Scalar>
struct FinishPeriodic {
  int size;
  PeriodicSolution<Scalar> solution;
  StridedCells<Scalar> x;

  KOKKOS_FUNCTION void operator()(CellLines, std::int64_t j) const {
    for (int i = 0; i < size; ++i) x(i, j) = solution.template at<Scalar>(i, j);
  }
  KOKKOS_FUNCTION void operator()(SingleCells, std::int64_t cell) const {
    const std::int64_t i = cell % size, j = cell / size;
    x(i, j) = solution.template at<Scalar>(i, j);
  }
};

}  // namespace Lamina::Impl
