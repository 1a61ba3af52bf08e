// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Require.hpp>
#include <lamina/helmholtz/CsrHelmholtz.hpp>

#include <gtest/gtest.h>
#include <helmholtz/HelmholtzCase.hpp>
#include <support/FieldTypes.hpp>

namespace LaminaTest {

template <class Type>
class CsrHelmholtz : public testing::Test {
 public:
  using Scalar = typename Type::scalar;
  using Layout = typename Type::layout;
  using Field = TestField<Scalar, Layout>;
  using Case = HelmholtzCase<Scalar>;
  using Csr = Lamina::CsrHelmholtz<Scalar, Layout, TEST_SPACE>;

  static Csr assemble(const Case& system) {
    return Csr(TEST_SPACE(), system.mesh, system.vertical_grid, system.equation);
  }

  static std::vector<Case> cases() {
    std::vector<Case> result;
    for (const auto [columns, levels] :
         {PanelSize{1, 1}, {1, 7}, {2, 3}, {3, 33}, {5, 2}, {17, 7}, {5, 128}}) {
      result.push_back(Case::panel(columns, columns, levels));
      result.push_back(Case::panel(columns, columns, levels, true));
    }
    result.push_back(Case::panel(64, 64, 3));
    result.push_back(
        Case(Lamina::plane(4, 5, {}, 2, 1), Lamina::VerticalGrid::uniform(6, 0.2), {0.3, 0.7}));
    result.push_back(Case(irregular_graph(60, 0), Lamina::VerticalGrid::graded(5, 0.4), {0.05, 2}));
    return result;
  }
};
TYPED_TEST_SUITE(CsrHelmholtz, FieldTypes, FieldTypeNames);

TYPED_TEST(CsrHelmholtz, HoldsThePrintedEntries) {
  using Scalar = typename TestFixture::Scalar;
  for (const auto& system : TestFixture::cases()) {
    SCOPED_TRACE(testing::Message()
                 << system.num_columns() << " columns, " << system.num_levels() << " levels");
    const auto csr = TestFixture::assemble(system);
    const auto twin = system.matrix();
    const auto offsets =
        Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), csr.matrix().graph.row_map);
    const auto columns =
        Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), csr.matrix().graph.entries);
    const auto values =
        Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), csr.matrix().values);
    const int num_levels = system.num_levels(), num_columns = system.num_columns();
    ASSERT_EQ(csr.matrix().numRows(), static_cast<int>(system.size()));
    ASSERT_EQ(csr.matrix().numCols(), static_cast<int>(system.size()));
    // Number in the matrix -> number in the twin.
    const auto twin_number = [&](int number) {
      return std::is_same_v<typename TestFixture::Layout, Kokkos::LayoutRight>
                 ? number
                 : number % num_columns * num_levels + number / num_columns;
    };
    for (int row = 0; row < csr.matrix().numRows(); ++row) {
      const int twin_row = twin_number(row);
      const auto first = offsets(static_cast<std::size_t>(row)),
                 last = offsets(static_cast<std::size_t>(row) + 1);
      ASSERT_EQ(static_cast<std::size_t>(last - first),
                twin.rows[static_cast<std::size_t>(twin_row)].size());
      for (auto i = first; i < last; ++i) {
        const double expected =
            twin.at(twin_row, twin_number(columns(static_cast<std::size_t>(i))));
        ASSERT_NE(expected, 0);
        // One rounding of the sum of alphas for each of them, beside the usual few.
        ASSERT_NEAR(values(static_cast<std::size_t>(i)), expected,
                    rounding<Scalar>(2) * std::abs(expected));
      }
    }
  }
}

TYPED_TEST(CsrHelmholtz, AgreesWithTheOperatorWithoutAMatrix) {
  using Scalar = typename TestFixture::Scalar;
  using Field = typename TestFixture::Field;
  const TEST_SPACE space;
  for (const auto& system : TestFixture::cases()) {
    SCOPED_TRACE(testing::Message()
                 << system.num_columns() << " columns, " << system.num_levels() << " levels");
    const auto csr = TestFixture::assemble(system);
    const auto twin = system.matrix();
    const Values values = rounded<Scalar>(random_values(system.size(), 1));
    const Field x(system.num_columns(), system.num_levels(), values),
        by_matrix(system.num_columns(), system.num_levels()),
        without(system.num_columns(), system.num_levels());
    csr.apply(space, x.const_view(), by_matrix.view());
    system.op.apply(space, x.const_view(), without.view());
    const Values scale = twin.multiply_magnitudes(values);
    EXPECT_TRUE(all_within(by_matrix.get(), twin.multiply(values),
                           rounding<Scalar>(system.operations()), scale));
    EXPECT_TRUE(
        all_within(by_matrix.get(), without.get(), rounding<Scalar>(system.operations()), scale));
  }
}

TYPED_TEST(CsrHelmholtz, HandsItsColumnsToTheLineSolver) {
  using Scalar = typename TestFixture::Scalar;
  using Field = typename TestFixture::Field;
  const TEST_SPACE space;
  for (const auto& system : TestFixture::cases()) {
    const auto csr = TestFixture::assemble(system);
    const Lamina::LineSolver solver(space, csr.tridiagonal());
    const Values r = rounded<Scalar>(random_values(system.size(), 1));
    const Field rhs(system.num_columns(), system.num_levels(), r),
        z(system.num_columns(), system.num_levels());
    solver.solve(space, rhs.const_view(), z.view());
    EXPECT_EQ(solver.status(space), Lamina::SolveStatus::completed);
    const auto twin = system.line_matrix();
    Values scale = twin.multiply_magnitudes(z.get());
    for (std::size_t i = 0; i < r.size(); ++i) scale[i] += std::abs(r[i]);
    EXPECT_TRUE(all_within(twin.multiply(z.get()), r, rounding<Scalar>(4), scale));
  }
}

TYPED_TEST(CsrHelmholtz, RefusesHaloColumnsPaddedViewsAndWrongExtents) {
  using Case = typename TestFixture::Case;
  using Field = typename TestFixture::Field;
  const TEST_SPACE space;
  EXPECT_THROW(TestFixture::assemble(
                   Case(irregular_graph(5, 2), Lamina::VerticalGrid::graded(3, 0.1), {0.1, 0.1})),
               Lamina::InvalidArgument);
  const auto system = Case::panel(2, 2, 3);
  const auto csr = TestFixture::assemble(system);
  const Field good(4, 3), padded(4, 3, all_padding), more_levels(4, 4);
  EXPECT_THROW(csr.apply(space, padded.const_view(), good.view()), Lamina::InvalidArgument);
  EXPECT_THROW(csr.apply(space, good.const_view(), padded.view()), Lamina::InvalidArgument);
  EXPECT_THROW(csr.apply(space, more_levels.const_view(), good.view()), Lamina::InvalidArgument);
}

TYPED_TEST(CsrHelmholtz, AcceptsNoColumns) {
  using Case = typename TestFixture::Case;
  const Case system(Lamina::ColumnGraph{}, Lamina::VerticalGrid::graded(3, 0.1), {0.1, 0.1});
  EXPECT_EQ(TestFixture::assemble(system).matrix().numRows(), 0);
}

}  // namespace LaminaTest
