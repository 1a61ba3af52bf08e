// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// What tests of transports over MPI share.

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

using Lamina::make_transport;
using Lamina::RankFailure;
using Lamina::Transport;
using Lamina::TransportError;
using Lamina::TransportOptions;
using Exchange = Lamina::HaloExchange<Memory>;
using LeftField = TestField<double, Kokkos::LayoutLeft>;
using RightField = TestField<float, Kokkos::LayoutRight>;

inline TEST_SPACE space() { return {}; }

inline std::shared_ptr<const Transport> quick_transport(MPI_Comm communicator, double timeout = 60,
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
inline int world_rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}
inline int transport_size(MPI_Comm communicator) {
  int size = 0;
  MPI_Comm_size(communicator, &size);
  return size;
}
inline int world_size() { return transport_size(MPI_COMM_WORLD); }

/// Fields of both layouts and precisions and a vector, with the whole pattern and by parts.
inline void expect_updates(const Transport& transport, int nx, int ny) {
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
inline void expect_sums(const Transport& transport,
                        const Lamina::GlobalReduction<Memory>& reduction, int count) {
  const Kokkos::View<double*, Memory> row("LaminaTest::row", static_cast<std::size_t>(count));
  const auto host = Kokkos::create_mirror_view(row);
  const auto part = [](int rank, int n) {
    return Reference::unit_value(static_cast<std::uint64_t>(8 * rank + 5 * n)) *
           (rank % 2 == 0 ? 1e16 : 1);
  };
  for (int n = 0; n < count; ++n) host(n) = part(transport.rank(), n);
  Kokkos::deep_copy(row, host);
  reduction.sum(space(), row.data(), row.data(), count);
  space().fence();
  Kokkos::deep_copy(host, row);
  for (int n = 0; n < count; ++n) {
    double expected = part(0, n);
    for (int rank = 1; rank < transport.size(); ++rank) expected += part(rank, n);
    EXPECT_EQ(host(n), expected) << n << " of " << count;
  }
}
inline void expect_sums(const Transport& transport) {
  const Lamina::GlobalReduction<Memory> reduction(transport);
  for (const int count : {4, 1, 1024, 3, 70, 70, 2}) expect_sums(transport, reduction, count);
}

/// Whether a transport can work here, the same on all ranks. "mpi-host" can everywhere.
inline bool can_work(const std::string& name) {
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
inline void expect_all(const Transport& transport) {
  expect_calls_work(transport);
  expect_updates(transport, 5, 4);
  expect_updates(transport, 2, 1);  // fewer items than ranks
  expect_sums(transport);
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

/// What the call ends in, on ranks of a world with more than one.
template <class Call>
std::string failure_of(const Call& call) {
  const std::string message = message_of<TransportError>(call);
  MPI_Barrier(MPI_COMM_WORLD);  // those who have failed wait for the others
  return message;
}

/// Sets LAMINA_TRANSPORT while it exists.
struct TransportVariable {
  explicit TransportVariable(const char* value) { setenv("LAMINA_TRANSPORT", value, 1); }
  ~TransportVariable() { unsetenv("LAMINA_TRANSPORT"); }
  TransportVariable(const TransportVariable&) = delete;
  TransportVariable& operator=(const TransportVariable&) = delete;
};

}  // namespace LaminaTest
