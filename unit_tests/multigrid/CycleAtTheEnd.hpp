// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// What cycles do in `FusedPcg` before and after its end.

#include <lamina/krylov/FusedStep.hpp>

#include <gtest/gtest.h>
#include <support/Compare.hpp>
#include <support/TestField.hpp>

#include <cstddef>

namespace LaminaTest {

/// The rows of a pass whose residual is sqrt(residual2), with a right-hand side of 1 and a tolerance of 1e-4.
class RowsOfAPass {
 public:
  using Step = Lamina::FusedStep<Memory>;

  explicit RowsOfAPass(double residual2) : m_rows("LaminaTest::rows", 3 * Step::row_length) {
    const auto host = Kokkos::create_mirror_view(m_rows);
    host(Step::row_length + Step::residual2) = residual2;
    host(Step::row_length + Step::energy) = 5;
    host(2 * Step::row_length) = 1;
    Kokkos::deep_copy(m_rows, host);
  }
  Step step() const {
    return {.reference = m_rows.data() + 2 * Step::row_length,
            .before = m_rows.data(),
            .now = m_rows.data() + Step::row_length,
            .next = m_rows.data(),
            .is_first = false,
            .is_last = false,
            .tolerance2 = 1e-8,
            .absolute2 = 0};
  }
  double energy() const {
    const auto host = Kokkos::create_mirror_view(m_rows);
    Kokkos::deep_copy(host, m_rows);
    return host(Step::row_length + Step::energy);
  }

 private:
  Kokkos::View<double*, Memory> m_rows;
};

/// z = B r and <r, z> above the tolerance; below it z stays as it is, and <r, z> is 0.
template <class Space, class Model, class Field>
void expect_no_cycle_at_the_end(const Space& space, const Model& model, const Field& r,
                                const Field& z) {
  const Values values = r.get(), before = z.get();
  for (const double residual2 : {1e-9, 1.0}) {
    const RowsOfAPass rows(residual2);
    model.precondition(space, rows.step(), Lamina::Impl::as_const_field(r.view()),
                       Lamina::Impl::as_field(z.view()));
    const Values after = z.get();
    if (residual2 < 1e-8) {
      EXPECT_EQ(after, before);
      EXPECT_EQ(rows.energy(), 0);
    } else {
      double expected = 0;
      for (std::size_t i = 0; i < after.size(); ++i) expected += values[i] * after[i];
      EXPECT_NEAR(rows.energy(), expected, rounding<double>(1000) * expected);
    }
  }
}

}  // namespace LaminaTest
