// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// The fused kernels of a cycle against operator, line solve and transfer, one after the other.

#include <lamina/helmholtz/LinePreconditioner.hpp>
#include <lamina/multigrid/MultigridPreconditioner.hpp>
#include <lamina/multigrid/impl/CycleKernels.hpp>

#include <gtest/gtest.h>
#include <multigrid/CycleAtTheEnd.hpp>
#include <multigrid/MultigridCase.hpp>
#include <multigrid/MultigridSystem.hpp>
#include <support/Compare.hpp>
#include <support/FieldTypes.hpp>
#include <support/TestField.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <type_traits>
#include <vector>

namespace LaminaTest {

template <class Type>
class CycleKernels : public testing::Test {
 public:
  using Scalar = typename Type::scalar;
  using Layout = typename Type::layout;
  using Field = TestField<Scalar, Layout>;
  using Kernels = Lamina::Impl::CycleKernels<TEST_SPACE, Scalar, Layout>;
  static constexpr bool runs = Lamina::Impl::cycles_in<TEST_SPACE, Layout>;

  void SetUp() override {
    if (!runs) GTEST_SKIP() << "CPU cores take contiguous levels";
  }
};
TYPED_TEST_SUITE(CycleKernels, FieldTypes, FieldTypeNames);

/// One level and the next coarser one, of moderate couplings in both directions: rounding then is that
/// of few operations.
template <class Test>
struct CycleCase {
  using Scalar = typename Test::Scalar;
  using Field = typename Test::Field;
  using Input = typename Test::Kernels::Input;
  using Output = typename Test::Kernels::Output;

  /// \param in_packs  of levels, of which fields hold whole ones
  CycleCase(const Lamina::ColumnGraph& graph, int levels, bool in_packs = false)
      : hierarchy(graph),
        num_levels(levels),
        num_columns(static_cast<int>(graph.areas.size())),
        num_coarse(hierarchy.num_levels() < 2
                       ? 0
                       : static_cast<int>(hierarchy.levels()[1].graph.areas.size())),
        op(Lamina::ColumnMesh<Memory>(graph), Lamina::VerticalGrid::graded(levels, 1.0),
           {.omega2 = omega2_of(graph, 10), .lambda2 = 3e-2}),
        lines(space, op) {
    level.system = op.system();
    if constexpr (!Lamina::runs_on_host<TEST_SPACE>) {
      if (in_packs) level.packs = Lamina::Impl::make_tensor_tables(space, level.system);
    }
    if (!in_packs) {
      level.lines =
          op.make_line_workspace(space, Lamina::Impl::plain_helmholtz_segments<Scalar>(num_levels));
    }
    if (num_coarse > 0) {
      const auto& transfer = hierarchy.levels()[0].transfer;
      const auto tiles =
          Lamina::Impl::compact_tiles(hierarchy, 1, Lamina::Impl::least_tiles(space));
      Lamina::Impl::make_transfers(space, transfer, transfer, tiles, level);
    }
  }

  Values random(int columns, unsigned seed) const {
    return rounded<Scalar>(random_values(
        static_cast<std::size_t>(columns) * static_cast<std::size_t>(num_levels), seed));
  }
  Field field(const Values& values) const {
    return Field(static_cast<int>(values.size()) / num_levels, num_levels, values);
  }
  static Input input(const Field& field) {
    return Lamina::Impl::as_const_field(field.const_view());
  }
  static Output output(const Field& field) { return Lamina::Impl::as_field(field.view()); }

  /// f - A x
  Values residual(const Values& f, const Values& x) const {
    const Field in = field(x), image = field(x);
    op.apply(space, in.const_view(), image.view());
    Values r = image.get();
    for (std::size_t i = 0; i < r.size(); ++i) r[i] = f[i] - r[i];
    return r;
  }
  /// x + P c
  Values prolonged(const Values& x, const Values& c) const {
    Values y = x;
    for_each_entry([&](std::size_t fine, std::size_t coarse, double weight) {
      y[fine] += weight * c[coarse];
    });
    return y;
  }
  /// P^T r
  Values restricted(const Values& r) const {
    Values f(static_cast<std::size_t>(num_coarse) * static_cast<std::size_t>(num_levels), 0.0);
    for_each_entry([&](std::size_t fine, std::size_t coarse, double weight) {
      f[coarse] += weight * r[fine];
    });
    return f;
  }
  /// x + weight M^-1 (f - A x)
  Values step(double weight, const Values& f, const Values& x) const {
    const Field r = field(residual(f, x)), z = field(x);
    lines.solve(space, r.const_view(), z.view());
    Values y = z.get();
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = x[i] + weight * y[i];
    return y;
  }

