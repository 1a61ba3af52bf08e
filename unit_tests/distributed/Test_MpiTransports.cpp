// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <Kokkos_Core.hpp>
#define TEST_SPACE Kokkos::DefaultExecutionSpace

#include <distributed/MpiTransportCase.hpp>

namespace LaminaTest {
namespace {

std::string name_of_test(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(All, MpiTransports,
                         testing::Values("peer", "nccl", "mpi-device", "mpi-host"), name_of_test);

TEST_P(MpiTransports, WorksOverTheWorld) {
  const auto transport = this->transport();
  EXPECT_EQ(transport->name(), GetParam());
  EXPECT_EQ(transport->rank(), world_rank());
  EXPECT_EQ(transport->size(), world_size());
  expect_all(*transport);
  survivor() = transport;
}

TEST_P(MpiTransports, ReportsItsTest) {
  const auto report = transport()->report();
  EXPECT_EQ(report.name, GetParam());
  EXPECT_FALSE(report.library.empty());
  EXPECT_EQ(report.library.find('\n'), std::string::npos);
  ASSERT_EQ(report.candidates.size(), 1u);
  EXPECT_EQ(report.candidates[0].name, GetParam());
  EXPECT_TRUE(report.candidates[0].usable);
  if (world_size() > 1) {
    EXPECT_GT(report.candidates[0].exchange_us, 0);
    EXPECT_GT(report.candidates[0].reduction_us, 0);
    EXPECT_GT(report.candidates[0].gb_per_s, 0);
  }
  EXPECT_TRUE(quick()->report().candidates.empty());
}

TEST_P(MpiTransports, WorksInBothPartsOfASplitWorldAtOnce) {
  const bool is_last = world_rank() == world_size() - 1;
  const Communicator part(is_last ? 1 : 0, 0);
  const auto transport = this->transport(part.get);
  EXPECT_EQ(transport->size(), is_last ? 1 : world_size() - 1);
  expect_all(*transport);
}

TEST_P(MpiTransports, WorksWithRanksInReverse) {
  const Communicator reversed(0, -world_rank());
  const auto transport = this->transport(reversed.get);
  EXPECT_EQ(transport->rank(), world_size() - 1 - world_rank());
  expect_all(*transport);
}

TEST_P(MpiTransports, KeepsExchangesInFlightApart) {
  const auto first = quick(), second = quick();
  const Ring ring(*first, 3);
  const std::array exchanges{Exchange(*first, ring.pattern, 8), Exchange(*first, ring.pattern, 8),
                             Exchange(*second, ring.pattern, 8)};
  for (int round = 0; round < 50; ++round) {
    std::vector<TestVector<double>> fields;
    for (int n = 0; n < 3; ++n) {
      fields.emplace_back(owned_values(ring.items, 1, 3 * round + n));
      exchanges[static_cast<std::size_t>(n)].start(space(), fields.back().view());
    }
    for (const int n : {1, 2, 0}) {
      exchanges[static_cast<std::size_t>(n)].finish(space());
      ASSERT_EQ(fields[static_cast<std::size_t>(n)].get(),
                all_values(ring.items, 1, 3 * round + n));
    }
  }
}

TEST_P(MpiTransports, SaysThatMessagesHaveOtherLengths) {
  if (world_size() == 1) GTEST_SKIP() << "there are no messages";
  if (is_enqueued()) GTEST_SKIP() << "kernels do not compare lengths";
  const auto transport = quick();
  const Ring ring(*transport, 3);
  const Exchange halo(*transport, ring.pattern, 16);
  // Rank 0 sends more than the others expect.
  const int levels = world_rank() == 0 ? 2 : 1;
  const LeftField field(ring.items.size(), levels, owned_values(ring.items, levels, 0));
  const std::string message = failure_of([&] {
    halo.start(space(), field.view());
    halo.finish(space());
  });
  const std::string rank = "rank " + std::to_string(world_rank()) + ": ";
  const bool has_rank_0_as_peer = world_rank() == 1 || world_rank() == world_size() - 1;
  if (world_rank() == 0) {
    EXPECT_EQ(message.find(rank + "expected "), 0u) << message;
    EXPECT_NE(message.find(" bytes from rank 1 in exchange 1, got "), std::string::npos) << message;
  } else if (has_rank_0_as_peer) {
    const std::string found = is_peer() ? "expected " : "MPI_Testall: ";
    EXPECT_EQ(message.find(rank + found), 0u) << message;
  } else {
    EXPECT_EQ(message, "nothing was thrown");
  }
}

TEST_P(MpiTransports, GivesUpOnAnExchangeAfterItsTime) {
  if (world_size() == 1) GTEST_SKIP() << "there are no messages";
  if (GetParam() == "nccl") GTEST_SKIP() << "it has no limit";
  const auto transport = quick(0.25);
  const Ring ring(*transport, 3);
  const Exchange halo(*transport, ring.pattern, 8);
  const TestVector<double> field(owned_values(ring.items, 1, 0));
  const std::string message = failure_of([&] {
    if (world_rank() != 0) return;
    halo.start(space(), field.view());
    halo.finish(space());
    space().fence();
    if (is_enqueued()) halo.start(space(), field.view());  // reports it
  });
  EXPECT_EQ(message, world_rank() == 0 ? "rank 0: no message from rank 1 in exchange 1 for 0.25 s"
                                       : "nothing was thrown");
}

TEST_P(MpiTransports, GivesUpOnASumAfterItsTime) {
  if (world_size() == 1) GTEST_SKIP() << "there is no one to wait for";
  if (GetParam() == "nccl") GTEST_SKIP() << "it has no limit";
  const auto transport = quick(0.25);
  const Lamina::GlobalReduction<Memory> reduction(*transport);
  const Kokkos::View<double*, Memory> row("LaminaTest::row", 4);
  const std::string message = failure_of([&] {
    if (world_rank() != 0) return;
    reduction.sum(space(), row.data(), row.data(), 4);
    space().fence();
    if (is_enqueued()) reduction.sum(space(), row.data(), row.data(), 4);  // reports it
  });
  EXPECT_EQ(message, world_rank() == 0 ? "rank 0: no parts of other ranks in sum 1 for 0.25 s"
                                       : "nothing was thrown");
  if (is_peer() || world_rank() != 0) return;
  EXPECT_EQ(message_of<TransportError>([&] { reduction.sum(space(), row.data(), row.data(), 4); }),
            "rank 0: expected no sum after sum 1, whose parts have not come");
}

/// Ranks come late, each in its own exchanges: a fast rank must not overwrite what is not yet read.
/// Some peers send nothing, and sums stand between the exchanges in some rounds only.
TEST_P(MpiTransports, KeepsUpWithRanksThatComeLate) {
  const auto transport = quick();
  const Ring ring(*transport, 2);
  const Exchange halo(*transport, ring.pattern, 8);
  const Lamina::GlobalReduction<Memory> reduction(*transport);
  const TestVector<double> field(owned_values(ring.items, 1, 0));
  const Kokkos::View<double*, Memory> row("LaminaTest::row", 4);
  const auto host = Kokkos::create_mirror_view(row);
  const int size = world_size();
  for (int round = 0; round < 400; ++round) {
    const double chance =
        Reference::unit_value(static_cast<std::uint64_t>(round * 8 + world_rank()));
    if (chance > 0.8) std::this_thread::sleep_for(std::chrono::microseconds(300));
    const TestVector<double> values(owned_values(ring.items, 1, round));
    halo.start(space(), values.view());
    halo.finish(space());
    ASSERT_EQ(values.get(), all_values(ring.items, 1, round)) << round;
    if (round % 3 == 0) continue;
    for (int n = 0; n < 4; ++n) host(n) = world_rank() + round + n;
    Kokkos::deep_copy(row, host);
    const int count = 1 + round % 4;
    reduction.sum(space(), row.data(), row.data(), count);
    space().fence();
    Kokkos::deep_copy(host, row);
    for (int n = 0; n < count; ++n) {
      ASSERT_EQ(host(n), size * (round + n) + size * (size - 1) / 2) << round;
    }
  }
}

/// Messages go one way round the ring; the other way there are flags only.
TEST_P(MpiTransports, SendsOneWayWithoutOverwriting) {
  const int size = world_size();
  const auto transport = quick();
  std::vector<std::int64_t> halo_items;
  if (size > 1) halo_items.push_back((world_rank() + size - 1) % size);
  const auto pattern = make_halo_pattern(*transport, {world_rank()}, halo_items);
  const Exchange halo(*transport, pattern, 8);
  const Kokkos::View<double*, Memory> values("LaminaTest::values", 2);
  const auto host = Kokkos::create_mirror_view(values);
  for (int round = 0; round < 10000; ++round) {
    if ((round + 31 * world_rank()) % 97 == 0) {
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
    host(0) = 1000 * world_rank() + round;
    Kokkos::deep_copy(values, host);
    const auto used = Kokkos::subview(values, Kokkos::make_pair(0, pattern.num_local));
    halo.start(space(), used);
    halo.finish(space());
    space().fence();
    Kokkos::deep_copy(host, values);
    const int sender = (world_rank() + size - 1) % size;
    if (size > 1) {
      ASSERT_EQ(host(1), 1000 * sender + round);
    }
  }
}

}  // namespace
}  // namespace LaminaTest
