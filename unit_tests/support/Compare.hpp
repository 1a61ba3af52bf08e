// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace LaminaTest {

using Values = std::vector<double>;

/// The one tolerance for results that should be equal up to rounding: constant x size x epsilon,
/// with `operations` roundings, one after the other, behind a value. 4 leaves room for an input
/// rounded once, an intermediate rounded once, the twin's own rounding, and a fused multiply-add
/// more or less.
template <class Scalar>
double rounding(double operations) {
  return 4 * operations * static_cast<double>(std::numeric_limits<Scalar>::epsilon());
}

/// |actual - expected| <= tolerance * scale, entry by entry; NaN is never within. Names the first
/// entries that are not.
inline testing::AssertionResult all_within(const Values& actual, const Values& expected,
                                           double tolerance, const Values& scale) {
  if (actual.size() != expected.size() || actual.size() != scale.size()) {
    return testing::AssertionFailure() << "sizes differ: " << actual.size() << ", "
                                       << expected.size() << ", scale " << scale.size();
  }
  auto result = testing::AssertionFailure();
  std::size_t mismatches = 0;
  for (std::size_t i = 0; i < actual.size(); ++i) {
    const double bound = tolerance * scale[i];
    if (std::abs(actual[i] - expected[i]) <= bound) continue;
    if (++mismatches <= 5) {
      result << "entry " << i << ": " << actual[i] << ", expected " << expected[i]
             << ", difference " << actual[i] - expected[i] << " above " << bound << '\n';
    }
  }
  if (mismatches == 0) return testing::AssertionSuccess();
  return result << mismatches << " of " << actual.size() << " entries differ";
}

/// The same, relative to the largest expected magnitude.
inline testing::AssertionResult all_within(const Values& actual, const Values& expected,
                                           double tolerance) {
  double largest = 0;
  for (double value : expected) largest = std::max(largest, std::abs(value));
  return all_within(actual, expected, tolerance, Values(expected.size(), largest));
}

/// |actual - expected| / |expected| in the 2-norm.
inline double relative_difference(const Values& actual, const Values& expected) {
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    difference += (actual[i] - expected[i]) * (actual[i] - expected[i]);
    size += expected[i] * expected[i];
  }
  return std::sqrt(difference / size);
}

}  // namespace LaminaTest