  TEST_SPACE space;
  Lamina::Impl::CycleLabels labels{0};
  Lamina::ColumnHierarchy hierarchy;
  int num_levels, num_columns, num_coarse;
  Lamina::HelmholtzOperator<Scalar, Memory> op;
  Lamina::LinePreconditioner<Scalar, Memory> lines;
  Lamina::Impl::CycleLevel<Scalar, Memory> level;

 private:
  /// visit(fine cell, coarse cell, entry of P)
  template <class Visit>
  void for_each_entry(const Visit& visit) const {
    const auto& [columns, weights] = hierarchy.levels()[0].transfer;
    const auto size = static_cast<std::size_t>(num_levels);
    for (std::size_t c = 0; c < columns.size(); ++c) {
      for (std::size_t n = 0; n < columns[c].size(); ++n) {
        for (std::size_t k = 0; k < size; ++k) {
          visit(c * size + k, static_cast<std::size_t>(columns[c][n]) * size + k, weights[c][n]);
        }
      }
    }
  }
};

/// Calls check(case) for graphs of all kinds; levels around segments, tiles and vectors, and more than
/// are on chip.
template <class Test, class Check>
void for_each_cycle_case(const Check& check) {
  for (const auto& [name, graph] : multigrid_graphs()) {
    for (const int levels : {1, 2, 7, 8, 9, 16, 17, 40}) {
      SCOPED_TRACE(testing::Message() << name << ", " << levels << " levels");
      check(CycleCase<Test>(graph, levels));
    }
    // In packs of levels on a device: of a column some lanes, a warp, and several times a warp.
    if (Lamina::runs_on_host<TEST_SPACE> ||
        std::is_same_v<typename Test::Layout, Kokkos::LayoutLeft>)
      continue;
    for (const int levels : {4, 8, 40, 128, 132, 300}) {
      SCOPED_TRACE(testing::Message() << name << ", " << levels << " levels in packs");
      check(CycleCase<Test>(graph, levels, true));
    }
  }
  SCOPED_TRACE("1100 levels");
  check(CycleCase<Test>(Lamina::CubedSpherePanel(4, 5).graph(), 1100));
}

TYPED_TEST(CycleKernels, StepIsResidualLineSolveAndAddition) {
  using Scalar = typename TestFixture::Scalar;
  if constexpr (TestFixture::runs) {
    for_each_cycle_case<TestFixture>([](const auto& c) {
      const Values f = c.random(c.num_columns, 1), x = c.random(c.num_columns, 2);
      const auto in = c.field(f), from = c.field(x), to = c.field(f), first = c.field(f);
      const Scalar weight = static_cast<Scalar>(1.7);
      TestFixture::Kernels::first_step(c.labels, c.space, c.level, {}, weight, c.input(in),
                                       c.output(first));
      TestFixture::Kernels::step(c.labels, c.space, c.level, {}, {},
                                 {.keep = 1 - weight,
                                  .weight = weight,
                                  .f = c.input(in),
                                  .x = c.output(from),
                                  .to = c.output(to),
                                  .c = {}});
      EXPECT_TRUE(
          all_within(first.get(), c.step(1.7, f, Values(x.size(), 0.0)), rounding<Scalar>(100)));
      EXPECT_TRUE(all_within(to.get(), c.step(1.7, f, x), rounding<Scalar>(300)));
      EXPECT_EQ(from.get(), x);
    });
  }
}

TYPED_TEST(CycleKernels, StepOfTheFirstColumnsLeavesTheOthers) {
  using Scalar = typename TestFixture::Scalar;
  if constexpr (TestFixture::runs) {
    for_each_cycle_case<TestFixture>([](const auto& c) {
      const int part = c.num_columns / 2;
      const Values f = c.random(c.num_columns, 1), x = c.random(c.num_columns, 2);
      const auto in = c.field(f), from = c.field(x), to = c.field(f);
      TestFixture::Kernels::step(c.labels, c.space, c.level, {}, {},
                                 {.keep = static_cast<Scalar>(1 - 1.7),
                                  .weight = static_cast<Scalar>(1.7),
                                  .f = c.input(in),
                                  .x = c.output(from),
                                  .to = c.output(to),
                                  .c = {},
                                  .num_columns = part});
      Values expected = c.step(1.7, f, x);
      const std::ptrdiff_t others = part * c.num_levels;
      std::copy(f.begin() + others, f.end(), expected.begin() + others);
      EXPECT_TRUE(all_within(to.get(), expected, rounding<Scalar>(300)));
    });
  }
}

TYPED_TEST(CycleKernels, StepWithoutRightHandSideIsThatOfZero) {
  using Scalar = typename TestFixture::Scalar;
  if constexpr (TestFixture::runs) {
    for_each_cycle_case<TestFixture>([](const auto& c) {
      const Values x = c.random(c.num_columns, 2);
      const auto from = c.field(x), to = c.field(c.random(c.num_columns, 1));
      TestFixture::Kernels::step(c.labels, c.space, c.level, {}, {},
                                 {.keep = static_cast<Scalar>(2.3),
                                  .weight = static_cast<Scalar>(1.7),
                                  .f = {},
                                  .x = c.output(from),
                                  .to = c.output(to),
                                  .c = {}});
      // That of keep = 1 - 1.7, and 3 x more.
      Values expected = c.step(1.7, Values(x.size(), 0.0), x);
      for (std::size_t i = 0; i < x.size(); ++i) expected[i] += 3 * x[i];
      // The differences along columns of what is expected round more, the more levels there are.
      const double factor = c.num_levels > 200 ? 20000 : 300;
      EXPECT_TRUE(all_within(to.get(), expected, rounding<Scalar>(factor)));
    });
  }
}

TYPED_TEST(CycleKernels, StepAddsTheCoarserLevelAndSumsUp) {
  using Scalar = typename TestFixture::Scalar;
  if constexpr (TestFixture::runs) {
    const Lamina::Impl::TeamParts<Memory> parts =
        Lamina::runs_on_host<TEST_SPACE> ? Lamina::Impl::TeamParts<Memory>()
                                         : Lamina::Impl::TeamParts<Memory>("LaminaTest::parts");
    const Kokkos::View<double, Memory> sum("LaminaTest::sum");
    for_each_cycle_case<TestFixture>([&](const auto& c) {
      if (c.num_coarse == 0) return;
      const Values f = c.random(c.num_columns, 1), x = c.random(c.num_columns, 2),
                   coarse = c.random(c.num_coarse, 3),
                   expected = c.step(0.6, f, c.prolonged(x, coarse));
      for (const bool with_energy : {false, true}) {
        const auto in = c.field(f), from = c.field(x), to = c.field(f), added = c.field(coarse);
        TestFixture::Kernels::step(c.labels, c.space, c.level, {}, parts,
                                   {.keep = static_cast<Scalar>(0.4),
                                    .weight = static_cast<Scalar>(0.6),
                                    .f = c.input(in),
                                    .x = c.output(from),
                                    .to = c.output(to),
                                    .c = c.input(added),
                                    .energy = with_energy ? sum.data() : nullptr});
        const Values found = to.get();
        EXPECT_TRUE(all_within(found, expected, rounding<Scalar>(300)));
        if (!with_energy) continue;
        double energy = 0, size = 0;
        Kokkos::deep_copy(energy, sum);
        const double product = std::inner_product(f.begin(), f.end(), found.begin(), 0.0);
        for (std::size_t i = 0; i < f.size(); ++i) size += std::abs(f[i] * found[i]);
        EXPECT_NEAR(energy, product, rounding<double>(100) * size);
      }
    });
  }
}

TYPED_TEST(CycleKernels, RestrictTheResidual) {
  using Scalar = typename TestFixture::Scalar;
  if constexpr (TestFixture::runs) {
    for_each_cycle_case<TestFixture>([](const auto& c) {
      if (c.num_coarse == 0) return;
      const Values f = c.random(c.num_columns, 1), x = c.random(c.num_columns, 2);
      const auto in = c.field(f), from = c.field(x), r = c.field(c.random(c.num_columns, 4)),
                 to = c.field(c.random(c.num_coarse, 3));
      TestFixture::Kernels::restrict_residual(c.labels, c.space, c.level, {}, c.input(in),
                                              c.input(from), c.output(r), c.output(to));
      EXPECT_TRUE(all_within(to.get(), c.restricted(c.residual(f, x)), rounding<Scalar>(50)));
    });
  }
}

TEST(TransferTables, HoldEveryEntryOnceInCompactTiles) {
  for (const auto& [name, graph] : multigrid_graphs()) {
    for (const int least_tiles : {1, 4, 1000}) {
      SCOPED_TRACE(testing::Message() << name << ", " << least_tiles);
      const Lamina::ColumnHierarchy hierarchy(graph);
      if (hierarchy.num_levels() < 2) continue;
      const auto& transfer = hierarchy.levels()[0].transfer;
      const auto tiles = Lamina::Impl::compact_tiles(hierarchy, 1, least_tiles);
      const Lamina::Impl::TiledRestriction<double> found(transfer, tiles);
      const auto num_coarse = hierarchy.levels()[1].graph.areas.size();
      EXPECT_EQ(found.num_coarse(), static_cast<int>(num_coarse));
      EXPECT_LE(std::min<std::size_t>(static_cast<std::size_t>(least_tiles), num_coarse),
                static_cast<std::size_t>(found.num_tiles()));
      std::vector<double> dense(graph.areas.size() * num_coarse, 0.0);
      for (std::size_t c = 0; c < transfer.columns.size(); ++c) {
        for (std::size_t n = 0; n < transfer.columns[c].size(); ++n) {
          dense[c * num_coarse + static_cast<std::size_t>(transfer.columns[c][n])] +=
              transfer.weights[c][n];
        }
      }
      for (int tile = 0; tile < found.num_tiles(); ++tile) {
        for (int place = found.first_coarse(tile); place < found.first_coarse(tile + 1); ++place) {
          for (int n = found.first_entry(place); n < found.first_entry(place + 1); ++n) {
            const int fine = found.fine(found.first_fine(tile) + found.entries(n));
            dense[static_cast<std::size_t>(fine) * num_coarse +
                  static_cast<std::size_t>(found.coarse(place))] -= found.weights(n);
          }
        }
      }
      for (const double left : dense) EXPECT_EQ(left, 0);
    }
  }
}

TEST(TransferTables, HoldEveryEntryOnceByCoarseColumns) {
  for (const auto& [name, graph] : multigrid_graphs()) {
    SCOPED_TRACE(name);
    const Lamina::ColumnHierarchy hierarchy(graph);
    if (hierarchy.num_levels() < 2) continue;
    const auto& transfer = hierarchy.levels()[0].transfer;
    const auto num_coarse = hierarchy.levels()[1].graph.areas.size();
    std::vector<int> tiles(num_coarse, 0);
    tiles.back() = -1;  // nothing is restricted to it
    const Lamina::Impl::Restriction<double, Kokkos::HostSpace> found(transfer, tiles);
    ASSERT_EQ(found.num_coarse(), static_cast<int>(num_coarse) - 1);
    double left_out = 0, num_entries = 0;
    std::vector<double> dense(graph.areas.size() * num_coarse, 0.0);
    const auto entry = [&](int fine, int coarse) -> double& {
      return dense[static_cast<std::size_t>(fine) * num_coarse + static_cast<std::size_t>(coarse)];
    };
    for (std::size_t c = 0; c < transfer.columns.size(); ++c) {
      for (std::size_t n = 0; n < transfer.columns[c].size(); ++n) {
        const bool is_left_out = transfer.columns[c][n] == static_cast<int>(num_coarse) - 1;
        (is_left_out ? left_out : entry(static_cast<int>(c), transfer.columns[c][n])) +=
            transfer.weights[c][n];
      }
    }
    EXPECT_GT(left_out, 0);
    for (int place = 0; place < found.num_coarse(); ++place) {
      EXPECT_EQ(found.coarse(place), place);
      for (int n = 0; n < found.counts(place); ++n) {
        entry(found.fine(place, n), place) -= found.weights(place, n);
        ++num_entries;
      }
    }
    for (const double left : dense) EXPECT_EQ(left, 0);
    EXPECT_EQ(found.bytes(), num_entries * 12 + 8.0 * found.num_coarse());
  }
}

TEST(TransferTables, HaveAnEntryToReadWhereAPlaceHasNone) {
  const std::vector<int> tiles{0};  // of a row that no fine column reaches
  const Lamina::Impl::Restriction<double, Kokkos::HostSpace> found(Lamina::ColumnTransfer{}, tiles);
  ASSERT_EQ(found.num_coarse(), 1);
  EXPECT_EQ(found.counts(0), 0);
  EXPECT_GE(found.fine.extent(1), 1u);
  EXPECT_GE(found.weights.extent(1), 1u);
}

TYPED_TEST(CycleKernels, DoNothingUnlessActive) {
  if constexpr (TestFixture::runs) {
    const CycleCase<TestFixture> c(Lamina::CubedSpherePanel(6, 7).graph(), 5);
    const RowsOfAPass solved(0);
    const typename TestFixture::Kernels::Guard guard{.step = solved.step(), .guarded = true};
    const Values f = c.random(c.num_columns, 1), coarse = c.random(c.num_coarse, 3);
    const auto in = c.field(f), x = c.field(f), to = c.field(f), r = c.field(f),
               below = c.field(coarse);
    TestFixture::Kernels::first_step(c.labels, c.space, c.level, guard, 1, c.input(in),
                                     c.output(x));
    TestFixture::Kernels::step(c.labels, c.space, c.level, guard, {},
                               {.keep = 0,
                                .weight = 1,
                                .f = c.input(in),
                                .x = c.output(x),
                                .to = c.output(to),
                                .c = c.input(below)});
    TestFixture::Kernels::restrict_residual(c.labels, c.space, c.level, guard, c.input(in),
                                            c.input(x), c.output(r), c.output(below));
    EXPECT_EQ(x.get(), f);
    EXPECT_EQ(to.get(), f);
    EXPECT_EQ(r.get(), f);
    EXPECT_EQ(below.get(), coarse);
  }
}

}  // namespace LaminaTest
