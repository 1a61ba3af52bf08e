// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <krylov/DiagonalSystem.hpp>

namespace LaminaTest {

/// A diagonal matrix as a model for `MixedPcg` without preconditioner: `DiagonalSystem` in single
/// precision, and the residual and the solution in double precision.
template <class Layout>
class MixedDiagonalSystem : public DiagonalSystem<float, Layout> {
  using Base = DiagonalSystem<float, Layout>;

 public:
  using Base::advance;
  using typename Base::Step;

  explicit MixedDiagonalSystem(const Values& diagonal)
      : Base(diagonal), m_diagonal(static_cast<int>(diagonal.size()), 1, diagonal) {}

  template <class In, class Out>
  void residual(const TEST_SPACE& space, const Step& step, double scale, const In& b, const In& x,
                const Out& r) const {
    const int size = this->num_columns();
    const auto diagonal = m_diagonal.view();
    Kokkos::parallel_for(
        "LaminaTest::residual", Kokkos::RangePolicy<TEST_SPACE>(space, 0, 1), KOKKOS_LAMBDA(int) {
          double sum = 0;
          for (int i = 0; i < size; ++i) {
            const double residual = scale * (b(i, 0) - diagonal(i, 0) * x(i, 0));
            r(i, 0) = static_cast<float>(residual);
            sum += residual * residual;
          }
          step.now[Step::residual2] = sum;
        });
  }
  template <class In, class Out, class Solution>
  void advance(const TEST_SPACE& space, const Step& step, bool update, double unscale, const In& z,
               const In& p, const Out& new_p, const Out& r, const Solution& u) const {
    const int size = this->num_columns();
    Base::advance(space, step, false, z, p, new_p, r, r);
    Kokkos::parallel_for(
        "LaminaTest::update", Kokkos::RangePolicy<TEST_SPACE>(space, 0, 1), KOKKOS_LAMBDA(int) {
          const auto iteration = step.iteration();
          if (!update || !iteration.proceed) return;
          const double alpha = unscale * static_cast<float>(iteration.alpha);
          const double before = unscale * static_cast<float>(iteration.alpha_before);
          for (int i = 0; i < size; ++i) u(i, 0) += before * p(i, 0) + alpha * new_p(i, 0);
        });
  }

 private:
  TestField<double, Layout> m_diagonal;
};

}  // namespace LaminaTest
