// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/columns/StoredCoefficients.hpp>

#include <columns/ColumnCase.hpp>
#include <support/MessageOf.hpp>
#include <support/ToolListener.hpp>

namespace LaminaTest {

template <class Type>
class StoredCoefficients : public testing::Test {
 public:
  using Scalar = typename Type::scalar;
  using Layout = typename Type::layout;
  using Field = TestField<Scalar, Layout>;
  template <class Value>
  using Case = StoredCase<Scalar, Layout, Value>;

  /// check(system, its matrix) of all kinds of meshes, levels and masks
  template <class Value, class Check>
  static void for_each_case(const Check& check) {
    std::uint64_t seed = 11;
    for (const auto& graph : graphs_to_solve_on()) {
      for (const int levels : {1, 2, 9}) {
        for (const bool masked : {false, true}) {
          SCOPED_TRACE(testing::Message() << graph.areas.size() << " columns of " << levels
                                          << " levels" << (masked ? ", masked" : ""));
          check(ColumnCase::random<Value>(graph, levels, seed += 10, masked));
        }
      }
    }
  }
  /// Solutions of A x = b against those of the elimination. `solve(stored, b, x)` solves.
  template <class Value, class Solve>
  static void expect_solutions(double tolerance, const Solve& solve) {
    for_each_case<Value>([&](const ColumnCase& system) {
      const Case<Value> stored(system);
      const Values b = rounded<Scalar>(system.random_wet(3));
      const Field b_field(system.num_columns(), system.num_levels, b),
          x_field(system.num_columns(), system.num_levels);
      solve(stored, b_field.const_view(), x_field.view());
      EXPECT_LE(relative_difference(x_field.get(), Reference::solve_directly(system.matrix(), b)),
                b == Values(b.size(), 0.0) ? 1 : tolerance);
    });
  }
};
TYPED_TEST_SUITE(StoredCoefficients, FieldTypes, FieldTypeNames);

TYPED_TEST(StoredCoefficients, AreTheRowsOfTheMatrix) {
  using Scalar = typename TestFixture::Scalar;
  using Field = typename TestFixture::Field;
  const auto check = [&]<class Value>(Value) {
    TestFixture::template for_each_case<Value>([&](const ColumnCase& system) {
      const typename TestFixture::template Case<Value> stored(system, all_padding);
      const Values x = rounded<Scalar>(system.random_wet(1));
      const Field in(system.num_columns(), system.num_levels, x, column_padding),
          out(system.num_columns(), system.num_levels, all_padding);
      stored.op.apply(TEST_SPACE(), in.view(), out.view());
      const auto matrix = system.matrix();
      EXPECT_TRUE(all_within(out.get(), matrix.multiply(x),
                             rounding<Scalar>(3.0 + stored.mesh.max_neighbours()),
                             matrix.multiply_magnitudes(x)));
      EXPECT_TRUE(out.surroundings_untouched());
    });
  };
  check(float());
  check(double());
}

/// On CPU cores whole vectors and tiles.
TYPED_TEST(StoredCoefficients, AreTheSameInVectors) {
  using Scalar = typename TestFixture::Scalar;
  using Field = typename TestFixture::Field;
  constexpr int lanes = Lamina::Impl::lane_count<Scalar>;
  const TEST_SPACE space;
  const auto graph = graph_of_many_columns();
  const auto check = [&]<class Value>(Value) {
    for (const int levels : {lanes, 3 * lanes + 1}) {
      SCOPED_TRACE(testing::Message() << levels << " levels");
      const auto system = ColumnCase::random<Value>(graph, levels, 3, true);
      const typename TestFixture::template Case<Value> stored(system, all_padding);
      const Values x = rounded<Scalar>(system.random_wet(1));
      const Field in(system.num_columns(), levels, x, column_padding),
          out(system.num_columns(), levels, all_padding);
      stored.op.apply(space, in.view(), out.view());
      const auto matrix = system.matrix(), lines = system.matrix(false);
      EXPECT_TRUE(all_within(out.get(), matrix.multiply(x), rounding<Scalar>(20),
                             matrix.multiply_magnitudes(x)));
      Lamina::ColumnLinePreconditioner(space, stored.op).solve(space, in.view(), out.view());
      const Values z = out.get();
      Values scale = lines.multiply_magnitudes(z);
      for (std::size_t i = 0; i < scale.size(); ++i) scale[i] += std::abs(x[i]);
      const double of_sums = std::is_same_v<Value, float> ? rounding<float>(1) : 0;
      EXPECT_TRUE(all_within(lines.multiply(z), x, rounding<Scalar>(20) + of_sums, scale));
      EXPECT_TRUE(out.surroundings_untouched());
    }
  };
  check(float());
  check(double());
}

TYPED_TEST(StoredCoefficients, GiveASymmetricMatrixToTheLastBit) {
  using Scalar = typename TestFixture::Scalar;
  const auto system = ColumnCase::random<Scalar>(irregular_graph(37, 0), 5, 1);
  const typename TestFixture::template Case<Scalar> stored(system);
  const auto neighbours =
      Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), stored.mesh.neighbours());
  const auto edges = stored.mesh.edges();
  for (int c = 0; c < stored.mesh.num_owned(); ++c) {
    for (int n = 0; n < stored.mesh.max_neighbours(); ++n) {
      if (neighbours(c, n) == c) {
        EXPECT_EQ(edges(c, n), Lamina::ColumnMesh<Memory>::no_edge);
        continue;
      }
      const auto& edge = system.graph.edges[static_cast<std::size_t>(edges(c, n))];
      EXPECT_EQ(std::minmax(edge.first, edge.second),
                std::minmax(c, static_cast<int>(neighbours(c, n))));
    }
  }
}

