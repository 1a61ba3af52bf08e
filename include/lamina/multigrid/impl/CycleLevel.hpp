// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/krylov/FusedStep.hpp>
#include <lamina/lines/impl/LineWorkspace.hpp>
#include <lamina/multigrid/ColumnHierarchy.hpp>
#include <lamina/sweeps/TensorCoefficients.hpp>

#include <Kokkos_Core.hpp>

namespace Lamina::Impl {

/// `ColumnTransfer` in the memory of kernels, and its transpose.
template <class Scalar, class Memory>
struct TransferTables {
  static constexpr int slots = ColumnTransfer::max_entries;
  // (fine column, slot)
  Kokkos::View<const int**, Kokkos::LayoutLeft, Memory> columns;
  Kokkos::View<const Scalar**, Kokkos::LayoutLeft, Memory> weights;
  // The transpose as compressed rows: `begin` by coarse column
  Kokkos::View<const int*, Memory> begin, fine_columns;
  Kokkos::View<const Scalar*, Memory> fine_weights;

  TransferTables() = default;
  TransferTables(const ColumnTransfer& transfer, int num_coarse);

  KOKKOS_FUNCTION int num_fine() const { return static_cast<int>(columns.extent(0)); }
  KOKKOS_FUNCTION int num_coarse() const { return static_cast<int>(begin.extent(0)) - 1; }
  /// Bytes that a restriction reads beside fields; a prolongation reads about as many.
  double bytes() const {
    return static_cast<double>(fine_columns.extent(0)) * (sizeof(int) + sizeof(Scalar)) +
           static_cast<double>(begin.extent(0)) * sizeof(int);
  }
};

/// What the kernels of a cycle need of one level.
template <class Scalar, class Memory>
struct CycleLevel {
  TensorSystem<Scalar, Memory> system;
  LineWorkspace<Scalar, Memory> lines;
  TransferTables<Scalar, Memory> transfer;  // from the next coarser level, unless this is the last
};

/// Whether the kernels of a cycle have work to do. In `FusedPcg` they have none once the solve is over.
template <class Memory>
struct CycleGuard {
  FusedStep<Memory> step{};
  bool guarded = false;

  KOKKOS_FORCEINLINE_FUNCTION bool active() const { return !guarded || step.preconditions(); }
};

}  // namespace Lamina::Impl
