// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Fields and sums of one sweep of a device, and their comparison.

#include <lamina/krylov/FusedStep.hpp>

#include <gtest/gtest.h>
#include <reference/Hash.hpp>
#include <support/TestField.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

namespace LaminaTest {

/// Fields of a sweep, each with other values, and the row that it sums into.
template <class Scalar>
struct SweepRun {
  using Field = Kokkos::View<Scalar**, Kokkos::LayoutLeft, Memory>;
  using View = Lamina::FieldView<Scalar, Kokkos::LayoutLeft, Memory>;
  using Input = Lamina::FieldView<const Scalar, Kokkos::LayoutLeft, Memory>;

  std::array<Field, 5> fields;
  Kokkos::View<double*, Memory> rows{
      "rows", static_cast<std::size_t>(4 * Lamina::FusedStep<Memory>::row_length)};

  SweepRun(int num_columns, int num_levels) {
    for (std::size_t n = 0; n < fields.size(); ++n) {
      fields[n] = Field("field" + std::to_string(n), static_cast<std::size_t>(num_columns),
                        static_cast<std::size_t>(num_levels));
      const auto on_host = Kokkos::create_mirror_view(fields[n]);
      for (std::size_t k = 0; k < on_host.extent(1); ++k) {
        for (std::size_t c = 0; c < on_host.extent(0); ++c) {
          const std::uint64_t seed = 1000003 * (n + 1) + k * on_host.extent(0) + c;
          on_host(c, k) = static_cast<Scalar>(Reference::unit_value(seed));
        }
      }
      Kokkos::deep_copy(fields[n], on_host);
    }
    // Rows first, before, now and next: beta = 0.5, <p, A p> = 2 - 0.25, alpha before 0.5.
    const auto on_host = Kokkos::create_mirror_view(rows);
    const double values[16] = {1, 1, 1, 1, 1, 0.5, 1, 1, 1, 0.25, 0, 2, 0, 0, 0, 0};
    std::copy(values, values + 16, on_host.data());
    Kokkos::deep_copy(rows, on_host);
  }

  View view(std::size_t n) const {
    return View(fields[n].data(), fields[n].extent(0), fields[n].extent(1));
  }
  Lamina::FusedStep<Memory> step() const {
    const auto row = [this](int i) {
      return rows.data() + i * Lamina::FusedStep<Memory>::row_length;
    };
    return {.reference = row(0),
            .before = row(1),
            .now = row(2),
            .next = row(3),
            .is_first = false,
            .is_last = false,
            .tolerance2 = 0,
            .absolute2 = 0};
  }
};

/// Level by level to rounding of the greatest value there; what is summed up as well.
template <class Scalar>
void expect_close_runs(const SweepRun<Scalar>& found, const SweepRun<Scalar>& expected) {
  const double rounding = 40 * static_cast<double>(std::numeric_limits<Scalar>::epsilon());
  for (std::size_t n = 0; n < found.fields.size(); ++n) {
    const auto a = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), found.fields[n]);
    const auto b = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), expected.fields[n]);
    for (std::size_t k = 0; k < a.extent(1); ++k) {
      double greatest = 0, difference = 0;
      for (std::size_t c = 0; c < a.extent(0); ++c) {
        const double one = static_cast<double>(a(c, k)), other = static_cast<double>(b(c, k));
        greatest = std::max(greatest, std::abs(other));
        const double apart = std::abs(one - other);
        difference = apart <= difference ? difference : apart;  // NaN counts
      }
      ASSERT_LE(difference, rounding * greatest) << "field " << n << ", level " << k;
    }
  }
  const auto a = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), found.rows);
  const auto b = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), expected.rows);
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_NEAR(a(i), b(i), 10 * rounding * std::abs(b(i))) << "entry " << i << " of rows";
  }
}

template <class View>
bool same_values(const View& left, const View& right) {
  const auto a = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), left);
  const auto b = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), right);
  return std::equal(a.data(), a.data() + a.size(), b.data());
}

}  // namespace LaminaTest
