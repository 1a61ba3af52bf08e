// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/SolveReport.hpp>
#include <lamina/shallow_water/ShallowWaterState.hpp>

#include <algorithm>
#include <cstdint>

namespace Lamina {

/// Why three fields are no state of shallow water, for example after an unstable time step.
struct StateFault {
  /// `breakdown_not_finite`: a value is infinite or NaN; `diverged`: a height is not positive;
  /// `completed`: there is no fault.
  SolveStatus status = SolveStatus::completed;
  /// The first cell, in the order i + nx j, with a fault; -1: none. Of the whole rectangle, where
  /// there are several ranks.
  int i = -1, j = -1;

  bool exists() const { return status != SolveStatus::completed; }
};

namespace Impl {

inline StateFault located(const FirstFault& first, const Rectangle& rectangle) {
  if (first.code == FirstFault::none) return {};
  const std::int64_t cell = first.code / 2;
  return {.status = first.code % 2 == 0 ? SolveStatus::breakdown_not_finite : SolveStatus::diverged,
          .i = static_cast<int>(cell % rectangle.nx),
          .j = static_cast<int>(cell / rectangle.nx)};
}

/// The first fault of all ranks, from that of each. Collective.
template <class Space, class Memory>
FirstFault first_of_all(const Space& space, const WaterStrip<Memory>& strip,
                        const FirstFault& own) {
  const double none = -1;  // codes are exact: grids of 2^52 cells do not fit anywhere
  const double before = 2.0 * strip.whole().nx * strip.first_line();
  const bool exists = own.code != FirstFault::none;
  FirstFault first;
  strip.for_each_rank(space, {exists ? static_cast<double>(own.code) + before : none},
                      [&](const auto& values) {
                        if (values[0] == none) return;
                        first.code = std::min(first.code, static_cast<std::int64_t>(values[0]));
                      });
  return first;
}

}  // namespace Impl

/// Finds a fault in the cells of a state, over several ranks in those of all of them. Reads each field once. Fences `space`. On a device Kokkos
/// may allocate scratch at the first call.
template <ExecutionSpace Space, FieldScalar Scalar, MemorySpace Memory>
requires WorksIn<Space, Memory> StateFault
find_fault(const Space& space, const ShallowWaterState<Scalar, Memory>& state) {
  const auto own =
      Impl::StateKernels<Space, Scalar>::first_fault(space, state.rectangle(), state.fields());
  return Impl::located(Impl::first_of_all(space, state.strip(), own), state.strip().whole());
}

}  // namespace Lamina
