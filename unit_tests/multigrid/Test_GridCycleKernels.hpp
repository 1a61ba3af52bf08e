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
        const Field to = field(points, 4), of_coarse = field(few, 6);
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
          Lamina::Impl::smooth_by_march("LaminaTest::march", space,
                                        Lamina::Impl::CycleGuard<Memory>{}, level, smoothing);
        } else {
          Lamina::Impl::GridCycleKernels<TEST_SPACE, Scalar>::smooth(
              typename TestFixture::Labels(0), space, {}, level, {lines.data(), workers},
              smoothing);
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

/// As those of levels that do not fit into the caches are.
TYPED_TEST(GridCycleKernels, StoresPastTheCachesAreTheSame) {
  if (!Lamina::runs_on_host<TEST_SPACE>) GTEST_SKIP() << "kernels of CPU cores";
  using Scalar = typename TestFixture::Scalar;
  using Lamina::Impl::lines_of;
  using Lines = Lamina::Impl::TileLines<Scalar>;
  const Rectangle points{45, 23}, few{22, 11};
  const auto level = TestFixture::level(points);
  const auto field = [](const Rectangle& of, std::uint64_t seed) {
    return typename TestFixture::Field(of.nx, of.ny, random_field(of, seed), all_padding);
  };
  const auto f = field(points, 1), x = field(points, 2), c = field(few, 3);
  for (const bool descends : {true, false}) {
    const auto result = [&](bool streams, Values& coarse) {
      const auto to = field(points, 4), of_coarse = field(few, 5);
      double energy = 0;
      typename TestFixture::Smoothing smoothing{.f = lines_of(f.const_view()),
                                                .x = {},
                                                .c = {},
                                                .to = lines_of(to.view()),
                                                .coarse = {},
                                                .weights = {0.5, 1.5},
                                                .steps = 2,
                                                .energy = &energy};
      if (descends) {
        smoothing.coarse = lines_of(of_coarse.view());
      } else {
        smoothing.x = lines_of(x.const_view());
        smoothing.c = lines_of(c.const_view());
      }
      std::vector<Scalar> scratch(static_cast<std::size_t>(Lines::size(points.nx)));
      energy = Lamina::Impl::SmoothTile<Scalar>(level, smoothing, {0, points.ny}, {0, points.nx},
                                                scratch.data(), Lines::length(points.nx), streams)
                   .run();
      coarse = of_coarse.get();
      coarse.push_back(energy);
      EXPECT_TRUE(to.surroundings_untouched());
      return to.get();
    };
    Values coarse, coarse_of_streams;
    const Values fine = result(false, coarse);
    EXPECT_EQ(result(true, coarse_of_streams), fine);
    EXPECT_EQ(coarse_of_streams, coarse);
  }
}

/// Smooths some lines of a level, as a rank does, from fields that are not a number beyond the lines around.
template <class Fixture>
struct SmoothedLines {
  using Scalar = typename Fixture::Scalar;
  using Field = typename Fixture::Field;
  using Span = Lamina::Impl::GridSpan;

  Rectangle points;
  int steps;
  bool from_x, from_c, restricts, by_points;
  typename Fixture::Level level = Fixture::level(points);

  Rectangle coarse_points() const { return {level.along.num_coarse(), level.across.num_coarse()}; }
  static Field field(const Rectangle& of, std::uint64_t seed, const Span& lines) {
    Values values = random_field(of, seed);
    for_others(of, lines, [&](std::size_t place) {
      values[place] = std::numeric_limits<double>::quiet_NaN();
    });
    return Field(of.nx, of.ny, values);
  }
  template <class Visit>
  static void for_others(const Rectangle& of, const Span& lines, const Visit& visit) {
    for (int i = 0; i < of.nx; ++i) {
      for (int j = 0; j < of.ny; ++j) {
        if (!lines.contains(j)) visit(static_cast<std::size_t>(of.ny * i + j));
      }
    }
  }

  /// What is computed of `to`, and then of `coarse`; 0 elsewhere.
  Values operator()(const Span& lines, int ghosts) const {
    using Lamina::Impl::lines_of;
    const TEST_SPACE space;
    const Rectangle few = coarse_points();
    const Span coarse_lines = lines.coarse(level.across.halves),
               known = lines.widened(ghosts, points.ny),
               known_coarse = coarse_lines.widened(ghosts, few.ny);
    const Field f = field(points, 1, known), x = field(points, 2, known),
                c = field(few, 3, known_coarse), to = field(points, 4, {}),
                coarse = field(few, 6, {});
    typename Fixture::Smoothing smoothing{.f = lines_of(f.const_view()),
                                          .x = {},
                                          .c = {},
                                          .to = lines_of(to.view()),
                                          .coarse = {},
                                          .weights = {0.5, 1.5, 0.75},
                                          .steps = steps};
    if (from_x) smoothing.x = lines_of(x.const_view());
    if (from_c) smoothing.c = lines_of(c.const_view());
    if (restricts) smoothing.coarse = lines_of(coarse.view());
    smoothing.lines = restricts ? lines.widened(steps, points.ny) : lines;
    smoothing.coarse_lines = coarse_lines;
    smooth(space, smoothing);
    Values found = to.get(), of_coarse = coarse.get();
    for_others(points, smoothing.lines, [&](std::size_t place) { found[place] = 0; });
    for_others(few, restricts ? coarse_lines : Span(),
               [&](std::size_t place) { of_coarse[place] = 0; });
    found.insert(found.end(), of_coarse.begin(), of_coarse.end());
    return found;
  }
  void smooth(const TEST_SPACE& space, const typename Fixture::Smoothing& smoothing) const {
    const typename Fixture::Labels labels(0);
    if (by_points) {
      return Lamina::Impl::smooth_by_march("LaminaTest::march", space,
                                           Lamina::Impl::CycleGuard<Memory>{}, level, smoothing);
    }
    const int workers =
        Lamina::runs_on_host<TEST_SPACE> ? static_cast<int>(space.concurrency()) : 0;
    const Kokkos::View<Scalar*, Memory> scratch(
        "LaminaTest::lines",
        static_cast<std::size_t>(workers * Lamina::Impl::TileLines<Scalar>::size(points.nx)));
    Lamina::Impl::GridCycleKernels<TEST_SPACE, Scalar>::smooth(
        labels, space, {}, level, {scratch.data(), workers}, smoothing);
  }
};

TYPED_TEST(GridCycleKernels, OfSomeLinesDoWhatThoseOfAllDo) {
  using Scalar = typename TestFixture::Scalar;
  for (const int count : {1, 2, 7}) {
    for (int which = 0; which < 48; ++which) {
      const SmoothedLines<TestFixture> smooth{.points = {5, count},
                                              .steps = which % 3 + 1,
                                              .from_x = which % 6 >= 3,
                                              .from_c = which % 12 >= 6,
                                              .restricts = which % 24 >= 12,
                                              .by_points = which >= 24};
      const Values all = smooth({0, count}, 0);
      for (int begin = 0; begin < count; ++begin) {
        for (int end = begin + 1; end <= count; ++end) {
          SCOPED_TRACE(testing::Message()
                       << count << " lines, " << begin << " to " << end << ", " << smooth.steps
                       << " steps, x " << smooth.from_x << ", c " << smooth.from_c
                       << ", restriction " << smooth.restricts << ", points " << smooth.by_points);
          const Values some = smooth({begin, end}, Lamina::Impl::num_ghosts(smooth.steps));
          Values expected = some;
          for (std::size_t n = 0; n < some.size(); ++n) {
            if (some[n] != 0) expected[n] = all[n];
          }
          EXPECT_TRUE(all_within(some, expected, rounding<Scalar>(30), Values(some.size(), 1.0)));
        }
      }
    }
  }
}

/// The levels of a rectangle, coarsened as `PoissonMultigrid` does, in one kernel of one team.
template <class Scalar>
struct LevelsOfTeam {
  using Field = TestField<Scalar, Kokkos::LayoutLeft>;
  using Cycle = Lamina::Impl::TeamCycle<Scalar, Memory>;
  std::vector<Field> fields;

  /// The result of the first level.
  Values operator()(const Rectangle& points, bool full, const Values& rhs, int steps) {
    const auto exact = poisson_weights(steps);
    Cycle cycle({}, full, std::vector<Scalar>(exact.begin(), exact.end()));
    Lamina::Impl::GridAxis x{points.nx}, y{points.ny};
    double aspect = 1;
    for (bool is_last = false; !is_last;) {
      is_last = !x.halves() && !y.halves();
      const auto field = [&, this](const Values& values) {
        const Rectangle of{x.count, y.count};
        fields.emplace_back(of.nx, of.ny, values.empty() ? random_field(of, 5) : values);
        return Lamina::Impl::lines_of(fields.back().view());
      };
      const auto f = field(fields.empty() ? rhs : Values()), solution = field({});
      cycle.add({.level = {{x, aspect}, {y, 1 / aspect}},
                 .rows = {},
                 .f = f,
                 .solution = solution,
                 .before = field({}),
                 .other = field({})});
      if (y.halves()) aspect *= 2;
      if (x.halves()) aspect /= 2;
      x = x.coarser();
      y = y.coarser();
    }
    Lamina::Impl::GridCycleKernels<TEST_SPACE, Scalar>::run_team_cycle("LaminaTest::team_cycle",
                                                                       TEST_SPACE(), cycle);
    return fields[1].get();
  }
};

TYPED_TEST(GridCycleKernels, OfOneTeamDoWhatThoseOfSingleLevelsDo) {
  using Scalar = typename TestFixture::Scalar;
  for (const Rectangle& points :
       {Rectangle{2, 1}, Rectangle{1, 9}, Rectangle{5, 64}, Rectangle::square(1),
        Rectangle::square(31), Rectangle::square(32), Rectangle::square(20)}) {
    for (const int steps : {1, 2, 3}) {
      SCOPED_TRACE(testing::Message() << points.nx << " x " << points.ny << ", " << steps);
      const PoissonMultigridCase<Scalar, Kokkos::LayoutLeft> levels(points, steps);
      const Values b = random_field(points, 7);
      const auto in = levels.field(b), out = levels.field();
      levels.multigrid.full_multigrid(levels.space, in.const_view(), out.view());
      const Values by_cycle = LevelsOfTeam<Scalar>()(points, false, b, steps),
                   by_full = LevelsOfTeam<Scalar>()(points, true, b, steps);
      EXPECT_TRUE(all_within(by_cycle, levels.solve(b), rounding<Scalar>(300)));
      EXPECT_TRUE(all_within(by_full, out.get(), rounding<Scalar>(300)));
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
      ASSERT_GE(std::min(entries.first, entries.second), least) << i << " of " << count;
      ASSERT_LE(std::max(entries.first, entries.second), most) << i << " of " << count;
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
  Lamina::Impl::prolong_along<Scalar>(direction, Lamina::Impl::GridSpan{begin, count}, all.data(),
                                      nullptr, to.data());
  for (int i = begin; i < count; ++i) EXPECT_TRUE(std::isfinite(to[static_cast<std::size_t>(i)]));
  EXPECT_EQ(to.back(), direction.share * all[count / 2 - 1]);
}

}  // namespace LaminaTest
