// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/sweeps/Sinks.hpp>

#include <Kokkos_Core.hpp>

#include <gtest/gtest.h>

namespace LaminaTest {
namespace {

using Field = Kokkos::View<double**, Kokkos::LayoutLeft, Kokkos::HostSpace>;

Field filled(double value) {
  const Field field("field", 2, 3);
  Kokkos::deep_copy(field, value);
  return field;
}

constexpr double x = 3, image = 5;

/// Hands cell (1, 2) to a sink, by itself or as level 1 of its rows from level 1 on.
template <class Sink>
double sum_of(const Sink& sink, bool in_rows) {
  double sums[1] = {100};
  if (in_rows) {
    sink.from(1)(1, 1, x, image, sums);
  } else {
    sink(1, 2, x, image, sums);
  }
  return sums[0];
}

class Sinks : public testing::TestWithParam<bool> {};

TEST_P(Sinks, StoreTheImage) {
  const Field y = filled(9);
  EXPECT_EQ(sum_of(Lamina::StoreImage<Field>{y}, GetParam()), 100);
  EXPECT_EQ(y(1, 2), image);
  EXPECT_EQ(y(0, 2), 9) << "another cell";
}

TEST_P(Sinks, StoreTheResidual) {
  const Field b = filled(7), r = filled(9);
  EXPECT_EQ(sum_of(Lamina::StoreResidual<Field, Field>{b, r}, GetParam()), 100 + 2 * 2);
  EXPECT_EQ(r(1, 2), 2);
}

TEST_P(Sinks, MeasureTheCurvature) {
  EXPECT_EQ(sum_of(Lamina::MeasureCurvature<double>(), GetParam()), 100 + 15);
}

TEST_P(Sinks, AdvanceTheResidualAndTheSolution) {
  const Field p = filled(2), new_p = filled(9), r = filled(4), u = filled(1);
  using Plain = Lamina::AdvanceResidual<Field, Field, false>;
  EXPECT_EQ(sum_of(Plain{p, new_p, r, u, 0.5, 0.25}, GetParam()), 100 + 1.5 * 1.5);
  EXPECT_EQ(new_p(1, 2), x);
  EXPECT_EQ(r(1, 2), 1.5);
  EXPECT_EQ(u(1, 2), 1) << "not updated";
  using Updating = Lamina::AdvanceResidual<Field, Field, true>;
  EXPECT_EQ(sum_of(Updating{p, new_p, r, u, 0.5, 0.25}, GetParam()), 100 + 1);
  EXPECT_EQ(u(1, 2), 1 + 0.25 * 2 + 0.5 * 3);
}

TEST_P(Sinks, AdvanceTheStoredDirectionAndItsImage) {
  const Field u = filled(1), p = filled(2), q = filled(4);
  EXPECT_EQ(sum_of(Lamina::AdvanceStored<Field>{u, p, q, 0.5, 0.25}, GetParam()), 100 + 3.5 * 6);
  EXPECT_EQ(u(1, 2), 2);
  EXPECT_EQ(p(1, 2), 3.5);
  EXPECT_EQ(q(1, 2), 6);
}

INSTANTIATE_TEST_SUITE_P(InRows, Sinks, testing::Bool());

}  // namespace
}  // namespace LaminaTest
