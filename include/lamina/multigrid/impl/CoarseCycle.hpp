// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/multigrid/impl/CycleLevel.hpp>

#include <Kokkos_Core.hpp>

namespace Lamina::Impl {

/// What one kernel over several levels needs of each, in device memory.
template <class Scalar, class Memory>
struct CoarseLevel {
  TensorSystem<Scalar, Memory> system;
  LineCarryView<Scalar, Memory> carries;
  Prolongation<Scalar, Memory> prolongation;
  Restriction<Scalar, Memory> restriction;
  Scalar *rhs, *solution, *other;
};

/// The levels of a cycle that one kernel takes: from some level on to the coarsest one.
template <class Scalar, class Memory>
struct CoarseLevels {
  static constexpr int most_steps = 3, most_coarsest_steps = 16;
  const CoarseLevel<Scalar, Memory>* levels = nullptr;  ///< in `Memory`
  int count = 0;
  int num_columns = 0, most_fine = 0;  ///< of the first level; of the tiles of all
  LineCut cut{};                       ///< of the columns of all levels
  int num_steps = 0, num_coarsest_steps = 0;
  Scalar weights[most_steps] = {}, coarsest_weights[most_coarsest_steps] = {};
};

}  // namespace Lamina::Impl
