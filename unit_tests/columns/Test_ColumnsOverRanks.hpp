// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Operators of any coefficients over simulated ranks.

#include <lamina/columns/ColumnNullSpace.hpp>
#include <lamina/columns/MixedColumns.hpp>
#include <lamina/columns/ProfileCoefficients.hpp>

#include <columns/RankCase.hpp>
#include <distributed/SimulatedTransport.hpp>
#include <helmholtz/RankedProblem.hpp>
#include <support/MessageOf.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace LaminaTest {

template <class Type>
class CoefficientsOverRanks : public RankedTest<Type> {
 public:
  using typename RankedTest<Type>::Scalar, typename RankedTest<Type>::Field;
  using typename RankedTest<Type>::Case, typename RankedTest<Type>::Ranked;
  using RankedTest<Type>::is_double;

  /// With a mask columns end at bottoms of their own, and some are land.
  static ColumnCase masked(bool with_mass) {
    auto system = ColumnCase::random<Scalar>(irregular_graph(37, 0), 5, 5, true);
    if (!with_mass) system.mass.assign(system.mass.size(), 0.0);
    return system;
  }
  static std::vector<NamedPartition> partitions(const ColumnCase& whole, int num_ranks) {
    auto result = awkward_partitions(whole.num_columns(), 1, num_ranks);
    result.push_back({"land apart", land_apart(masked(true), num_ranks)});
    return result;
  }

  /// A solve for the projection of b on one process, and over ranks: history, parts and solution are the same.
  /// \param make_plan  make_plan(operator, decomposition)
  template <class MakePlan>
  static void expect_one_solve(const ColumnCase& whole, int num_ranks, const MakePlan& make_plan) {
    const TEST_SPACE space;
    const int columns = whole.num_columns(), levels = whole.num_levels;
    const Lamina::StoppingCriteria criteria{.tolerance = is_double ? 1e-10 : 1e-4,
                                            .max_iterations = 300};
    const auto no_limit = std::numeric_limits<double>::infinity();
    const Case alone(whole);
    const Lamina::ColumnNullSpace null_space(space, alone.op);
    const Values b = rounded<Scalar>(whole.random_wet(3));
    const Field b_field(columns, levels, b), x_field(columns, levels);
    auto plan = make_plan(alone.op, Lamina::Decomposition<Memory>());
    const auto expected =
        null_space.solve(space, plan, b_field.view(), x_field.view(), criteria, no_limit);
    ASSERT_TRUE(expected.solve.converged());
    for (const auto& [name, partition] : partitions(whole, num_ranks)) {
      SCOPED_TRACE(testing::Message() << num_ranks << " ranks, " << name);
      Values solution(b.size());
      run_on_ranks<Memory>(
          num_ranks, [&, partition = &partition](const Lamina::Transport& transport) {
            const Ranked mine(transport, whole, *partition);
            const Lamina::ColumnNullSpace shared(space, transport, mine.local.halo, mine.stored.op);
            EXPECT_EQ(shared.num_components(), null_space.num_components());
            EXPECT_EQ(shared.num_singular(), null_space.num_singular());
            EXPECT_EQ(shared.num_dry(), null_space.num_dry());
            const Field my_b = mine.field(b), my_x = mine.field(Values(b.size(), 0.0));
            auto my_plan = make_plan(mine.stored.op, mine.ranks);
            const auto report =
                shared.solve(space, my_plan, my_b.view(), my_x.view(), criteria, no_limit);
            constexpr double allowed = is_double ? 1e-12 : 1e-3;
            expect_same_history(report.solve, expected.solve,
                                {allowed, allowed * expected.solve.residual_history.front()});
            EXPECT_NEAR(report.rhs_defect, expected.rhs_defect, rounding<Scalar>(10));
            put_values(my_x.get(), mine.local, levels, solution);
          });
      EXPECT_TRUE(all_within(solution, x_field.get(), is_double ? 1e-9 : 1e-2));
    }
  }
};
TYPED_TEST_SUITE(CoefficientsOverRanks, FieldTypes, FieldTypeNames);

