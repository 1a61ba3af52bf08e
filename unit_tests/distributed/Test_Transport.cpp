// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/distributed/Transport.hpp>
#include <lamina/distributed/impl/TransportCalls.hpp>

#include <distributed/SimulatedTransport.hpp>
#include <distributed/TransportCase.hpp>
#include <gtest/gtest.h>
#include <support/MessageOf.hpp>

#include <exception>
#include <stdexcept>
#include <string>

namespace {

using Host = Kokkos::HostSpace;
using Lamina::RankFailure;
using Lamina::Transport;
using Lamina::TransportError;
using LaminaTest::expect_calls_work;
using LaminaTest::message_of;
using LaminaTest::run_on_ranks;

TEST(Transport, GathersExchangesAndBroadcasts) {
  expect_calls_work(*Lamina::make_loopback_transport());
  for (const int size : {1, 2, 3, 7}) run_on_ranks<Host>(size, expect_calls_work);
}

TEST(Transport, OfOneProcessHasNoName) {
  const auto transport = Lamina::make_loopback_transport();
  EXPECT_EQ(transport->name(), "none");
  EXPECT_EQ(transport->report().name, "none");
  EXPECT_TRUE(transport->report().candidates.empty());
}

std::exception_ptr failure_with(const std::string& message) {
  return std::make_exception_ptr(std::runtime_error(message));
}

TEST(Transport, AgreesOnTheFailureOfTheLowestRank) {
  run_on_ranks<Host>(4, [](const Transport& transport) {
    EXPECT_NO_THROW(transport.agree(nullptr));
    const bool fails = transport.rank() == 2 || transport.rank() == 3;
    const auto failure =
        fails ? failure_with("out of " + std::to_string(transport.rank())) : nullptr;
    EXPECT_EQ(message_of<RankFailure>([&] { transport.agree(failure); }), "rank 2: out of 2");
    // It is over, and forgotten.
    EXPECT_NO_THROW(transport.agree(nullptr));
    EXPECT_EQ(message_of<RankFailure>([&] { transport.agree(failure_with("")); }), "rank 0: ");
    EXPECT_EQ(message_of<RankFailure>([&] { transport.agree(std::make_exception_ptr(3)); }),
              "rank 0: an exception of unknown type");
  });
}

TEST(Transport, OfOneRankThrowsTheFailureItself) {
  const auto transport = Lamina::make_loopback_transport();
  EXPECT_NO_THROW(transport->agree(nullptr));
  EXPECT_EQ(message_of<std::runtime_error>([&] { transport->agree(failure_with("mine")); }),
            "mine");
}

TEST(Transport, FailureNamesItsRank) { EXPECT_EQ(RankFailure(7, "x").rank(), 7); }

TEST(Transport, HandsOnInstancesOfTheRightSpaceOnly) {
  const Kokkos::DefaultHostExecutionSpace space;
  const Lamina::InstanceRef instance(space);
  EXPECT_EQ(&instance.as<Kokkos::DefaultHostExecutionSpace>(), &space);
#if defined(KOKKOS_ENABLE_SERIAL) && defined(KOKKOS_ENABLE_OPENMP)
  EXPECT_THROW((void)instance.as<Kokkos::Serial>(), TransportError);
#endif
}

// The simulation must not hang where ranks would.
TEST(SimulatedTransport, FailsWhereAllRanksWait) {
  const auto failure = [](const auto& work) {
    return message_of<TransportError>([&] { run_on_ranks<Host>(3, work); });
  };
  EXPECT_EQ(failure([](const Transport& transport) {
              if (transport.rank() != 1) (void)Lamina::Impl::gather_values(transport, 1);
            }),
            "all ranks wait");
  EXPECT_EQ(failure([](const Transport& transport) {
              int value = 0;
              if (transport.rank() == 2) {
                transport.broadcast(std::as_writable_bytes(std::span(&value, 1)), 0);
              } else {
                (void)Lamina::Impl::gather_values(transport, 1);
              }
            }),
            "ranks call all_gather and broadcast");
  EXPECT_EQ(message_of<std::runtime_error>([] {
              run_on_ranks<Host>(3, [](const Transport& transport) {
                if (transport.rank() == 1) throw std::runtime_error("rank 1 gives up");
                (void)Lamina::Impl::gather_values(transport, 1);
              });
            }),
            "rank 1 gives up");
}

}  // namespace
