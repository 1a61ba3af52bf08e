// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <Kokkos_Core.hpp>
#define TEST_SPACE Kokkos::DefaultExecutionSpace

#include <lamina/core/Require.hpp>
#include <lamina/distributed/Decomposition.hpp>
#include <lamina/distributed/MpiTransport.hpp>
#include <lamina/distributed/impl/TransportCalls.hpp>

#include <distributed/HaloValues.hpp>
#include <distributed/MpiSurvivor.hpp>
#include <distributed/TransportCase.hpp>
#include <gtest/gtest.h>
#include <support/MessageOf.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace LaminaTest {
namespace {

using Lamina::make_transport;
using Lamina::RankFailure;
using Lamina::Transport;
using Lamina::TransportError;
using Lamina::TransportOptions;
using Exchange = Lamina::HaloExchange<Memory>;
using LeftField = TestField<double, Kokkos::LayoutLeft>;
using RightField = TestField<float, Kokkos::LayoutRight>;

TEST_SPACE space() { return {}; }

std::shared_ptr<const Transport> quick_transport(MPI_Comm communicator, double timeout = 60,
                                                 const std::string& name = "auto") {
  return make_transport(communicator, space(),
                        {.name = name, .self_test = false, .timeout_seconds = timeout});
}

/// A communicator that a test made.
struct Communicator {
  MPI_Comm get = MPI_COMM_NULL;

  Communicator(int colour, int key) { MPI_Comm_split(MPI_COMM_WORLD, colour, key, &get); }
  ~Communicator() { MPI_Comm_free(&get); }
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;
};
int world_rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}
int transport_size(MPI_Comm communicator) {
  int size = 0;
  MPI_Comm_size(communicator, &size);
  return size;
}
int world_size() { return transport_size(MPI_COMM_WORLD); }

/// Fields of both layouts and precisions and a vector, with the whole pattern and by parts.
void expect_updates(const Transport& transport, int nx, int ny) {
  const auto graph = HaloGraph::torus(nx, ny);
  for (const auto& [name, partition] : awkward_partitions(nx, ny, transport.size())) {
    SCOPED_TRACE(name);
    const auto items = rank_items(graph, partition, transport.rank(), true);
    auto pattern = make_halo_pattern(transport, items.owned, items.halo);
    const Exchange halo(transport, pattern, 64);
    const LeftField u(items.size(), 3, owned_values(items, 3, 0), all_padding);
    const RightField v(items.size(), 5, owned_values(items, 5, 1));
    const TestVector<double> w(owned_values(items, 1, 2));
    halo.start(space(), u.view(), v.view(), w.view());
    halo.finish(space());
    EXPECT_EQ(u.get(), all_values(items, 3, 0));
    EXPECT_EQ(v.get(), all_values(items, 5, 1));
    EXPECT_EQ(w.get(), all_values(items, 1, 2));

    std::vector<int> parts;
    for (int local = 0; local < items.size(); ++local) {
      parts.push_back(static_cast<int>((items.global(local) + 2) % 2));
    }
    pattern = split_into_parts(pattern, parts, 2);
    const Exchange by_parts(transport, pattern, 24);
    const LeftField x(items.size(), 3, owned_values(items, 3, 4));
    for (const int part : {1, 0}) {
      by_parts.start_part(space(), part, x.view());
      by_parts.finish(space());
    }
    EXPECT_EQ(x.get(), all_values(items, 3, 4));
  }
}

