// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What groups do together at device level, by threads of the host that wait for each other only
// where the group makes them.

#include <lamina/blocks/SmallBlock.hpp>
#include <lamina/lines/GroupTridiagonal.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <barrier>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <thread>
#include <vector>

namespace LaminaTest {
namespace {

constexpr int num_threads = 3;

struct ThreadGroup {
  std::barrier<>& all;
  int rank;

  template <class Function>
  void for_each(int count, const Function& f) const {
    for (int i = rank; i < count; i += num_threads) f(i);
    barrier();
  }
  void barrier() const {
    all.arrive_and_wait();
    if (rank == 1) std::this_thread::sleep_for(std::chrono::microseconds(100));  // it is late
  }
};

/// body(group) by all threads of a group.
template <class Body>
void by_threads(const Body& body) {
  std::barrier all(num_threads);
  std::vector<std::thread> threads;
  for (int rank = 0; rank < num_threads; ++rank) {
    threads.emplace_back([&, rank] { body(ThreadGroup{all, rank}); });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(Groups, SolveOneLineAfterTheOtherWithTheSameScratch) {
  constexpr int num_levels = 40, num_segments = 5, num_pairs = 40, bad_level = 17;
  std::vector<double> x(num_levels),
      scratch(
          static_cast<std::size_t>(Lamina::group_tridiagonal_scratch(num_levels, num_segments)));
  std::vector<int> wrong(num_threads, 0);
  double error = 0;
  by_threads([&](const ThreadGroup& group) {
    for (int pair = 0; pair < num_pairs; ++pair) {
      // Nothing but the call itself stands between the two of a pair.
      for (const bool bad : {true, false}) {
        const int found = Lamina::solve_tridiagonal(
            group, num_levels, num_segments,
            [&](int k) {
              return bad && k == bad_level ? Lamina::TridiagonalRow<double>{0, 0, 0}
                                           : Lamina::TridiagonalRow<double>{-1, 3, -1};
            },
            [&](int k) { return k == 0 || k + 1 == num_levels ? 2.0 : 1.0; },
            [&](int k) -> double& { return x[static_cast<std::size_t>(k)]; },
            [&](int i) -> double& { return scratch[static_cast<std::size_t>(i)]; });
        if ((found >= 0) != bad) ++wrong[static_cast<std::size_t>(group.rank)];
      }
      group.for_each(1, [&](int) {
        for (const double value : x) error = std::max(error, std::abs(value - 1));
      });
    }
  });
  for (const int count : wrong) EXPECT_EQ(count, 0);
  EXPECT_LT(error, 1e-14);
}

TEST(Groups, FactorOneBlockAfterTheOther) {
  constexpr int size = 7, num_blocks = 20;
  std::vector<double> block(size * size);
  std::vector<int> rows(size), wrong(num_threads, 0);
  // Rows and columns of very different scales, so that pivots are looked at closely.
  const auto entry = [](int row, int column) {
    const double value = row == column ? 4 : std::cos(row + 3 * column);
    return value * std::pow(10.0, 3.4 * (row + column) - 20);
  };
  by_threads([&](const ThreadGroup& group) {
    for (int n = 0; n < num_blocks; ++n) {
      group.for_each(size * size, [&](int i) {
        block[static_cast<std::size_t>(i)] = entry(i % size, i / size);
      });
      const int bad = n % 4 > 0
                          ? Lamina::factor_block(group, size, block.data())
                          : Lamina::factor_block_pivoted(group, size, block.data(), rows.data());
      if (bad != -1) ++wrong[static_cast<std::size_t>(group.rank)];
      group.barrier();
    }
  });
  for (const int count : wrong) EXPECT_EQ(count, 0);
}

}  // namespace
}  // namespace LaminaTest
