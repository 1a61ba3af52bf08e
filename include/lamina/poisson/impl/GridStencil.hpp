// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// The five-point stencil on a square grid: what it is applied to, and what is done with the image.
// A line of the grid is contiguous in memory; as the stencil treats both directions alike, it does
// not matter which of them that is.

#include <lamina/core/Concepts.hpp>
#include <lamina/device/impl/Access.hpp>
#include <lamina/device/impl/HostWork.hpp>
#include <lamina/device/impl/StreamingStore_X86.hpp>
#include <lamina/krylov/FusedStep.hpp>
#include <lamina/poisson/StencilMemory.hpp>

#include <cstdint>
#include <type_traits>

namespace Lamina::Impl {

class GridTextures;

/// A square of points and how its kernels read it.
struct Grid {
  int size;
  StencilMemory memory;
  GridTextures* textures = nullptr;  ///< where there are any
};

/// Lines of a field.
template <class Value>
struct GridField {
  Value* values = nullptr;
  std::int64_t stride = 0;  ///< from a line to the next

  GridField() = default;
  template <class FieldType>
  requires(static_cast<bool>(Kokkos::is_view<FieldType>::value)) explicit GridField(
      const FieldType& field)
      : values(field.data()),
        stride(static_cast<std::int64_t>(levels_contiguous<typename FieldType::array_layout>
                                             ? field.stride(0)
                                             : field.stride(1))) {}
  template <class Other>
  requires std::is_same_v<const Other, Value> KOKKOS_FORCEINLINE_FUNCTION
  GridField(const GridField<Other>& field)
      : values(field.values), stride(field.stride) {}
  KOKKOS_FORCEINLINE_FUNCTION Value* line(std::int64_t i) const { return values + i * stride; }
};

/// True where every point j = 0, W, 2 W, ... may be read together with those that follow it, W wide.
template <int Width, class Value>
bool packs_aligned(const GridField<Value>& field) {
  constexpr std::size_t bytes = Width * sizeof(Value);
  return reinterpret_cast<std::uintptr_t>(field.values) % bytes == 0 && field.stride % Width == 0;
}

// --- Sources: the field that the stencil is applied to, line by line ---
// `prefetch` asks for point j, and for what is near to it, on CPU cores.

/// A field as it is. What else reads the points of a field is in `GridTextures.hpp`.
template <class Scalar>
struct GridPoints {
  static constexpr bool reads_packs = true;
  GridField<const Scalar> x;

  struct Line {
    const Scalar* x;
    template <class Value>
    KOKKOS_FORCEINLINE_FUNCTION Value at(std::int64_t j) const {
      return load<Value>(x + j);
    }
    KOKKOS_FORCEINLINE_FUNCTION void prefetch(std::int64_t j) const { prefetch_line(x + j); }
  };
  KOKKOS_FORCEINLINE_FUNCTION Line line(std::int64_t i) const { return {x.line(i)}; }
};

/// r + beta p, nowhere stored.
template <class Scalar, class Points>
struct GridDirection {
  Points r, p;
  Scalar beta;

  struct Line {
    typename Points::Line r, p;
    Scalar beta;
    template <class Value>
    KOKKOS_FORCEINLINE_FUNCTION Value at(std::int64_t j) const {
      return r.template at<Value>(j) + beta * p.template at<Value>(j);
    }
    KOKKOS_FORCEINLINE_FUNCTION void prefetch(std::int64_t j) const {
      r.prefetch(j);
      p.prefetch(j);
    }
  };
  KOKKOS_FORCEINLINE_FUNCTION Line line(std::int64_t i) const {
    return {r.line(i), p.line(i), beta};
  }
};

// --- Sinks: what is done with points, or with several points that follow each other ---

/// Sums of a sweep, of single points or in lanes.
template <class Part>
struct GridSums {
  Part of[2] = {};
};

/// Stores the first `count` of several values, where they do not fill the last pack of a line.
template <class Scalar, class Value>
KOKKOS_FORCEINLINE_FUNCTION void store_first(Scalar* to, const Value& value, std::int64_t count) {
  if constexpr (is_pack<Value>) {
    if (count >= Value::count) {
      store(to, value);
    } else {
      for (int i = 0; i < Value::count; ++i) {  // known to the compiler, for the registers' sake
        if (i < count) to[i] = value[i];
      }
    }
  } else {
    store(to, value);
  }
}

/// y = A x
template <class Scalar>
struct ApplySink {
  static constexpr bool stores = true;
  GridField<Scalar> y;

  struct Line {
    Scalar* y;
    template <class Value, class Sums>
    KOKKOS_FORCEINLINE_FUNCTION void operator()(std::int64_t j, std::int64_t count, const Value&,
                                                const Value& image, Sums&) const {
      store_first(y + j, image, count);
    }
    KOKKOS_FORCEINLINE_FUNCTION void prefetch(std::int64_t j) const { prefetch_line(y + j); }
  };
  KOKKOS_FORCEINLINE_FUNCTION Line line(std::int64_t i) const { return {y.line(i)}; }
};

/// u = x;  r = b - A x
template <class Scalar>
struct StartSink {
  static constexpr bool stores = true;
  GridField<const Scalar> b;
  GridField<Scalar> u, r;

