// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Require.hpp>
#include <lamina/distributed/GlobalReduction.hpp>

#include <distributed/SimulatedTransport.hpp>
#include <gtest/gtest.h>
#include <support/MessageOf.hpp>
#include <support/TestField.hpp>

#include <cstring>
#include <limits>
#include <string>
#include <vector>

namespace LaminaTest {

/// Sums of parts of this rank, in place or not.
inline Values sums_of(const Lamina::GlobalReduction<TEST_SPACE::memory_space>& reduction,
                      const Values& parts, bool in_place) {
  const TEST_SPACE space;
  const Kokkos::View<double*, Memory> input("LaminaTest::parts", parts.size()),
      output("LaminaTest::sums", parts.size());
  const auto host = Kokkos::create_mirror_view(input);
  std::copy(parts.begin(), parts.end(), host.data());
  Kokkos::deep_copy(input, host);
  const auto& result = in_place ? input : output;
  reduction.sum(space, input.data(), result.data(), static_cast<int>(parts.size()));
  space.fence();
  Kokkos::deep_copy(host, result);
  return Values(host.data(), host.data() + parts.size());
}

TEST(GlobalReduction, AddsInTheOrderOfTheRanks) {
  for (const int num_ranks : {1, 2, 3, 4, 9}) {
    for (const std::size_t count : {0u, 1u, 3u, 4u, 67u, 1024u}) {
      // The order of these changes the last bits of their sum, or all of them.
      std::vector<Values> parts;
      for (int rank = 0; rank < num_ranks; ++rank) {
        parts.push_back(random_values(count, static_cast<std::uint64_t>(rank)));
        for (double& part : parts.back()) part *= rank % 2 == 0 ? 1e16 : 1;
      }
      Values expected(parts[0]);
      for (int rank = 1; rank < num_ranks; ++rank) {
        for (std::size_t n = 0; n < count; ++n) {
          expected[n] += parts[static_cast<std::size_t>(rank)][n];
        }
      }
      run_on_ranks<Memory>(num_ranks, [&](const Lamina::Transport& transport) {
        const Lamina::GlobalReduction<Memory> reduction(transport);
        EXPECT_EQ(reduction.empty(), num_ranks == 1);
        for (const bool in_place : {false, true}) {
          EXPECT_EQ(sums_of(reduction, parts[static_cast<std::size_t>(transport.rank())], in_place),
                    expected);
        }
      });
    }
  }
}

TEST(GlobalReduction, OfOneProcessIsItsPart) {
  const Lamina::GlobalReduction<Memory> reduction;
  EXPECT_TRUE(reduction.empty());
  for (const bool in_place : {false, true}) {
    const Values sums = sums_of(reduction, {-0.0, 1.5}, in_place);
    EXPECT_TRUE(std::signbit(sums[0]));
    EXPECT_EQ(sums, (Values{0, 1.5}));
  }
}

TEST(GlobalReduction, RefusesMoreValuesThanItTakes) {
  const Lamina::GlobalReduction<Memory> reduction;
  const TEST_SPACE space;
  for (const int count : {-1, 1025}) {
    EXPECT_EQ(
        message_of<Lamina::InvalidArgument>([&] { reduction.sum(space, nullptr, nullptr, count); }),
        "Lamina::GlobalReduction::sum: count: expected 0 to 1024, got " + std::to_string(count));
  }
}

}  // namespace LaminaTest
