// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/device/impl/Instantiate.hpp>

#include <cstdint>
#include <type_traits>

namespace Lamina::Impl {

/// The factors of the matrix of `CyclicToeplitzSolver`, K (1 - r E)(1 - r E^-1).
struct ToeplitzFactors {
  double ratio;    ///< r
  double inverse;  ///< 1/K
  int reach;       ///< levels after which r^k is below rounding; a multiple of 8
};

/// The values of lines. `stride` leads from a line to the next where levels are contiguous, and
/// from a level to the next where neighbouring lines are contiguous.
template <class Value>
struct LineField {
  Value* values = nullptr;
  std::int64_t stride = 0;

  LineField() = default;
  KOKKOS_FORCEINLINE_FUNCTION LineField(Value* values_, std::int64_t stride_)
      : values(values_), stride(stride_) {}
  template <class View>
  requires(static_cast<bool>(Kokkos::is_view<View>::value)) explicit LineField(const View& view)
      : values(view.data()),
        stride(static_cast<std::int64_t>(
            levels_contiguous<typename View::array_layout> ? view.stride(0) : view.stride(1))) {}
  template <class Other>
  requires std::is_same_v<const Other, Value> KOKKOS_FORCEINLINE_FUNCTION
  LineField(const LineField<Other>& field)
      : values(field.values), stride(field.stride) {}
  KOKKOS_FORCEINLINE_FUNCTION Value* line(std::int64_t n) const { return values + n * stride; }
};

/// out = a x_0 + b x_1 + c A^-1 rhs, with the first `num_terms` of the x. `out` may be one of the
/// x.
template <class Scalar>
struct LineCombination {
  LineField<const Scalar> rhs;
  Scalar c = 1;
  LineField<Scalar> out;
  int num_terms = 0;
  Scalar factors[2] = {};
  LineField<const Scalar> terms[2] = {};
};

struct LinesShape {
  int num_lines, num_levels;
};

/// The kernels of `CyclicToeplitzSolver`.
template <class Space, class Scalar>
struct CyclicToeplitzKernels {
  /// Enqueued on `space`. t = num_terms.
  // traffic: reads (1 + t)n, writes n; flops: (5 + 2t)n
  static void solve(const char* label, const Space& space, const ToeplitzFactors& factors,
                    const LinesShape& shape, bool levels_are_contiguous,
                    const LineCombination<Scalar>& combination);
};

#define LAMINA_EXTERN_CYCLIC(Space)                           \
  extern template struct CyclicToeplitzKernels<Space, float>; \
  extern template struct CyclicToeplitzKernels<Space, double>;
LAMINA_FOR_EACH_SPACE(LAMINA_EXTERN_CYCLIC)
#undef LAMINA_EXTERN_CYCLIC

}  // namespace Lamina::Impl

#include <lamina/lines/impl/CyclicToeplitzKernels_Bodies.hpp>
