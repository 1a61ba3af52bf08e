// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/columns/MixedColumns.hpp>

#include <columns/ColumnCase.hpp>
#include <support/MessageOf.hpp>

#include <algorithm>

namespace LaminaTest {

/// Stored coefficients in both precisions, of the same values.
template <class Layout, class Value>
struct MixedCase {
  using Short = Lamina::StoredCoefficients<float, Memory, Layout, Value>;

  explicit MixedCase(const ColumnCase& system)
      : stored(system),
        short_op(stored.mesh, system.num_levels,
                 Short(TEST_SPACE(), stored.mesh, stored.mass.view(), stored.vertical.view(),
                       stored.horizontal.view())) {}

  StoredCase<double, Layout, Value> stored;
  Lamina::ColumnOperator<Short> short_op;
};

template <class Type>
class MixedColumns : public testing::Test {
 public:
  using Layout = typename Type::layout;
  using Field = TestField<double, Layout>;
};
TYPED_TEST_SUITE(MixedColumns, DoubleFieldTypes, FieldTypeNames);

TYPED_TEST(MixedColumns, SolveToTheDirectSolution) {
  using Field = typename TestFixture::Field;
  const TEST_SPACE space;
  const auto check = [&]<class Value>(Value) {
    std::uint64_t seed = 1;
    for (const auto& graph : graphs_to_solve_on()) {
      for (const bool masked : {false, true}) {
        const auto system = ColumnCase::random<Value>(graph, 9, seed += 10, masked);
        const MixedCase<typename TestFixture::Layout, Value> both(system);
        const Values b = system.random_wet(3);
        const Field b_field(system.num_columns(), 9, b), x_field(system.num_columns(), 9);
        Lamina::FusedPcg pcg(space, Lamina::MixedColumns(space, both.stored.op, both.short_op));
        const auto report = pcg.solve(space, b_field.view(), x_field.view(),
                                      {.tolerance = rounding<double>(20), .max_iterations = 900});
        EXPECT_TRUE(report.converged()) << to_string(report.status);
        EXPECT_TRUE(all_within(x_field.get(), Reference::solve_directly(system.matrix(), b),
                               rounding<double>(1000)));
      }
    }
  };
  check(float());
  check(double());
}

TYPED_TEST(MixedColumns, FollowChangedValues) {
  using Field = typename TestFixture::Field;
  const TEST_SPACE space;
  const auto graph = irregular_graph(37, 0);
  const auto before = ColumnCase::random<double>(graph, 9, 1),
             after = ColumnCase::random<double>(graph, 9, 5);
  MixedCase<typename TestFixture::Layout, double> both(before);
  const Lamina::MixedColumns model(space, both.stored.op, both.short_op);
  Lamina::FusedPcg pcg(space, model);
  both.stored.set(after);
  model.update(space);
  const Values b = random_values(after.size(), 3);
  const Field b_field(37, 9, b), x_field(37, 9);
  EXPECT_TRUE(pcg.solve(space, b_field.view(), x_field.view(), {.tolerance = rounding<double>(20)})
                  .converged());
  EXPECT_TRUE(all_within(x_field.get(), Reference::solve_directly(after.matrix(), b),
                         rounding<double>(1000)));
}

TYPED_TEST(MixedColumns, NeedTheSameExtents) {
  using Layout = typename TestFixture::Layout;
  const TEST_SPACE space;
  const auto graph = Lamina::plane(3, 3);
  const MixedCase<Layout, double> both(ColumnCase::random<double>(graph, 5, 1)),
      shorter(ColumnCase::random<double>(graph, 4, 1));
  EXPECT_EQ(message_of<Lamina::InvalidArgument>(
                [&] { Lamina::MixedColumns(space, both.stored.op, shorter.short_op); }),
            "Lamina::MixedColumns: short_op: expected 5 levels, got 4");
}

TYPED_TEST(MixedColumns, HaveACostOfEachSweep) {
  const TEST_SPACE space;
  const MixedCase<typename TestFixture::Layout, float> both(
      ColumnCase::random<float>(Lamina::plane(4, 6), 5, 1));
  const Lamina::MixedColumns model(space, both.stored.op, both.short_op);
  const double cells = 24 * 5, tables = 24 * 4 * 2 * sizeof(int);
  const auto costs = model.kernel_costs();
  const auto bytes_of = [&](const std::string& label) {
    const auto cost = std::find_if(costs.begin(), costs.end(),
                                   [&](const auto& one) { return one.label == label; });
    return cost == costs.end() ? -1 : cost->bytes;
  };
  EXPECT_EQ(bytes_of("Lamina::MixedColumns::residual"), cells * (20 + 16) + tables);
  EXPECT_EQ(bytes_of("Lamina::MixedColumns::advance_and_update"), cells * (36 + 16) + tables);
  EXPECT_EQ(bytes_of("Lamina::FusedColumns::precondition"), cells * (8 + 8));
}

}  // namespace LaminaTest
