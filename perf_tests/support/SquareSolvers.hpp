// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// The Poisson equation on a square, its two solvers, and what one of their iterations costs.

#include <lamina/krylov/FusedPcg.hpp>
#include <lamina/krylov/Pcg.hpp>
#include <lamina/poisson/FusedPoisson.hpp>
#include <lamina/poisson/PoissonOperator.hpp>
#include <lamina/problems/PoissonProblem.hpp>

#include <cstddef>

#include "Measure.hpp"

namespace Lamina::Perf {

/// The test problem with fields of the user's, n x n.
template <class Space, class ScalarType>
struct SquareCase {
  using execution_space = Space;
  using Scalar = ScalarType;
  using Memory = typename Space::memory_space;
  using Operator = PoissonOperator<Scalar, Memory>;
  using Field = Kokkos::View<Scalar**, Kokkos::LayoutRight, Memory>;

  SquareCase(int n, StencilMemory path) : problem(n), op(n, path), b(field(n)), x(field(n)) {
    problem.fill_rhs(space, b);
  }
  static Field field(int n) {
    return Field("Lamina::Perf::field", static_cast<std::size_t>(n), static_cast<std::size_t>(n));
  }
  /// To begin a solve from zero.
  void prepare() const { Kokkos::deep_copy(space, x, Scalar(0)); }

  Space space{};
  PoissonProblem<Memory> problem;
  Operator op;
  Field b, x;
};

template <class Case>
struct PlainCgSolver {
  static constexpr const char* name = "cg";
  using Plan = Pcg<typename Case::Operator, IdentityPreconditioner>;
  explicit PlainCgSolver(const Case& c) : plan(c.space, c.op, IdentityPreconditioner()), op(c.op) {}
  KernelCost iteration_cost() const {
    const auto blas = plan.kernel_costs();
    const KernelCost dot = cost_of(blas, Impl::dot_label<typename Case::Memory>),
                     axpby = cost_of(blas, "Lamina::Pcg::axpby");
    return sum_of({op.kernel_costs().front(), dot, dot, axpby, axpby, axpby});
  }
  Plan plan;
  typename Case::Operator op;
};

template <class Case, OnChip Where>
struct FusedCgWhere {
  static constexpr const char* name = Where == OnChip::never ? "fused-cg-swept" : "fused-cg";
  using Model = FusedPoisson<typename Case::Scalar, typename Case::Memory>;
  explicit FusedCgWhere(const Case& c)
      : model(c.space, c.op, OnChip::never), plan(c.space, Model(c.space, c.op, Where)) {}
  /// Of the sweeps, also where the fields stay on the chip.
  KernelCost iteration_cost() const {
    const auto costs = model.kernel_costs();
    const KernelCost two[] = {cost_of(costs, "Lamina::FusedPoisson::advance"),
                              cost_of(costs, "Lamina::FusedPoisson::advance_and_update")};
    KernelCost cost = cost_of(costs, "Lamina::FusedPoisson::measure");
    for (const KernelCost& advance : two) {
      cost.bytes += advance.bytes / 2;
      cost.flops += advance.flops / 2;
    }
    return cost;
  }
  Model model;
  FusedPcg<Model> plan;
};
template <class Case>
using FusedCgSolver = FusedCgWhere<Case, OnChip::automatic>;
template <class Case>
using SweptCgSolver = FusedCgWhere<Case, OnChip::never>;

}  // namespace Lamina::Perf
