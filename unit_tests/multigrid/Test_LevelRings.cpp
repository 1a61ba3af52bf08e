// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <Kokkos_Core.hpp>
#define TEST_SPACE Kokkos::DefaultHostExecutionSpace

#include <lamina/multigrid/impl/RankCycle.hpp>

#include <gtest/gtest.h>
#include <multigrid/RankHierarchies.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace LaminaTest {
namespace {

/// A level as a whole, by the numbers of its columns over all ranks.
struct WholeLevel {
  std::vector<double> areas;
  std::map<std::int64_t, std::multimap<std::int64_t, double>> couplings;  // -1: with the boundary

  WholeLevel(const Lamina::Transport& transport, const HierarchyLevel& level,
             const std::vector<std::int64_t>& numbers) {
    struct Coupling {
      std::int64_t column, other;
      double value;
    };
    const int num_owned = level.graph.count_owned();
    std::vector<Coupling> mine;
    const auto add = [&](int column, std::int64_t other, const auto& edge) {
      if (column < num_owned)
        mine.push_back({numbers[index(column)], other, edge.length / edge.distance});
    };
    for (const auto& edge : level.graph.edges) {
      add(edge.first, numbers[index(edge.second)], edge);
      add(edge.second, numbers[index(edge.first)], edge);
    }
    for (const auto& edge : level.graph.boundary_edges) add(edge.column, -1, edge);
    for (const auto& entry : Lamina::Impl::gather_list(transport, mine)) {
      couplings[entry.column].emplace(entry.other, entry.value);
    }
    areas = Lamina::Impl::gather_list(
        transport,
        std::vector<double>(level.graph.areas.begin(), level.graph.areas.begin() + num_owned));
  }

