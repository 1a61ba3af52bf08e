// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/shallow_water/impl/PeriodicHelmholtzKernels.hpp>
#include <lamina/sweeps/impl/CellSweep.hpp>
#include <lamina/sweeps/impl/GridStencil_Device.hpp>
#include <lamina/sweeps/impl/GridTraversal_Host.hpp>

#include <cstdint>
#include <type_traits>

namespace Lamina::Impl {

/// Lines run along x.
inline GridTopology topology_of(const Rectangle& rectangle) { return {rectangle.nx, rectangle.ny}; }

template <class Space, class Scalar, class Sweep, class Memory>
void run_periodic(const char* label, const Space& space, const PeriodicStencil<Scalar>& stencil,
                  std::int64_t stride, const Sweep& sweep, const TeamParts<Memory>& parts) {
  const auto run = [&](auto weighted) {
    using Coefficients = PeriodicFivePoint<Scalar, Memory, weighted>;
    const GridSystem<Coefficients> system{topology_of(stencil.rectangle), {stencil}};
    if constexpr (runs_on_host<Space>) {
      run_host_sweep(label, space, system, sweep);
    } else {
      traverse_grid<pack_width<Scalar>>(label, space, system, stride, sweep, parts);
    }
  };
  if (stencil.weight.values != nullptr) {
    run(std::true_type());
  } else {
    run(std::false_type());
  }
}

template <class Space, class Scalar>
void PeriodicHelmholtzKernels<Space, Scalar>::subtract_image(const Space& space,
                                                             const Stencil& stencil, const Input& u,
                                                             const Output& r) {
  run_periodic("Lamina::PeriodicHelmholtz::subtract_image", space, stencil, r.stride,
               CgStart<Scalar, Input, false>{r, u, {}, r}, Parts());
}

template <class Space, class Scalar>
void PeriodicHelmholtzKernels<Space, Scalar>::measure(const Space& space, const Stencil& stencil,
                                                      const Step& step, const Parts& parts,
                                                      const Input& r) {
  run_periodic("Lamina::PeriodicHelmholtz::measure", space, stencil, r.stride,
               CgMeasure<Input, Memory>{step, r}, parts);
}

template <class Space, class Scalar>
void PeriodicHelmholtzKernels<Space, Scalar>::advance(const Space& space, const Stencil& stencil,
                                                      const Step& step, bool update, bool from_zero,
                                                      const Input& r, const Input& p,
                                                      const Output& new_p, const Output& new_r,
                                                      const Output& u) {
  const char* label = !update     ? "Lamina::PeriodicHelmholtz::advance"
                      : from_zero ? "Lamina::PeriodicHelmholtz::advance_and_set"
                                  : "Lamina::PeriodicHelmholtz::advance_and_update";
  const GridTopology grid = topology_of(stencil.rectangle);
  choose_cg_advance<Space>(update, grid, r, [&](auto updates, auto streams) {
    using Sweep = CgAdvance<Scalar, Input, Memory, updates, streams, bool>;
    run_periodic(label, space, stencil, r.stride,
                 Sweep{step, r, p, r, p, new_p, new_r, u, from_zero}, Parts());
  });
}

template <class Space, class Scalar>
void PeriodicHelmholtzKernels<Space, Scalar>::finish(const Space& space, const Rectangle& rectangle,
                                                     const CgSolution<Scalar>& solution,
                                                     const StridedCells<Scalar>& x) {
  run_cells<Scalar>("Lamina::PeriodicHelmholtz::finish", space, CellRange::all(rectangle),
                    CgFinish<Scalar>{solution, x});
}

}  // namespace Lamina::Impl
