// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/columns/ProfileCoefficients.hpp>
#include <lamina/columns/StoredCoefficients.hpp>
#include <lamina/device/impl/StencilChunks_Device.hpp>
#include <lamina/sweeps/impl/Traversal_Device.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace LaminaTest {
namespace {

using Lamina::Impl::CellTuning;
using Lamina::Impl::StencilChunks;

/// Calls body(column, level) for what all threads take together.
template <class Layout, class Body>
void for_all_pieces(const StencilChunks& chunks, const Body& body) {
  for (std::int64_t thread = 0; thread < chunks.num_threads(); ++thread) {
    chunks.take<Layout>(thread, [&](int column, int begin, int end) {
      for (int k = begin; k < end; k += chunks.step<Layout>()) body(column, k);
    });
  }
}

template <class Layout>
void expect_each_cell_once(const StencilChunks& chunks) {
  std::vector<int> taken(static_cast<std::size_t>(chunks.num_packs * chunks.num_levels), 0);
  for_all_pieces<Layout>(chunks, [&](int column, int level) {
    ++taken[static_cast<std::size_t>(column * chunks.num_levels + level)];
  });
  EXPECT_EQ(taken, std::vector<int>(taken.size(), 1)) << chunks.num_levels << " levels";
}

TEST(StencilChunks, TakeEachCellOnce) {
  for (int num_levels = 1; num_levels <= 130; ++num_levels) {
    for (const int few : {CellTuning::few_threads, CellTuning::few_threads_with_stored}) {
      StencilChunks shared{.num_packs = 5, .num_levels = num_levels};
      shared.log2_count = Lamina::Impl::log2_threads_of_column(num_levels, few);
      shared.count = 1 << shared.log2_count;
      expect_each_cell_once<Kokkos::LayoutRight>(shared);
    }
    for (const int levels : {1, 3, num_levels}) {
      const int count = (num_levels + levels - 1) / levels;
      expect_each_cell_once<Kokkos::LayoutLeft>(
          {.num_packs = 5, .num_levels = num_levels, .count = count, .levels = levels});
    }
  }
}

TEST(StencilChunks, HaveSomeLevelsForEachThread) {
  const auto threads_of = [](int num_levels, int few) {
    return 1 << Lamina::Impl::log2_threads_of_column(num_levels, few);
  };
  for (const int few : {CellTuning::few_threads, CellTuning::few_threads_with_stored}) {
    EXPECT_EQ(threads_of(1, few), 1);
    EXPECT_EQ(threads_of(20, few), 4) << "with 8 threads one in six would be idle";
    EXPECT_EQ(threads_of(30, few), 8);
    EXPECT_EQ(threads_of(128, few), few);
    EXPECT_EQ(threads_of(1000, few), 32);
    for (int num_levels = 1; num_levels <= 2000; ++num_levels) {
      const int threads = threads_of(num_levels, few),
                rounds = (num_levels + threads - 1) / threads;
      EXPECT_LE(6 * (threads * rounds - num_levels), num_levels);
      EXPECT_GE(rounds, std::min(num_levels, 3));
    }
  }
}

/// Coefficients that are read for each cell have more threads to a column.
template <class Coefficients>
constexpr int few_threads =
    Lamina::Impl::few_threads_of_column<Lamina::ColumnSystem<Coefficients>>();
using Memory = Kokkos::HostSpace;
static_assert(few_threads<Lamina::StoredCoefficients<double, Memory, Kokkos::LayoutRight, float>> ==
              CellTuning::few_threads_with_stored);
static_assert(few_threads<Lamina::ProfileCoefficients<double, Memory>> == CellTuning::few_threads);
static_assert(few_threads<Lamina::TensorCoefficients<double, Memory>> == CellTuning::few_threads);

}  // namespace
}  // namespace LaminaTest
