// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/device/impl/Access.hpp>
#include <lamina/shallow_water/impl/StageKernels.hpp>
#include <lamina/shallow_water/impl/StateKernels.hpp>
#include <lamina/shallow_water/impl/march/March_Device.hpp>
#include <lamina/shallow_water/impl/march/March_Host.hpp>
#include <lamina/sweeps/impl/CellSweep.hpp>

#include <cstdint>

namespace Lamina::Impl {

template <bool HasBase, bool Stream, bool InPlace, class Space, class Scalar, class Factors>
void run_stage(const Space& space, const CellRange& range,
               const StageSweep<Scalar, Factors>& stage) {
  using Sink = StageSink<Scalar, HasBase, Stream, InPlace>;
  const char* label = "Lamina::ShallowWater::tendency";
  const TendencySweep<Scalar, Factors, Sink> sweep{
      stage.state,
      stage.factors,
      {stage.base, stage.state.height, stage.height, stage.rhs_u, stage.rhs_v, stage.base_factor,
       stage.centre_factor, stage.step}};
  if constexpr (runs_on_host<Space>) {
    run_host_march<Scalar>(label, space, range, sweep);
  } else {
    run_device_march<Scalar>(label, space, range, stage.height.stride, sweep,
                             TeamParts<typename Space::memory_space>());
  }
}

/// Whether fields of this size are past the caches of the host before they are read again, and
/// vectors of the range start where vectors may be streamed to.
template <class Scalar>
bool streams_pay(const CellRange& range, int fields) {
  const double bytes =
      static_cast<double>(range.count()) * static_cast<double>(sizeof(Scalar)) * fields;
  return bytes > static_cast<double>(reachable_cache_bytes()) &&
         range.i_begin % lane_count<Scalar> == 0;
}

template <class Space, class Scalar, class Factors>
void run_best_stage(const Space& space, const CellRange& range,
                    const StageSweep<Scalar, Factors>& stage) {
  if (range.count() == 0) return;
  const bool has_base = stage.base_factor != 0;
  if constexpr (runs_on_host<Space>) {
    if (streams_pay<Scalar>(range, 6)) {
      if (!has_base) {
        run_stage<false, true, false>(space, range, stage);
      } else if (stage.height.values == stage.base.values) {
        run_stage<true, true, true>(space, range, stage);
      } else {
        run_stage<true, true, false>(space, range, stage);
      }
      return;
    }
  }
  if (has_base) {
    run_stage<true, false, false>(space, range, stage);
  } else {
    run_stage<false, false, false>(space, range, stage);
  }
}

template <class Space, class Scalar>
void StageKernels<Space, Scalar>::sweep(const Space& space, const CellRange& range,
                                        const StageSweep<Scalar>& stage) {
  run_best_stage(space, range, stage);
}

template <class Space, class Scalar>
void StageKernels<Space, Scalar>::sweep(const Space& space, const CellRange& range,
                                        const StageSweep<Scalar, BasinFactors<Scalar>>& stage) {
  run_best_stage(space, range, stage);
}

// --- A stage in two kernels, cell by cell, with the potential vorticity stored between them ---

/// Values of a state around a cell.
template <class Value, class Scalar>
struct CellsAround {
  const StateFields<const Scalar>& state;
  std::int64_t i, j;

