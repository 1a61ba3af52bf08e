// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Operators with profiles whose rows are padded. On devices solvers pad them, on CPU cores these tests do.

#include <lamina/columns/MixedColumns.hpp>
#include <lamina/core/impl/Index.hpp>
#include <lamina/grids/CubedSpherePanel.hpp>
#include <lamina/grids/Plane.hpp>

#include <columns/ProfileCase.hpp>
#include <columns/RankCase.hpp>
#include <distributed/SimulatedTransport.hpp>
#include <helmholtz/RankedProblem.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <vector>

namespace LaminaTest {

namespace Impl = Lamina::Impl;

/// Bottoms at all levels, and land.
inline std::vector<int> random_bottoms(std::size_t num_columns, int num_levels) {
  std::vector<int> bottoms;
  for (std::uint64_t c = 0; c < num_columns; ++c) {
    bottoms.push_back(
        static_cast<int>(Reference::splitmix64(c) % static_cast<std::uint64_t>(num_levels + 1)));
  }
  return bottoms;
}

template <class Type>
class PaddedColumns : public testing::Test {
 public:
  using Scalar = typename Type::scalar;
  using Layout = typename Type::layout;
  using Field = TestField<Scalar, Layout>;
  static constexpr bool is_double = std::is_same_v<Scalar, double>;
  /// Fields of the layout of sweeps stay where they are on CPU cores.
  static constexpr bool may_pad_fields =
      !Lamina::runs_on_host<TEST_SPACE> || std::is_same_v<Layout, Kokkos::LayoutLeft>;

  /// check(operator, the system cell by cell), with walls at some side or at all of them.
  template <class Check>
  static void for_each_case(const std::vector<int>& levels, const Check& check) {
    auto sides = Lamina::PlaneSides::all(Lamina::PlaneSide::zero_flux);
    sides.west = Lamina::PlaneSide::dirichlet;
    for (const auto& graph : {Lamina::CubedSpherePanel(13, 29).graph(Lamina::PanelEdge::dirichlet),
                              Lamina::plane(5, 31, sides, 0.1, 0.2)}) {
      for (const int count : levels) {
        SCOPED_TRACE(testing::Message() << graph.areas.size() << " columns of " << count);
        check_profiles<Scalar>(graph, count, random_bottoms(graph.areas.size(), count), 3, check);
      }
    }
  }
  /// The system in places with its order, where sweeps of the space gain by it.
  template <class Operator>
  static auto padded(const Operator& op) {
    using System = std::remove_cvref_t<decltype(op.system())>;
    using Coefficients = typename Operator::coefficients_type;
    if constexpr (Impl::PlacedCoefficients<Coefficients>) {
      const auto result = op.with_padded_rows();
      EXPECT_TRUE(result.has_value());
      return result;
    } else {
      return std::optional<Impl::Reordering<System>>();
    }
  }
  template <class Model>
  static void pad(Model& model) {
    EXPECT_TRUE(model.column_order().empty());
    model.pad_rows(TEST_SPACE());
  }

  /// Values of columns in their places, and the reverse, which expects 0 in padding.
  struct Places {
    std::vector<int> columns;
    std::size_t levels;

    Places(const Impl::ColumnOrder<Memory>& order, int num_levels)
        : columns(order.columns.extent(0)), levels(static_cast<std::size_t>(num_levels)) {
      Kokkos::deep_copy(Kokkos::View<int*, Kokkos::HostSpace>(columns.data(), columns.size()),
                        order.columns);
    }
    int count() const { return static_cast<int>(columns.size()); }
    Values take(const Values& values) const {
      Values result(columns.size() * levels, 0.0);
      for_each([&](std::size_t cell, std::size_t of_column) { result[cell] = values[of_column]; },
               [](std::size_t) {});
      return result;
    }
    Values give(const Values& values) const {
      Values result(values.size());
      std::size_t num_cells = 0;
      for_each(
          [&](std::size_t cell, std::size_t of_column) {
            result[of_column] = values[cell];
            ++num_cells;
          },
          [&](std::size_t cell) { EXPECT_EQ(values[cell], 0); });
      result.resize(num_cells);
      return result;
    }