TYPED_TEST(CoefficientsOverRanks, SolveAsOneProcessDoes) {
  const TEST_SPACE space;
  const auto make_fused = [&](const auto& op, const Lamina::Decomposition<Memory>& ranks) {
    return Lamina::FusedPcg(space, Lamina::FusedColumns(space, op, ranks));
  };
  const auto make_plain = [&](const auto& op, const Lamina::Decomposition<Memory>& ranks) {
    return Lamina::Pcg(space, op, Lamina::ColumnLinePreconditioner(space, op), ranks);
  };
  for (const bool with_mass : {true, false}) {
    SCOPED_TRACE(with_mass ? "with mass" : "without mass");
    const auto whole = TestFixture::masked(with_mass);
    for (const int num_ranks : {1, 2, 3, 5}) {
      TestFixture::expect_one_solve(whole, num_ranks, make_fused);
    }
    TestFixture::expect_one_solve(whole, 4, make_plain);
  }
}

TYPED_TEST(CoefficientsOverRanks, SolveInMixedPrecision) {
  using Field = typename TestFixture::Field;
  if constexpr (TestFixture::is_double) {
    const TEST_SPACE space;
    const auto whole = TestFixture::masked(true);
    const Values b = whole.random_wet(3);
    run_on_ranks<Memory>(3, [&](const Lamina::Transport& transport) {
      const typename TestFixture::Ranked mine(transport, whole, land_apart(whole, 3));
      Lamina::FusedPcg pcg(
          space, Lamina::MixedColumns(space, mine.stored.op, mine.short_operator(), mine.ranks));
      const Field my_b = mine.field(b), x = mine.field(Values(b.size(), 0.0));
      const auto report = pcg.solve(space, my_b.view(), x.view(), {.tolerance = 1e-9});
      EXPECT_TRUE(report.converged()) << to_string(report.status);
      EXPECT_LE(report.residual_norm, 1e-9 * report.reference_norm);
    });
  }
}

/// Bottoms of halo columns decide on edges between ranks.
TYPED_TEST(CoefficientsOverRanks, HaveTheBottomsOfOtherRanks) {
  using Scalar = typename TestFixture::Scalar;
  using Field = typename TestFixture::Field;
  using Cut = Lamina::PartialCellCoefficients<Scalar, Memory>;
  const TEST_SPACE space;
  const auto graph = irregular_graph(37, 0);
  const int levels = 6;
  std::vector<int> bottoms;
  std::vector<double> fractions;
  for (int c = 0; c < 37; ++c) {
    const auto hash = Reference::splitmix64(static_cast<std::uint64_t>(c));
    bottoms.push_back(static_cast<int>(hash % 7));
    fractions.push_back(1.0 / static_cast<double>(1 + hash % 5));
  }
  const Lamina::ColumnProfiles profiles{{1, 2, 3, 1, 2, 3}, {5, 4, 3, 2, 1}, {1, 1, 2, 2, 3, 3}};
  const std::vector<double> thicknesses{1, 1, 2, 2, 3, 3};
  const auto list = [](const auto& values) {
    using Value = typename std::decay_t<decltype(values)>::value_type;
    const Kokkos::View<Value*, Memory> view("LaminaTest::list", values.size());
    const auto host = Kokkos::create_mirror_view(view);
    std::copy(values.begin(), values.end(), host.data());
    Kokkos::deep_copy(view, host);
    return view;
  };
  const auto make = [&](const Lamina::ColumnGraph& of, const std::vector<int>& ends,
                        const std::vector<double>& parts) {
    const Lamina::ColumnMesh<Memory> mesh(of);
    return Lamina::ColumnOperator(mesh, levels,
                                  Cut(mesh, profiles, {list(ends), list(parts), thicknesses}));
  };
  const auto alone = make(graph, bottoms, fractions);
  const Values x = rounded<Scalar>(random_values(37 * 6, 1));
  const Field x_field(37, levels, x), y_field(37, levels);
  alone.apply(space, x_field.view(), y_field.view());
  Values image(x.size());
  run_on_ranks<Memory>(3, [&](const Lamina::Transport& transport) {
    const auto partition = Lamina::Partition::grid({37, 1}, {3, 1});
    const auto local = Lamina::local_columns(graph, partition, transport.rank());
    std::vector<int> ends;
    std::vector<double> parts;
    for (const std::int64_t column : local.columns) {
      const auto c = static_cast<std::size_t>(column);
      ends.push_back(column == Lamina::no_item ? 0 : bottoms[c]);
      parts.push_back(column == Lamina::no_item ? 1 : fractions[c]);
    }
    const auto op = make(local.graph, ends, parts);
    const Lamina::HaloExchange<Memory> halo(transport, local.halo, 6 * sizeof(double));
    const Field mine(op.num_columns(), levels, values_of_rank(x, local, levels)),
        of_mine(op.num_columns(), levels);
    Lamina::Impl::exchange_halo(space, halo, mine.view());
    op.apply(space, mine.view(), of_mine.view());
    put_values(of_mine.get(), local, levels, image);
  });
  const Values expected = y_field.get();
  Values scale(expected.size());
  for (double& value : scale) value = 100;
  EXPECT_TRUE(all_within(image, expected, rounding<Scalar>(4), scale));
}

