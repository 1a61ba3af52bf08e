// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/krylov/FusedStep.hpp>
#include <lamina/lines/impl/LineWorkspace.hpp>
#include <lamina/multigrid/impl/CycleCosts.hpp>
#include <lamina/multigrid/impl/TransferTables.hpp>
#include <lamina/sweeps/TensorCoefficients.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <string>
#include <type_traits>

namespace Lamina::Impl {

/// Names of the kernels of a level.
struct CycleLabels {
  std::string first_step, step, residual, restriction, sum_rows, prolongation;

  /// \param level  0: the finest
  explicit CycleLabels(int level) {
    const std::string prefix =
        level_prefix("MultigridPreconditioner", static_cast<std::size_t>(level));
    first_step = prefix + "first_step";
    step = prefix + "step";
    residual = prefix + "residual";
    restriction = prefix + "restrict";
    sum_rows = prefix + "sum_rows";
    prolongation = prefix + "prolong";
  }
};

/// Labels of the copies of r and z of a cycle in packs of levels.
inline constexpr const char *turn_r_label = "Lamina::MultigridPreconditioner::turn_r",
                            *turn_z_label = "Lamina::MultigridPreconditioner::turn_z";

/// Tables of a level that takes packs of levels, see `TensorPacks.hpp`.
template <class Scalar, class Memory>
struct TensorTables;
/// On CPU cores there are none.
struct NoTables {
  static constexpr bool empty() { return true; }
};

/// What the kernels of a cycle need of one level.
template <class Scalar, class Memory>
struct CycleLevel {
  TensorSystem<Scalar, Memory> system;  // in packs of levels its fields hold whole packs
  std::conditional_t<std::is_same_v<Memory, Kokkos::HostSpace>, NoTables,
                     TensorTables<Scalar, Memory>>
      packs;
  // Empty in packs of levels
  LineWorkspace<Scalar, Memory> lines;
  // Empty on the last level
  Prolongation<Scalar, Memory> prolongation;
  std::conditional_t<std::is_same_v<Memory, Kokkos::HostSpace>, TiledRestriction<Scalar>,
                     Restriction<Scalar, Memory>>
      restriction;
  /// On CPU cores: residuals of one tile of `restriction`, for each worker
  Kokkos::View<Scalar*, Memory> residuals;
};

/// A smoothing step of any coefficients: to = x + weight M^-1 (f - A x), where M is A without the couplings between
/// columns.
template <class Scalar, class Layout, class Memory>
struct ColumnStep {
  Scalar weight;
  FieldView<const Scalar, Layout, Memory> f, x;  ///< x without memory is 0
  FieldView<Scalar, Layout, Memory> to;          ///< overlaps neither
};

/// Whether the kernels of a cycle have work to do. In `FusedPcg` they have none once the solve is over.
template <class Memory>
struct CycleGuard {
  FusedStep<Memory> step{};
  bool guarded = false;

  KOKKOS_FORCEINLINE_FUNCTION bool active() const { return !guarded || step.preconditions(); }
};

}  // namespace Lamina::Impl
