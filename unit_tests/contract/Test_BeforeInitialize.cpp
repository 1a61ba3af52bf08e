// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A program of its own: in the others Kokkos is initialized.

#include <lamina/core/Require.hpp>
#include <lamina/grids/ColumnMesh.hpp>
#include <lamina/grids/Plane.hpp>
#include <lamina/problems/ClosedFormSystem.hpp>
#include <lamina/problems/PoissonProblem.hpp>
#include <lamina/shallow_water/ShallowWaterState.hpp>

#include <gtest/gtest.h>
#include <support/MessageOf.hpp>

namespace {

using Memory = Kokkos::HostSpace;

template <class Make>
void expect_refusal(const std::string& name, const Make& make) {
  EXPECT_EQ(
      LaminaTest::message_of<Lamina::InvalidArgument>(make),
      "Lamina::" + name + ": expected a call between Kokkos::initialize and Kokkos::finalize");
}

TEST(BeforeInitialize, ObjectsThatAllocateSayThatKokkosIsMissing) {
  const Lamina::ColumnGraph plane = Lamina::plane(3, 3);
  expect_refusal("ColumnMesh", [&] { Lamina::ColumnMesh<Memory>{plane}; });
  expect_refusal("PoissonProblem", [] { Lamina::PoissonProblem<Memory>{4}; });
  expect_refusal("ShallowWaterState", [] { Lamina::ShallowWaterState<double, Memory>{4}; });
  expect_refusal("ClosedFormSystem", [] {
    Lamina::ClosedFormSystem<Memory>{Lamina::BlockGraph{}, {}, 1};
  });
}

}  // namespace