  /// Columns by the edges that lead to them from some of them, at most `most`.
  std::map<std::int64_t, int> distances(const std::vector<std::int64_t>& from, int most) const {
    std::map<std::int64_t, int> found;
    std::vector<std::int64_t> last(from);
    for (int distance = 0; distance <= most; ++distance) {
      std::vector<std::int64_t> next;
      for (const std::int64_t column : last) {
        if (!found.emplace(column, distance).second || couplings.count(column) == 0) continue;
        for (const auto& [other, value] : couplings.at(column)) {
          if (other >= 0) next.push_back(other);
        }
      }
      last = std::move(next);
    }
    return found;
  }
};

/// \param numbers  of the places of `rings`
void expect_rings(const WholeLevel& whole, const Lamina::Impl::LevelRings& rings,
                  const std::vector<std::int64_t>& numbers, int num_rings) {
  const auto own = numbers.begin() + rings.halo.num_owned;
  const auto distances = whole.distances({numbers.begin(), own}, num_rings);
  constexpr std::int64_t boundary = -1, unknown = -2;
  using Coupling = std::pair<std::int64_t, double>;  // with whom
  std::map<int, std::vector<Coupling>> couplings;    // of a place
  const auto add = [&](int place, std::int64_t other, const auto& edge) {
    couplings[place].emplace_back(other, edge.length / edge.distance);
  };
  const int end = rings.graph.count_owned();
  const auto number_of = [&](int place) { return place < end ? numbers[index(place)] : unknown; };
  for (const auto& edge : rings.graph.edges) {
    add(edge.first, number_of(edge.second), edge);
    add(edge.second, number_of(edge.first), edge);
  }
  for (const auto& edge : rings.graph.boundary_edges) add(edge.column, boundary, edge);
  EXPECT_EQ(numbers.size() % 16, 0U) << "levels of a field begin at cache lines";
  EXPECT_EQ(rings.transfer.columns.size(),
            rings.transfer.columns.empty() ? 0U : static_cast<std::size_t>(end));
  ASSERT_EQ(rings.ends.size(), static_cast<std::size_t>(num_rings) + 1);
  EXPECT_EQ(rings.ends.back(), end);
  std::size_t columns = 0;
  for (int place = 0; place < static_cast<int>(numbers.size()); ++place) {
    const std::int64_t number = numbers[index(place)];
    if (place >= end || number < 0) {
      EXPECT_LT(number, 0) << "a column beyond the rings comes from another rank";
      EXPECT_TRUE(place >= end || couplings.count(place) == 0);
      continue;
    }
    ++columns;
    ASSERT_EQ(distances.count(number), 1U);
    const int ring = distances.at(number);
    EXPECT_LT(place, rings.ends[index(ring)]);
    EXPECT_GE(place, ring == 0 ? 0 : rings.ends[index(ring - 1)]);
    EXPECT_EQ(rings.graph.areas[index(place)], whole.areas[index(number)]);
    std::vector<Coupling> expected;
    if (whole.couplings.count(number) > 0) {
      for (const auto& [other, value] : whole.couplings.at(number)) {
        const bool is_known = other < 0 || distances.count(other) > 0;
        expected.emplace_back(is_known ? other : unknown, value);
      }
    }
    auto& found = couplings[place];
    std::sort(found.begin(), found.end());
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(found, expected);
  }
  EXPECT_EQ(columns, distances.size());
}

/// The rows of P of a level: those of a column are the same on all ranks that have it.
/// \param numbers,  coarse  of the places of both levels
void expect_rows_of_owners(const Lamina::Transport& transport, const Lamina::HaloPattern& halo,
                           const Lamina::ColumnTransfer& transfer,
                           const std::vector<std::int64_t>& numbers,
                           const std::vector<std::int64_t>& coarse,
                           const std::map<std::int64_t, int>& distances, int most) {
  using Row = std::array<double, 6>;
  std::vector<Row> rows(numbers.size(), Row{});
  for (std::size_t c = 0; c < transfer.weights.size(); ++c) {
    for (std::size_t n = 0; n < 3; ++n) {
      if (transfer.weights[c][n] == 0) continue;
      EXPECT_GE(transfer.columns[c][n], 0);
      rows[c][2 * n] = transfer.weights[c][n];
      rows[c][2 * n + 1] = static_cast<double>(coarse[index(transfer.columns[c][n])]);
      EXPECT_GE(rows[c][2 * n + 1], 0) << "P takes a column that does not come from its owner";
    }
  }
  const auto here = rows;
  update_halo(transport, halo, rows);
  for (std::size_t c = 0; c < numbers.size(); ++c) {
    const bool is_near = numbers[c] >= 0 && distances.at(numbers[c]) <= most;
    EXPECT_EQ(here[c], is_near ? rows[c] : Row{});
  }
}

TEST(LevelRings, HaveTheColumnsAroundThoseOfARankAsTheirOwnersDo) {
  for_each_hierarchy([](const auto& transport, const auto&, const auto& hierarchy) {
    const auto& levels = hierarchy.levels();
    std::size_t num_shared = 0;
    while (num_shared < levels.size() && levels[num_shared].is_shared) ++num_shared;
    const int num_rings = num_shared == 2 ? 5 : 2 + static_cast<int>(num_shared) % 2;
    const auto rings = Lamina::Impl::find_rings(transport, levels, num_shared - 1, num_rings);
    ASSERT_EQ(rings.size(), num_shared);
    EXPECT_TRUE(rings[0].graph.areas.empty());
    const auto numbers_in = [&](std::size_t l) {  // of the places of a level
      if (l == 0 || l >= num_shared) return numbers_of(transport, levels[l]);
      const RankNumbers all(transport, levels[l].graph.count_owned());
      std::vector<std::int64_t> numbers(rings[l].graph.areas.size(), -1);
      for (int c = 0; c < rings[l].halo.num_owned; ++c) numbers[index(c)] = all.begin() + c;
      update_halo(transport, rings[l].halo, numbers);
      return numbers;
    };
    for (std::size_t l = 0; l < num_shared; ++l) {
      const auto numbers = numbers_in(l);
      const WholeLevel whole(transport, levels[l], numbers_of(transport, levels[l]));
      if (l > 0) expect_rings(whole, rings[l], numbers, num_rings);
      if (l + 1 == levels.size()) continue;
      const auto& halo = l == 0 ? levels[l].halo : rings[l].halo;
      const auto own = numbers.begin() + halo.num_owned;
      const auto distances = whole.distances({numbers.begin(), own}, num_rings);
      expect_rows_of_owners(transport, halo, rings[l].transfer, numbers, numbers_in(l + 1),
                            distances, l == 0 ? 1 : num_rings - 1);
    }
  });
}

TEST(KnownRings, EndInAnExchange) {
  const std::vector<int> ends{16, 20, 28, 32};
  Lamina::Impl::KnownRings three(ends, 32);
  EXPECT_FALSE(three.lacks(3)) << "f is known on all";
  EXPECT_EQ(three.columns_after_step(), 28);
  three.step();
  EXPECT_FALSE(three.lacks(2));
  EXPECT_TRUE(three.lacks(3));
  EXPECT_EQ(three.columns_after_step(), 20);
  three.exchanged();
  EXPECT_FALSE(three.lacks(3));
  three.prolong();
  EXPECT_FALSE(three.lacks(2));
  EXPECT_TRUE(three.lacks(3)) << "P has no weights on the last one";
  three.exchanged();
  EXPECT_TRUE(three.lacks(4)) << "an exchange is of no more rings";
  const std::vector<int> no_ends;
  Lamina::Impl::KnownRings none(no_ends, 16);
  EXPECT_TRUE(none.lacks(1));
  none.exchanged();
  none.prolong();
  EXPECT_FALSE(none.lacks(1)) << "x and P c of neighbours are known";
  EXPECT_EQ(none.columns_after_step(), 16);
  none.step();
  EXPECT_TRUE(none.lacks(1));
}

}  // namespace
}  // namespace LaminaTest
