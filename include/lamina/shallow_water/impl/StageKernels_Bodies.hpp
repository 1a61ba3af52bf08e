// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/shallow_water/impl/March_Device.hpp>
#include <lamina/shallow_water/impl/March_Host.hpp>
#include <lamina/shallow_water/impl/StageKernels.hpp>
#include <lamina/shallow_water/impl/StateKernels.hpp>
#include <lamina/shallow_water/impl/StoredVorticity.hpp>
#include <lamina/sweeps/impl/CellSweep.hpp>

#include <cstdint>

namespace Lamina::Impl {

template <bool HasBase, bool Stream, bool InPlace, class Space, class Scalar>
void run_stage(const Space& space, const CellRange& range, const StageSweep<Scalar>& stage) {
  using Sink = StageSink<Scalar, HasBase, Stream, InPlace>;
  const char* label = "Lamina::ShallowWater::tendency";
  const TendencySweep<Scalar, Sink> sweep{
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
  return bytes > static_cast<double>(last_level_cache_bytes()) &&
         range.i_begin % lane_count<Scalar> == 0;
}

template <class Space, class Scalar>
void StageKernels<Space, Scalar>::sweep(const Space& space, const CellRange& range,
                                        const StageSweep<Scalar>& stage) {
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
void StageKernels<Space, Scalar>::sweep_by_vorticity(const Space& space, int size,
                                                     const StageSweep<Scalar>& stage,
                                                     const GridField<Scalar>& vorticity) {
  const CellRange range = CellRange::all(size);
  run_cells<Scalar>("Lamina::ShallowWater::vorticity", space, range,
                    VorticityCells<Scalar>{stage, vorticity});
  StateKernels<Space, Scalar>::exchange(space, size, vorticity);
  run_cells<Scalar>("Lamina::ShallowWater::tendency_by_vorticity", space, range,
                    VelocityRhsCells<Scalar>{stage, vorticity});
}

}  // namespace Lamina::Impl
