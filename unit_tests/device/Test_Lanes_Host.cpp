// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/device/impl/FlushSubnormals_X86.hpp>
#include <lamina/device/impl/HostWork.hpp>
#include <lamina/device/impl/Lanes_Host.hpp>

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace {

using Lamina::Impl::lane_count;
using Lamina::Impl::Lanes;

template <class Scalar>
class LanesHost : public testing::Test {
 public:
  static constexpr int lanes = lane_count<Scalar>;
  Lanes<Scalar> counting(Scalar first) const {
    Lanes<Scalar> result;
    for (int i = 0; i < lanes; ++i) result[i] = first + static_cast<Scalar>(i);
    return result;
  }
};
using Scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(LanesHost, Scalars);

TYPED_TEST(LanesHost, TransposesASquareBlock) {
  constexpr int n = lane_count<TypeParam>;
  Lanes<TypeParam> rows[n];
  for (int i = 0; i < n; ++i) rows[i] = this->counting(static_cast<TypeParam>(n * i));
  Lamina::Impl::transpose_lanes<TypeParam>(rows);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) EXPECT_EQ(rows[i][j], n * j + i) << "row " << i << ", lane " << j;
  }
}

TYPED_TEST(LanesHost, ShiftsTakeTheNextLaneFromTheNeighbouringVector) {
  constexpr int n = lane_count<TypeParam>;
  const Lanes<TypeParam> low = this->counting(5), high = this->counting(100);
  const Lanes<TypeParam> down = Lamina::Impl::shift_down<TypeParam>(low, high);
  const Lanes<TypeParam> up = Lamina::Impl::shift_up<TypeParam>(low, high);
  for (int i = 0; i < n; ++i) {
    EXPECT_EQ(down[i], i + 1 < n ? low[i + 1] : high[0]) << "lane " << i;
    EXPECT_EQ(up[i], i > 0 ? high[i - 1] : low[n - 1]) << "lane " << i;
  }
}

TYPED_TEST(LanesHost, LoadsAndStoresAtAnyAddress) {
  constexpr int n = lane_count<TypeParam>;
  std::vector<TypeParam> memory(static_cast<std::size_t>(2 * n + 1));
  for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<TypeParam>(i);
  for (int offset = 0; offset <= n; ++offset) {
    const Lanes<TypeParam> lanes = Lamina::Impl::load_lanes(memory.data() + offset);
    std::vector<TypeParam> copy(memory.size(), TypeParam(-1));
    Lamina::Impl::store_lanes(copy.data() + offset, lanes);
    for (int i = 0; i < static_cast<int>(copy.size()); ++i) {
      const bool inside = i >= offset && i < offset + n;
      EXPECT_EQ(copy[static_cast<std::size_t>(i)], inside ? TypeParam(i) : TypeParam(-1));
    }
  }
}

TYPED_TEST(LanesHost, BroadcastsAndSums) {
  constexpr int n = lane_count<TypeParam>;
  const Lanes<TypeParam> lanes = Lamina::Impl::broadcast_lanes(TypeParam(0.5));
  for (int i = 0; i < n; ++i) EXPECT_EQ(lanes[i], TypeParam(0.5));
  Lamina::Impl::LaneSums<TypeParam> sums;
  Lamina::Impl::add_product<TypeParam>(sums, this->counting(1), this->counting(1));
  EXPECT_EQ(sums.total(), n * (n + 1) * (2 * n + 1) / 6.0);
  Lamina::Impl::LaneSums<TypeParam> twice = sums;
  twice += sums;
  for (int i = 0; i < n; ++i) EXPECT_EQ(twice[i], 2 * sums[i]) << "lane " << i;
}

TEST(HostWork, SharesFollowEachOtherAndCoverAllItems) {
  using Lamina::Impl::share_of;
  for (const std::int64_t items : {0, 1, 2, 7, 64, 1000003}) {
    for (const std::int64_t workers : {1, 2, 3, 16}) {
      std::int64_t next = 0;
      for (std::int64_t worker = 0; worker < workers; ++worker) {
        const auto share = share_of(worker, workers, items);
        EXPECT_EQ(share.begin, next);
        EXPECT_LE(share.end - share.begin, items / workers + 1);
        next = share.end;
      }
      EXPECT_EQ(next, items);
    }
  }
  EXPECT_EQ(Lamina::Impl::ceil_divide(0, 4), 0);
  EXPECT_EQ(Lamina::Impl::ceil_divide(8, 4), 2);
  EXPECT_EQ(Lamina::Impl::ceil_divide(9, 4), 3);
  EXPECT_GT(Lamina::Impl::reachable_cache_bytes(), 0u);
  EXPECT_LE(Lamina::Impl::reachable_cache_bytes(), Lamina::Impl::last_level_cache_bytes());
  const auto cores = static_cast<std::size_t>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
  EXPECT_LE(Lamina::Impl::reachable_cache_bytes(), cores << 25) << "32 MiB a core";
}

/// Of a number below the normal range.
template <class Scalar>
Scalar half_of_smallest() {
  volatile Scalar smallest = std::numeric_limits<Scalar>::min();
  volatile Scalar half = smallest * Scalar(0.5);
  return half;
}

TEST(FlushSubnormals, LastsAsLongAsTheObject) {
  EXPECT_GT(half_of_smallest<double>(), 0);
  {
    const Lamina::Impl::FlushSubnormals outer;
    { const Lamina::Impl::FlushSubnormals inner; }
    [[maybe_unused]] const bool none =
        half_of_smallest<double>() == 0 && half_of_smallest<float>() == 0;
#if defined(__x86_64__)
    EXPECT_TRUE(none);
#endif
  }
  EXPECT_GT(half_of_smallest<double>(), 0);
  EXPECT_GT(half_of_smallest<float>(), 0);
}

}  // namespace
