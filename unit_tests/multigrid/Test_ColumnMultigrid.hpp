// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/columns/ColumnNullSpace.hpp>
#include <lamina/columns/ProfileCoefficients.hpp>
#include <lamina/multigrid/ColumnMultigrid.hpp>
#include <lamina/multigrid/impl/SmoothingWeights.hpp>

#include <columns/ColumnCase.hpp>
#include <multigrid/Ocean.hpp>
#include <reference/ConjugateGradients.hpp>
#include <support/MessageOf.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <vector>

namespace LaminaTest {

template <class Type>
class ColumnMultigrid : public testing::Test {
 public:
  using Scalar = typename Type::scalar;
  using Layout = typename Type::layout;
  using Field = TestField<Scalar, Layout>;
  using Case = StoredCase<Scalar, Layout, Scalar>;
  template <class Operator>
  using Multigrid = Lamina::ColumnMultigrid<typename Operator::coefficients_type, Layout>;

  /// B r
  template <class M>
  static Values cycle(const M& multigrid, const ColumnCase& system, const Values& r) {
    const TEST_SPACE space;
    const Field r_field(system.num_columns(), system.num_levels, r, column_padding),
        z_field(system.num_columns(), system.num_levels, all_padding);
    multigrid.solve(space, r_field.view(), z_field.view());
    EXPECT_TRUE(z_field.surroundings_untouched());
    return z_field.get();
  }
  static int iterations(const ColumnCase& system, double tolerance,
                        const Lamina::MultigridParameters& parameters = {}) {
    const TEST_SPACE space;
    const Case stored(system);
    const Multigrid<decltype(stored.op)> multigrid(space, system.graph, stored.op, parameters);
    const Lamina::ColumnNullSpace null_space(space, stored.op);
    Values b = random_values(system.size(), 7);
    const auto matrix = system.matrix();
    for (std::size_t i = 0; i < b.size(); ++i) {  // 0 in dry cells
      if (matrix.at(static_cast<int>(i), static_cast<int>(i)) == 1) b[i] = 0;
    }
    const Field b_field(system.num_columns(), system.num_levels, b),
        x_field(system.num_columns(), system.num_levels);
    Lamina::Pcg pcg(space, stored.op, multigrid);
    const auto report = null_space.solve(space, pcg, b_field.view(), x_field.view(),
                                         {.tolerance = tolerance, .max_iterations = 100},
                                         std::numeric_limits<double>::infinity());
    EXPECT_TRUE(report.solve.converged()) << to_string(report.solve.status);
    return report.solve.iterations;
  }
};
TYPED_TEST_SUITE(ColumnMultigrid, FieldTypes, FieldTypeNames);

TYPED_TEST(ColumnMultigrid, IsSymmetricAndPositive) {
  using Scalar = typename TestFixture::Scalar;
  const TEST_SPACE space;
  std::uint64_t seed = 1;
  for (const auto& graph : graphs_to_solve_on()) {
    for (const int n : {9, -9, -131, -260}) {  // levels; masked below 0; a device holds 128 at once
      SCOPED_TRACE(testing::Message() << graph.areas.size() << " columns of " << n << " levels");
      const auto system = ColumnCase::random<Scalar>(graph, std::abs(n), seed += 10, n < 0);
      const typename TestFixture::Case stored(system);
      const typename TestFixture::template Multigrid<decltype(stored.op)> multigrid(space, graph,
                                                                                    stored.op);
      const Values x = rounded<Scalar>(system.random_wet(1)),
                   y = rounded<Scalar>(system.random_wet(2));
      const Values bx = TestFixture::cycle(multigrid, system, x),
                   by = TestFixture::cycle(multigrid, system, y);
      const double xx = Reference::dot(x, bx), yy = Reference::dot(y, by);
      EXPECT_TRUE(xx > 0 || Reference::dot(x, x) == 0) << xx;
      EXPECT_NEAR(Reference::dot(y, bx), Reference::dot(x, by), rounding<Scalar>(100) * (xx + yy));
      for (std::size_t i = 0; i < bx.size(); ++i) {
        EXPECT_TRUE(!system.is_dry(i) || bx[i] == 0);
      }
    }
  }
}

/// Two layers that nothing couples. Pockets of the lower one become cells of coarser columns that are coupled with no
/// other, but count as wet: restriction and prolongation must treat them alike.
TYPED_TEST(ColumnMultigrid, IsSymmetricWherePocketsBecomeSingleCells) {
  using Scalar = typename TestFixture::Scalar;
  const auto graph = Lamina::CubedSpherePanel(12, 12).graph();
  ColumnCase system{graph, 2, {}, {}, {}};
  for (std::size_t c = 0; c < graph.areas.size(); ++c) {
    system.mass.insert(system.mass.end(), {1e-3, 1e-5});
  }
  system.vertical.assign(system.mass.size(), 0.0);
  const Values chance = random_values(graph.edges.size(), 5);
  for (const double value : chance) {
    system.horizontal.insert(system.horizontal.end(), {1.0, value > 0.2 ? 1e-2 : 0.0});
  }
  const typename TestFixture::Case stored(system);
  const typename TestFixture::template Multigrid<decltype(stored.op)> multigrid(TEST_SPACE(), graph,
                                                                                stored.op);
  ASSERT_GE(multigrid.num_levels(), 3);
  const Values x = rounded<Scalar>(random_values(system.size(), 1)),
               y = rounded<Scalar>(random_values(system.size(), 2));
  const Values bx = TestFixture::cycle(multigrid, system, x),
               by = TestFixture::cycle(multigrid, system, y);
  EXPECT_NEAR(Reference::dot(y, bx), Reference::dot(x, by),
              rounding<Scalar>(100) * (Reference::dot(x, bx) + Reference::dot(y, by)));
}

/// x += weight M^-1 (r - A x), operation by operation. 520 levels are in long segments on a device, 1030 do not
/// fit there.
TYPED_TEST(ColumnMultigrid, OfOneLevelIsStepsOfItsSmoother) {
  using Scalar = typename TestFixture::Scalar;
  using Field = typename TestFixture::Field;
  const TEST_SPACE space;
  for (const int levels : {1, 9, 200, 520, 1030}) {
    SCOPED_TRACE(testing::Message() << levels << " levels");
    const auto graph = irregular_graph(levels > 200 ? 9 : 37, 0);
    const auto system = ColumnCase::random<Scalar>(graph, levels, 1, true);
    const typename TestFixture::Case stored(system);
    const Lamina::ColumnLinePreconditioner lines(space, stored.op);
    const auto weights = Lamina::Impl::chebyshev_weights(16, 1.0 / 16, 2);
    const int num_columns = system.num_columns();
    const Values r = rounded<Scalar>(system.random_wet(2));
    Values x(r.size(), 0);
    for (const double weight : weights) {
      const Field now(num_columns, levels, x), image(num_columns, levels),
          change(num_columns, levels);
      stored.op.apply(space, now.view(), image.view());
      Values residual = image.get();
      for (std::size_t i = 0; i < r.size(); ++i) residual[i] = r[i] - residual[i];
      const Field rhs(num_columns, levels, residual);
      lines.solve(space, rhs.view(), change.view());
      const Values added = change.get();
      for (std::size_t i = 0; i < r.size(); ++i) x[i] += static_cast<Scalar>(weight) * added[i];
    }
    const typename TestFixture::template Multigrid<decltype(stored.op)> multigrid(
        space, graph, stored.op, {.max_levels = 1});
    EXPECT_TRUE(all_within(TestFixture::cycle(multigrid, system, r), x, rounding<Scalar>(100)));
  }
}

TYPED_TEST(ColumnMultigrid, SolvesToTheDirectSolution) {
  using Scalar = typename TestFixture::Scalar;
  using Field = typename TestFixture::Field;
  const TEST_SPACE space;
  const auto graph = irregular_graph(37, 0);
  const Lamina::ColumnMesh<Memory> mesh(graph);
  const auto before = ColumnCase::random<Scalar>(graph, 9, 1, true),
             after = ColumnCase::random<Scalar>(graph, 9, 1, true);
  typename TestFixture::Case stored(before);
  const typename TestFixture::template Multigrid<decltype(stored.op)> multigrid(space, graph,
                                                                                stored.op);
  auto changed = after;  // the same faces are open
  for (double& value : changed.mass) value *= 3;
  for (double& value : changed.vertical) value *= 5;
  for (double& value : changed.horizontal) value *= 8;
  stored.set(changed);
  multigrid.update(space);
  const typename TestFixture::Case fresh_case(changed);
  const typename TestFixture::template Multigrid<decltype(stored.op)> fresh(space, graph,
                                                                            fresh_case.op);
  const Values r = rounded<Scalar>(changed.random_wet(4));
  EXPECT_TRUE(all_within(TestFixture::cycle(multigrid, changed, r),
                         TestFixture::cycle(fresh, changed, r), rounding<Scalar>(1)));
  const Values b = rounded<Scalar>(changed.random_wet(3));
  const Field b_field(37, 9, b), x_field(37, 9);
  Lamina::Pcg pcg(space, stored.op, multigrid);
  EXPECT_TRUE(pcg.solve(space, b_field.view(), x_field.view(), {.tolerance = rounding<Scalar>(10)})
                  .converged());
  EXPECT_TRUE(all_within(x_field.get(), Reference::solve_directly(changed.matrix(), b),
                         rounding<Scalar>(1000)));
}

TYPED_TEST(ColumnMultigrid, TakesBottomsOfProfiles) {
  using Scalar = typename TestFixture::Scalar;
  using Layout = typename TestFixture::Layout;
  using Field = typename TestFixture::Field;
  const TEST_SPACE space;
  const Ocean ocean(16);
  const Lamina::ColumnMesh<Memory> mesh(ocean.graph);
  Lamina::ColumnProfiles profiles;
  profiles.mass.assign(Ocean::levels, 1.0);
  profiles.horizontal.assign(Ocean::levels, 80.0 / 6 * ocean.graph.areas[0]);
  profiles.vertical.assign(Ocean::levels - 1, 80.0 / 6 * 1000);
  const Kokkos::View<int*, Memory> bottoms("LaminaTest::bottoms", ocean.bottoms.size());
  const auto host = Kokkos::create_mirror_view(bottoms);
  std::copy(ocean.bottoms.begin(), ocean.bottoms.end(), host.data());
  Kokkos::deep_copy(bottoms, host);
  const Lamina::SteppedCoefficients<Scalar, Memory> stepped(mesh, profiles, bottoms);
  const Lamina::ColumnOperator op(mesh, Ocean::levels, stepped);
  const Lamina::ColumnMultigrid<Lamina::SteppedCoefficients<Scalar, Memory>, Layout> multigrid(
      space, ocean.graph, op);
  const int columns = mesh.num_columns();
  Values b = random_values(static_cast<std::size_t>(columns * Ocean::levels), 7);
  for (int c = 0; c < columns; ++c) {
    for (int k = ocean.bottoms[static_cast<std::size_t>(c)]; k < Ocean::levels; ++k) {
      b[static_cast<std::size_t>(c * Ocean::levels + k)] = 0;
    }
  }
  const Field b_field(columns, Ocean::levels, b), x_field(columns, Ocean::levels);
  Lamina::Pcg pcg(space, op, multigrid);
  const auto report = pcg.solve(space, b_field.view(), x_field.view(), {.tolerance = 1e-5});
  EXPECT_TRUE(report.converged());
  EXPECT_LE(report.iterations, 7);
}

TYPED_TEST(ColumnMultigrid, NeedsFewIterationsInAnOcean) {
  using Scalar = typename TestFixture::Scalar;
  const bool deep = std::is_same_v<Scalar, double>;
  for (const int size : {16, 40}) {
    SCOPED_TRACE(testing::Message() << size << " columns a side");
    const Ocean ocean(size);
    const auto plain = ocean.system(true, false, 0), rough = ocean.system(true, true, 0.5),
               neumann = ocean.system(false, false, 0);
    EXPECT_LE(TestFixture::iterations(plain, 1e-5), 7);
    EXPECT_LE(TestFixture::iterations(rough, 1e-5), 8);
    EXPECT_LE(TestFixture::iterations(neumann, 1e-5), 10);
    if (!deep) continue;
    EXPECT_LE(TestFixture::iterations(plain, 1e-10), 12);
    EXPECT_LE(TestFixture::iterations(rough, 1e-10), 14);
    EXPECT_LE(TestFixture::iterations(neumann, 1e-10), 18);
  }
}

/// All sides and both ends of columns are closed, and there is no mass: constants are in the null space.
TYPED_TEST(ColumnMultigrid, NeedsFewIterationsOnAPanelWithoutMass) {
  using Scalar = typename TestFixture::Scalar;
  constexpr int levels = 3;
  for (const int side : {16, 33, 64}) {
    SCOPED_TRACE(testing::Message() << side << " columns a side");
    const auto graph = Lamina::CubedSpherePanel(side, side).graph();
    ColumnCase system{graph, levels, {}, {}, {}};
    system.mass.assign(graph.areas.size() * levels, 0.0);
    system.vertical.assign(system.mass.size(), 1000.0);
    for (const auto& edge : graph.edges) {
      system.horizontal.insert(system.horizontal.end(), levels, edge.length / edge.distance);
    }
    EXPECT_LE(TestFixture::iterations(system, 1e-5), 6);
    if (!std::is_same_v<Scalar, double>) continue;
    EXPECT_LE(TestFixture::iterations(system, 1e-10), 10);
  }
}

TYPED_TEST(ColumnMultigrid, TakesOtherStepsAndFewerLevels) {
  const Ocean ocean(16);
  const auto system = ocean.system(true, false, 0);
  const int one = TestFixture::iterations(system, 1e-5, {.steps = 1}),
            three = TestFixture::iterations(system, 1e-5, {.steps = 3});
  EXPECT_LE(one, 10);
  EXPECT_LE(three, 6);
  EXPECT_LT(three, one);
  EXPECT_LE(TestFixture::iterations(system, 1e-5, {.max_levels = 2}), 7);
  const typename TestFixture::Case stored(system);
  const auto levels = [&](int most) {
    return typename TestFixture::template Multigrid<decltype(stored.op)>(
               TEST_SPACE(), ocean.graph, stored.op, {.max_levels = most})
        .num_levels();
  };
  EXPECT_EQ(levels(1), 1);
  EXPECT_EQ(levels(2), 2);
}

/// Coarsening ends where couplings are weak beside the mass; `update` looks again.
TYPED_TEST(ColumnMultigrid, UsesTheLevelsThatValuesNeed) {
  using Scalar = typename TestFixture::Scalar;
  const TEST_SPACE space;
  const Ocean ocean(16);
  const auto scaled = [&](double factor) {
    auto system = ocean.system(true, false, 0);
    for (double& value : system.horizontal) value *= factor;
    return system;
  };
  typename TestFixture::Case stored(scaled(1));
  const typename TestFixture::template Multigrid<decltype(stored.op)> multigrid(space, ocean.graph,
                                                                                stored.op);
  const auto copy = multigrid;
  std::vector<int> used;
  for (const double factor : {1e-6, 1e-2, 1.0, 100.0}) {
    SCOPED_TRACE(testing::Message() << "couplings times " << factor);
    const auto system = scaled(factor);
    stored.set(system);
    multigrid.update(space);
    const typename TestFixture::Case fresh_case(system);
    const typename TestFixture::template Multigrid<decltype(stored.op)> fresh(space, ocean.graph,
                                                                              fresh_case.op);
    EXPECT_EQ(multigrid.num_levels(), fresh.num_levels());
    used.push_back(multigrid.num_levels());
    const Values r = rounded<Scalar>(system.random_wet(4)),
                 z = TestFixture::cycle(multigrid, system, r);
    EXPECT_TRUE(all_within(z, TestFixture::cycle(fresh, system, r), rounding<Scalar>(100)));
    EXPECT_EQ(TestFixture::cycle(copy, system, r), z) << "copies share what is updated";
    EXPECT_LE(TestFixture::iterations(system, 1e-5, {}), 7);
  }
  EXPECT_EQ(used.front(), 1);
  EXPECT_TRUE(std::is_sorted(used.begin(), used.end()));
  EXPECT_GT(used.back(), used[1]);
}

/// Walls are further away from coarser columns: the number of iterations does not grow with the grid.
TYPED_TEST(ColumnMultigrid, TakesWallsWhereTheFieldIsZero) {
  using Scalar = typename TestFixture::Scalar;
  using Layout = typename TestFixture::Layout;
  using Field = typename TestFixture::Field;
  using Profiles = Lamina::ProfileCoefficients<Scalar, Memory>;
  const TEST_SPACE space;
  constexpr int levels = 6;
  const Lamina::ColumnProfiles profiles{std::vector<double>(levels, 0.0),
                                        std::vector<double>(levels - 1, 1000.0),
                                        std::vector<double>(levels, 1.0)};
  for (const int side : {8, 16, 32, 64}) {
    SCOPED_TRACE(testing::Message() << side << " columns a side");
    const auto graph =
        Lamina::plane(side, side, Lamina::PlaneSides::all(Lamina::PlaneSide::dirichlet));
    const Lamina::ColumnMesh<Memory> mesh(graph);
    const Lamina::ColumnOperator op(mesh, levels, Profiles(mesh, profiles));
    const Lamina::ColumnMultigrid<Profiles, Layout> multigrid(space, graph, op);
    const Values b = random_values(static_cast<std::size_t>(side * side * levels), 7);
    const Field b_field(side * side, levels, b), x_field(side * side, levels);
    Lamina::Pcg pcg(space, op, multigrid);
    const auto report = pcg.solve(space, b_field.view(), x_field.view(), {.tolerance = 1e-5});
    EXPECT_TRUE(report.converged());
    EXPECT_LE(report.iterations, 5);
  }
}

/// The same values as Views: walls are a part of the mass that is told.
TYPED_TEST(ColumnMultigrid, TakesWallsOfStoredCoefficients) {
  using Scalar = typename TestFixture::Scalar;
  using Layout = typename TestFixture::Layout;
  using Field = typename TestFixture::Field;
  using Stored = Lamina::StoredCoefficients<Scalar, Memory, Layout>;
  constexpr int side = 32, levels = 6;
  const TEST_SPACE space;
  const auto graph = Lamina::CubedSpherePanel(side, side).graph(Lamina::PanelEdge::dirichlet);
  ColumnCase system{graph, levels, {}, {}, {}};
  std::vector<double> to_walls(graph.areas.size(), 0.0);
  for (const auto& edge : graph.boundary_edges) {
    to_walls[static_cast<std::size_t>(edge.column)] += edge.length / edge.distance;
  }
  for (const double wall : to_walls) system.mass.insert(system.mass.end(), levels, wall);
  system.vertical.assign(system.mass.size(), 1000.0);
  for (const auto& edge : graph.edges) {
    system.horizontal.insert(system.horizontal.end(), levels, edge.length / edge.distance);
  }
  const typename TestFixture::Case values(system);
  const Values b = random_values(system.size(), 7);
  const auto iterations = [&](const Stored& stored) {
    const Lamina::ColumnOperator op(values.mesh, levels, stored);
    const Lamina::ColumnMultigrid<Stored, Layout> multigrid(space, graph, op);
    const Field b_field(side * side, levels, b), x_field(side * side, levels);
    Lamina::Pcg pcg(space, op, multigrid);
    return pcg.solve(space, b_field.view(), x_field.view(), {.tolerance = 1e-5}).iterations;
  };
  const int told = iterations(Stored(space, values.mesh, values.mass.view(), values.vertical.view(),
                                     values.horizontal.view(), values.mass.view()));
  EXPECT_LE(told, 5);
  EXPECT_LT(told, iterations(values.coefficients));
}

TYPED_TEST(ColumnMultigrid, HasOneLevelWhereNothingIsCoupled) {
  using Scalar = typename TestFixture::Scalar;
  auto dry = ColumnCase::random<Scalar>(irregular_graph(9, 0), 3, 1);
  for (Values* values : {&dry.mass, &dry.vertical, &dry.horizontal}) {
    values->assign(values->size(), 0.0);
  }
  const typename TestFixture::Case stored(dry);
  const typename TestFixture::template Multigrid<decltype(stored.op)> multigrid(
      TEST_SPACE(), dry.graph, stored.op);
  EXPECT_EQ(multigrid.num_levels(), 1);
  EXPECT_EQ(TestFixture::cycle(multigrid, dry, Values(27, 0.0)), Values(27, 0.0));
}

TYPED_TEST(ColumnMultigrid, RefusesAnotherGraph) {
  using Scalar = typename TestFixture::Scalar;
  const auto system = ColumnCase::random<Scalar>(irregular_graph(9, 0), 3, 1);
  const typename TestFixture::Case stored(system);
  using Multigrid = typename TestFixture::template Multigrid<decltype(stored.op)>;
  EXPECT_EQ(message_of<Lamina::InvalidArgument>(
                [&] { Multigrid(TEST_SPACE(), irregular_graph(8, 0), stored.op); }),
            "Lamina::ColumnMultigrid: argument graph: expected 9 columns, got 8");
  auto other = system.graph;
  other.edges.front().second = other.edges.front().second == 8 ? 7 : 8;
  EXPECT_THROW(Multigrid(TEST_SPACE(), other, stored.op), Lamina::InvalidArgument);
  other = system.graph;
  other.centres.points.assign(3, {1, 0, 0});
  EXPECT_EQ(message_of<Lamina::InvalidArgument>([&] { Multigrid(TEST_SPACE(), other, stored.op); }),
            "Lamina::ColumnMultigrid: argument graph: expected 9 centres, got 3");
}

}  // namespace LaminaTest