/// The bits on each rank are those of the sum in the order of the ranks.
void expect_sums(const Transport& transport) {
  const Lamina::GlobalReduction<Memory> reduction(transport);
  const Kokkos::View<double*, Memory> row("LaminaTest::row", 4);
  const auto host = Kokkos::create_mirror_view(row);
  const auto part = [](int rank, int n) {
    return Reference::unit_value(static_cast<std::uint64_t>(8 * rank + n)) *
           (rank % 2 == 0 ? 1e16 : 1);
  };
  for (int n = 0; n < 4; ++n) host(n) = part(transport.rank(), n);
  Kokkos::deep_copy(row, host);
  reduction.sum(space(), row.data(), row.data(), 4);
  space().fence();
  Kokkos::deep_copy(host, row);
  for (int n = 0; n < 4; ++n) {
    double expected = part(0, n);
    for (int rank = 1; rank < transport.size(); ++rank) expected += part(rank, n);
    EXPECT_EQ(host(n), expected) << n;
  }
}

/// Whether a transport can work here, the same on all ranks. "mpi-host" can everywhere.
bool can_work(const std::string& name) {
  if (name == "mpi-host") return true;
  if (Lamina::runs_on_host<TEST_SPACE>) return name != "nccl";
  static std::map<std::string, bool> usable;
  const auto known = usable.find(name);
  if (known != usable.end()) return known->second;
  const std::string refusal = message_of<TransportError>(
      [&] { (void)make_transport(MPI_COMM_WORLD, space(), {.name = name}); });
  return usable[name] = refusal == "nothing was thrown";
}

/// Each test runs with each transport.
class MpiTransports : public testing::TestWithParam<std::string> {
 public:
  void SetUp() override {
    if (!can_work(GetParam())) GTEST_SKIP() << "it cannot work here";
  }
  bool is_peer() const { return GetParam() == "peer"; }
  /// Whether kernels wait for messages, not the host.
  bool is_enqueued() const {
    return !Lamina::runs_on_host<TEST_SPACE> && (is_peer() || GetParam() == "nccl");
  }
  auto transport(MPI_Comm communicator = MPI_COMM_WORLD) const {
    return make_transport(communicator, space(), {.name = GetParam()});
  }
  auto quick(double timeout = 60) const {
    return quick_transport(MPI_COMM_WORLD, timeout, GetParam());
  }
};
std::string name_of_test(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(All, MpiTransports,
                         testing::Values("peer", "nccl", "mpi-device", "mpi-host"), name_of_test);

void expect_all(const Transport& transport) {
  expect_calls_work(transport);
  expect_updates(transport, 5, 4);
  expect_updates(transport, 2, 1);  // fewer items than ranks
  expect_sums(transport);
}

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
  if (GetParam() == "nccl" && transport_size(part.get) == 1) {
    EXPECT_EQ(message_of<TransportError>([&] { (void)this->transport(part.get); }),
              "make_transport: expected a transport that works, got nccl: there is one rank");
    return;
  }
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

/// A ring in which each rank owns `length` items.
struct Ring {
  RankItems items;
  Lamina::HaloPattern pattern;

  Ring(const Transport& transport, int length) {
    const auto graph = HaloGraph::torus(length * transport.size(), 1);
    const auto partition = Lamina::Partition::blocks(graph.size(), transport.size());
    items = rank_items(graph, partition, transport.rank());
    pattern = make_halo_pattern(transport, items.owned, items.halo);
  }
};

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

/// What the call ends in, on ranks of a world with more than one.
template <class Call>
std::string failure_of(const Call& call) {
  const std::string message = message_of<TransportError>(call);
  MPI_Barrier(MPI_COMM_WORLD);  // those who have failed wait for the others
  return message;
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
  for (int round = 0; round < 400; ++round) {
    if ((round + world_rank()) % 7 == 0) {
      std::this_thread::sleep_for(std::chrono::microseconds(300));
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

/// Sets LAMINA_TRANSPORT while it exists.
struct TransportVariable {
  explicit TransportVariable(const char* value) { setenv("LAMINA_TRANSPORT", value, 1); }
  ~TransportVariable() { unsetenv("LAMINA_TRANSPORT"); }
  TransportVariable(const TransportVariable&) = delete;
  TransportVariable& operator=(const TransportVariable&) = delete;
};

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
