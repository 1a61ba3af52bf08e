// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Calls that must not compile, one for each value of WRONG; without it, what is right about them.

#include <lamina/blocks/PointImplicitSolver.hpp>
#include <lamina/helmholtz/FusedHelmholtz.hpp>
#include <lamina/helmholtz/LinePreconditioner.hpp>
#include <lamina/krylov/FusedPcg.hpp>
#include <lamina/krylov/Gmres.hpp>
#include <lamina/krylov/Pcg.hpp>

using Space = Kokkos::DefaultHostExecutionSpace;
using Memory = Space::memory_space;
using Left = Kokkos::LayoutLeft;
using Right = Kokkos::LayoutRight;
using Operator = Lamina::HelmholtzOperator<double, Memory>;
using Fused = Lamina::FusedPcg<Lamina::FusedHelmholtz<double, Memory>>;
using Plain = Lamina::Pcg<Operator, Lamina::LinePreconditioner<double, Memory>>;
using Blocks = Lamina::PointImplicitSolver<Lamina::BlockSparseMatrix<double, float, Memory>>;

/// An operator without `num_owned()`.
struct NoOperator {
  using scalar_type = double;
  using memory_space = Memory;
  int num_columns() const { return 1; }
  int num_levels() const { return 1; }
};

void call(const Space& space, const Operator& op, Fused& fused, Plain& plain,
          const Blocks& blocks) {
  const Kokkos::View<double**, Left, Memory> left;
  const Kokkos::View<double**, Right, Memory> right;
  [[maybe_unused]] const Kokkos::View<float**, Left, Memory> single;
  [[maybe_unused]] const Kokkos::View<double*, Left, Memory> line;
  [[maybe_unused]] const Kokkos::View<double**, Kokkos::LayoutStride, Memory> strided;
  const Kokkos::View<const double**, Left, Memory> constant = left;
#if !defined(WRONG)
  op.apply(space, constant, left);
  static_cast<void>(fused.solve(space, constant, left, {.tolerance = 1e-8}));
  static_cast<void>(plain.solve(space, constant, left));
  blocks.sweep(space, right, right);
  const Lamina::Pcg deduced(space, op, Lamina::IdentityPreconditioner());
  static_assert(
      std::same_as<decltype(deduced), const Lamina::Pcg<Operator, Lamina::IdentityPreconditioner>>);
  const Lamina::Gmres restarted(space, op, Lamina::IdentityPreconditioner(), 10);
  static_assert(std::same_as<decltype(Lamina::Gmres(restarted)),
                             Lamina::Gmres<Operator, Lamina::IdentityPreconditioner>>);
#elif WRONG == 1
  op.apply(space, single, left);
#elif WRONG == 2
  op.apply(space, strided, left);
#elif WRONG == 3
  static_cast<void>(fused.solve(space, line, left));
#elif WRONG == 4
  static_cast<void>(fused.solve(space, left, constant, {.tolerance = 1e-8}));
#elif WRONG == 5
  static_cast<void>(plain.solve(space, left, right));
#elif WRONG == 6
  blocks.sweep(space, left, left);
#elif WRONG == 7
  Lamina::Pcg wrong(space, NoOperator(), Lamina::IdentityPreconditioner());
  static_cast<void>(wrong.solve(space, left, left));
#elif WRONG == 8
  Lamina::Gmres wrong(space, NoOperator(), Lamina::IdentityPreconditioner(), 10);
  static_cast<void>(wrong.solve(space, left, left));
#elif WRONG == 9
  Lamina::Pcg wrong(space, 1, Lamina::IdentityPreconditioner());
#endif
}

// Concepts see the refusal.
template <class In, class Out>
constexpr bool applies = Lamina::LinearOperator<Operator, Space, In, Out>;
static_assert(
    applies<Kokkos::View<const double**, Left, Memory>, Kokkos::View<double**, Left, Memory>>);
static_assert(!applies<Kokkos::View<float**, Left, Memory>, Kokkos::View<double**, Left, Memory>>);
static_assert(
    !applies<Kokkos::View<double**, Right, Memory>, Kokkos::View<double**, Left, Memory>>);
