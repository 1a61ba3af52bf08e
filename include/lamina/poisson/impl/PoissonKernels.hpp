// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/device/impl/Instantiate.hpp>
#include <lamina/device/impl/TeamSums_Device.hpp>
#include <lamina/krylov/FusedStep.hpp>
#include <lamina/poisson/StencilMemory.hpp>
#include <lamina/sweeps/impl/CgSweeps.hpp>
#include <lamina/sweeps/impl/GridSystem.hpp>

#include <utility>

namespace Lamina::Impl {

class GridTextures;

/// A rectangle of cells and how its kernels read it.
struct Grid {
  GridTopology topology;
  StencilMemory memory;
  GridTextures* textures = nullptr;  ///< where there are any

  /// Some of the lines, see `GridTopology::lines`.
  Grid lines(int first, int count) const {
    Grid part = *this;
    part.topology = topology.lines(first, count);
    return part;
  }
  /// The lines that are not beside those of another rank.
  std::pair<int, int> lines_between_cuts() const {
    const int count = topology.num_levels;
    const int begin = topology.south != GridTopology::none && count > 0 ? 1 : 0;
    return {begin, topology.north != GridTopology::none && count > begin ? count - 1 : count};
  }
};

/// The operator of `PoissonOperator`. It treats both directions alike.
template <class Scalar, class Memory>
struct FivePoint {
  using scalar_type = Scalar;
  using memory_space = Memory;
  static constexpr bool has_ghosts = false, is_weighted = false, flushes_subnormals = false;

  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value image(const GridCross<Value>& x) const {
    return Scalar(4) * x.centre - (x.west + x.east) - x.south - x.north;
  }
};

/// The kernels of the five-point stencil. All enqueue on `space`; `parts` is scratch for sums. n is
/// the number of points in the statements of traffic. Fields of the fused sweeps are those of
/// `FusedPoisson::make_vector`.
template <class Space, class Scalar>
struct PoissonKernels {
  using Memory = typename Space::memory_space;
  using Input = GridField<const Scalar>;
  using Output = GridField<Scalar>;
  using Step = FusedStep<Memory>;
  using Parts = TeamParts<Memory>;

  /// y = A x.  traffic: reads n, writes n; flops: 5n
  static void apply(const Space& space, const Grid& grid, const Input& x, const Output& y);

  /// u = x;  r = b - A x.  traffic: reads 2n, writes 2n; flops: 6n
  static void start(const Space& space, const Grid& grid, const Input& b, const Input& x,
                    const Output& u, const Output& r);

  /// to = from.  traffic: reads n, writes n
  static void copy(const Space& space, const Grid& grid, const StridedCells<const Scalar>& from,
                   const Output& to);

  /// r = b - A u, where lines of b may be those of u or not.  traffic: reads 3n, writes 2n
  static void residual(const Space& space, const Grid& grid, const StridedCells<const Scalar>& b,
                       const Input& u, const Output& r);

  /// <r, r>, <r, A r>.  traffic: reads n; flops: 9n
  static void measure(const Space& space, const Grid& grid, const Step& step, const Parts& parts,
                      const Input& r);

  /// p' = r + beta p;  r' = r - alpha A p';  with `update` u += alpha_before p + alpha p'.
  /// traffic: reads 2n, writes 2n, with `update` n each more; flops: 9n, with `update` 13n
  static void advance(const Space& space, const Grid& grid, const Step& step, bool update,
                      const Input& r, const Input& p, const Output& new_p, const Output& new_r,
                      const Output& u);

  /// The most teams that may work on `iterate`; 0 where it is not for this grid, whose fields do
  /// not fit on the chip of a device.
  static int teams_on_chip(const Space& space, const Grid& grid);

  /// All that `measure` and `advance` do in the passes first <= n <= last; residuals[n % 2] and
  /// directions[(n + 1) % 2] are those that pass n finds.
  /// traffic: reads 3n, writes 3n; flops: 20n for each pass
  static void iterate(const Space& space, const Grid& grid, int most_teams,
                      const FusedSteps<Memory>& steps, int first, int last, const Parts& parts,
                      const Output (&residuals)[2], const Output (&directions)[2], const Output& u);

  /// x = solution.
  // traffic: reads u, p, r as far as the solution has them, writes n; flops: 2n for each of p, r
  static void finish(const Space& space, const Grid& grid, const CgSolution<Scalar>& solution,
                     const StridedCells<Scalar>& x);
};

#define LAMINA_EXTERN_POISSON(Space)                   \
  extern template struct PoissonKernels<Space, float>; \
  extern template struct PoissonKernels<Space, double>;
LAMINA_FOR_EACH_SPACE(LAMINA_EXTERN_POISSON)
#undef LAMINA_EXTERN_POISSON

}  // namespace Lamina::Impl

#include <lamina/poisson/impl/PoissonKernels_Bodies.hpp>
