// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/device/impl/Instantiate.hpp>
#include <lamina/device/impl/TeamSums_Device.hpp>
#include <lamina/multigrid/impl/CycleLevel.hpp>
#include <lamina/multigrid/impl/TensorPacks.hpp>

#include <limits>

namespace Lamina::Impl {

/// Whether the cycle runs in a layout. CPU cores take fields with contiguous levels only; others are
/// copied before and after.
template <class Space, class Layout>
inline constexpr bool cycles_in = !runs_on_host<Space> || levels_contiguous<Layout>;

/// The kernels of a multigrid cycle. All enqueue on `space`, and do nothing unless `guard` is active.
/// n is the number of cells of the level in the statements of traffic, n/4 that of the next coarser
/// one. M is A without the couplings between columns.
template <class Space, class Scalar, class Layout>
struct CycleKernels {
  using Memory = typename Space::memory_space;
  using Level = CycleLevel<Scalar, Memory>;
  using Guard = CycleGuard<Memory>;
  using Labels = CycleLabels;
  using Input = FieldView<const Scalar, Layout, Memory>;
  using Output = FieldView<Scalar, Layout, Memory>;

  /// A smoothing step: y = x + P c;  to = keep y + weight M^-1 (f + N y), where N = M - A is what enters a
  /// column from its neighbours. With keep = 1 - weight that is y + weight M^-1 (f - A y).
  struct Step {
    Scalar keep, weight;
    Input f;   ///< without memory: 0
    Output x;  ///< y afterwards
    Output to;
    Input c;                   ///< of the next coarser level; without memory y is x
    double* energy = nullptr;  ///< where <f, to> goes: 0 unless active
    /// The first of the columns that kernels work on, as many as are wanted in `to`.
    int num_columns = std::numeric_limits<int>::max();
  };

  /// x = weight M^-1 f.  traffic: reads n, writes n; flops: 12n
  static void first_step(const Labels& labels, const Space& space, const Level& level,
                         const Guard& guard, Scalar weight, const Input& f, const Output& x);

  /// traffic: reads 2n, without f n, writes n; the kernel before it that adds P c reads 5n/4, writes n;
  /// flops: 24n, without f 22n, with energy 26n, and 6n
  static void step(const Labels& labels, const Space& space, const Level& level, const Guard& guard,
                   const TeamParts<Memory>& parts, const Step& step);

  /// coarse = P^T (f - A x), on the next coarser level.
  /// \param r  scratch on a device
  /// traffic: CPU cores: reads 2n, writes n/4; flops: 22n for each time that a residual is computed, and
  /// 6n. Devices: one kernel for r reads 2n, writes n; one more reads n, writes n/4
  static void restrict_residual(const Labels& labels, const Space& space, const Level& level,
                                const Guard& guard, const Input& f, const Input& x, const Output& r,
                                const Output& coarse);
};

/// to = from of fields on CPU cores, whose layouts differ.  traffic: reads n, writes n
template <class Space, class Scalar, class From, class To, class Memory>
void turn_field(const Space& space, const CycleGuard<Memory>& guard,
                const FieldView<const Scalar, From, Memory>& from,
                const FieldView<Scalar, To, Memory>& to);

#define LAMINA_TURN_FIELD(Space, Scalar, From, To, prefix)                                        \
  LAMINA_FUNCTION(                                                                                \
      prefix, void turn_field(const Space&, const CycleGuard<typename Space::memory_space>&,      \
                              const FieldView<const Scalar, From, typename Space::memory_space>&, \
                              const FieldView<Scalar, To, typename Space::memory_space>&))
#define LAMINA_TURN_FIELDS(Space, prefix)                                           \
  LAMINA_TURN_FIELD(Space, float, Kokkos::LayoutLeft, Kokkos::LayoutRight, prefix)  \
  LAMINA_TURN_FIELD(Space, float, Kokkos::LayoutRight, Kokkos::LayoutLeft, prefix)  \
  LAMINA_TURN_FIELD(Space, double, Kokkos::LayoutLeft, Kokkos::LayoutRight, prefix) \
  LAMINA_TURN_FIELD(Space, double, Kokkos::LayoutRight, Kokkos::LayoutLeft, prefix)
LAMINA_IF_SERIAL(LAMINA_TURN_FIELDS, extern)
LAMINA_IF_OPENMP(LAMINA_TURN_FIELDS, extern)

#define LAMINA_CYCLES_ON_HOST(Space, macro) \
  macro(Space, float, Kokkos::LayoutRight) macro(Space, double, Kokkos::LayoutRight)
/// `macro(Space, Scalar, Layout)` for each combination that a cycle runs in.
#define LAMINA_FOR_EACH_CYCLE(macro)             \
  LAMINA_IF_SERIAL(LAMINA_CYCLES_ON_HOST, macro) \
  LAMINA_IF_OPENMP(LAMINA_CYCLES_ON_HOST, macro) \
  LAMINA_IF_DEVICE(LAMINA_FOR_EACH_FIELD_ON, macro)

#define LAMINA_EXTERN_CYCLE(Space, Scalar, Layout) \
  extern template struct CycleKernels<Space, Scalar, Layout>;
LAMINA_FOR_EACH_CYCLE(LAMINA_EXTERN_CYCLE)
#undef LAMINA_EXTERN_CYCLE

}  // namespace Lamina::Impl

#include <lamina/multigrid/impl/CycleKernels_Bodies.hpp>
