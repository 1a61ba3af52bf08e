// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/device/impl/Instantiate.hpp>
#include <lamina/grids/impl/GridField.hpp>

namespace Lamina::Impl {

/// The factors of the matrix of `CyclicToeplitzSolver`, K (1 - r E)(1 - r E^-1).
struct ToeplitzFactors {
  double ratio;    ///< r
  double inverse;  ///< 1/K
  int reach;       ///< levels after which r^k is below rounding; a multiple of 8
};

/// out = a x_0 + b x_1 + c A^-1 rhs, with the first `num_terms` of the x. `out` may be one of the
/// x. Lines of the fields are those of the system, or, where neighbouring lines of that are contiguous, its
/// levels.
template <class Scalar>
struct LineCombination {
  GridField<const Scalar> rhs;
  Scalar c = 1;
  GridField<Scalar> out;
  int num_terms = 0;
  Scalar factors[2] = {};
  GridField<const Scalar> terms[2] = {};
  /// Contiguous lines only, null where they are cyclic: the right-hand side of each of them before its
  /// first level, and behind its last one. Beyond that it is 0.
  const Scalar *before = nullptr, *behind = nullptr;
};

/// Two values of each line that stand for a whole right-hand side where a line goes on elsewhere:
///
///   first = sum over k >= 0 of r^k b(k),   last = sum over k < n of r^(n-1-k) b(k)
///
/// `last` is the right-hand side before the first level of the next part, and `first` is the one behind the
/// last level of the part before: they cause there what the whole part causes.
template <class Scalar>
struct LineEnds {
  Scalar *first, *last;
  /// Those of the parts before and behind, for lines shorter than the reach; null: taken for 0. They may
  /// be `last` and `first`.
  const Scalar *before, *behind;
  Scalar first_factor = 1, last_factor = 1;  ///< of what is stored
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

  /// Enqueued on `space`; contiguous lines.
  // traffic: reads 2 reach values of each line, writes 2
  static void find_ends(const char* label, const Space& space, const ToeplitzFactors& factors,
                        const LinesShape& shape, const GridField<const Scalar>& rhs,
                        const LineEnds<Scalar>& ends);
};

#define LAMINA_EXTERN_CYCLIC(Space)                           \
  extern template struct CyclicToeplitzKernels<Space, float>; \
  extern template struct CyclicToeplitzKernels<Space, double>;
LAMINA_FOR_EACH_SPACE(LAMINA_EXTERN_CYCLIC)
#undef LAMINA_EXTERN_CYCLIC

}  // namespace Lamina::Impl

#include <lamina/lines/impl/CyclicToeplitzKernels_Bodies.hpp>