TYPED_TEST(CoefficientsOverRanks, TellAllRanksOfBadPivots) {
  using Field = typename TestFixture::Field;
  const TEST_SPACE space;
  auto whole = ColumnCase::random<typename TestFixture::Scalar>(irregular_graph(19, 0), 5, 1);
  whole.mass[whole.place(18, 2)] = std::numeric_limits<double>::quiet_NaN();  // of the last rank
  const Values b = random_values(whole.size(), 2);
  run_on_ranks<Memory>(3, [&](const Lamina::Transport& transport) {
    const typename TestFixture::Ranked mine(transport, whole, Lamina::Partition::blocks(19, 3));
    const Field my_b = mine.field(b);
    const auto status_of = [&](auto plan) {
      const Field x(mine.num_columns(), 5);
      return plan.solve(space, my_b.view(), x.view()).status;
    };
    EXPECT_EQ(
        status_of(Lamina::FusedPcg(space, Lamina::FusedColumns(space, mine.stored.op, mine.ranks))),
        Lamina::SolveStatus::breakdown_zero_pivot);
    EXPECT_EQ(
        status_of(Lamina::Pcg(space, mine.stored.op,
                              Lamina::ColumnLinePreconditioner(space, mine.stored.op), mine.ranks)),
        Lamina::SolveStatus::breakdown_zero_pivot);
  });
}

TYPED_TEST(CoefficientsOverRanks, RefuseWhatIsNoSystemOfRanks) {
  const TEST_SPACE space;
  const auto whole = ColumnCase::random<typename TestFixture::Scalar>(irregular_graph(19, 0), 2, 1);
  run_on_ranks<Memory>(2, [&](const Lamina::Transport& transport) {
    const typename TestFixture::Ranked mine(transport, whole, Lamina::Partition::blocks(19, 2));
    const auto& op = mine.stored.op;
    EXPECT_EQ(message_of<Lamina::InvalidArgument>([&] { Lamina::ColumnNullSpace(space, op); }),
              "Lamina::ColumnNullSpace: op: expected no halo columns, or a transport, got " +
                  std::to_string(op.num_columns() - op.num_owned()));
    auto other = mine.local.halo;
    if (transport.rank() == 1) ++other.num_owned;
    EXPECT_NE(message_of<Lamina::RankFailure>([&] {
                Lamina::ColumnNullSpace(space, transport, other, op);
              }).find("rank 1: Lamina::ColumnNullSpace: argument halo: expected "),
              std::string::npos);
    // An edge between both that one of them has closed.
    auto part = part_of(whole, mine.local);
    if (transport.rank() == 1) {
      for (std::size_t e = 0; e < part.graph.edges.size(); ++e) {
        const auto& edge = part.graph.edges[e];
        const bool is_cut = std::max(edge.first, edge.second) >= op.num_owned();
        for (int k = 0; is_cut && k < 2; ++k)
          part.horizontal[part.place(static_cast<int>(e), k)] = 0;
      }
    }
    const typename TestFixture::Case closed(part);
    EXPECT_EQ(message_of<Lamina::InvalidArgument>(
                  [&] { Lamina::ColumnNullSpace(space, transport, mine.local.halo, closed.op); }),
              "Lamina::ColumnNullSpace: op: expected couplings between ranks on both sides of an "
              "edge, got one on one side alone");
  });
}

}  // namespace LaminaTest
