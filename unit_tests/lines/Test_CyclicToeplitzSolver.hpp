// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/lines/CyclicToeplitzSolver.hpp>

#include <gtest/gtest.h>
#include <reference/ShallowWater.hpp>
#include <support/FieldTypes.hpp>
#include <support/TestField.hpp>

namespace LaminaTest {

template <class Type>
struct CyclicToeplitzSolver : testing::Test {};
TYPED_TEST_SUITE(CyclicToeplitzSolver, FieldTypes, FieldTypeNames);

TYPED_TEST(CyclicToeplitzSolver, SolvesAsEliminationDoes) {
  using Scalar = typename TypeParam::scalar;
  using Field = TestField<Scalar, typename TypeParam::layout>;
  struct System {
    double off, diagonal;
  };
  for (const System& system : {System{1.0 / 6, 4.0 / 6}, System{-1, 2.5}, System{1, -3},
                               System{0, 2}, System{-0.25, -0.6}}) {
    const Lamina::CyclicToeplitzSolver<Scalar> solver(system.off, system.diagonal);
    EXPECT_LT(std::abs(solver.ratio()), 1);
    for (const int levels : {1, 2, 3, 4, 7, 16, 31, 64, 65, 200}) {
      const auto inverse =
          Reference::ShallowWater::cyclic_inverse(levels, system.off, system.diagonal);
      for (const int columns : {1, 3, 8, 130}) {
        SCOPED_TRACE(testing::Message() << system.off << ' ' << system.diagonal << ", " << columns
                                        << " columns, " << levels << " levels");
        const Values b =
            rounded<Scalar>(random_values(static_cast<std::size_t>(columns) * levels, 1));
        Values expected;
        for (int c = 0; c < columns; ++c) {
          for (int k = 0; k < levels; ++k) {
            double sum = 0;
            for (int m = 0; m < levels; ++m) {
              sum += inverse[k][m] * b[static_cast<std::size_t>(c) * levels + m];
            }
            expected.push_back(sum);
          }
        }
        const Field rhs(columns, levels, b, level_padding), x(columns, levels, all_padding);
        solver.solve(TEST_SPACE(), rhs.const_view(), x.view());
        EXPECT_TRUE(all_within(x.get(), expected, rounding<Scalar>(8)));
        EXPECT_TRUE(x.surroundings_untouched());
      }
    }
  }
}

TYPED_TEST(CyclicToeplitzSolver, TakesLinesThatAreLongerThanItsPieces) {
  using Scalar = typename TypeParam::scalar;
  using Field = TestField<Scalar, typename TypeParam::layout>;
  const int columns = 3, levels = 9001;
  const Values x = rounded<Scalar>(random_values(std::size_t{columns} * levels, 2));
  Values b;
  for (int c = 0; c < columns; ++c) {
    const auto at = [&](int k) {
      return x[static_cast<std::size_t>(c * levels + (k + levels) % levels)];
    };
    for (int k = 0; k < levels; ++k) b.push_back((at(k - 1) + 4 * at(k) + at(k + 1)) / 6);
  }
  const Field rhs(columns, levels, b), solution(columns, levels);
  const Lamina::CyclicToeplitzSolver<Scalar> solver(1.0 / 6, 4.0 / 6);
  solver.solve(TEST_SPACE(), rhs.const_view(), solution.view());
  EXPECT_TRUE(all_within(solution.get(), x, rounding<Scalar>(8)));
}

TYPED_TEST(CyclicToeplitzSolver, TakesFieldsWithoutValues) {
  using Scalar = typename TypeParam::scalar;
  const Lamina::CyclicToeplitzSolver<Scalar> solver(1, 4);
  for (const auto& [columns, levels] : {std::pair{0, 5}, std::pair{5, 0}}) {
    const TestField<Scalar, typename TypeParam::layout> rhs(columns, levels), x(columns, levels);
    solver.solve(TEST_SPACE(), rhs.const_view(), x.view());
  }
}

TYPED_TEST(CyclicToeplitzSolver, RefusesBadArguments) {
  using Solver = Lamina::CyclicToeplitzSolver<typename TypeParam::scalar>;
  EXPECT_THROW(Solver(1, 2), Lamina::InvalidArgument);
  EXPECT_THROW(Solver(1, -1.9), Lamina::InvalidArgument);
  EXPECT_THROW(Solver(0, 0), Lamina::InvalidArgument);
  EXPECT_THROW(Solver(1, 2.0001), Lamina::InvalidArgument);
  EXPECT_THROW(Solver(std::nan(""), 4), Lamina::InvalidArgument);
  const TestField<typename TypeParam::scalar, typename TypeParam::layout> rhs(3, 4), x(3, 5);
  EXPECT_THROW(Solver(1, 4).solve(TEST_SPACE(), rhs.const_view(), x.view()),
               Lamina::InvalidArgument);
}

}  // namespace LaminaTest