TYPED_TEST(StoredCoefficients, SolveWithFusedPcgToTheDirectSolution) {
  const TEST_SPACE space;
  using Scalar = typename TestFixture::Scalar;
  const auto check = [&]<class Value>(Value) {
    TestFixture::template expect_solutions<Value>(
        rounding<Scalar>(500), [&](const auto& stored, const auto& b, const auto& x) {
          Lamina::FusedPcg pcg(space, Lamina::FusedColumns(space, stored.op));
          const auto report =
              pcg.solve(space, b, x, {.tolerance = rounding<Scalar>(10), .max_iterations = 500});
          EXPECT_TRUE(report.converged()) << to_string(report.status);
        });
  };
  check(float());
  check(double());
}

TYPED_TEST(StoredCoefficients, SolveWithPcgToTheDirectSolution) {
  const TEST_SPACE space;
  using Scalar = typename TestFixture::Scalar;
  TestFixture::template expect_solutions<Scalar>(
      rounding<Scalar>(500), [&](const auto& stored, const auto& b, const auto& x) {
        Lamina::Pcg pcg(space, stored.op, Lamina::ColumnLinePreconditioner(space, stored.op));
        const auto report =
            pcg.solve(space, b, x, {.tolerance = rounding<Scalar>(10), .max_iterations = 500});
        EXPECT_TRUE(report.converged()) << to_string(report.status);
      });
}

TYPED_TEST(StoredCoefficients, FollowChangedValuesWithoutAllocation) {
  using Scalar = typename TestFixture::Scalar;
  using Field = typename TestFixture::Field;
  const TEST_SPACE space;
  const auto graph = irregular_graph(37, 0);
  const int levels = 9;
  const auto before = ColumnCase::random<Scalar>(graph, levels, 1),
             after = ColumnCase::random<Scalar>(graph, levels, 5);
  typename TestFixture::template Case<Scalar> stored(before);
  const Lamina::FusedColumns model(space, stored.op);
  Lamina::FusedPcg pcg(space, model);
  const Lamina::ColumnLinePreconditioner lines(space, stored.op);
  Lamina::Pcg plain(space, stored.op, lines);
  const Values b = rounded<Scalar>(random_values(after.size(), 3));
  const Values expected = Reference::solve_directly(after.matrix(), b);
  const Field b_field(37, levels, b), x_field(37, levels), plain_field(37, levels);
  const Lamina::StoppingCriteria criteria{.tolerance = rounding<Scalar>(10)};
  static_cast<void>(pcg.solve(space, b_field.view(), x_field.view(), criteria));
  stored.set(after);
  {
    ToolListener listener;
    model.update(space);
    lines.update(space);
    space.fence();
    EXPECT_TRUE(listener.heard().allocations.empty());
  }
  EXPECT_TRUE(pcg.solve(space, b_field.view(), x_field.view(), criteria).converged());
  EXPECT_TRUE(plain.solve(space, b_field.view(), plain_field.view(), criteria).converged());
  EXPECT_LE(relative_difference(x_field.get(), expected), rounding<Scalar>(500));
  EXPECT_LE(relative_difference(plain_field.get(), expected), rounding<Scalar>(500));
}

TYPED_TEST(StoredCoefficients, CountTheBytesOfTheirValues) {
  using Scalar = typename TestFixture::Scalar;
  const auto system = ColumnCase::random<float>(Lamina::plane(4, 6), 5, 1);
  const typename TestFixture::template Case<float> stored(system);
  const double cells = 24 * 5, value = sizeof(float);
  EXPECT_EQ(stored.coefficients.line_bytes(), 2 * cells * value);
  EXPECT_EQ(stored.coefficients.stencil_bytes(), 4 * cells * value + 24 * 4 * 2 * sizeof(int));
  EXPECT_EQ(stored.op.kernel_costs().at(0).bytes,
            2 * cells * sizeof(Scalar) + stored.coefficients.stencil_bytes());
}

TYPED_TEST(StoredCoefficients, RefuseViewsOfOtherExtents) {
  using Scalar = typename TestFixture::Scalar;
  using Layout = typename TestFixture::Layout;
  const auto system = ColumnCase::random<Scalar>(Lamina::plane(3, 3), 5, 1);
  const typename TestFixture::template Case<Scalar> stored(system);
  using Coefficients = Lamina::StoredCoefficients<Scalar, Memory, Layout>;
  const auto message = message_of<Lamina::InvalidArgument>([&] {
    Coefficients(TEST_SPACE(), stored.mesh, stored.mass.view(), stored.vertical.view(),
                 stored.vertical.view());
  });
  EXPECT_EQ(message, "Lamina::StoredCoefficients: argument horizontal: expected 18 edges, got 9");
}

}  // namespace LaminaTest
