// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/device/Half.hpp>

#include <gtest/gtest.h>
#include <reference/Blocks.hpp>
#include <support/TestField.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace LaminaTest {

template <class From, class To>
struct ConvertKernel {
  const From* from;
  To* to;
  KOKKOS_FUNCTION void operator()(int n) const { to[n] = static_cast<To>(from[n]); }
};

/// As the test space converts.
template <class To, class From>
std::vector<To> converted(const std::vector<From>& values) {
  const Kokkos::View<From*, Memory> from("LaminaTest::from", values.size());
  const Kokkos::View<To*, Memory> to("LaminaTest::to", values.size());
  const auto host = Kokkos::create_mirror_view(from);
  std::copy(values.begin(), values.end(), host.data());
  Kokkos::deep_copy(from, host);
  Kokkos::parallel_for(
      "LaminaTest::convert",
      Kokkos::RangePolicy<TEST_SPACE>(TEST_SPACE(), 0, static_cast<int>(values.size())),
      ConvertKernel<From, To>{from.data(), to.data()});
  const auto result = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), to);
  return {result.data(), result.data() + result.size()};
}

inline std::uint16_t half_bits(float value) {
  return converted<Lamina::Half>(std::vector{value}).front().bits();
}

inline std::vector<Lamina::Half> all_halves() {
  std::vector<Lamina::Half> halves;
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    halves.push_back(Lamina::Half::from_bits(static_cast<std::uint16_t>(bits)));
  }
  return halves;
}

TEST(Half, TakesTwoBytes) {
  EXPECT_EQ(sizeof(Lamina::Half), 2u);
  const Kokkos::View<Lamina::Half*, Memory> two("LaminaTest::two", 2);
  EXPECT_EQ(
      reinterpret_cast<const char*>(two.data() + 1) - reinterpret_cast<const char*>(two.data()), 2);
}

TEST(Half, EveryOneIsTheNumberThatItsBitsSay) {
  const auto halves = all_halves();
  const auto floats = converted<float>(halves);
  const auto doubles = converted<double>(halves);
  for (std::size_t n = 0; n < halves.size(); ++n) {
    const int exponent = static_cast<int>(n >> 10 & 31), fraction = static_cast<int>(n & 1023);
    if (exponent == 31 && fraction != 0) {
      EXPECT_TRUE(std::isnan(floats[n]) && std::isnan(doubles[n])) << n;
      continue;
    }
    const double magnitude = exponent == 31  ? HUGE_VAL
                             : exponent == 0 ? std::ldexp(fraction, -24)
                                             : std::ldexp(1024 + fraction, exponent - 25);
    EXPECT_EQ(floats[n], static_cast<float>(magnitude) * (n < 0x8000 ? 1 : -1)) << n;
    EXPECT_EQ(doubles[n], magnitude * (n < 0x8000 ? 1 : -1)) << n;
    EXPECT_EQ(std::signbit(floats[n]), n >= 0x8000) << n;
  }
}

TEST(Half, ComesBackFromFloat) {
  const auto halves = all_halves();
  const auto back = converted<Lamina::Half>(converted<float>(halves));
  for (std::size_t n = 0; n < halves.size(); ++n) {
    const bool nan = (n & 0x7C00) == 0x7C00 && (n & 0x3FF) != 0;
    if (nan) {
      EXPECT_TRUE((back[n].bits() & 0x7C00) == 0x7C00 && (back[n].bits() & 0x3FF) != 0) << n;
    } else {
      EXPECT_EQ(back[n].bits(), n);
    }
  }
}

TEST(Half, RoundsToTheNearestAndOfTwoToTheEvenOne) {
  std::vector<float> floats;
  for (std::uint32_t bits = 0; bits < 0x7C00; ++bits) {
    const auto here = static_cast<float>(Lamina::Half::from_bits(static_cast<std::uint16_t>(bits)));
    const auto next =
        bits == 0x7BFF
            ? 65536.0F
            : static_cast<float>(Lamina::Half::from_bits(static_cast<std::uint16_t>(bits + 1)));
    const float tie = 0.5F * (here + next);
    floats.insert(floats.end(), {here, std::nextafter(tie, here), tie, std::nextafter(tie, next)});
  }
  const std::size_t positive = floats.size();
  for (std::size_t n = 0; n < positive; ++n) floats.push_back(-floats[n]);
  const auto halves = converted<Lamina::Half>(floats);
  for (std::size_t n = 0; n < floats.size(); ++n) {
    const std::size_t place = n % positive, lower = place / 4;
    const std::size_t expected = place % 4 < 2    ? lower
                                 : place % 4 == 2 ? lower + lower % 2
                                                  : lower + 1;
    EXPECT_EQ(halves[n].bits(), expected | (n < positive ? 0 : 0x8000)) << floats[n];
    EXPECT_EQ(static_cast<double>(halves[n]), Reference::in_half(floats[n])) << floats[n];
  }
}

TEST(Half, KnowsItsLimits) {
  const std::pair<float, int> cases[] = {
      {0.0F, 0},
      {-0.0F, 0x8000},
      {1.0F, 0x3C00},
      {-2.0F, 0xC000},
      {65504.0F, 0x7BFF},
      {65519.996F, 0x7BFF},
      {65520.0F, 0x7C00},
      {-65520.0F, 0xFC00},
      {1e30F, 0x7C00},
      {std::numeric_limits<float>::infinity(), 0x7C00},
      {-std::numeric_limits<float>::infinity(), 0xFC00},
      {0x1p-14F, 0x0400},
      {0x1p-14F - 0x1p-25F, 0x0400},
      {0x1p-14F - 0x1p-24F, 0x03FF},
      {0x1p-24F, 1},
      {0x1p-25F, 0},
      {0x1.000002p-25F, 1},
      {0x1.8p-24F, 2},
      {std::numeric_limits<float>::denorm_min(), 0},
      {-std::numeric_limits<float>::min(), 0x8000},
  };
  for (const auto& [value, bits] : cases) EXPECT_EQ(half_bits(value), bits) << value;
  for (const float nan : {std::nanf(""), -std::nanf("")}) {
    EXPECT_TRUE(std::isnan(converted<float>(converted<Lamina::Half>(std::vector{nan})).front()));
  }
}

TEST(Half, RoundsDoublesByWayOfFloat) {
  const std::vector<double> values{1.0 / 3, -1e-6, 70000, 1e300, 0x1.002p0, -0x1.002000001p0};
  const auto halves = converted<Lamina::Half>(values);
  for (std::size_t n = 0; n < values.size(); ++n) {
    EXPECT_EQ(halves[n].bits(), half_bits(static_cast<float>(values[n]))) << values[n];
  }
}

}  // namespace LaminaTest
