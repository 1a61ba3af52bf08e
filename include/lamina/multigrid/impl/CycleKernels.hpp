// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/device/impl/Instantiate.hpp>
#include <lamina/device/impl/TeamSums_Device.hpp>
#include <lamina/multigrid/impl/CycleLevel.hpp>

namespace Lamina::Impl {

/// The kernels of a multigrid cycle. All enqueue on `space`, and do nothing unless `guard` is active.
/// n is the number of cells of the level in the statements of traffic, n/4 that of the next coarser
/// one. M is A without the couplings between columns.
template <class Space, class Scalar, class Layout>
struct CycleKernels {
  using Memory = typename Space::memory_space;
  using Level = CycleLevel<Scalar, Memory>;
  using Guard = CycleGuard<Memory>;
  using Input = FieldView<const Scalar, Layout, Memory>;
  using Output = FieldView<Scalar, Layout, Memory>;

  /// Whether `step` leaves its result in `other`: on CPU cores, where a tile of columns takes the
  /// stencil and the line solve at once, and neighbours still read x. On a device it does not, and
  /// `other` holds the residual.
  static constexpr bool steps_swap = runs_on_host<Space>;

  /// x = weight M^-1 f.  traffic: reads n, writes n; flops: 12n
  static void first_step(const Space& space, const Level& level, const Guard& guard, Scalar weight,
                         const Input& f, const Output& x);

  /// x + weight M^-1 (f - A x), in `other` or in x, see `steps_swap`.
  /// traffic: reads 2n, writes n on CPU cores; reads 5n, writes 3n on a device; flops: 35n
  static void step(const Space& space, const Level& level, const Guard& guard, Scalar weight,
                   const Input& f, const Output& x, const Output& other);

  /// The same, and result = <f, that>; 0 unless active.
  /// traffic: 2n more on a device; flops: 2n more
  static void step_with_energy(const Space& space, const Level& level, const Guard& guard,
                               const TeamParts<Memory>& parts, Scalar weight, const Input& f,
                               const Output& x, const Output& other, double* result);

  /// r = f - A x.  traffic: reads 2n, writes n; flops: 22n
  static void residual(const Space& space, const Level& level, const Guard& guard, const Input& f,
                       const Input& x, const Output& r);

  /// f = P^T r, on the next coarser level.  traffic: reads n, writes n/4; flops: 6n
  static void restrict_residual(const Space& space, const Level& level, const Guard& guard,
                                const Input& r, const Output& f);

  /// x += P c, c being of the next coarser level.  traffic: reads 5n/4, writes n; flops: 6n
  static void prolong(const Space& space, const Level& level, const Guard& guard, const Input& c,
                      const Output& x);
};

#define LAMINA_EXTERN_CYCLE(Space, Scalar, Layout) \
  extern template struct CycleKernels<Space, Scalar, Layout>;
LAMINA_FOR_EACH_FIELD(LAMINA_EXTERN_CYCLE)
#undef LAMINA_EXTERN_CYCLE

}  // namespace Lamina::Impl

#include <lamina/multigrid/impl/CycleKernels_Bodies.hpp>
