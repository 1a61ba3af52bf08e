// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/device/impl/Instantiate.hpp>
#include <lamina/multigrid/impl/CycleLevel.hpp>
#include <lamina/multigrid/impl/poisson/GridLevel.hpp>
#include <lamina/shallow_water/impl/multigrid/CellTransfer.hpp>
#include <lamina/shallow_water/impl/multigrid/PeriodicLevel.hpp>

#include <string>

namespace Lamina::Impl {

/// Names of the kernels of a level.
struct PeriodicCycleLabels {
  std::string first_step, step, restriction, prolongation, coarsening;

  /// \param level  0: the finest
  explicit PeriodicCycleLabels(int level);
};

/// From a level to the next coarser one, and back: P is linear interpolation along both directions.
template <class Scalar>
struct PeriodicTransfer {
  CellTransfer<Scalar> x, y;
  bool coarse_wraps = true;  ///< as `PeriodicLevel::wraps` of the coarser level

  Rectangle coarse() const { return {x.num_coarse(), y.num_coarse()}; }
};

/// What `coarsen` stores, with ghosts.
template <class Scalar>
struct PeriodicCouplings {
  GridField<Scalar> west, south, mass;
};

/// The kernels of a cycle of `PeriodicMultigrid`. All enqueue on `space`, and do nothing unless `guard` is
/// active; then an energy is 0. They write the given lines, which may be none. Fields have ghosts, which steps and
/// prolongations fill, those of lines where the level wraps or has a wall there. n is the number of cells of the
/// level, n/4 that of the next coarser one, m the number of fields that its couplings come from: 0 without
/// weights, 1 with weights, 3 on a coarser level.
template <class Space, class Scalar>
struct PeriodicCycleKernels {
  using Memory = typename Space::memory_space;
  using Labels = PeriodicCycleLabels;
  using Guard = CycleGuard<Memory>;
  using Level = PeriodicLevel<Scalar>;
  using Transfer = PeriodicTransfer<Scalar>;
  using Input = GridField<const Scalar>;
  using Output = GridField<Scalar>;

  /// x = weight D^-1 f.  traffic: reads (1 + m)n, writes n; flops: 6n
  /// \param energy  where <f, x> goes, or null
  static void first_step(const Labels& labels, const Space& space, const Guard& guard,
                         const Level& level, const GridSpan& lines, Scalar weight, const Input& f,
                         const Output& x, double* energy);

  /// to = x + weight D^-1 (f - A x).  traffic: reads (2 + m)n, writes n; flops: 22n
  static void step(const Labels& labels, const Space& space, const Guard& guard, const Level& level,
                   const GridSpan& lines, Scalar weight, const Input& f, const Input& x,
                   const Output& to, double* energy);

  /// coarse_f = P^T (f - A x) on lines of the coarser level. On CPU cores a line of `residual` is scratch of a
  /// worker, which stays in the first-level cache. On a device each coarser cell forms the residuals of 16 cells
  /// anew.
  /// traffic: reads (2 + m)n, writes n/4; flops: 20n, on a device 70n
  static void restrict_residual(const Labels& labels, const Space& space, const Guard& guard,
                                const Level& level, const Transfer& transfer,
                                const GridSpan& coarse_lines, const Input& f, const Input& x,
                                const Output& residual, const Output& coarse_f);

  /// x += P c.  traffic: reads n + n/4, writes n; flops: 5n
  static void prolong(const Labels& labels, const Space& space, const Guard& guard,
                      const Level& level, const Transfer& transfer, const GridSpan& lines,
                      const Input& c, const Output& x);

  /// The couplings of the next coarser level, on lines of it.  traffic: reads mn, writes 3n/4; flops: 6n
  static void coarsen(const Labels& labels, const Space& space, const Level& level,
                      const Transfer& transfer, const GridSpan& coarse_lines,
                      const PeriodicCouplings<Scalar>& coarse);
};

#define LAMINA_EXTERN_PERIODIC_CYCLE(Space)                  \
  extern template struct PeriodicCycleKernels<Space, float>; \
  extern template struct PeriodicCycleKernels<Space, double>;
LAMINA_FOR_EACH_SPACE(LAMINA_EXTERN_PERIODIC_CYCLE)
#undef LAMINA_EXTERN_PERIODIC_CYCLE

}  // namespace Lamina::Impl

#include <lamina/shallow_water/impl/multigrid/PeriodicCycleKernels_Bodies.hpp>
