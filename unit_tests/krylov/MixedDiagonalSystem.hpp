// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/krylov/FusedStep.hpp>

#include <krylov/DiagonalSystem.hpp>
#include <support/TestField.hpp>

namespace LaminaTest {
namespace {

/// A diagonal matrix as a model for `FusedPcg` in mixed precision, without preconditioner: `DiagonalSystem` in single
/// precision, and the residual and the solution in double precision.
template <class Layout>
class MixedDiagonalSystem {
 public:
  using scalar_type = double;
  using vector_scalar_type = float;
  using memory_space = Memory;
  using Step = Lamina::FusedStep<Memory>;

  explicit MixedDiagonalSystem(const Values& diagonal)
      : m_single(diagonal), m_diagonal(static_cast<int>(diagonal.size()), 1, diagonal) {}

  int num_owned() const { return num_columns(); }
  int num_columns() const { return m_single.num_columns(); }
  int num_levels() const { return 1; }

  template <class In, class Out>
  void residual(const TEST_SPACE& space, const Step& step, const In& b, const In& x,
                const Out& r) const {
    const int size = num_columns();
    const auto diagonal = m_diagonal.view();
    Kokkos::parallel_for(
        "LaminaTest::residual", Kokkos::RangePolicy<TEST_SPACE>(space, 0, 1), KOKKOS_LAMBDA(int) {
          double sum = 0;
          for (int i = 0; i < size; ++i) {
            const double residual = step.scale * (b(i, 0) - diagonal(i, 0) * x(i, 0));
            r(i, 0) = static_cast<float>(residual);
            sum += residual * residual;
          }
          step.now[Step::residual2] = sum;
        });
  }
  template <class In, class Out>
  void precondition(const TEST_SPACE& space, const Step& step, const In& r, const Out& z) const {
    m_single.precondition(space, step, r, z);
  }
  template <class In>
  void measure(const TEST_SPACE& space, const Step& step, const In& z) const {
    m_single.measure(space, step, z);
  }
  template <class In, class Out, class Solution>
  void advance(const TEST_SPACE& space, const Step& step, bool update, const In& z, const In& p,
               const Out& new_p, const Out& r, const Solution& u) const {
    m_single.advance(space, step, false, z, p, new_p, r, r);
    if (update) add_to_solution(space, step, p, new_p, u);
  }

  /// u += (alpha_before p + alpha p') / scale, unless the iteration does not proceed.
  template <class In, class Out, class Solution>
  void add_to_solution(const TEST_SPACE& space, const Step& step, const In& p, const Out& new_p,
                       const Solution& u) const {
    const int size = num_columns();
    Kokkos::parallel_for(
        "LaminaTest::update", Kokkos::RangePolicy<TEST_SPACE>(space, 0, 1), KOKKOS_LAMBDA(int) {
          const auto iteration = step.iteration();
          if (!iteration.proceed) return;
          const double alpha = static_cast<float>(iteration.alpha) / step.scale;
          const double before = static_cast<float>(iteration.alpha_before) / step.scale;
          for (int i = 0; i < size; ++i) u(i, 0) += before * p(i, 0) + alpha * new_p(i, 0);
        });
  }

 private:
  DiagonalSystem<float, Layout> m_single;
  TestField<double, Layout> m_diagonal;
};

}  // namespace
}  // namespace LaminaTest
