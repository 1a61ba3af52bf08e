// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <Kokkos_Core.hpp>
#define TEST_SPACE Kokkos::DefaultExecutionSpace

#include <distributed/MpiTransportCase.hpp>

namespace LaminaTest {
namespace {

TEST(MpiTransport, WorksOnEachRankAlone) {
  const auto transport = make_transport(MPI_COMM_SELF, space());
  EXPECT_EQ(transport->size(), 1);
  expect_all(*transport);
}

TEST(MpiTransport, OutlivesTheCommunicatorOfTheUser) {
  std::shared_ptr<const Transport> transport;
  {
    const Communicator copy(0, 0);
    transport = quick_transport(copy.get);
  }
  expect_calls_work(*transport);
}

TEST(MpiTransport, IsTheOneOfTheEnvironment) {
  const TransportVariable variable("mpi-host");
  EXPECT_EQ(quick_transport(MPI_COMM_WORLD)->name(), "mpi-host");
  const TransportVariable wrong("smoke");
  const std::string message =
      "Lamina::make_transport: LAMINA_TRANSPORT: expected auto, peer, nccl, mpi-device or "
      "mpi-host, got smoke";
  if (world_size() == 1) {
    EXPECT_EQ(message_of<Lamina::InvalidArgument>([] { (void)quick_transport(MPI_COMM_WORLD); }),
              message);
  } else {
    EXPECT_EQ(message_of<RankFailure>([] { (void)quick_transport(MPI_COMM_WORLD); }),
              "rank 0: " + message);
  }
  EXPECT_EQ(quick_transport(MPI_COMM_WORLD, 60, "mpi-host")->name(), "mpi-host");
}

TEST(MpiTransport, IsTheFirstThatWorks) {
  const auto transport = make_transport(MPI_COMM_WORLD, space());
  const auto report = transport->report();
  ASSERT_FALSE(report.candidates.empty());
  EXPECT_EQ(report.candidates.back().name, transport->name());
  EXPECT_TRUE(report.candidates.back().usable);
  for (std::size_t n = 0; n + 1 < report.candidates.size(); ++n) {
    EXPECT_FALSE(report.candidates[n].usable);
    EXPECT_FALSE(report.candidates[n].reason.empty());
  }
  if (Lamina::runs_on_host<TEST_SPACE>) {
    EXPECT_EQ(transport->name(), "peer");
  }
}

TEST(MpiTransport, SaysWhyANamedOneCannotWork) {
  if (!Lamina::runs_on_host<TEST_SPACE>) GTEST_SKIP() << "it may work";
  EXPECT_EQ(
      message_of<TransportError>([] { (void)quick_transport(MPI_COMM_WORLD, 60, "nccl"); }),
      "make_transport: expected a transport that works, got nccl: fields are not on a device");
}

TEST(MpiTransport, SaysWhatIsWrongWithItsArguments) {
  const std::string prefix = "Lamina::make_transport: ";
  const std::string names = "expected auto, peer, nccl, mpi-device or mpi-host, got ";
  const auto refusal = [](MPI_Comm communicator, const TransportOptions& options = {}) {
    return message_of<Lamina::InvalidArgument>(
        [&] { (void)make_transport(communicator, space(), options); });
  };
  EXPECT_EQ(refusal(MPI_COMM_NULL), prefix + "communicator: expected one, got MPI_COMM_NULL");
  EXPECT_EQ(refusal(MPI_COMM_SELF, {.name = "smoke"}), prefix + "options.name: " + names + "smoke");
  EXPECT_EQ(refusal(MPI_COMM_SELF, {.timeout_seconds = 0}),
            prefix + "options.timeout_seconds: expected a time > 0, got 0.000000");
  EXPECT_EQ(refusal(MPI_COMM_SELF, {.host_timeout_seconds = -1}),
            prefix + "options.host_timeout_seconds: expected a time > 0, got -1.000000");
  if (world_size() == 1) return;
  // One rank alone has a wrong option, and all hear of it.
  const TransportOptions options{.name = world_rank() == 1 ? "smoke" : "auto"};
  EXPECT_EQ(
      message_of<RankFailure>([&] { (void)make_transport(MPI_COMM_WORLD, space(), options); }),
      "rank 1: " + prefix + "options.name: " + names + "smoke");
}

TEST(MpiTransport, RefusesAnIntercommunicator) {
  if (world_size() == 1) GTEST_SKIP() << "there is one group";
  const bool is_first = world_rank() == 0;
  const Communicator half(is_first ? 0 : 1, 0);
  MPI_Comm between = MPI_COMM_NULL;
  MPI_Intercomm_create(half.get, 0, MPI_COMM_WORLD, is_first ? 1 : 0, 7, &between);
  EXPECT_EQ(message_of<Lamina::InvalidArgument>([&] { (void)quick_transport(between); }),
            "Lamina::make_transport: communicator: expected one of a single group, got an "
            "intercommunicator");
  MPI_Comm_free(&between);
}

TEST(MpiTransport, LeavesTheErrorHandlerOfTheUserAlone) {
  MPI_Errhandler before = MPI_ERRHANDLER_NULL, after = MPI_ERRHANDLER_NULL;
  MPI_Comm_get_errhandler(MPI_COMM_WORLD, &before);
  const auto transport = quick_transport(MPI_COMM_WORLD);
  MPI_Comm_get_errhandler(MPI_COMM_WORLD, &after);
  EXPECT_EQ(before, after);
}

TEST(MpiTransport, FreesItsCommunicators) {
  // Open MPI has 65536 at a time.
  for (int n = 0; n < 70000; ++n) (void)quick_transport(MPI_COMM_SELF);
}

TEST(MpiHostTransport, AgreesAndHasNoChannels) {
  const auto transport = Lamina::make_host_transport(MPI_COMM_WORLD);
  EXPECT_EQ(transport->rank(), world_rank());
  EXPECT_EQ(transport->size(), world_size());
  expect_calls_work(*transport);
  EXPECT_EQ(message_of<TransportError>([&] { (void)transport->open_sums(); }),
            "open_sums: expected a transport of make_transport, got one of make_host_transport");
  EXPECT_EQ(message_of<TransportError>([&] { (void)transport->open_channels({}); }),
            "open_channels: expected a transport of make_transport, got one of "
            "make_host_transport");
}

TEST(MpiHostTransport, SaysWhatIsWrongWithItsArgument) {
  EXPECT_EQ(
      message_of<Lamina::InvalidArgument>([] { (void)Lamina::make_host_transport(MPI_COMM_NULL); }),
      "Lamina::make_host_transport: communicator: expected one, got MPI_COMM_NULL");
  EXPECT_EQ(message_of<Lamina::InvalidArgument>(
                [] { (void)Lamina::make_host_transport(MPI_COMM_SELF, 0); }),
            "Lamina::make_host_transport: timeout_seconds: expected a time > 0, got 0.000000");
}

/// What rank 0 hears in a call that no other rank makes.
template <class Call>
std::string unanswered(const Call& call) {
  const auto transport = Lamina::make_host_transport(MPI_COMM_WORLD, 0.25);
  std::string message;
  if (world_rank() == 0) {
    message = message_of<Lamina::TransportTimeout>([&] { call(*transport); });
  }
  MPI_Barrier(MPI_COMM_WORLD);
  return message;
}

TEST(MpiHostTransport, GivesUpOnACallAfterItsTime) {
  if (world_size() == 1) GTEST_SKIP() << "there is no one to wait for";
  std::vector<std::vector<std::byte>> lists(static_cast<std::size_t>(world_size()));
  std::byte value{};
  const auto expect = [](const std::string& message, const std::string& call) {
    if (world_rank() != 0) return;
    EXPECT_EQ(message, "rank 0: no answer of other ranks in " + call + " for 0.25 s");
  };
  expect(unanswered([&](const Transport& transport) { transport.agree(nullptr); }),
         "MPI_Iallgather");
  expect(unanswered([&](const Transport& transport) { (void)transport.all_to_all(lists); }),
         "MPI_Ialltoall");
  expect(
      unanswered([&](const Transport& transport) { transport.broadcast(std::span(&value, 1), 1); }),
      "MPI_Ibcast");
}

// With MPI_THREAD_SINGLE, and two threads at least.
TEST(MpiThreads, MustBeAllowedWhereTheSpaceHasSeveral) {
  if (!Lamina::runs_on_host<TEST_SPACE> || space().concurrency() == 1) {
    GTEST_SKIP() << "the space has no threads";
  }
  EXPECT_EQ(message_of<TransportError>([] { (void)quick_transport(MPI_COMM_SELF); }),
            "make_transport: expected MPI_Init_thread with MPI_THREAD_FUNNELED or more for a space "
            "with several threads, got MPI_THREAD_SINGLE");
}

// Without MPI_Init.
TEST(MpiAbsent, IsSaid) {
  EXPECT_EQ(message_of<TransportError>([] { (void)quick_transport(MPI_COMM_SELF); }),
            "make_transport: expected a call between MPI_Init and MPI_Finalize");
}

}  // namespace
}  // namespace LaminaTest