  KOKKOS_FORCEINLINE_FUNCTION static Value at(const GridField<const Scalar>& field, std::int64_t i,
                                              std::int64_t j) {
    return load<Value>(field.line(j) + i);
  }
  KOKKOS_FORCEINLINE_FUNCTION Value height(int di, int dj) const {
    return at(state.height, i + di, j + dj);
  }
  KOKKOS_FORCEINLINE_FUNCTION Value u(int di, int dj) const { return at(state.u, i + di, j + dj); }
  KOKKOS_FORCEINLINE_FUNCTION Value v(int di, int dj) const { return at(state.v, i + di, j + dj); }
  KOKKOS_FORCEINLINE_FUNCTION Value flux_u(int di, int dj) const {
    return Scalar(0.5) * (height(di - 1, dj) + height(di, dj)) * u(di, dj);
  }
  KOKKOS_FORCEINLINE_FUNCTION Value flux_v(int di, int dj) const {
    return Scalar(0.5) * (height(di, dj - 1) + height(di, dj)) * v(di, dj);
  }
  KOKKOS_FORCEINLINE_FUNCTION Value energy(int di, int dj) const {
    const Value x = Scalar(0.5) * (u(di, dj) + u(di + 1, dj)),
                y = Scalar(0.5) * (v(di, dj) + v(di, dj + 1));
    return height(di, dj) + Scalar(0.5) * (x * x + y * y);
  }
};

/// The new height, and the potential vorticity at corners.
template <class Scalar>
struct VorticityCells {
  StageSweep<Scalar> stage;
  GridField<Scalar> vorticity;

  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION void cell(std::int64_t i, std::int64_t j) const {
    const CellsAround<Value, Scalar> around{stage.state, i, j};
    const Scalar inverse_h = stage.factors.inverse_h;
    const Value curl =
        inverse_h * ((around.v(0, 0) - around.v(-1, 0)) - (around.u(0, 0) - around.u(0, -1))) +
        stage.factors.coriolis;
    const Value mean = Scalar(0.25) * ((around.height(0, 0) + around.height(-1, 0)) +
                                       (around.height(0, -1) + around.height(-1, -1)));
    const Value outflow =
        around.flux_u(1, 0) - around.flux_u(0, 0) + around.flux_v(0, 1) - around.flux_v(0, 0);
    Value height = stage.centre_factor * around.height(0, 0) - stage.step * inverse_h * outflow;
    if (stage.base_factor != 0) {
      height = height + stage.base_factor * load<Value>(stage.base.line(j) + i);
    }
    const Value q = curl / mean;
    store(vorticity.line(j) + i, q);
    store(stage.height.line(j) + i, height);
  }
};

/// F_U and F_V.
template <class Scalar>
struct VelocityRhsCells {
  StageSweep<Scalar> stage;
  GridField<const Scalar> vorticity;

  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION void cell(std::int64_t i, std::int64_t j) const {
    const CellsAround<Value, Scalar> around{stage.state, i, j};
    const Scalar inverse_h = stage.factors.inverse_h, eighth(0.125);
    const auto q = [&](int di, int dj) { return load<Value>(vorticity.line(j + dj) + i + di); };
    const Value energy = around.energy(0, 0);
    const Value u = eighth * (q(0, 0) + q(0, 1)) *
                        (around.flux_v(-1, 0) + around.flux_v(-1, 1) + around.flux_v(0, 0) +
                         around.flux_v(0, 1)) -
                    inverse_h * (energy - around.energy(-1, 0));
    const Value v =
        -(eighth * (q(0, 0) + q(1, 0))) * (around.flux_u(0, 0) + around.flux_u(1, 0) +
                                           around.flux_u(0, -1) + around.flux_u(1, -1)) -
        inverse_h * (energy - around.energy(0, -1));
    store(stage.rhs_u.line(j) + i, u);
    store(stage.rhs_v.line(j) + i, v);
  }
};

template <class Space, class Scalar>
void StageKernels<Space, Scalar>::sweep_by_vorticity(const Space& space, const Rectangle& rectangle,
                                                     const StageSweep<Scalar>& stage,
                                                     const GridField<Scalar>& vorticity) {
  const CellRange range = CellRange::all(rectangle);
  run_cells<Scalar>("Lamina::ShallowWater::vorticity", space, range,
                    VorticityCells<Scalar>{stage, vorticity});
  StateKernels<Space, Scalar>::exchange(space, rectangle, vorticity);
  run_cells<Scalar>("Lamina::ShallowWater::tendency_by_vorticity", space, range,
                    VelocityRhsCells<Scalar>{stage, vorticity});
}

}  // namespace Lamina::Impl
