// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Require.hpp>
#include <lamina/problems/ClosedFormSystem.hpp>

#include <blocks/BlockCase.hpp>
#include <gtest/gtest.h>
#include <reference/Blocks.hpp>
#include <support/MessageOf.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace LaminaTest {

template <class Type>
class ClosedFormSystem : public testing::Test {};
TYPED_TEST_SUITE(ClosedFormSystem, OffDiagonalTypes, OffDiagonalTypeNames);

TYPED_TEST(ClosedFormSystem, IsThatOfTheNotes) {
  const TEST_SPACE space;
  for (const int size : {1, 2, 5}) {
    const Lamina::FreudenthalMesh mesh(4, 3, 5);
    const Lamina::ClosedFormSystem<Memory> system(mesh.graph(), mesh.lattice_ids(), size);
    const auto matrix = stored_in<TypeParam>(system.template matrix<Unrounded<TypeParam>>(space));
    const auto ids = Reference::hashed_ids(60);
    const auto neighbours = Reference::freudenthal_neighbours(4, 3, 5);
    Reference::BlockMatrix twin;
    twin.size = size;
    Values expected;
    for (const int g : ids) {
      const auto& list = neighbours[static_cast<std::size_t>(g)];
      twin.diagonal.push_back(Reference::closed_form_diagonal(g, size));
      twin.off.emplace_back();
      for (const int other : list) {
        const auto row = std::find(ids.begin(), ids.end(), other) - ids.begin();
        twin.off.back().push_back(
            {static_cast<int>(row),
             Reference::closed_form_off_diagonal(g, other, static_cast<int>(list.size()), size)});
      }
      for (int p = 0; p < size; ++p) expected.push_back(Reference::closed_form_solution(g, p));
    }
    const BlockFieldOfTest x(60, size, all_padding), y(60, size);
    system.fill_solution(space, x.view());
    EXPECT_TRUE(all_within(x.get(), expected, rounding<double>(1)));
    EXPECT_TRUE(x.surroundings_untouched());
    matrix.apply(space, x.const_view(), y.view());
    if (in_half<TypeParam>) twin = Reference::off_diagonal_in_half(twin);
    EXPECT_TRUE(
        all_within(y.get(), Reference::multiply(twin, expected), rounding<double>(15.0 * size)));
  }
}

TEST(ClosedFormSystemArguments, RefusesWhatDoesNotFit) {
  const auto graph = Lamina::BlockGraph::of_pattern({0, 1, 2}, {1, 0});
  const auto refusal = [&](const std::vector<int>& ids, int size) {
    return message_of<Lamina::InvalidArgument>(
        [&] { Lamina::ClosedFormSystem<Memory>(graph, ids, size); });
  };
  const std::string name = "Lamina::ClosedFormSystem: argument ";
  EXPECT_EQ(refusal({3}, 1), name + "ids: expected 2 rows, got 1");
  EXPECT_EQ(refusal({3, -1}, 1), name + "ids: expected values >= 0, got -1");
  EXPECT_EQ(refusal({3, 4}, 0), name + "block_size: expected 1 to 1024, got 0");
  EXPECT_EQ(refusal({3, 4}, 1025), name + "block_size: expected 1 to 1024, got 1025");

  const Lamina::ClosedFormSystem<Memory> system(graph, {3, 4}, 2);
  const BlockFieldOfTest few(1, 2), wide(2, 3);
  EXPECT_THROW(system.fill_solution(TEST_SPACE(), few.view()), Lamina::InvalidArgument);
  EXPECT_THROW(system.fill_solution(TEST_SPACE(), wide.view()), Lamina::InvalidArgument);
}

}  // namespace LaminaTest
