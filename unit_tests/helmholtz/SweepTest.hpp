// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/krylov/FusedStep.hpp>

#include <gtest/gtest.h>
#include <helmholtz/HelmholtzCase.hpp>
#include <support/FieldTypes.hpp>

namespace LaminaTest {

/// Sweeps of one pass of a fused PCG, on rows of scalar products that the host can set and get.
template <class Type>
class SweepTest : public testing::Test {
 public:
  using Scalar = typename Type::scalar;
  using Field = TestField<Scalar, typename Type::layout>;
  using Case = HelmholtzCase<Scalar>;
  using Step = Lamina::FusedStep<Memory>;

  SweepTest() : m_rows("LaminaTest::rows", 4 * Step::row_length) {}

  /// A pass between rows: first, before, now, next.
  Step step(bool is_first = false) const {
    const auto row = [this](int i) { return m_rows.data() + i * Step::row_length; };
    return {.reference = row(0),
            .before = row(1),
            .now = row(2),
            .next = row(3),
            .is_first = is_first,
            .is_last = false,
            .tolerance2 = 0,
            .absolute2 = 0};
  }
  /// Sets the rows first, before and now, entry by entry.
  void set_rows(const Values& rows) const {
    const auto host = Kokkos::create_mirror_view(m_rows);
    Kokkos::deep_copy(host, -1.0);
    for (std::size_t i = 0; i < rows.size(); ++i) host(i) = rows[i];
    Kokkos::deep_copy(m_rows, host);
  }
  double now(int entry) const { return row_entry(2 * Step::row_length + entry); }
  double next(int entry) const { return row_entry(3 * Step::row_length + entry); }

 private:
  double row_entry(int i) const {
    Kokkos::fence();
    return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(),
                                               m_rows)(static_cast<std::size_t>(i));
  }

  Kokkos::View<double*, Memory> m_rows;
};

/// Sums that go wrong at the edges of tiles, packs and segments, in either layout.
inline constexpr PanelSize sweep_sizes[] = {{1, 1},   {2, 3},    {3, 33},  {5, 7},
                                            {12, 16}, {17, 5},   {8, 129}, {4, 130},
                                            {2, 530}, {2, 1024}, {2, 1030}};

}  // namespace LaminaTest
