// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Require.hpp>
#include <lamina/distributed/HaloExchange.hpp>
#include <lamina/distributed/impl/TransportCalls.hpp>

#include <distributed/HaloValues.hpp>
#include <distributed/SimulatedTransport.hpp>
#include <gtest/gtest.h>
#include <support/FieldTypes.hpp>
#include <support/MessageOf.hpp>
#include <support/OwnStream.hpp>
#include <support/TestField.hpp>
#include <support/ToolListener.hpp>

#include <string>
#include <vector>

namespace LaminaTest {

template <class Type>
class HaloExchange : public testing::Test {
 public:
  using Scalar = typename Type::scalar;
  using Layout = typename Type::layout;
  using Field = TestField<Scalar, Layout>;
  /// Of the other precision and layout.
  using OtherScalar = std::conditional_t<std::is_same_v<Scalar, float>, double, float>;
  using OtherLayout = std::conditional_t<std::is_same_v<Layout, Kokkos::LayoutLeft>,
                                         Kokkos::LayoutRight, Kokkos::LayoutLeft>;
  using OtherField = TestField<OtherScalar, OtherLayout>;
  using Exchange = Lamina::HaloExchange<Memory>;

  TEST_SPACE space;

  /// One field of so many levels.
  void expect_update(const Lamina::Transport& transport, const RankItems& items, int num_levels,
                     const Padding& padding) const {
    const auto pattern = make_halo_pattern(transport, items.owned, items.halo);
    const Exchange halo(transport, pattern, static_cast<std::size_t>(num_levels) * sizeof(Scalar));
    const Field field(items.size(), num_levels, owned_values(items, num_levels, 0), padding);
    halo.start(space, field.view());
    halo.finish(space);
    EXPECT_EQ(field.get(), all_values(items, num_levels, 0));
    EXPECT_TRUE(field.surroundings_untouched());
  }
};
TYPED_TEST_SUITE(HaloExchange, FieldTypes, FieldTypeNames);

TYPED_TEST(HaloExchange, UpdatesTheHaloOfEveryRank) {
  const int nx = 5, ny = 4;
  const auto graph = HaloGraph::torus(nx, ny);
  for (const int num_ranks : {1, 2, 3, 4, 9}) {
    for (const auto& [name, partition] : awkward_partitions(nx, ny, num_ranks)) {
      SCOPED_TRACE(name + ", ranks " + std::to_string(num_ranks));
      for (const bool mirrored : {false, true}) {
        run_on_ranks<Memory>(num_ranks, [&, &part = partition](const Lamina::Transport& transport) {
          const auto items = rank_items(graph, part, transport.rank(), mirrored);
          this->expect_update(transport, items, 3, all_padding);
        });
      }
    }
  }
}

TYPED_TEST(HaloExchange, TakesAnyNumberOfLevels) {
  const auto graph = HaloGraph::torus(4, 3);
  const auto partition = Lamina::Partition::grid({4, 3}, {3, 1});
  for (const int num_levels : {0, 1, 2, 33}) {
    for (const Padding& padding : {Padding(), column_padding, level_padding}) {
      run_on_ranks<Memory>(3, [&](const Lamina::Transport& transport) {
        this->expect_update(transport, rank_items(graph, partition, transport.rank()), num_levels,
                            padding);
      });
    }
  }
}

TYPED_TEST(HaloExchange, SendsAllFieldsInOneMessageToEachPeer) {
  using Test = HaloExchange<TypeParam>;
  using Scalar = typename Test::Scalar;
  using OtherScalar = typename Test::OtherScalar;
  const auto graph = HaloGraph::torus(7, 3);  // odd numbers of items in single precision
  const auto partition = Lamina::Partition::grid({7, 3}, {3, 1});
  const std::size_t bytes = 9 * sizeof(Scalar) + 4 * sizeof(OtherScalar);
  SimulatedWorld world(3);
  std::size_t num_sent = 0;
  run_on_ranks<Memory>(world, [&](const Lamina::Transport& transport) {
    const auto items = rank_items(graph, partition, transport.rank());
    const auto pattern = make_halo_pattern(transport, items.owned, items.halo);
    for (const auto& peer : pattern.peers) num_sent += peer.send.size();
    const typename Test::Exchange halo(transport, pattern, bytes);
    const typename Test::Field first(items.size(), 3, owned_values(items, 3, 0), level_padding);
    const typename Test::OtherField second(items.size(), 4, owned_values(items, 4, 1));
    const TestVector<Scalar> third(owned_values(items, 1, 2));
    const typename Test::Field fourth(items.size(), 5, owned_values(items, 5, 3));
    halo.start(this->space, first.view(), second.view(), third.view(), fourth.view());
    halo.finish(this->space);
    EXPECT_EQ(first.get(), all_values(items, 3, 0));
    EXPECT_EQ(second.get(), all_values(items, 4, 1));
    EXPECT_EQ(third.get(), all_values(items, 1, 2));
    EXPECT_EQ(fourth.get(), all_values(items, 5, 3));
    // Fewer bytes than buffers hold, with the same object.
    const TestVector<OtherScalar> fifth(owned_values(items, 1, 4));
    halo.start(this->space, fifth.view());
    halo.finish(this->space);
    EXPECT_EQ(fifth.get(), all_values(items, 1, 4));
  });
  EXPECT_EQ(world.num_messages(), 2 * 3 * 2);  // exchanges, ranks, peers of each
  EXPECT_EQ(world.num_bytes(), num_sent * (bytes + sizeof(OtherScalar)));
}

TYPED_TEST(HaloExchange, SendsOnePartAtATime) {
  using Test = HaloExchange<TypeParam>;
  const auto graph = HaloGraph::torus(6, 5);
  const int num_parts = 4;  // the last one is empty
  const auto part_of = [](std::int64_t item) { return static_cast<int>(item % 3); };
  for (const auto& [name, partition] : awkward_partitions(6, 5, 4)) {
    SCOPED_TRACE(name);
    run_on_ranks<Memory>(4, [&, &part_ition = partition](const Lamina::Transport& transport) {
      const auto items = rank_items(graph, part_ition, transport.rank(), true);
      std::vector<int> parts;
      for (int local = 0; local < items.size(); ++local) {
        parts.push_back(items.global(local) == Lamina::no_item ? 0 : part_of(items.global(local)));
      }
      const auto pattern =
          split_into_parts(make_halo_pattern(transport, items.owned, items.halo), parts, num_parts);
      const typename Test::Exchange halo(transport, pattern, 2 * sizeof(double));
      typename Test::Field field(items.size(), 2, owned_values(items, 2, 0));
      const int num_owned = static_cast<int>(items.owned.size());
      for (int part = 0; part < num_parts; ++part) {
        halo.start_part(this->space, part, field.view());
        halo.finish(this->space);
        EXPECT_EQ(field.get(), halo_values(items, 2, 0,
                                           [&](int local, std::int64_t item) {
                                             return local < num_owned || part_of(item) <= part;
                                           }))
            << "part " << part;
      }
      field.set(owned_values(items, 2, 5));
      halo.start(this->space, field.view());
      halo.finish(this->space);
      EXPECT_EQ(field.get(), all_values(items, 2, 5)) << "all parts";
    });
  }
}

TYPED_TEST(HaloExchange, MayHaveOtherNumbers) {
  using Test = HaloExchange<TypeParam>;
  const auto graph = HaloGraph::torus(5, 4);
  for (const auto& [name, partition] : awkward_partitions(5, 4, 3)) {
    SCOPED_TRACE(name);
    run_on_ranks<Memory>(3, [&, &part_ition = partition](const Lamina::Transport& transport) {
      const auto items = rank_items(graph, part_ition, transport.rank(), true);
      const auto pattern = make_halo_pattern(transport, items.owned, items.halo);
      const typename Test::Exchange given(transport, pattern, 3 * sizeof(double));
      // Backwards, with room in front; a halo item in the middle has no number.
      const int count = items.size() + 4;
      const int dropped = pattern.num_owned + (items.size() - pattern.num_owned) / 2;
      std::vector<int> numbers;
      for (int item = 0; item < items.size(); ++item) {
        numbers.push_back(item == dropped ? -1 : count - 1 - item);
      }
      const auto renumbered_values = [&](const Values& values) {
        Values result(static_cast<std::size_t>(count) * 3, not_set);
        for (int item = 0; item < items.size(); ++item) {
          const int number = numbers[static_cast<std::size_t>(item)];
          for (int level = 0; number >= 0 && level < 3; ++level) {
            result[static_cast<std::size_t>(3 * number + level)] =
                values[static_cast<std::size_t>(3 * item + level)];
          }
        }
        return result;
      };
      const auto halo = given.renumbered(numbers, count);
      EXPECT_EQ(halo.num_items(), count);
      const typename Test::Field field(count, 3, renumbered_values(owned_values(items, 3, 0)));
      const typename Test::Field other(items.size(), 3, owned_values(items, 3, 1));
      halo.start(this->space, field.view());
      EXPECT_THROW(given.start(this->space, other.view()), Lamina::InvalidArgument);
      halo.finish(this->space);
      EXPECT_EQ(field.get(), renumbered_values(all_values(items, 3, 0)));
      given.start(this->space, other.view());
      given.finish(this->space);
      EXPECT_EQ(other.get(), all_values(items, 3, 1));
    });
  }
}

TYPED_TEST(HaloExchange, SendsTheValuesAtItsStart) {
  using Test = HaloExchange<TypeParam>;
  const auto graph = HaloGraph::torus(4, 4);
  const auto partition = Lamina::Partition::grid({4, 4}, {2, 1});
  run_on_ranks<Memory>(2, [&](const Lamina::Transport& transport) {
    const auto items = rank_items(graph, partition, transport.rank(), true);
    const auto pattern = make_halo_pattern(transport, items.owned, items.halo);
    const typename Test::Exchange halo(transport, pattern, 2 * sizeof(double));
    const typename Test::Field field(items.size(), 2, owned_values(items, 2, 0));
    halo.start(this->space, field.view());
    const auto owned = Kokkos::make_pair(0, pattern.num_owned);
    Kokkos::deep_copy(this->space, Kokkos::subview(field.view(), owned, Kokkos::ALL),
                      static_cast<typename Test::Scalar>(not_set));
    halo.finish(this->space);
    EXPECT_EQ(field.get(), halo_values(items, 2, 0, [&](int local, std::int64_t) {
                return local >= pattern.num_owned;
              }));
  });
}

TYPED_TEST(HaloExchange, OfOneProcessDoesNothing) {
  using Test = HaloExchange<TypeParam>;
  const typename Test::Exchange halo;
  EXPECT_TRUE(halo.empty());
  const typename Test::Field field(3, 2, Values{1, 2, 3, 4, 5, 6});
  halo.start(this->space, field.view());
  halo.start_part(this->space, 5, field.view());
  halo.finish(this->space);
  EXPECT_EQ(field.get(), (Values{1, 2, 3, 4, 5, 6}));
}

/// A periodic line of three items with a ghost item at either end.
inline Lamina::HaloPattern periodic_line() {
  return make_halo_pattern(*Lamina::make_loopback_transport(), {0, 1, 2}, {2, 0});
}

TYPED_TEST(HaloExchange, OfALoopbackCopiesWithinTheProcess) {
  using Test = HaloExchange<TypeParam>;
  const typename Test::Exchange halo(*Lamina::make_loopback_transport(), periodic_line(), 16);
  EXPECT_FALSE(halo.empty());
  const typename Test::Field field(5, 2, Values{1, 2, 3, 4, 5, 6, -1, -1, -1, -1});
  halo.start(this->space, field.view());
  halo.finish(this->space);
  EXPECT_EQ(field.get(), (Values{1, 2, 3, 4, 5, 6, 5, 6, 1, 2}));
}

TYPED_TEST(HaloExchange, SaysWhatIsWrong) {
  using Test = HaloExchange<TypeParam>;
  const auto transport = Lamina::make_loopback_transport();
  const typename Test::Exchange halo(*transport, periodic_line(), 2 * sizeof(double));
  const auto refusal = [](const auto& call) { return message_of<Lamina::InvalidArgument>(call); };
  const typename Test::Field good(5, 2), short_field(4, 2), deep(5, 5);
  const auto& space = this->space;
  EXPECT_EQ(refusal([&] { halo.finish(space); }),
            "Lamina::HaloExchange::finish: expected a start before, got none");
  EXPECT_EQ(refusal([&] { halo.start(space, short_field.view()); }),
            "Lamina::HaloExchange::start: argument fields: expected 5 items, got 4");
  EXPECT_EQ(refusal([&] { halo.start(space, deep.view()); }),
            "Lamina::HaloExchange::start: fields: expected 16 bytes per item at most, got " +
                std::to_string(5 * sizeof(typename Test::Scalar)));
  EXPECT_EQ(refusal([&] { halo.start_part(space, 1, good.view()); }),
            "Lamina::HaloExchange::start: part: expected 0 to 0, got 1");
  halo.start(space, good.view());
  EXPECT_EQ(refusal([&] { halo.start(space, good.view()); }),
            "Lamina::HaloExchange::start: expected finish() after the last start, got another "
            "start");
  halo.finish(space);

  const auto spoilt = [&](const auto& spoil) {
    auto pattern = periodic_line();
    spoil(pattern);
    return refusal([&] { typename Test::Exchange exchange(*transport, pattern, 8); });
  };
  const std::string prefix = "Lamina::HaloExchange: ";
  EXPECT_EQ(spoilt([](auto& p) { p.peers[0].send[1] = 3; }),
            prefix + "send: expected local numbers from 0 to below 3, got 3");
  EXPECT_EQ(spoilt([](auto& p) { p.peers[0].receive[0] = 2; }),
            prefix + "receive: expected local numbers from 3 to below 5, got 2");
  EXPECT_EQ(spoilt([](auto& p) { p.peers[0].rank = 1; }),
            prefix + "pattern: expected peers by ascending rank below 1, got 1 after -1");
  EXPECT_EQ(spoilt([](auto& p) { p.halo_begin = 2; }),
            prefix + "pattern: expected 0 <= num_owned <= halo_begin <= num_local, got 3, 2, 5");
  EXPECT_EQ(spoilt([](auto& p) { p.num_parts = 0; }),
            prefix + "pattern: expected at least one part, got 0");
  EXPECT_EQ(spoilt([](auto& p) { p.num_parts = 2; }),
            prefix + "send_parts: expected ascending offsets of 2 parts of 2 items");
  EXPECT_EQ(spoilt([](auto& p) { p.peers[0].send.pop_back(); }),
            prefix + "pattern: expected 2 items from rank 0, which sends 1");
}

/// Cells between ghosts, of a line that is periodic.
TYPED_TEST(HaloExchange, TakesItemsInAnyOrder) {
  using Test = HaloExchange<TypeParam>;
  Lamina::HaloPattern pattern{.num_owned = 5, .halo_begin = 0, .num_local = 5};
  pattern.peers = {{0, {3, 1}, {0, 4}}};
  const auto transport = Lamina::make_loopback_transport();
  const typename Test::Exchange halo(*transport, pattern, 8);
  const typename Test::Field field(5, 1, {0, 7, 8, 9, 0});
  halo.start(this->space, field.view());
  halo.finish(this->space);
  EXPECT_EQ(field.get(), (Values{9, 7, 8, 9, 7}));
  pattern.peers[0].send[0] = 4;
  EXPECT_EQ(message_of<Lamina::InvalidArgument>(
                [&] { typename Test::Exchange exchange(*transport, pattern, 8); }),
            "Lamina::HaloExchange: send: expected no items that are received, got 4");
}

TYPED_TEST(HaloExchange, ComparesThePatternsOfPeers) {
  using Test = HaloExchange<TypeParam>;
  // Each of two ranks has an item that the other one needs.
  const auto refusal = [&](const auto& spoil, std::size_t bytes_of_rank_1) {
    std::string message;
    run_on_ranks<Memory>(2, [&](const Lamina::Transport& transport) {
      const int rank = transport.rank();
      auto pattern = make_halo_pattern(transport, {rank}, {1 - rank});
      if (rank == 1) spoil(pattern);
      message = message_of<Lamina::RankFailure>([&] {
        typename Test::Exchange exchange(transport, pattern, rank == 0 ? 8 : bytes_of_rank_1);
      });
    });
    return message;
  };
  EXPECT_EQ(refusal([](auto&) {}, 8), "nothing was thrown");
  EXPECT_EQ(refusal(
                [](auto& p) {
                  p.peers[0].send = {0, 0};
                },
                8),
            "rank 0: Lamina::HaloExchange: pattern: expected 1 items from rank 1, which sends 2");
  const std::string parts =
      "rank 0: Lamina::HaloExchange: pattern: expected the parts and "
      "most_bytes_per_item of rank 1, got others";
  EXPECT_EQ(refusal([](auto&) {}, 16), parts);
  EXPECT_EQ(refusal(
                [](auto& p) {
                  p = split_into_parts(p, {0, 0}, 2);
                },
                8),
            "rank 0: Lamina::HaloExchange: pattern: expected 1 parts of rank 1, got 2");
}

/// A message begins at a multiple of 8 bytes, and fields follow each other in it.
TEST(HaloFields, KeepValuesAligned) {
  const auto field_of = [](int num_levels, std::size_t value_bytes) {
    Lamina::Impl::HaloFieldData field;
    field.num_levels = num_levels;
    field.value_bytes = static_cast<int>(value_bytes);
    return field;
  };
  Lamina::Impl::HaloFields fields;
  fields.add(field_of(3, sizeof(float)));
  fields.add(field_of(5, sizeof(double)));
  fields.add(field_of(1, sizeof(float)));
  fields.add(field_of(2, sizeof(double)));
  EXPECT_EQ(fields.num_levels, 11);
  EXPECT_EQ(fields.bytes(), 4 * 4 + 7 * 8);
  std::int64_t end = 0;
  for (int n = 0; n < fields.count; ++n) {
    const auto& field = fields.fields[n];
    EXPECT_EQ(field.bytes_before % field.value_bytes, 0) << n;
    EXPECT_EQ(field.bytes_before, end);
    end += field.bytes();
  }
}

TYPED_TEST(HaloExchange, AllocatesNothingAndWorksOnTheInstance) {
  using Test = HaloExchange<TypeParam>;
  const typename Test::Exchange halo(*Lamina::make_loopback_transport(), periodic_line(), 16);
  const typename Test::Field field(5, 2);
  const OwnStream stream{};
  const auto space = stream.space();
  const ToolListener listener;
  halo.start(space, field.view());
  halo.finish(space);
  const auto heard = listener.heard();
  EXPECT_TRUE(heard.allocations.empty());
  ASSERT_EQ(heard.kernels.size(), 1u);  // there is no message to unpack
  EXPECT_EQ(heard.kernels[0].label, "Lamina::HaloExchange::pack");
  if (!instances_are_told_apart) return;
  EXPECT_EQ(heard.kernels[0].device, OwnStream::id(space));
  EXPECT_TRUE(heard.fences.empty());
}

TYPED_TEST(HaloExchange, PacksAndUnpacksWithOneKernelEach) {
  using Test = HaloExchange<TypeParam>;
  const auto graph = HaloGraph::torus(6, 2);
  const auto partition = Lamina::Partition::grid({6, 2}, {3, 1});
  std::vector<std::string> labels;
  run_on_ranks<Memory>(3, [&](const Lamina::Transport& transport) {
    const auto items = rank_items(graph, partition, transport.rank());
    const auto pattern = make_halo_pattern(transport, items.owned, items.halo);
    const typename Test::Exchange halo(transport, pattern, 64);
    const typename Test::Field u(items.size(), 2), v(items.size(), 1);
    const TestVector<float> w(owned_values(items, 1, 0));
    (void)Lamina::Impl::gather_values(transport, 0);  // one rank after the other from here on
    const ToolListener listener;
    halo.start(this->space, u.view(), v.view(), w.view());
    if (transport.rank() == 2) {  // the last: messages are there
      halo.finish(this->space);
      for (const auto& kernel : listener.heard().kernels) labels.push_back(kernel.label);
      EXPECT_TRUE(listener.heard().allocations.empty());
    }
  });
  EXPECT_EQ(labels, (std::vector<std::string>{"Lamina::HaloExchange::pack",
                                              "Lamina::HaloExchange::unpack"}));
}

}  // namespace LaminaTest