   private:
    template <class Visit, class VisitPadding>
    void for_each(const Visit& visit, const VisitPadding& visit_padding) const {
      for (std::size_t place = 0; place < columns.size(); ++place) {
        for (std::size_t k = 0; k < levels; ++k) {
          const std::size_t cell = place * levels + k;
          if (columns[place] < 0) {
            visit_padding(cell);
          } else {
            visit(cell, Impl::index(columns[place]) * levels + k);
          }
        }
      }
    }
  };

  /// Of 5 levels, weakly coupled between columns.
  static Lamina::ColumnProfiles profiles_of_ranks() {
    return {{1, 2, 3, 1, 2}, {5, 4, 3, 2}, {1e-4, 1e-4, 2e-4, 2e-4, 3e-4}};
  }
  /// A solve for b from 0.
  template <class Plan, class Operator>
  static Values solve(Plan&& plan, const Operator& op, const Values& b) {
    const TEST_SPACE space;
    const Field b_field(op.num_columns(), op.num_levels(), b),
        x_field(op.num_columns(), op.num_levels());
    const auto report = plan.solve(space, b_field.view(), x_field.view(),
                                   {.tolerance = rounding<Scalar>(10), .max_iterations = 500});
    EXPECT_TRUE(report.converged()) << to_string(report.status);
    return x_field.get();
  }
  template <class Operator>
  static Values solve_plainly(const Operator& op, const Values& b) {
    const TEST_SPACE space;
    return solve(Lamina::Pcg(space, op, Lamina::ColumnLinePreconditioner(space, op)), op, b);
  }
};
TYPED_TEST_SUITE(PaddedColumns, FieldTypes, FieldTypeNames);

TYPED_TEST(PaddedColumns, HaveTheRowsOfTheMatrix) {
  using Scalar = typename TestFixture::Scalar;
  using Layout = typename TestFixture::Layout;
  using Field = typename TestFixture::Field;
  TestFixture::for_each_case({1, 2, 9}, [](const auto& op, const ColumnCase& system) {
    const auto padded = TestFixture::padded(op);
    if (!padded) return;
    const typename TestFixture::Places places(padded->order, op.num_levels());
    EXPECT_EQ(places.count() % 32, 0);
    EXPECT_GT(places.count(), op.num_columns());
    const Values x = rounded<Scalar>(random_values(system.size(), 1));
    const Field in(places.count(), op.num_levels(), places.take(x)),
        out(places.count(), op.num_levels(), Values(in.size(), 7));
    run_sweep("LaminaTest::apply", TEST_SPACE(), padded->system,
              Lamina::ApplySweep<Scalar, Layout, Memory>{Impl::as_const_field(in.view()),
                                                         Impl::as_field(out.view())});
    const auto matrix = system.matrix();
    EXPECT_TRUE(all_within(places.give(out.get()), matrix.multiply(x), rounding<Scalar>(12),
                           matrix.multiply_magnitudes(x)));
  });
}

TYPED_TEST(PaddedColumns, HaveTheLinesOfTheMatrix) {
  using Scalar = typename TestFixture::Scalar;
  using Field = typename TestFixture::Field;
  const TEST_SPACE space;
  TestFixture::for_each_case({1, 2, 9, 40}, [&](const auto& op, const ColumnCase& system) {
    const auto padded = TestFixture::padded(op);
    if (!padded) return;
    EXPECT_EQ(Impl::first_bad_column(space, padded->system), -1);
    const typename TestFixture::Places places(padded->order, op.num_levels());
    const Values r = rounded<Scalar>(random_values(system.size(), 1));
    const Field r_field(places.count(), op.num_levels(), places.take(r)),
        z_field(places.count(), op.num_levels(), Values(r_field.size(), 7));
    const Impl::LineWorkspace<Scalar, Memory> workspace(space, places.count(), op.num_levels(),
                                                        Impl::column_segments);
    Impl::prepare_columns(space, padded->system, workspace);
    Impl::solve_column_lines("LaminaTest::lines", space, padded->system,
                             Impl::as_const_field(r_field.view()), Impl::as_field(z_field.view()),
                             workspace);
    const Values z = places.give(z_field.get());
    const auto matrix = system.matrix(false);
    Values scale = matrix.multiply_magnitudes(z);
    for (std::size_t i = 0; i < scale.size(); ++i) scale[i] += std::abs(r[i]);
    EXPECT_TRUE(all_within(matrix.multiply(z), r, rounding<Scalar>(6), scale));
  });
}

TYPED_TEST(PaddedColumns, SolveAsThoseOfTheMesh) {
  using Scalar = typename TestFixture::Scalar;
  if constexpr (!TestFixture::may_pad_fields) {
    GTEST_SKIP() << "fields of this layout are not copied";
  } else {
    const TEST_SPACE space;
    TestFixture::for_each_case({1, 9}, [&](const auto& op, const ColumnCase& system) {
      using Coefficients = typename std::remove_cvref_t<decltype(op)>::coefficients_type;
      Lamina::FusedColumns model(space, op);
      TestFixture::pad(model);
      EXPECT_NE(model.column_order().empty(), (Impl::PlacedCoefficients<Coefficients>));
      EXPECT_EQ(model.status(space), Lamina::SolveStatus::completed);
      const Values b = rounded<Scalar>(system.random_wet(3));
      EXPECT_TRUE(all_within(TestFixture::solve(Lamina::FusedPcg(space, model), op, b),
                             TestFixture::solve_plainly(op, b), rounding<Scalar>(1000)));
    });
  }
}

TYPED_TEST(PaddedColumns, SolveInMixedPrecision) {
  if constexpr (!TestFixture::may_pad_fields || !TestFixture::is_double) {
    GTEST_SKIP() << "fields of this type are not copied, or are in single precision";
  } else {
    const TEST_SPACE space;
    constexpr int levels = 9;
    const auto graph = Lamina::CubedSpherePanel(13, 29).graph(Lamina::PanelEdge::dirichlet);
    const Lamina::ColumnMesh<Memory> mesh(graph);
    const auto profiles = random_profiles(mesh.num_columns(), levels, 3);
    const auto bottoms = random_bottoms(graph.areas.size(), levels);
    const Lamina::ColumnOperator op(
        mesh, levels,
        Lamina::SteppedCoefficients<double, Memory>(mesh, profiles, list_of(bottoms)));
    const Lamina::ColumnOperator short_op(
        mesh, levels, Lamina::SteppedCoefficients<float, Memory>(mesh, profiles, list_of(bottoms)));
    Lamina::MixedColumns model(space, op, short_op);
    TestFixture::pad(model);
    EXPECT_FALSE(model.column_order().empty());
    const Values b = expand(graph, profiles, bottoms).random_wet(3);
    EXPECT_TRUE(all_within(TestFixture::solve(Lamina::FusedPcg(space, model), op, b),
                           TestFixture::solve_plainly(op, b), rounding<double>(1000)));
  }
}

/// Halo places come after padding, and z is exchanged there.
TYPED_TEST(PaddedColumns, SolveOverRanksAsOnOneProcess) {
  using Scalar = typename TestFixture::Scalar;
  using Field = typename TestFixture::Field;
  if constexpr (!TestFixture::may_pad_fields) {
    GTEST_SKIP() << "fields of this layout are not copied";
  } else {
    const TEST_SPACE space;
    constexpr int levels = 5;
    const Lamina::ColumnProfiles profiles = TestFixture::profiles_of_ranks();
    const Lamina::StoppingCriteria criteria{.tolerance = TestFixture::is_double ? 1e-10 : 1e-4};
    const auto make = [&](const Lamina::ColumnGraph& graph, const std::vector<int>& bottoms) {
      const Lamina::ColumnMesh<Memory> mesh(graph);
      return Lamina::ColumnOperator(
          mesh, levels,
          Lamina::SteppedCoefficients<Scalar, Memory>(mesh, profiles, list_of(bottoms)));
    };
    const auto check = [&](int num_rows, int length, const std::array<int, 2>& blocks) {
      const int num_ranks = blocks[0] * blocks[1];
      SCOPED_TRACE(testing::Message() << num_rows << " x " << length << " on " << num_ranks);
      const auto graph = Lamina::CubedSpherePanel(num_rows, length).graph();
      const auto bottoms = random_bottoms(graph.areas.size(), levels);
      const auto alone = make(graph, bottoms);
      Values b = random_values(graph.areas.size() * levels, 3);
      for (std::size_t i = 0; i < b.size(); ++i) {
        if (static_cast<int>(i % levels) >= bottoms[i / levels]) b[i] = 0;
      }
      const Field b_field(alone.num_columns(), levels, b), x_field(alone.num_columns(), levels);
      Lamina::FusedPcg pcg(space, Lamina::FusedColumns(space, alone));
      const auto expected = pcg.solve(space, b_field.view(), x_field.view(), criteria);
      ASSERT_TRUE(expected.converged());
      Values solution(b.size());
      run_on_ranks<Memory>(num_ranks, [&](const Lamina::Transport& transport) {
        const auto partition = Lamina::Partition::grid({num_rows, length}, blocks);
        const auto local = Lamina::local_columns(graph, partition, transport.rank());
        std::vector<int> ends;
        for (const std::int64_t column : local.columns) {
          ends.push_back(column == Lamina::no_item ? 0 : bottoms[static_cast<std::size_t>(column)]);
        }
        const auto op = make(local.graph, ends);
        Lamina::FusedColumns model(
            space, op,
            Lamina::Decomposition<Memory>(transport, local.halo, levels * sizeof(double)));
        TestFixture::pad(model);
        EXPECT_FALSE(model.column_order().empty());
        const Field mine(op.num_columns(), levels, values_of_rank(b, local, levels)),
            x(op.num_columns(), levels);
        Lamina::FusedPcg plan(space, model);
        const auto report = plan.solve(space, mine.view(), x.view(), criteria);
        constexpr double allowed = TestFixture::is_double ? 1e-12 : 1e-3;
        expect_same_history(report, expected,
                            {allowed, allowed * expected.residual_history.front()});
        put_values(x.get(), local, levels, solution);
      });
      EXPECT_TRUE(all_within(solution, x_field.get(), TestFixture::is_double ? 1e-9 : 1e-2));
    };
    check(47, 31, {3, 1});
    check(60, 62, {1, 2});
  }
}

/// Directions in single precision have the memory in which the right-hand side came. Places that no message fills
/// must hold numbers.
TYPED_TEST(PaddedColumns, SolveOverRanksInMixedPrecision) {
  using Field = typename TestFixture::Field;
  if constexpr (!TestFixture::may_pad_fields || !TestFixture::is_double) {
    GTEST_SKIP() << "fields of this type are not copied, or are in single precision";
  } else {
    const TEST_SPACE space;
    constexpr int levels = 5;
    const Lamina::ColumnProfiles profiles = TestFixture::profiles_of_ranks();
    const auto make = [&]<class Value>(const Lamina::ColumnGraph& part, Value) {
      const Lamina::ColumnMesh<Memory> mesh(part);
      return Lamina::ColumnOperator(mesh, levels,
                                    Lamina::ProfileCoefficients<Value, Memory>(mesh, profiles));
    };
    const auto graph = Lamina::CubedSpherePanel(47, 31).graph();
    const Values b = random_values(graph.areas.size() * levels, 3);
    Values solution(b.size());
    run_on_ranks<Memory>(3, [&](const Lamina::Transport& transport) {
      const auto partition = Lamina::Partition::grid({47, 31}, {3, 1});
      const auto local = Lamina::local_columns(graph, partition, transport.rank());
      const auto op = make(local.graph, double());
      Lamina::MixedColumns model(
          space, op, make(local.graph, float()),
          Lamina::Decomposition<Memory>(transport, local.halo, levels * sizeof(double)));
      TestFixture::pad(model);
      EXPECT_FALSE(model.column_order().empty());
      const Field mine(op.num_columns(), levels, values_of_rank(b, local, levels)),
          x(op.num_columns(), levels);
      Lamina::FusedPcg plan(space, model);
      EXPECT_TRUE(
          plan.solve(space, mine.view(), x.view(), {.tolerance = 1e-12, .max_iterations = 200})
              .converged());
      put_values(x.get(), local, levels, solution);
    });
    EXPECT_TRUE(all_within(solution, TestFixture::solve_plainly(make(graph, double()), b), 1e-9));
  }
}

TYPED_TEST(PaddedColumns, AreLeftWhereNothingIsToBeFilled) {
  using Scalar = typename TestFixture::Scalar;
  const TEST_SPACE space;
  const Lamina::ColumnMesh<Memory> mesh(Lamina::CubedSpherePanel(16, 32).graph());
  const Lamina::ColumnOperator op(
      mesh, 3, Lamina::ProfileCoefficients<Scalar, Memory>(mesh, random_profiles(16 * 32, 3, 1)));
  Lamina::FusedColumns model(space, op);
  TestFixture::pad(model);
  EXPECT_TRUE(model.column_order().empty());
}

}  // namespace LaminaTest
