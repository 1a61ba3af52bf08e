// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/blocks/SmallBlock.hpp>

#include <blocks/BlockCase.hpp>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace LaminaTest {

/// One thread, the lanes of a thread, or a team factors a block, solves with it and inverts it.
enum class WhichGroup { serial, vector, team };

struct SmallBlockKernel {
  WhichGroup which;
  bool pivoted;
  int size;
  double *block, *x, *inverse;
  int *rows, *bad;

  template <class Group>
  KOKKOS_FUNCTION void work(const Group& group) const {
    const int found = pivoted ? Lamina::factor_block_pivoted(group, size, block, rows)
                              : Lamina::factor_block(group, size, block);
    if (pivoted) {
      Lamina::invert_block(group, size, block, rows, inverse);
    } else {
      Lamina::solve_block(group, size, block, x);
    }
    group.for_each(1, [&](int) { *bad = found; });
  }
  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member) const {
    if (which == WhichGroup::team) {
      work(Lamina::TeamGroup<Member>{member});
    } else if (member.team_rank() == 0) {
      if (which == WhichGroup::vector) {
        work(Lamina::VectorGroup<Member>{member});
      } else {
        Kokkos::single(Kokkos::PerThread(member), [&] { work(Lamina::SerialGroup{}); });
      }
    }
  }
};

struct SmallBlockResult {
  Values x, inverse;
  int bad;
};

inline SmallBlockResult run_small_block(WhichGroup which, bool pivoted, int size,
                                        const Reference::Block& block, const Values& x) {
  const auto values = device_copy(block), inverse = device_copy(block), solution = device_copy(x);
  const auto rows = device_copy(std::vector<int>(static_cast<std::size_t>(size) + 1, 0));
  const bool on_host = Lamina::runs_on_host<TEST_SPACE>;
  Kokkos::parallel_for(
      "LaminaTest::small_block",
      Kokkos::TeamPolicy<TEST_SPACE>(TEST_SPACE(), 1, on_host ? 1 : 4, on_host ? 1 : 16),
      SmallBlockKernel{which, pivoted, size, values.data(), solution.data(), inverse.data(),
                       rows.data(), rows.data() + size});
  const auto host = [](const auto& view) {
    const auto copy = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
    return Values(copy.data(), copy.data() + copy.size());
  };
  return {host(solution), host(inverse), static_cast<int>(host(rows).back())};
}

constexpr WhichGroup all_groups[] = {WhichGroup::serial, WhichGroup::vector, WhichGroup::team};

TEST(SmallBlock, SolvesAndInvertsForEveryKindOfGroup) {
  for (const int size : {1, 2, 3, 5, 7, 16, 17, 33, 64}) {
    Lamina::BlockGraph one;
    one.offsets.assign(2, 0);
    const auto block = random_matrix(one, size).diagonal[0];
    const Values b = random_values(static_cast<std::size_t>(size), 3);
    const Values expected = Reference::solve_dense(block, b);
    for (const WhichGroup which : all_groups) {
      const auto plain = run_small_block(which, false, size, block, b);
      EXPECT_EQ(plain.bad, -1);
      EXPECT_TRUE(all_within(plain.x, expected, rounding<double>(8.0 * size))) << size;
      const auto pivoted = run_small_block(which, true, size, block, b);
      EXPECT_EQ(pivoted.bad, -1);
      Values x(b.size(), 0.0);
      Reference::add_product(pivoted.inverse, size, b, 0, 1, x.data());
      EXPECT_TRUE(all_within(x, expected, rounding<double>(8.0 * size))) << size;
    }
  }
}

struct BlockProductKernel {
  WhichGroup which;
  int size;
  const float* block;
  const double* x;
  double* y;

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member) const {
    if (which == WhichGroup::team) {
      Lamina::add_block_product(Lamina::TeamGroup<Member>{member}, size, block, x, y);
    } else if (member.team_rank() == 0) {
      if (which == WhichGroup::vector) {
        Lamina::add_block_product(Lamina::VectorGroup<Member>{member}, size, block, x, y);
      } else {
        Kokkos::single(Kokkos::PerThread(member), [&] {
          Lamina::add_block_product(Lamina::SerialGroup{}, size, block, x, y);
        });
      }
    }
  }
};

TEST(SmallBlock, AddsTheProductOfAStoredBlockForEveryKindOfGroup) {
  for (const int size : {1, 2, 5, 17, 33}) {
    Lamina::BlockGraph one;
    one.offsets.assign(2, 0);
    const auto random = random_matrix(one, size).diagonal[0];
    const std::vector<float> floats(random.begin(), random.end());
    const Reference::Block block(floats.begin(), floats.end());
    const Values x = random_values(static_cast<std::size_t>(size), 3),
                 y = random_values(static_cast<std::size_t>(size), 4);
    Values expected = y;
    Reference::add_product(block, size, x, 0, 1, expected.data());
    const auto stored = device_copy(floats);
    for (const WhichGroup which : all_groups) {
      const auto device_x = device_copy(x), device_y = device_copy(y);
      const bool on_host = Lamina::runs_on_host<TEST_SPACE>;
      Kokkos::parallel_for(
          "LaminaTest::block_product",
          Kokkos::TeamPolicy<TEST_SPACE>(TEST_SPACE(), 1, on_host ? 1 : 4, on_host ? 1 : 16),
          BlockProductKernel{which, size, stored.data(), device_x.data(), device_y.data()});
      const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), device_y);
      EXPECT_TRUE(all_within(Values(host.data(), host.data() + host.size()), expected,
                             rounding<double>(8.0 * size)))
          << size;
    }
  }
}

TEST(SmallBlock, NamesTheFirstPivotThatIsNotUsable) {
  for (const WhichGroup which : all_groups) {
    const auto bad = [&](bool pivoted, const Reference::Block& block) {
      const auto size = static_cast<int>(std::lround(std::sqrt(block.size())));
      return run_small_block(which, pivoted, size, block, Values(block.size(), 1.0)).bad;
    };
    EXPECT_EQ(bad(false, {0}), 0);
    EXPECT_EQ(bad(false, {0, 1, 1, 0}), 0);
    EXPECT_EQ(bad(true, {0, 1, 1, 0}), -1);
    EXPECT_EQ(bad(false, {1, 2, 2, 4}), 1);
    EXPECT_EQ(bad(true, {1, 2, 2, 4}), 1);
    EXPECT_EQ(bad(false, {1, 3, 1.0 / 3, 1}), 1);  // only rounding may be left of the second pivot
    EXPECT_EQ(bad(false, {1, 0, 0, std::nan("")}), 1);
    EXPECT_EQ(bad(false, {1, 0, 0, HUGE_VAL}), 1);
    EXPECT_EQ(bad(false, {1e-30, 0, 0, 1e30}), -1);
    EXPECT_EQ(bad(false, {1e-17, 1, 1, 1}), 0);  // 1 - 1e17 has lost the 1
    EXPECT_EQ(bad(true, {1e-17, 1, 1, 1}), -1);
    EXPECT_EQ(bad(false, {1, 0, 0, 0, 1e-17, 1, 0, 1, 1}), 1);
    EXPECT_EQ(bad(false, {1e-20, 1, 1e-20, 2}), -1) << "a row of small entries";
    EXPECT_EQ(bad(false, {1e-20, 1e-20, 1, 2}), -1) << "a column of small entries";
    EXPECT_EQ(bad(false, {2e-20, 1, 1, 2e20}), -1) << "2 1; 1 2, scaled from both sides";
  }
}

}  // namespace LaminaTest
