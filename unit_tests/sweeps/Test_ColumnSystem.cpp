// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/grids/Plane.hpp>
#include <lamina/sweeps/ColumnSystem.hpp>
#include <lamina/sweeps/TensorCoefficients.hpp>

#include <gtest/gtest.h>

namespace LaminaTest {
namespace {

using Host = Kokkos::HostSpace;

struct Complete {
  using scalar_type = double;
  using memory_space = Host;
  static constexpr double fields = 3;
  Lamina::CellRow<double> row(int, int) const { return {1, 2, 3}; }
  double coupling(int, int, int) const { return 4; }
};
struct RowOfAnotherPrecision : Complete {
  Lamina::CellRow<float> row(int, int) const { return {1, 2, 3}; }
};
struct WithoutSlot : Complete {
  double coupling(int, int) const { return 4; }
};
struct WithoutCosts {
  using scalar_type = double;
  using memory_space = Host;
  Lamina::CellRow<double> row(int, int) const { return {1, 2, 3}; }
  double coupling(int, int, int) const { return 4; }
};

static_assert(Lamina::ColumnCoefficients<Complete>);
static_assert(Lamina::ColumnCoefficients<Lamina::TensorCoefficients<double, Host>>);
static_assert(Lamina::ColumnCoefficients<Lamina::TensorCoefficients<float, Host>>);
static_assert(!Lamina::ColumnCoefficients<RowOfAnotherPrecision>);
static_assert(!Lamina::ColumnCoefficients<WithoutSlot>);
static_assert(!Lamina::ColumnCoefficients<WithoutCosts>);

TEST(ColumnSystem, TakesColumnsAndNeighboursOfAMesh) {
  const Lamina::ColumnMesh<Host> mesh(Lamina::plane(4, 3, {}, 0.5, 0.25));
  const auto topology = Lamina::column_topology(mesh, 7);
  EXPECT_EQ(topology.num_owned, 12);
  EXPECT_EQ(topology.num_columns, 12);
  EXPECT_EQ(topology.num_levels, 7);
  EXPECT_EQ(topology.cells(), 84);
  EXPECT_EQ(topology.neighbours.data(), mesh.neighbours().data());
}

}  // namespace
}  // namespace LaminaTest
