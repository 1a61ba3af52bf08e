// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/columns/ProfileCoefficients.hpp>
#include <lamina/core/KernelRecorder.hpp>
#include <lamina/grids/CubedSpherePanel.hpp>
#include <lamina/krylov/TrueResidual.hpp>
#include <lamina/multigrid/MultigridColumns.hpp>

#include <columns/ColumnCase.hpp>
#include <helmholtz/SweepTest.hpp>
#include <multigrid/CycleAtTheEnd.hpp>
#include <multigrid/Ocean.hpp>
#include <reference/ConjugateGradients.hpp>
#include <support/MessageOf.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <type_traits>
#include <utility>

namespace LaminaTest {

template <class Type>
class MultigridColumns : public SweepTest<Type> {
 public:
  using Scalar = typename Type::scalar;
  using Layout = typename Type::layout;
  using Field = TestField<Scalar, Layout>;
  using Stored = StoredCase<Scalar, Layout, Scalar>;
  using Multigrid = Lamina::ColumnMultigrid<typename Stored::Coefficients, Layout>;
  using Model =
      Lamina::MultigridColumns<Lamina::FusedColumns<typename Stored::Coefficients>, Multigrid>;
  static_assert(Lamina::FusedModel<Model, TEST_SPACE>);
};
TYPED_TEST_SUITE(MultigridColumns, FieldTypes, FieldTypeNames);

TYPED_TEST(MultigridColumns, SolvesAnOceanInFewIterations) {
  using Scalar = typename TestFixture::Scalar;
  using Field = typename TestFixture::Field;
  const TEST_SPACE space;
  const Ocean ocean(24);
  const auto system = ocean.system(true, true, 0.25);
  const typename TestFixture::Stored stored(system);
  const typename TestFixture::Multigrid multigrid(space, ocean.graph, stored.op);
  const Values b = rounded<Scalar>(system.random_wet(3));
  const int columns = system.num_columns();
  const Field b_field(columns, Ocean::levels, b), x_field(columns, Ocean::levels),
      plain(columns, Ocean::levels);
  Lamina::FusedPcg pcg(space,
                       Lamina::MultigridColumns(Lamina::FusedColumns(space, stored.op), multigrid));
  const auto report = pcg.solve(space, b_field.view(), x_field.view(), {.tolerance = 1e-5});
  EXPECT_TRUE(report.converged()) << to_string(report.status);
  EXPECT_LE(report.iterations, 8);
  Lamina::Pcg twin(space, stored.op, multigrid);
  const auto expected = twin.solve(space, b_field.view(), plain.view(), {.tolerance = 1e-5});
  EXPECT_EQ(report.iterations, expected.iterations);
  EXPECT_LE(relative_difference(x_field.get(), plain.get()),
            std::max(1e-10, rounding<Scalar>(1000)));
}

TYPED_TEST(MultigridColumns, SolvesInMixedPrecision) {
  using Layout = typename TestFixture::Layout;
  if constexpr (std::is_same_v<typename TestFixture::Scalar, double>) {
    using Field = typename TestFixture::Field;
    using Short = Lamina::StoredCoefficients<float, Memory, Layout, double>;
    const TEST_SPACE space;
    const Ocean ocean(24);
    const auto system = ocean.system(true, false, 0.25);
    const typename TestFixture::Stored stored(system);
    const Lamina::ColumnOperator short_op(stored.mesh, Ocean::levels,
                                          Short(space, stored.mesh, stored.mass.view(),
                                                stored.vertical.view(), stored.horizontal.view()));
    const Lamina::ColumnMultigrid<Short, Layout> multigrid(space, ocean.graph, short_op);
    const Values b = system.random_wet(3);
    const int columns = system.num_columns();
    const Field b_field(columns, Ocean::levels, b), x_field(columns, Ocean::levels),
        residual(columns, Ocean::levels);
    Lamina::FusedPcg pcg(space, Lamina::MultigridColumns(
                                    Lamina::MixedColumns(space, stored.op, short_op), multigrid));
    const auto report = pcg.solve(space, b_field.view(), x_field.view(), {.tolerance = 1e-8});
    EXPECT_TRUE(report.converged()) << to_string(report.status);
    EXPECT_LE(report.iterations, 14);
    const double norm = std::sqrt(Reference::dot(b, b));
    EXPECT_LE(Lamina::true_residual_norm(space, stored.op, b_field.view(), x_field.view(),
                                         residual.view()),
              1.01e-8 * norm);
  }
}

/// Values in single precision beside arithmetic in double precision, and the same values in double.
TYPED_TEST(MultigridColumns, TakeValuesInSinglePrecision) {
  using Layout = typename TestFixture::Layout;
  if constexpr (std::is_same_v<typename TestFixture::Scalar, double>) {
    using Field = typename TestFixture::Field;
    const TEST_SPACE space;
    const Ocean ocean(24);
    auto system = ocean.system(true, true, 0.25);
    for (Values* values : {&system.mass, &system.vertical, &system.horizontal}) {
      *values = rounded<float>(*values);
    }
    const Field b(system.num_columns(), Ocean::levels, system.random_wet(3));
    const auto solve = [&](const auto& stored) {
      using Coefficients = typename std::decay_t<decltype(stored)>::Coefficients;
      const Lamina::ColumnMultigrid<Coefficients, Layout> multigrid(space, ocean.graph, stored.op);
      const Field x(system.num_columns(), Ocean::levels);
      Lamina::FusedPcg pcg(
          space, Lamina::MultigridColumns(Lamina::FusedColumns(space, stored.op), multigrid));
      const auto report = pcg.solve(space, b.view(), x.view(), {.tolerance = 1e-8});
      EXPECT_TRUE(report.converged()) << to_string(report.status);
      return std::pair(report.iterations, x.get());
    };
    const auto [expected_iterations, expected] = solve(StoredCase<double, Layout, double>(system));
    const auto [iterations, found] = solve(StoredCase<double, Layout, float>(system));
    EXPECT_EQ(iterations, expected_iterations);
    EXPECT_LE(relative_difference(found, expected), 1e-12);
  }
}

/// A cycle is over the columns of the mesh, beside sweeps that might be over padded rows.
TYPED_TEST(MultigridColumns, StayInTheOrderOfTheMesh) {
  using Scalar = typename TestFixture::Scalar;
  using Field = typename TestFixture::Field;
  using Coefficients = Lamina::ProfileCoefficients<Scalar, Memory>;
  const TEST_SPACE space;
  const auto graph = Lamina::CubedSpherePanel(13, 29).graph();
  const Lamina::ColumnMesh<Memory> mesh(graph);
  const Lamina::ColumnOperator op(
      mesh, 5, Coefficients(mesh, {{1, 1, 2, 2, 3}, {4, 3, 2, 1}, {1, 1, 2, 2, 3}}));
  const Lamina::ColumnMultigrid<Coefficients, Lamina::SweepLayout<TEST_SPACE>> multigrid(space,
                                                                                         graph, op);
  Lamina::FusedColumns sweeps(space, op);
  sweeps.pad_rows(space);
  EXPECT_FALSE(sweeps.column_order().empty());
  const Lamina::MultigridColumns model(sweeps, multigrid);
  EXPECT_TRUE(model.column_order().empty());
  const Values b = rounded<Scalar>(random_values(13 * 29 * 5, 3));
  const Field b_field(13 * 29, 5, b), x(13 * 29, 5), plain(13 * 29, 5);
  Lamina::FusedPcg pcg(space, model);
  EXPECT_TRUE(pcg.solve(space, b_field.view(), x.view(), {.tolerance = 1e-5}).converged());
  Lamina::Pcg twin(space, op, Lamina::ColumnLinePreconditioner(space, op));
  EXPECT_TRUE(twin.solve(space, b_field.view(), plain.view(), {.tolerance = 1e-5}).converged());
  EXPECT_LE(relative_difference(x.get(), plain.get()), 1e-3);
}

/// Values are stored in the layout of the sweeps.
TYPED_TEST(MultigridColumns, SolveForFieldsOfEitherLayout) {
  using Scalar = typename TestFixture::Scalar;
  using Layout = Lamina::SweepLayout<TEST_SPACE>;
  using Stored = StoredCase<Scalar, Layout, Scalar>;
  const TEST_SPACE space;
  const Ocean ocean(12);
  const auto system = ocean.system(true, true, 0.25);
  const Stored stored(system);
  const Lamina::ColumnMultigrid<typename Stored::Coefficients, Layout> multigrid(space, ocean.graph,
                                                                                 stored.op);
  const Values b = rounded<Scalar>(system.random_wet(3));
  const auto solve = [&]<class FieldLayout>(auto model, FieldLayout, const Padding& padding) {
    using Field = TestField<Scalar, FieldLayout>;
    const Field b_field(system.num_columns(), Ocean::levels, b, padding),
        x(system.num_columns(), Ocean::levels, padding);
    Lamina::FusedPcg pcg(space, model);
    const auto report = pcg.solve(space, b_field.const_view(), x.view(), {.tolerance = 1e-4});
    EXPECT_TRUE(report.converged());
    EXPECT_TRUE(x.surroundings_untouched());
    return x.get();
  };
  const auto expect_alike = [&](const auto& model) {
    const Values expected = solve(model, Layout(), {});
    for (const Padding& padding : {Padding{}, all_padding}) {
      EXPECT_LE(
          relative_difference(solve(model, typename TestFixture::Layout(), padding), expected),
          rounding<Scalar>(1000));
    }
  };
  const Lamina::FusedColumns sweeps(space, stored.op);
  expect_alike(sweeps);
  expect_alike(Lamina::MultigridColumns(sweeps, multigrid));
}

TYPED_TEST(MultigridColumns, DoNothingWhereTheSolveIsOver) {
  using Field = typename TestFixture::Field;
  const TEST_SPACE space;
  const auto system =
      ColumnCase::random<typename TestFixture::Scalar>(irregular_graph(13, 0), 9, 3);
  const typename TestFixture::Stored stored(system);
  const typename TestFixture::Multigrid multigrid(space, system.graph, stored.op);
  const typename TestFixture::Model model(Lamina::FusedColumns(space, stored.op), multigrid);
  const Field r(13, 9, random_values(system.size(), 1)), z(13, 9, random_values(system.size(), 2));
  const Values z_before = z.get();
  this->set_rows({1, 1, 1, 1, 1, 1, 1, 1, 0, 1});  // no residual is left
  model.precondition(space, this->step(), Lamina::Impl::as_const_field(r.view()),
                     Lamina::Impl::as_field(z.view()));
  EXPECT_EQ(z.get(), z_before);
  EXPECT_EQ(this->now(TestFixture::Step::energy), 0);
  this->set_rows({1, 1, 1, 1, 1, 1, 1, 1, 1, 1});
  model.precondition(space, this->step(), Lamina::Impl::as_const_field(r.view()),
                     Lamina::Impl::as_field(z.view()));
  const double energy = Reference::dot(r.get(), z.get());
  EXPECT_NEAR(this->now(TestFixture::Step::energy), energy, rounding<double>(200) * energy);
}

TYPED_TEST(MultigridColumns, NeedTheSameExtents) {
  const TEST_SPACE space;
  const auto graph = irregular_graph(13, 0), other = irregular_graph(12, 0);
  using Scalar = typename TestFixture::Scalar;
  const typename TestFixture::Stored stored(ColumnCase::random<Scalar>(graph, 2, 3)),
      smaller(ColumnCase::random<Scalar>(other, 2, 3));
  const typename TestFixture::Multigrid multigrid(space, other, smaller.op);
  EXPECT_EQ(message_of<Lamina::InvalidArgument>([&] {
              Lamina::MultigridColumns(Lamina::FusedColumns(space, stored.op), multigrid);
            }),
            "Lamina::MultigridColumns: argument multigrid: expected 13 columns, got 12");
  const typename TestFixture::Stored deeper(ColumnCase::random<Scalar>(graph, 3, 3));
  const typename TestFixture::Multigrid of_deeper(space, graph, deeper.op);
  EXPECT_EQ(message_of<Lamina::InvalidArgument>([&] {
              Lamina::MultigridColumns(Lamina::FusedColumns(space, stored.op), of_deeper);
            }),
            "Lamina::MultigridColumns: argument multigrid: expected 2 levels, got 3");
  EXPECT_EQ(message_of<Lamina::InvalidArgument>(
                [&] { Lamina::ColumnOperator(stored.mesh, 3, stored.coefficients); }),
            "Lamina::ColumnOperator: argument coefficients: expected 3 levels, got 2");
}

/// Solves that fail end with the reason.
TYPED_TEST(MultigridColumns, TellOfBadPivots) {
  using Scalar = typename TestFixture::Scalar;
  using Field = typename TestFixture::Field;
  const TEST_SPACE space;
  auto system = ColumnCase::random<Scalar>(irregular_graph(19, 0), 5, 1);
  system.mass[system.place(4, 2)] = -1e4;
  typename TestFixture::Stored stored(system);
  const typename TestFixture::Multigrid multigrid(space, system.graph, stored.op);
  const Lamina::FusedColumns sweeps(space, stored.op);
  EXPECT_EQ(multigrid.status(space), Lamina::SolveStatus::breakdown_zero_pivot);
  system.mass[system.place(4, 2)] = std::numeric_limits<double>::quiet_NaN();
  stored.set(system);
  sweeps.update(space);
  multigrid.update(space);
  const Field b(19, 5, random_values(system.size(), 2)), x(19, 5);
  const auto expect_told = [&](auto plan) {
    Kokkos::deep_copy(x.view(), Scalar(0));
    EXPECT_EQ(plan.solve(space, b.view(), x.view()).status,
              Lamina::SolveStatus::breakdown_zero_pivot);
  };
  expect_told(Lamina::FusedPcg(space, sweeps));
  expect_told(Lamina::FusedPcg(space, typename TestFixture::Model(sweeps, multigrid)));
  expect_told(Lamina::Pcg(space, stored.op, multigrid));
  expect_told(Lamina::Pcg(space, stored.op, Lamina::ColumnLinePreconditioner(space, stored.op)));
}

TYPED_TEST(MultigridColumns, LeaveZAsItIsAtTheEnd) {
  using Field = typename TestFixture::Field;
  const TEST_SPACE space;
  const Ocean ocean(12);
  const auto system = ocean.system(true, false, 0);
  const typename TestFixture::Stored stored(system);
  const typename TestFixture::Model model(
      Lamina::FusedColumns(space, stored.op),
      typename TestFixture::Multigrid(space, ocean.graph, stored.op));
  const Field r(system.num_columns(), Ocean::levels, system.random_wet(1)),
      z(system.num_columns(), Ocean::levels, Values(system.size(), 7));
  expect_no_cycle_at_the_end(space, model, r, z);
}

/// Cells below bottoms, where values of a user's file are not numbers at first.
TYPED_TEST(MultigridColumns, RecoverFromValuesThatAreNoNumbers) {
  using Field = typename TestFixture::Field;
  const TEST_SPACE space;
  const Ocean ocean(12);
  const auto system = ocean.system(true, false, 0);
  auto spoilt = system;
  for (std::size_t i = 0; i < spoilt.mass.size(); ++i) {
    if (system.is_dry(i)) spoilt.mass[i] = std::numeric_limits<double>::quiet_NaN();
  }
  typename TestFixture::Stored stored(system);
  const typename TestFixture::Multigrid multigrid(space, ocean.graph, stored.op);
  const Field r(system.num_columns(), Ocean::levels, system.random_wet(1)),
      z(system.num_columns(), Ocean::levels);
  const auto cycle = [&] {
    multigrid.update(space);
    multigrid.solve(space, r.view(), z.view());
    return z.get();
  };
  const Values expected = cycle();
  stored.set(spoilt);
  cycle();
  stored.set(system);
  EXPECT_EQ(cycle(), expected);
}

/// Each kernel of a cycle that runs has a cost, and costs of kernels add up to what the header says.
TYPED_TEST(MultigridColumns, CountTheBytesOfACycle) {
  using Scalar = typename TestFixture::Scalar;
  using Field = typename TestFixture::Field;
  const TEST_SPACE space;
  const Ocean ocean(12);
  const auto system = ocean.system(true, false, 0);
  const typename TestFixture::Stored stored(system);
  const typename TestFixture::Multigrid multigrid(space, ocean.graph, stored.op);
  const auto costs = multigrid.kernel_costs();
  ASSERT_GE(multigrid.num_levels(), 2);
  const Field r(system.num_columns(), Ocean::levels, system.random_wet(1)),
      z(system.num_columns(), Ocean::levels);
  const Lamina::KernelRecorder recorder;
  multigrid.solve(space, r.view(), z.view());
  int of_cycle = 0;
  for (const auto& record : recorder.records(costs)) {
    if (record.name.find("Lamina::ColumnMultigrid::") != 0) continue;
    ++of_cycle;
    EXPECT_GT(record.bytes, 0) << record.name;
    const auto cost = std::find_if(costs.begin(), costs.end(), [&](const Lamina::KernelCost& one) {
      return one.label == record.name;
    });
    ASSERT_NE(cost, costs.end()) << record.name;
    EXPECT_EQ(record.bytes, cost->bytes * static_cast<double>(record.calls));
  }
  // The coarsest level has two: its first step, and the others. On a device r and z are copied.
  const int copies = Lamina::runs_on_host<TEST_SPACE> ? 0 : 2;
  EXPECT_EQ(of_cycle, 5 * (multigrid.num_levels() - 1) + 2 + copies);
  // A step moves what a residual moves, and reads the sums of rows; on a device inverse pivots in place of the mass, and
  // the residual asks which cells are wet.
  const auto cells = static_cast<double>(system.size());
  EXPECT_EQ(costs[1].label, "Lamina::ColumnMultigrid::step");
  EXPECT_EQ(costs[2].label, "Lamina::ColumnMultigrid::residual");
  EXPECT_EQ(costs[1].bytes - costs[2].bytes,
            Lamina::runs_on_host<TEST_SPACE> ? cells * sizeof(Scalar) : -cells);
}

}  // namespace LaminaTest
