// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Krylov methods that sweeps are the preconditioner of; instantiated by PointImplicitSolve.cpp.in alone.

#include <lamina/blocks/PointImplicitPreconditioner.hpp>
#include <lamina/krylov/Gmres.hpp>
#include <lamina/krylov/Pcg.hpp>

#include <memory>
#include <vector>

#include "point_implicit/PointImplicitTask.hpp"

namespace Lamina::Cli {

/// A method ready to solve, in the order of the colours.
template <ExecutionSpace Execution>
class KrylovMethod {
 public:
  using Field = Kokkos::View<double**, Kokkos::LayoutRight, typename Execution::memory_space>;

  KrylovMethod() = default;
  virtual ~KrylovMethod() = default;
  KrylovMethod(const KrylovMethod&) = delete;
  KrylovMethod& operator=(const KrylovMethod&) = delete;

  /// From x = 0.
  virtual SolveReport solve(const Execution& space, const Field& b, const Field& x,
                            const StoppingCriteria& criteria) = 0;
  /// Beside those of the matrix and of the sweeps.
  virtual std::vector<KernelCost> kernel_costs() const = 0;
  /// Iterations that stand for all.
  virtual int num_replayed() const { return 3; }
};

template <ExecutionSpace Execution, class Operator, class Matrix>
class PcgMethod final : public KrylovMethod<Execution> {
 public:
  using Field = typename KrylovMethod<Execution>::Field;

  PcgMethod(const Execution& space, const Operator& matrix,
            const PointImplicitSolver<Matrix>& solver, int num_sweeps,
            const Decomposition<typename Execution::memory_space>& ranks)
      : m_pcg(space, matrix,
              PointImplicitPreconditioner<Matrix>(solver, VectorOrder::colour,
                                                  SweepDirection::symmetric, num_sweeps),
              ranks) {}
  SolveReport solve(const Execution& space, const Field& b, const Field& x,
                    const StoppingCriteria& criteria) override {
    Kokkos::deep_copy(space, x, 0.0);
    return m_pcg.solve(space, b, x, criteria);
  }
  std::vector<KernelCost> kernel_costs() const override { return m_pcg.kernel_costs(); }

 private:
  Pcg<Operator, PointImplicitPreconditioner<Matrix>> m_pcg;
};

template <ExecutionSpace Execution, class Operator, class Matrix>
class GmresMethod final : public KrylovMethod<Execution> {
 public:
  using Field = typename KrylovMethod<Execution>::Field;

  GmresMethod(const Execution& space, const Operator& matrix,
              const PointImplicitSolver<Matrix>& solver, SweepDirection direction, int num_sweeps,
              const Decomposition<typename Execution::memory_space>& ranks)
      : m_gmres(
            space, matrix,
            PointImplicitPreconditioner<Matrix>(solver, VectorOrder::colour, direction, num_sweeps),
            gmres_restart, ranks) {}
  SolveReport solve(const Execution& space, const Field& b, const Field& x,
                    const StoppingCriteria& criteria) override {
    Kokkos::deep_copy(space, x, 0.0);
    return m_gmres.solve(space, b, x, criteria);
  }
  std::vector<KernelCost> kernel_costs() const override { return m_gmres.kernel_costs(); }
  /// A full cycle: costs are means over one.
  int num_replayed() const override { return gmres_restart; }

 private:
  Gmres<Operator, PointImplicitPreconditioner<Matrix>> m_gmres;
};

/// None where sweeps alone are asked for. Allocates.
/// \param matrix  the user's one, in the order of the colours; sweeps may read a rounded one
/// \param ranks   in that order, too
template <ExecutionSpace Execution, class Operator, class Matrix>
std::unique_ptr<KrylovMethod<Execution>> make_krylov_method(
    const Execution& space, const Operator& matrix, const PointImplicitSolver<Matrix>& solver,
    const PointImplicitVariant& variant,
    const Decomposition<typename Execution::memory_space>& ranks) {
  if (variant.krylov == Krylov::none) return nullptr;
  if (variant.krylov == Krylov::pcg) {
    return std::make_unique<PcgMethod<Execution, Operator, Matrix>>(space, matrix, solver,
                                                                    variant.num_sweeps, ranks);
  }
  return std::make_unique<GmresMethod<Execution, Operator, Matrix>>(
      space, matrix, solver, variant.direction, variant.num_sweeps, ranks);
}

}  // namespace Lamina::Cli
