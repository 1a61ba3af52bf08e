// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/device/impl/Access.hpp>
#include <lamina/shallow_water/impl/VelocityDiffusion.hpp>
#include <lamina/sweeps/impl/CellSweep.hpp>

#include <cstdint>

namespace Lamina::Impl {

template <class Scalar>
struct DiffuseCells {
  Scalar factor;
  GridField<const Scalar> u, v;
  GridField<Scalar> change_u, change_v;

  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION void cell(std::int64_t i, std::int64_t j) const {
    store(change_u.line(j) + i, change<Value>(u, i, j));
    store(change_v.line(j) + i, change<Value>(v, i, j));
  }

 private:
  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value change(const GridField<const Scalar>& x, std::int64_t i,
                                           std::int64_t j) const {
    const Scalar* const centre = x.line(j) + i;
    const Value beside = load<Value>(centre - 1) + load<Value>(centre + 1),
                beyond = load<Value>(x.line(j - 1) + i) + load<Value>(x.line(j + 1) + i);
    return factor * ((beside + beyond) - Scalar(4) * load<Value>(centre));
  }
};

template <class Scalar>
struct AddChanges {
  GridField<const Scalar> change_u, change_v;
  GridField<Scalar> u, v;

  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION void cell(std::int64_t i, std::int64_t j) const {
    const auto add = [&](const GridField<Scalar>& x, const GridField<const Scalar>& change) {
      const Value sum = load<Value>(x.line(j) + i) + load<Value>(change.line(j) + i);
      store(x.line(j) + i, sum);
    };
    add(u, change_u);
    add(v, change_v);
  }
};

template <class Space, class Scalar>
void DiffusionKernels<Space, Scalar>::change(const Space& space, const Rectangle& rectangle,
                                             Scalar factor, const StateFields<const Scalar>& state,
                                             const GridField<Scalar>& change_u,
                                             const GridField<Scalar>& change_v) {
  run_cells<Scalar>("Lamina::VelocityDiffusion::change", space, CellRange::all(rectangle),
                    DiffuseCells<Scalar>{factor, state.u, state.v, change_u, change_v});
}

template <class Space, class Scalar>
void DiffusionKernels<Space, Scalar>::add(const Space& space, const Rectangle& rectangle,
                                          const GridField<Scalar>& change_u,
                                          const GridField<Scalar>& change_v,
                                          const StateFields<Scalar>& state) {
  run_cells<Scalar>("Lamina::VelocityDiffusion::add", space, CellRange::all(rectangle),
                    AddChanges<Scalar>{change_u, change_v, state.u, state.v});
}

}  // namespace Lamina::Impl
