// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Line solves of two columns a thread against those of one column a thread.

#include <lamina/device/impl/HostWork.hpp>
#include <lamina/helmholtz/impl/HelmholtzKernels_Bodies.hpp>
#include <lamina/helmholtz/impl/HelmholtzLines_Device.hpp>
#include <lamina/krylov/FusedStep.hpp>
#include <lamina/lines/impl/LineWorkspace.hpp>

#include <gtest/gtest.h>
#include <helmholtz/HelmholtzCase.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace LaminaTest {

using LinePackField = Kokkos::View<float**, Kokkos::LayoutLeft, Memory>;
using LinePackView = Lamina::FieldView<float, Kokkos::LayoutLeft, Memory>;
using LinePackInput = Lamina::FieldView<const float, Kokkos::LayoutLeft, Memory>;

/// What a line solve reads and leaves.
struct LinePackRun {
  LinePackField r, q, z;
  Kokkos::View<double*, Memory> sums{"sums", 2};

  LinePackRun(int num_columns, int num_levels)
      : r("r", static_cast<std::size_t>(num_columns), static_cast<std::size_t>(num_levels)),
        q("q", r.extent(0), r.extent(1)),
        z("z", r.extent(0), r.extent(1)) {
    fill(r, 1);
    fill(q, 2);
    fill(z, 3);
  }

  LinePackView output(const LinePackField& field) const {
    return LinePackView(field.data(), field.extent(0), field.extent(1));
  }
  LinePackInput input(const LinePackField& field) const { return output(field); }

  /// The right-hand side of each kind.
  template <class Rhs>
  Rhs right_hand_side(const Lamina::FusedStep<Memory>& step) const {
    if constexpr (requires { &Rhs::q; }) {
      return {step, input(q), output(r)};
    } else if constexpr (requires { &Rhs::step; }) {
      return {step, input(r)};
    } else {
      return {input(r)};
    }
  }

 private:
  static void fill(const LinePackField& field, std::uint64_t seed) {
    const auto on_host = Kokkos::create_mirror_view(field);
    for (std::size_t k = 0; k < field.extent(1); ++k) {
      for (std::size_t c = 0; c < field.extent(0); ++c) {
        on_host(c, k) =
            static_cast<float>(Reference::unit_value(seed * 1000003 + k * field.extent(0) + c));
      }
    }
    Kokkos::deep_copy(field, on_host);
  }
};

/// Column by column within 10^-5 of the greatest value of the column.
inline void expect_close_columns(const LinePackField& found, const LinePackField& expected,
                                 const char* what) {
  const auto a = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), found);
  const auto b = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), expected);
  for (std::size_t c = 0; c < a.extent(0); ++c) {
    float greatest = 0, difference = 0;
    for (std::size_t k = 0; k < a.extent(1); ++k) {
      greatest = std::max(greatest, std::abs(b(c, k)));
      const float apart = std::abs(a(c, k) - b(c, k));
      difference = apart <= difference ? difference : apart;  // NaN counts
    }
    ASSERT_LE(difference, 1e-5F * greatest) << what << ", column " << c;
  }
}

template <class Rhs, int Levels, class Value>
LinePackRun solve_in_packs(const HelmholtzCase<float>& system,
                           const Lamina::FusedStep<Memory>& step) {
  namespace Impl = Lamina::Impl;
  const TEST_SPACE space;
  const Impl::LineWorkspace<float, Memory> workspace(space, system.num_owned(), system.num_levels(),
                                                     std::array{Levels});
  Impl::prepare_helmholtz_lines(space, system.op.system(), workspace);
  const Impl::TeamParts<Memory> parts("LaminaTest::parts");
  LinePackRun run(system.num_columns(), system.num_levels());
  using Lines = Impl::HelmholtzLines<Rhs, float, Kokkos::LayoutLeft, Memory, Levels, Value>;
  Impl::run_line_segments(
      "LaminaTest::lines", space,
      Lines{system.op.system(), run.right_hand_side<Rhs>(step), run.output(run.z)},
      workspace.carries(), parts, run.sums.data());
  space.fence();
  return run;
}

template <class Rhs, int Levels>
void expect_same_in_packs(const HelmholtzCase<float>& system,
                          const Lamina::FusedStep<Memory>& step) {
  using Pack = Lamina::Impl::Pack<float, 2>;
  const LinePackRun found = solve_in_packs<Rhs, Levels, Pack>(system, step);
  const LinePackRun expected = solve_in_packs<Rhs, Levels, float>(system, step);
  expect_close_columns(found.z, expected.z, "z");
  expect_close_columns(found.r, expected.r, "r");
  const auto a = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), found.sums);
  const auto b = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), expected.sums);
  for (const std::size_t n : {0, 1}) EXPECT_NEAR(a(n), b(n), 1e-5 * std::abs(b(n))) << "sum " << n;
}

