// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/shallow_water/impl/PeriodicHelmholtzKernels_Bodies.hpp>
#include <lamina/shallow_water/impl/multigrid/PeriodicPcgKernels.hpp>
#include <lamina/sweeps/impl/GridPcgSweeps.hpp>

#include <cstdint>
#include <type_traits>

namespace Lamina::Impl {

template <class Scalar>
struct ClearCells {
  GridField<Scalar> to;
  KOKKOS_FORCEINLINE_FUNCTION void cell(std::int64_t i, std::int64_t j) const { to(i, j) = 0; }
};

template <class Scalar>
struct SumSolution {
  using value_type = double;
  int nx;
  CgSolution<Scalar> solution;

  void operator()(CellLines, std::int64_t j, double& sum) const {
    LaneSums<Scalar> sums;
    int i = 0;
    for (; i + lane_count<Scalar> <= nx; i += lane_count<Scalar>) {
      const Lanes<Scalar> one = Scalar(1) - Lanes<Scalar>{};
      add_product(sums, solution.template at<Lanes<Scalar>>(i, j), one);
    }
    sum += sums.total();
    for (; i < nx; ++i) sum += static_cast<double>(solution.template at<Scalar>(i, j));
  }
  KOKKOS_FUNCTION void operator()(SingleCells, std::int64_t n, double& sum) const {
    sum += static_cast<double>(solution.template at<Scalar>(n % nx, n / nx));
  }
};

template <class Space, class Scalar>
void PeriodicPcgKernels<Space, Scalar>::sum_residual(const Space& space, const Stencil& stencil,
                                                     const Step& step, const Parts& parts,
                                                     const Input& r) {
  run_periodic("Lamina::MultigridPeriodic::sum_residual", space, stencil, r.stride,
               GridSquaresSweep<Scalar, Memory>{step, r}, parts);
}

template <class Space, class Scalar>
void PeriodicPcgKernels<Space, Scalar>::measure(const Space& space, const Stencil& stencil,
                                                const Step& step, const Parts& parts,
                                                const Input& z) {
  run_periodic("Lamina::MultigridPeriodic::measure", space, stencil, z.stride,
               GridMeasureSweep<Scalar, Memory>{step, z}, parts);
}

template <class Space, class Scalar>
void PeriodicPcgKernels<Space, Scalar>::advance(const Space& space, const Stencil& stencil,
                                                const Step& step, bool update, const Parts& parts,
                                                const Input& z, const Input& p, const Output& new_p,
                                                const Output& r, const Output& u) {
  if (update) {
    run_periodic("Lamina::MultigridPeriodic::advance_and_update", space, stencil, z.stride,
                 GridAdvanceSweep<Scalar, Memory, true>{step, z, p, new_p, r, u}, parts);
  } else {
    run_periodic("Lamina::MultigridPeriodic::advance", space, stencil, z.stride,
                 GridAdvanceSweep<Scalar, Memory, false>{step, z, p, new_p, r, u}, parts);
  }
}

template <class Space, class Scalar>
void PeriodicPcgKernels<Space, Scalar>::sum_solution(const Space& space, const Rectangle& rectangle,
                                                     const CgSolution<Scalar>& solution,
                                                     double* sum) {
  using Tag = std::conditional_t<runs_on_host<Space>, CellLines, SingleCells>;
  const CellRange cells = CellRange::all(rectangle);
  const std::int64_t count = runs_on_host<Space> ? std::int64_t{cells.lines()} : cells.count();
  const Kokkos::View<double, Memory, Kokkos::MemoryTraits<Kokkos::Unmanaged>> result(sum);
  if (count == 0) return Kokkos::deep_copy(space, result, 0.0);  // of a rank without lines
  Kokkos::parallel_reduce(
      "Lamina::MultigridPeriodic::sum_solution",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>, Tag>(space, 0, count),
      SumSolution<Scalar>{rectangle.nx, solution}, result);
}

template <class Space, class Scalar>
void PeriodicPcgKernels<Space, Scalar>::clear(const Space& space, const Rectangle& rectangle,
                                              const Output& u) {
  run_cells<Scalar>("Lamina::MultigridPeriodic::clear", space, CellRange::all(rectangle),
                    ClearCells<Scalar>{u});
}

}  // namespace Lamina::Impl
