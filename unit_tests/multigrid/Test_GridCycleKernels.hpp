// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// The kernels of a device, which run on any space, against those of the test space.

#include <lamina/multigrid/impl/poisson/GridCycleKernels.hpp>

#include <gtest/gtest.h>
#include <multigrid/PoissonMultigridCase.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

namespace LaminaTest {

template <class Type>
struct GridCycleKernels : testing::Test {
  using Scalar = typename Type::scalar;
  using Field = TestField<Scalar, Kokkos::LayoutLeft>;
  using Level = Lamina::Impl::GridLevel<Scalar>;
  using Smoothing = Lamina::Impl::GridSmoothing<Scalar>;
  using Labels = Lamina::Impl::GridCycleLabels;
  static constexpr int steps_to_try[] = {0, 1, 2, 3};

  /// The last points at a part of the distance of others, and couplings that differ.
  static Level level(const Rectangle& points) {
    return {{Lamina::Impl::GridAxis{points.nx, 0.25}, 2}, {{points.ny, 0.75}, 0.5}};
  }
};
TYPED_TEST_SUITE(GridCycleKernels, FieldTypes, FieldTypeNames);

TYPED_TEST(GridCycleKernels, OfADeviceDoWhatThoseOfCoresDo) {
  using Scalar = typename TestFixture::Scalar;
  using Field = typename TestFixture::Field;
  using Lamina::Impl::lines_of;
  const TEST_SPACE space;
  for (const Rectangle& points : multigrid_rectangles()) {
    const auto level = TestFixture::level(points);
    const Rectangle few{level.along.num_coarse(), level.across.num_coarse()};
    const auto field = [](const Rectangle& of, std::uint64_t seed) {
      return Field(of.nx, of.ny, random_field(of, seed), all_padding);
    };
    const Field f = field(points, 1), x = field(points, 2), c = field(few, 3);
    const int workers =
        Lamina::runs_on_host<TEST_SPACE> ? static_cast<int>(space.concurrency()) : 0;
    const Kokkos::View<Scalar*, Memory> lines(
        "LaminaTest::lines",
        static_cast<std::size_t>(workers * Lamina::Impl::TileLines<Scalar>::size(points.nx)));
    for (int which = 0; which < 32; ++which) {
      const int steps = which % 4;
      const bool has_x = which % 8 >= 4, has_c = which % 16 >= 8, restricts = which >= 16;
      if (steps == 0 && (has_x || has_c || !restricts)) continue;
      SCOPED_TRACE(testing::Message()
                   << points.nx << " x " << points.ny << ", " << steps << " steps, x " << has_x
                   << ", c " << has_c << ", restriction " << restricts);
      const auto result = [&](bool by_points, Values& coarse) {
        const Field to = field(points, 4), other = field(points, 5), of_coarse = field(few, 6);
        typename TestFixture::Smoothing smoothing{.f = lines_of(f.const_view()),
                                                  .x = {},
                                                  .c = {},
                                                  .to = lines_of(to.view()),
                                                  .coarse = {},
                                                  .weights = {0.5, 1.5, 0.75},
                                                  .steps = steps};
        if (has_x) smoothing.x = lines_of(x.const_view());
        if (has_c) smoothing.c = lines_of(c.const_view());
        if (restricts) smoothing.coarse = lines_of(of_coarse.view());
        if (by_points) {
          Lamina::Impl::SmoothingByPoints<TEST_SPACE, Scalar>(
              typename TestFixture::Labels(0), space, {}, level, smoothing, lines_of(other.view()))
              .run();
        } else {
          Lamina::Impl::GridCycleKernels<TEST_SPACE, Scalar>::smooth(
              typename TestFixture::Labels(0), space, {}, level,
              {lines.data(), workers, lines_of(other.view())}, smoothing);
        }
        coarse = of_coarse.get();
        EXPECT_TRUE(to.surroundings_untouched() && of_coarse.surroundings_untouched());
        return to.get();
      };
      Values coarse, coarse_by_points;
      const Values fine = result(false, coarse), by_points = result(true, coarse_by_points);
      EXPECT_TRUE(all_within(by_points, fine, rounding<Scalar>(30)));
      // Values of order 1 cancel in residuals.
      const Values one(coarse.size(), 1.0);
      EXPECT_TRUE(all_within(coarse_by_points, coarse, rounding<Scalar>(100), one));
    }
  }
}

TYPED_TEST(GridCycleKernels, ProlongationReadsPointsBeside) {
  using Scalar = typename TestFixture::Scalar;
  for (const int count : {1, 2, 3, 4, 5, 2049, 70000, 70001}) {
    const Lamina::Impl::GridDirection<Scalar> direction({count, 0.25}, 2);
    for (int i = 0; i < count; ++i) {
      const auto entries = direction.entries(i);
      const int least = direction.halves ? std::max(i / 2 - 1, 0) : i,
                most = direction.halves ? std::min(i / 2, direction.num_coarse() - 1) : i;
      for (const int point : {entries.first, entries.second}) {
        ASSERT_GE(point, least) << i << " of " << count;
        ASSERT_LE(point, most) << i << " of " << count;
      }
      EXPECT_EQ(entries.first == entries.second, i % 2 == 1 || least == most);
    }
  }
}

TYPED_TEST(GridCycleKernels, ProlongationOfALongLineReadsNothingElse) {
  using Scalar = typename TestFixture::Scalar;
  constexpr int count = 70001, begin = 69632, coarse_begin = begin / 2 - 1;
  const Lamina::Impl::GridDirection<Scalar> direction({count, 0.25}, 2);
  // Whatever lies before the coarser points of a tile is not finite.
  std::vector<Scalar> all(count / 2 + 1, std::numeric_limits<Scalar>::quiet_NaN());
  for (std::size_t n = coarse_begin; n < all.size(); ++n) all[n] = static_cast<Scalar>(n % 16);
  std::vector<Scalar> to(count, -1);
  Lamina::Impl::prolong_along(
      direction, Lamina::Impl::GridSpan{begin, count}, all.data(), [](int) { return Scalar(0); },
      to.data());
  for (int i = begin; i < count; ++i) EXPECT_TRUE(std::isfinite(to[static_cast<std::size_t>(i)]));
  EXPECT_EQ(to.back(), direction.share * all[count / 2 - 1]);
}

}  // namespace LaminaTest
