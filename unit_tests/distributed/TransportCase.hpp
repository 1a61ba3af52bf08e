// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/distributed/Transport.hpp>
#include <lamina/distributed/impl/TransportCalls.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <span>
#include <vector>

namespace LaminaTest {

/// All ranks gather, exchange and broadcast. Lengths and values name both ranks.
inline void expect_calls_work(const Lamina::Transport& transport) {
  const int rank = transport.rank(), size = transport.size();
  const auto all = Lamina::Impl::gather_values(transport, 10.5 * rank);
  ASSERT_EQ(all.size(), static_cast<std::size_t>(size));
  for (int other = 0; other < size; ++other) {
    EXPECT_EQ(all[static_cast<std::size_t>(other)], 10.5 * other);
  }
  std::vector<std::vector<int>> lists;
  for (int other = 0; other < size; ++other) {
    lists.emplace_back(static_cast<std::size_t>((rank + 2 * other) % 4), 100 * rank + other);
  }
  const auto received = Lamina::Impl::exchange_lists(transport, lists);
  ASSERT_EQ(received.size(), lists.size());
  for (int other = 0; other < size; ++other) {
    EXPECT_EQ(
        received[static_cast<std::size_t>(other)],
        std::vector<int>(static_cast<std::size_t>((other + 2 * rank) % 4), 100 * other + rank));
  }
  for (int root = 0; root < size; ++root) {
    std::vector<int> values(3, rank);
    transport.broadcast(std::as_writable_bytes(std::span(values)), root);
    EXPECT_EQ(values, std::vector<int>(3, root));
  }
}

}  // namespace LaminaTest