  struct Line {
    const Scalar* b;
    Scalar *u, *r;
    template <class Value, class Sums>
    KOKKOS_FORCEINLINE_FUNCTION void operator()(std::int64_t j, std::int64_t count, const Value& x,
                                                const Value& image, Sums&) const {
      const Value residual = load<Value>(b + j) - image;
      store_first(u + j, x, count);
      store_first(r + j, residual, count);
    }
    KOKKOS_FORCEINLINE_FUNCTION void prefetch(std::int64_t j) const {
      prefetch_line(b + j);
      prefetch_line(u + j);
      prefetch_line(r + j);
    }
  };
  KOKKOS_FORCEINLINE_FUNCTION Line line(std::int64_t i) const {
    return {b.line(i), u.line(i), r.line(i)};
  }
};

/// <x, x>, <x, A x>. Values beyond the end of a line must be 0.
struct MeasureSink {
  static constexpr bool stores = false;
  struct Line {
    template <class Value, class Sums>
    KOKKOS_FORCEINLINE_FUNCTION void operator()(std::int64_t, std::int64_t, const Value& x,
                                                const Value& image, Sums& sums) const {
      add_product(sums.of[0], x, x);
      add_product(sums.of[1], x, image);
    }
    KOKKOS_FORCEINLINE_FUNCTION void prefetch(std::int64_t) const {}
  };
  KOKKOS_FORCEINLINE_FUNCTION Line line(std::int64_t) const { return {}; }
};

/// p' = x;  r' = r - alpha A x;  with `Update` u += alpha_before p + alpha x. With `Stream` (lanes on
/// the host only) p' and r' go past the caches.
template <class Scalar, bool Update, bool Stream>
struct AdvanceSink {
  static constexpr bool stores = true;
  GridField<const Scalar> r, p;
  GridField<Scalar> new_p, new_r, u;
  Scalar alpha, alpha_before;

  struct Line {
    const Scalar *r, *p;
    Scalar *new_p, *new_r, *u;
    Scalar alpha, alpha_before;

    template <class Value, class Sums>
    KOKKOS_FORCEINLINE_FUNCTION void operator()(std::int64_t j, std::int64_t count, const Value& x,
                                                const Value& image, Sums&) const {
      const Value residual = load<Value>(r + j) - alpha * image;
      if constexpr (Update) {
        const Value solution = load<Value>(u + j) + alpha_before * load<Value>(p + j) + alpha * x;
        store_first(u + j, solution, count);
      }
      put(new_p + j, x, count);
      put(new_r + j, residual, count);
    }
    KOKKOS_FORCEINLINE_FUNCTION void prefetch(std::int64_t j) const {
      if constexpr (Update) prefetch_line(u + j);
    }

   private:
    template <class Value>
    KOKKOS_FORCEINLINE_FUNCTION static void put(Scalar* to, const Value& value,
                                                std::int64_t count) {
      if constexpr (Stream && !std::is_arithmetic_v<Value>) {
        stream_lanes(to, value);
      } else {
        store_first(to, value, count);
      }
    }
  };
  KOKKOS_FORCEINLINE_FUNCTION Line line(std::int64_t i) const {
    return {r.line(i), p.line(i), new_p.line(i), new_r.line(i), u.line(i), alpha, alpha_before};
  }
};

// --- Sweeps: a source and a sink, made when a kernel begins; not active, nothing is to be done ---

template <class Source, class Sink>
struct GridPass {
  using source_type = Source;
  using sink_type = Sink;
  bool active;
  Source source;
  Sink sink;
};

template <class Scalar, class Points>
struct GridApply {
  static constexpr bool has_sums = false;
  using points_type = Points;
  Points x;
  GridField<Scalar> y;

  KOKKOS_FORCEINLINE_FUNCTION GridPass<Points, ApplySink<Scalar>> begin(bool) const {
    return {true, x, {y}};
  }
};

template <class Scalar, class Points>
struct GridStart {
  static constexpr bool has_sums = false;
  using points_type = Points;
  GridField<const Scalar> b;
  Points x;
  GridField<Scalar> u, r;

  KOKKOS_FORCEINLINE_FUNCTION GridPass<Points, StartSink<Scalar>> begin(bool) const {
    return {true, x, {b, u, r}};
  }
};

template <class Points, class Memory>
struct GridMeasure {
  static constexpr bool has_sums = true;
  using points_type = Points;
  FusedStep<Memory> step;
  Points r;

  KOKKOS_FORCEINLINE_FUNCTION GridPass<Points, MeasureSink> begin(bool) const {
    return {step.formed_residual(), r, {}};
  }
};

template <class Scalar, class Points, class Memory, bool Update, bool Stream>
struct GridAdvance {
  static constexpr bool has_sums = false;
  using points_type = Points;
  FusedStep<Memory> step;
  Points r, p;
  GridField<Scalar> new_p, new_r, u;

  using Pass = GridPass<GridDirection<Scalar, Points>, AdvanceSink<Scalar, Update, Stream>>;
  /// One of those that begin also reports.
  KOKKOS_FORCEINLINE_FUNCTION Pass begin(bool reports) const {
    const auto it = step.iteration();
    if (reports) step.now[FusedStep<Memory>::curvature] = it.curvature;
    return {it.proceed,
            {r, p, static_cast<Scalar>(it.beta)},
            {r.x, p.x, new_p, new_r, u, static_cast<Scalar>(it.alpha),
             static_cast<Scalar>(it.alpha_before)}};
  }
};

}  // namespace Lamina::Impl
