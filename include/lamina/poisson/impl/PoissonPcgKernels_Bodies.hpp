// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/poisson/impl/PoissonKernels_Bodies.hpp>
#include <lamina/poisson/impl/PoissonPcgKernels.hpp>
#include <lamina/sweeps/impl/GridPcgSweeps.hpp>

namespace Lamina::Impl {

/// sums <r, r> with r = b - factor A x. A branch instead of the factor might change how sums are rounded.
template <class In>
struct SumResidual {
  static constexpr int num_sums = 1;
  static constexpr bool stores = false;
  In b;
  typename In::non_const_value_type factor;

  template <class Value, class Sums>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(std::int64_t i, int line, const Value&,
                                              const Value& image, Sums& sums) const {
    const Value residual = read<Value>(b, i, line) - factor * image;
    add_product<ScalarOf<In>>(sums[0], residual, residual);
  }
  KOKKOS_FORCEINLINE_FUNCTION void prefetch(std::int64_t i, int line, std::int64_t ahead) const {
    prefetch_line(&b(i, line) + ahead);
  }
};
template <class Scalar>
struct ResidualNormSweep {
  using array_layout = Kokkos::LayoutLeft;
  using read_type = GridField<const Scalar>;
  read_type b, x;
  double* sum;
  Scalar factor;

  double* sums() const { return sum; }
  KOKKOS_FORCEINLINE_FUNCTION auto begin(bool) const {
    return SweepPass<FieldSource<read_type>, SumResidual<read_type>>{true, {x}, {b, factor}};
  }
};

/// Whether lines may be read in packs, also the last of a line.
template <class Scalar, class... Fields>
bool wide_lines(const Grid& grid, const Fields&... fields) {
  constexpr int width = pack_width<Scalar>;
  return lines_aligned<width>(fields...) && grid.topology.num_owned % width == 0;
}

template <class Space, class Scalar>
void PoissonPcgKernels<Space, Scalar>::residual(const Space& space, const Grid& grid,
                                                const Step& step, const Parts& parts,
                                                const Input& b, const Input& x, const Output& r) {
  run_grid<Space, Scalar>("Lamina::MultigridPoisson::residual", space, grid, x.stride,
                          wide_lines<Scalar>(grid, b, x, r),
                          GridResidualSweep<Scalar, Memory>{step, b, x, r}, parts);
}

template <class Space, class Scalar>
void PoissonPcgKernels<Space, Scalar>::residual_norm(const Space& space, const Grid& grid,
                                                     const Parts& parts, double* sum,
                                                     const Input& b, const Input& x) {
  run_grid<Space, Scalar>("Lamina::PoissonMultigridSolver::residual", space, grid, x.stride,
                          wide_lines<Scalar>(grid, b, x),
                          ResidualNormSweep<Scalar>{b, x, sum, Scalar(1)}, parts);
}

template <class Space, class Scalar>
void PoissonPcgKernels<Space, Scalar>::rhs_norm(const Space& space, const Grid& grid,
                                                const Parts& parts, double* sum, const Input& b) {
  Grid alone = grid;  // columns of b that other ranks own are not read
  alone.topology =
      GridTopology{.num_owned = grid.topology.num_owned, .num_levels = grid.topology.num_levels};
  run_grid<Space, Scalar>("Lamina::PoissonMultigridSolver::residual", space, alone, b.stride,
                          wide_lines<Scalar>(alone, b),
                          ResidualNormSweep<Scalar>{b, b, sum, Scalar(0)}, parts);
}

template <class Space, class Scalar>
void PoissonPcgKernels<Space, Scalar>::measure(const Space& space, const Grid& grid,
                                               const Step& step, const Parts& parts,
                                               const Input& z) {
  run_grid<Space, Scalar>("Lamina::MultigridPoisson::measure", space, grid, z.stride,
                          wide_lines<Scalar>(grid, z), GridMeasureSweep<Scalar, Memory>{step, z},
                          parts);
}

template <class Space, class Scalar>
void PoissonPcgKernels<Space, Scalar>::advance(const Space& space, const Grid& grid,
                                               const Step& step, bool update, const Parts& parts,
                                               const Input& z, const Input& p, const Output& new_p,
                                               const Output& r, const Output& u) {
  const bool wide = wide_lines<Scalar>(grid, z, p, new_p, r, u);
  if (update) {
    run_grid<Space, Scalar>("Lamina::MultigridPoisson::advance_and_update", space, grid, z.stride,
                            wide, GridAdvanceSweep<Scalar, Memory, true>{step, z, p, new_p, r, u},
                            parts);
  } else {
    run_grid<Space, Scalar>("Lamina::MultigridPoisson::advance", space, grid, z.stride, wide,
                            GridAdvanceSweep<Scalar, Memory, false>{step, z, p, new_p, r, u},
                            parts);
  }
}

}  // namespace Lamina::Impl