template <int Levels>
void expect_all_same_in_packs(const HelmholtzCase<float>& system, bool active) {
  namespace Impl = Lamina::Impl;
  // A pass after the first one, whose direction step is 2.
  const Kokkos::View<double*, Memory> rows(
      "rows", static_cast<std::size_t>(4 * Lamina::FusedSteps<Memory>::num_rows));
  const auto on_host = Kokkos::create_mirror_view(rows);
  const double values[] = {1, 0.5, 0.25, 0, active ? 1.0 : 0.0, 0, 0, 0};
  for (std::size_t i = 0; i < 8; ++i) on_host(i) = values[i];
  if (!active) on_host(2) = -1;
  Kokkos::deep_copy(rows, on_host);
  const auto step = Lamina::FusedSteps<Memory>{rows.data(), rows.data(), 10, 0, 0}.step(1);
  expect_same_in_packs<Impl::PlainRhs<float, Kokkos::LayoutLeft, Memory>, Levels>(system, step);
  expect_same_in_packs<Impl::FusedRhs<float, Kokkos::LayoutLeft, Memory>, Levels>(system, step);
  expect_same_in_packs<Impl::StoredRhs<float, Kokkos::LayoutLeft, Memory>, Levels>(system, step);
}

TEST(LinePacks, SolveWhatSingleColumnsDo) {
  if constexpr (Lamina::runs_on_host<TEST_SPACE>) {
    GTEST_SKIP() << "a kernel of devices";
  } else {
    // One pack, less and more than a tile, part of a tile; segments beyond the top, and parts.
    for (const int columns : {2, 62, 64, 130, 1002}) {
      for (const int levels : {1, 7, 16, 33, 128}) {
        SCOPED_TRACE(testing::Message() << columns << " columns, " << levels << " levels");
        const auto system = HelmholtzCase<float>::panel(columns, 1, levels);
        expect_all_same_in_packs<Lamina::Impl::short_helmholtz_segment>(system, true);
        expect_all_same_in_packs<Lamina::Impl::long_helmholtz_segment>(system, true);
      }
    }
  }
}

TEST(LinePacks, LeaveHalosAloneAndFinishedSolves) {
  if constexpr (Lamina::runs_on_host<TEST_SPACE>) {
    GTEST_SKIP() << "a kernel of devices";
  } else {
    const HelmholtzCase<float> system(irregular_graph(100, 10),
                                      Lamina::VerticalGrid::graded(21, paper_depth),
                                      paper_parameters(16));
    expect_all_same_in_packs<Lamina::Impl::long_helmholtz_segment>(system, true);
    expect_all_same_in_packs<Lamina::Impl::long_helmholtz_segment>(system, false);
  }
}

/// Fields that packs cannot be read from.
TEST(LinePacks, WantAlignedColumns) {
  using Lamina::Impl::packs_aligned;
  const LinePackField storage("storage", 13, 4);
  const auto view = [&](int offset, std::size_t columns) {
    return LinePackView(storage.data() + offset, columns, 4);
  };
  EXPECT_TRUE((packs_aligned<float, 2>(view(0, 10))));
  EXPECT_TRUE((packs_aligned<float, 2>(view(2, 10))));
  EXPECT_FALSE((packs_aligned<float, 2>(view(1, 10))));
  EXPECT_FALSE((packs_aligned<float, 2>(view(0, 11))));
  EXPECT_FALSE((packs_aligned<float, 4>(view(0, 10))));
  EXPECT_TRUE((packs_aligned<float, 4>(view(0, 12))));
  EXPECT_FALSE((packs_aligned<float, 2>(view(0, 10), view(0, 11))));
}

/// Packs of contiguous levels: each column begins with one.
TEST(LevelPacks, WantAlignedColumns) {
  using Lamina::Impl::packs_aligned;
  using View = Lamina::FieldView<float, Kokkos::LayoutRight, Memory>;
  const Kokkos::View<float*, Memory> storage("storage", 64);
  const auto view = [&](int offset, std::size_t levels) {
    return View(storage.data() + offset, 3, levels);
  };
  EXPECT_TRUE((packs_aligned<float, 4>(view(0, 8))));
  EXPECT_TRUE((packs_aligned<float, 4>(view(4, 8))));
  EXPECT_FALSE((packs_aligned<float, 4>(view(2, 8))));
  EXPECT_FALSE((packs_aligned<float, 4>(view(0, 7))));
  EXPECT_FALSE((packs_aligned<float, 4>(view(0, 8), view(0, 10))));
}

}  // namespace LaminaTest
