// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/core/KernelRecord.hpp>
#include <lamina/poisson/impl/PoissonKernels.hpp>

#include <vector>

namespace Lamina {

/// Minus the five-point Laplacian on a square of `n` x `n` points with a zero boundary, times h^2:
///
///   (A x)_ij = 4 x_ij - x_{i-1,j} - x_{i+1,j} - x_{i,j-1} - x_{i,j+1},   0 <= i, j < n,
///   with x = 0 at the points beyond
///
/// A is symmetric positive definite. Fields are rank-2 Views (i, j) of either layout.
///
/// Source: Wang, Olano, Gobbert, Griffin (2012), "A GPU memory system comparison for an elliptic
/// test problem", eq. (3).
template <FieldScalar Scalar, MemorySpace Memory>
class PoissonOperator {
 public:
  using scalar_type = Scalar;
  using memory_space = Memory;

  /// \throws InvalidArgument for n < 1.
  explicit PoissonOperator(int n, StencilMemory memory = StencilMemory::automatic);

  int size() const { return m_size; }
  StencilMemory stencil_memory() const { return m_memory; }

  // As `Pcg` names the extents of its fields.
  int num_owned() const { return m_size; }
  int num_columns() const { return m_size; }
  int num_levels() const { return m_size; }

  /// y = A x. Enqueued on `space`: no allocation, no fence.
  /// \param x, y  (n, n), of one layout, must not overlap
  template <ExecutionSpace Space, FieldOf<Scalar, Memory> In, FieldOf<Scalar, Memory> Out>
  requires WorksIn<Space, Memory> && WritableField<Out> &&
      std::same_as<typename In::array_layout, typename Out::array_layout>
  void apply(const Space& space, const In& x, const Out& y) const;

  /// What one call costs.
  std::vector<KernelCost> kernel_costs() const;

 private:
  int m_size;
  StencilMemory m_memory;
};

}  // namespace Lamina

#include <lamina/poisson/impl/PoissonOperator_Impl.hpp>
