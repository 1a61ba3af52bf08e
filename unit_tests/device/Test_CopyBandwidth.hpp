// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/device/CopyBandwidth.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace LaminaTest {

TEST(CopyBandwidth, MeasuresEveryVariantOnceAndNamesTheFastest) {
  const auto measurements = Lamina::measure_copy_bandwidth(TEST_SPACE(), std::size_t(1) << 24);
  std::set<std::string> variants;
  double best = 0;
  for (const auto& measurement : measurements) {
    EXPECT_GT(measurement.gb_per_s, 0) << measurement.variant;
    EXPECT_TRUE(std::isfinite(measurement.gb_per_s)) << measurement.variant;
    EXPECT_TRUE(variants.insert(measurement.variant).second) << measurement.variant << " twice";
    best = std::max(best, measurement.gb_per_s);
  }
  EXPECT_EQ(variants.count("deep_copy"), 1u);
  EXPECT_EQ(variants.count("plain"), 1u);
  EXPECT_EQ(variants.count("vectorised"), 1u);
  EXPECT_EQ(variants.count("non-temporal"), Lamina::runs_on_host<TEST_SPACE> ? 1u : 0u);
  EXPECT_EQ(Lamina::best_gb_per_s(measurements), best);
}

TEST(CopyBandwidth, CopiesSmallArrays) {
  for (const std::size_t bytes : {std::size_t(0), std::size_t(1000), std::size_t(1) << 16}) {
    for (const auto& measurement : Lamina::measure_copy_bandwidth(TEST_SPACE(), bytes)) {
      EXPECT_GT(measurement.gb_per_s, 0) << measurement.variant << ", bytes: " << bytes;
      EXPECT_TRUE(std::isfinite(measurement.gb_per_s)) << measurement.variant;
    }
  }
}

TEST(CopyBandwidth, SaysWhatMemoryItTakes) {
  const double mebibytes = static_cast<double>(Lamina::copy_bandwidth_bytes<TEST_SPACE>()) / 0x1p20;
  EXPECT_GE(mebibytes, Lamina::runs_on_host<TEST_SPACE> ? 2 * 128 : 2 * 2048);
}

TEST(CopyBandwidth, BestOfNothingIsZero) { EXPECT_EQ(Lamina::best_gb_per_s({}), 0); }

}  // namespace LaminaTest
