// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/device/impl/HalfLanes_Host.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#if !LAMINA_DEVICE_PASS  // a device's pass knows no such lanes

namespace {

using Lamina::Half;

/// All halves, and some of them again.
std::vector<Half> halves(std::size_t more) {
  std::vector<Half> all;
  for (std::size_t n = 0; n < 0x10000 + more; ++n) {
    all.push_back(Half::from_bits(static_cast<std::uint16_t>(n)));
  }
  return all;
}

template <int Count>
void expect_the_values_of_single_ones() {
  using Floats = Lamina::Impl::FloatsOfHalves<Count>;
  const auto all = halves(Count);
  for (std::size_t n = 0; n < 0x10000; ++n) {
    const auto lanes = Floats::load(all.data() + n), by_bits = Floats::load_bits(all.data() + n);
    for (std::size_t lane = 0; lane < Count; ++lane) {
      const auto expected = static_cast<float>(all[n + lane]);
      for (const float value : {lanes[lane], by_bits[lane]}) {
        ASSERT_TRUE(std::isnan(expected)
                        ? std::isnan(value)
                        : value == expected && std::signbit(value) == std::signbit(expected))
            << Count << " lanes: " << expected << " became " << value;
      }
    }
  }
}

/// Where a vector of so many floats fits into a register of the target.
template <int Count>
void expect_where_it_fits() {
  if constexpr (Count * int{sizeof(float)} <= Lamina::Impl::vector_bytes) {
    expect_the_values_of_single_ones<Count>();
  }
}

TEST(HalfLanesHost, LoadsWhatSingleConversionsGive) {
  expect_where_it_fits<2>();
  expect_where_it_fits<4>();
  expect_where_it_fits<8>();
  expect_where_it_fits<16>();
}

}  // namespace

#endif
