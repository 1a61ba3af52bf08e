// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Require.hpp>
#include <lamina/helmholtz/HelmholtzOperator.hpp>

#include <gtest/gtest.h>
#include <helmholtz/HelmholtzCase.hpp>
#include <reference/ConjugateGradients.hpp>
#include <support/FieldTypes.hpp>
#include <support/MessageOf.hpp>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace LaminaTest {

template <class Type>
class HelmholtzOperator : public testing::Test {
 public:
  using Scalar = typename Type::scalar;
  using Field = TestField<Scalar, typename Type::layout>;
  using Case = HelmholtzCase<Scalar>;

  /// A x on the owned columns. Halo columns of the image are checked to be left alone.
  Values apply(const Case& system, const Values& x, const Padding& padding = {},
               const Padding& image_padding = {}) const {
    const double untouched = 77;
    const Field in(system.num_columns(), system.num_levels(), x, padding);
    const Field out(system.num_columns(), system.num_levels(), Values(system.size(), untouched),
                    image_padding);
    system.op.apply(TEST_SPACE(), in.const_view(), out.view());
    Values y = out.get();
    for (std::size_t i = system.owned_size(); i < y.size(); ++i) {
      EXPECT_EQ(y[i], untouched) << "in a halo column";
    }
    EXPECT_TRUE(out.surroundings_untouched());
    EXPECT_EQ(in.get(), x) << "the input was changed";
    y.resize(system.owned_size());
    return y;
  }

  void expect_agreement(const Case& system, const Padding& padding = {},
                        const Padding& image_padding = {}, double geometry_error = 0) const {
    const auto matrix = system.matrix();
    const Values x = rounded<Scalar>(random_values(system.size(), 1));
    EXPECT_TRUE(all_within(apply(system, x, padding, image_padding), matrix.multiply(x),
                           rounding<Scalar>(system.operations()) + geometry_error,
                           matrix.multiply_magnitudes(x)));
  }
};
TYPED_TEST_SUITE(HelmholtzOperator, FieldTypes, FieldTypeNames);

TYPED_TEST(HelmholtzOperator, AgreesWithTheMatrixOnPanels) {
  for_each_panel<typename TestFixture::Case>(
      [this](const auto& system) { this->expect_agreement(system); });
}

TYPED_TEST(HelmholtzOperator, AgreesWithTheMatrixOnRectangularPanels) {
  using Case = typename TestFixture::Case;
  for (const int columns : {2, 7, 15, 16, 31, 33, 65}) {
    SCOPED_TRACE(columns);
    this->expect_agreement(Case::panel(columns, 1, 9));
    this->expect_agreement(Case::panel(3, columns, 17));
  }
}

TYPED_TEST(HelmholtzOperator, AgreesWithTheMatrixOfTheNotesFromGeometryOn) {
  using Case = typename TestFixture::Case;
  for (const int size : {1, 2, 5, 17}) {
    for (const bool dirichlet : {false, true}) {
      SCOPED_TRACE(testing::Message() << size << (dirichlet ? ", dirichlet" : ""));
      const Lamina::CubedSpherePanel panel(size, size);
      const Case system(
          panel.graph(dirichlet ? Lamina::PanelEdge::dirichlet : Lamina::PanelEdge::zero_flux),
          Lamina::VerticalGrid::graded(7, paper_depth), paper_parameters(size),
          Reference::panel(size, size, dirichlet));
      // In an area terms of size 1 cancel, in either program.
      const double area =
          *std::min_element(system.horizontal.area.begin(), system.horizontal.area.end());
      this->expect_agreement(system, {}, {}, 16 * std::numeric_limits<double>::epsilon() / area);
    }
  }
}

TYPED_TEST(HelmholtzOperator, AgreesWithTheMatrixInAStratification) {
  using Case = typename TestFixture::Case;
  for (const int levels : {1, 2, 3, 33, 128}) {
    SCOPED_TRACE(levels);
    this->expect_agreement(Case::stratified_panel(5, 17, levels));
  }
}

TYPED_TEST(HelmholtzOperator, AgreesWithTheMatrixOnAPeriodicPlane) {
  using Case = typename TestFixture::Case;
  const auto grid = Lamina::VerticalGrid::uniform(11, 0.2);
  for (const auto& [nx, ny] : {std::pair{3, 3}, {4, 9}, {16, 16}}) {
    this->expect_agreement(Case(Lamina::plane(nx, ny, {}, 2, 1), grid, {0.3, 0.7}));
  }
}

TYPED_TEST(HelmholtzOperator, AgreesWithTheMatrixOnIrregularGraphsWithHalos) {
  using Case = typename TestFixture::Case;
  for (const int num_halo : {0, 9}) {
    for (const int num_owned : {2, 17, 100}) {
      for (const int levels : {1, 3, 18}) {
        SCOPED_TRACE(testing::Message()
                     << num_owned << " and " << num_halo << " columns, " << levels);
        this->expect_agreement(Case(irregular_graph(num_owned, num_halo),
                                    Lamina::VerticalGrid::graded(levels, 0.4), {0.05, 2}));
      }
    }
  }
}

TYPED_TEST(HelmholtzOperator, UsesHaloColumns) {
  using Case = typename TestFixture::Case;
  const Case system(irregular_graph(20, 9), Lamina::VerticalGrid::graded(3, 0.4), {0.05, 2});
  Values x(system.size(), 0.0);
  for (std::size_t i = system.owned_size(); i < x.size(); ++i) x[i] = 1;
  const auto y = this->apply(system, x);
  EXPECT_TRUE(std::any_of(y.begin(), y.end(), [](double value) { return value < 0; }));
}

TYPED_TEST(HelmholtzOperator, WorksOnPaddedViewsAndLeavesTheirSurroundingsAlone) {
  using Case = typename TestFixture::Case;
  for (const auto& padding : {column_padding, level_padding, all_padding}) {
    this->expect_agreement(Case::panel(9, 7, 21), padding, padding);
    this->expect_agreement(Case::panel(9, 7, 21), padding, {});
    this->expect_agreement(Case::panel(1, 3, 2), {}, padding);
    this->expect_agreement(
        Case(irregular_graph(20, 9), Lamina::VerticalGrid::graded(13, 0.4), {0.05, 2}), padding,
        all_padding);
  }
}

TYPED_TEST(HelmholtzOperator, MapsOneToTheCellVolumes) {
  // In either precision, however stiff the couplings: differences of equal numbers vanish exactly.
  using Case = typename TestFixture::Case;
  using Scalar = typename TestFixture::Scalar;
  for (const auto [columns, levels] : {PanelSize{1, 1}, {3, 7}, {17, 128}}) {
    const auto system = Case::panel(columns, columns, levels);
    EXPECT_TRUE(all_within(this->apply(system, Values(system.size(), 1.0)), system.volumes(),
                           rounding<Scalar>(1), system.volumes()));
  }
  const Case irregular(irregular_graph(50, 0), Lamina::VerticalGrid::graded(8, 0.1), {0.05, 2});
  Values expected = irregular.volumes();
  for (int c = 0; c < irregular.num_owned(); ++c) {
    for (int k = 0; k < irregular.num_levels(); ++k) {
      expected[static_cast<std::size_t>(c * irregular.num_levels() + k)] -=
          irregular.horizontal.boundary[static_cast<std::size_t>(c)] *
          irregular.vertical.d[static_cast<std::size_t>(k)];
    }
  }
  EXPECT_TRUE(all_within(this->apply(irregular, Values(irregular.size(), 1.0)), expected,
                         rounding<Scalar>(1), expected))
      << "walls take their share";
}

TYPED_TEST(HelmholtzOperator, IsSymmetric) {
  using Case = typename TestFixture::Case;
  using Scalar = typename TestFixture::Scalar;
  for (const auto& system :
       {Case::panel(7, 5, 9), Case::panel(6, 6, 33, true),
        Case(irregular_graph(40, 0), Lamina::VerticalGrid::graded(5, 0.4), {0.05, 2})}) {
    const Values x = rounded<Scalar>(random_values(system.size(), 1));
    const Values y = rounded<Scalar>(random_values(system.size(), 2));
    Values magnitudes = system.matrix().multiply_magnitudes(y);
    for (std::size_t i = 0; i < x.size(); ++i) magnitudes[i] *= std::abs(x[i]);
    const double scale = Reference::dot(magnitudes, Values(x.size(), 1.0));
    EXPECT_NEAR(Reference::dot(this->apply(system, x), y),
                Reference::dot(x, this->apply(system, y)),
                rounding<Scalar>(system.operations()) * scale);
  }
}

TYPED_TEST(HelmholtzOperator, IsPositiveDefiniteWithTheMassMatrixBelowIt) {
  // <x, A x> >= <x, W x> with W the cell volumes, equal for x = 1.
  using Case = typename TestFixture::Case;
  using Scalar = typename TestFixture::Scalar;
  for (const auto& system : {Case::panel(8, 8, 16), Case::panel(8, 8, 16, true),
                             Case::panel(1, 1, 1), Case::panel(1, 9, 33)}) {
    const Values volumes = system.volumes();
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      // From rough to constant: the closer to constant, the sharper the bound.
      Values x = random_values(system.size(), seed + 10);
      for (double& value : x)
        value = 1 + value * (seed < 4 ? std::pow(0.01, static_cast<double>(seed)) : 0);
      x = rounded<Scalar>(x);
      Values weighted = volumes;
      for (std::size_t i = 0; i < x.size(); ++i) weighted[i] *= x[i];
      const double mass = Reference::dot(x, weighted),
                   energy = Reference::dot(x, this->apply(system, x));
      EXPECT_GT(energy, 0);
      // Rounding of differences of nearly equal values only: none of |A||x| itself.
      EXPECT_GE(energy, mass * (1 - rounding<Scalar>(system.operations())));
    }
  }
}

TYPED_TEST(HelmholtzOperator, DecouplesLevelsWithoutVerticalCoupling) {
  using Case = typename TestFixture::Case;
  const Case system(Lamina::CubedSpherePanel(5, 5).graph(), Lamina::VerticalGrid::graded(6, 0.1),
                    {0.1, 0});
  this->expect_agreement(system);
  Values x(system.size(), 0.0);
  for (std::size_t c = 0; c < 25; ++c) x[6 * c + 2] = 1;
  const auto y = this->apply(system, x);
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (i % 6 != 2) {
      EXPECT_EQ(y[i], 0);
    }
  }
}

TYPED_TEST(HelmholtzOperator, OnFieldsOfMoreLevelsLeavesZerosBehindTheLast) {
  using Case = typename TestFixture::Case;
  using Field = typename TestFixture::Field;
  const Case system(Lamina::CubedSpherePanel(5, 6).graph(), Lamina::VerticalGrid::graded(6, 0.1),
                    {0.1, 0.1});
  const Values x = rounded<typename TestFixture::Scalar>(random_values(system.size(), 1)),
               expected = this->apply(system, x);
  for (const int levels : {6, 8, 11}) {
    SCOPED_TRACE(levels);
    const auto longer = system.op.with_levels(levels);
    Values more(30 * static_cast<std::size_t>(levels), 0.0);
    for (std::size_t i = 0; i < x.size(); ++i) {
      more[i / 6 * static_cast<std::size_t>(levels) + i % 6] = x[i];
    }
    const Field in(30, levels, more), out(30, levels, Values(more.size(), 77));
    longer.apply(TEST_SPACE(), in.const_view(), out.view());
    const Values y = out.get();
    for (std::size_t i = 0; i < y.size(); ++i) {
      const std::size_t column = i / static_cast<std::size_t>(levels),
                        level = i % static_cast<std::size_t>(levels);
      EXPECT_NEAR(y[i], level < 6 ? expected[column * 6 + level] : 0,
                  rounding<typename TestFixture::Scalar>(system.operations()));
    }
  }
}

TYPED_TEST(HelmholtzOperator, AcceptsNoColumns) {
  using Case = typename TestFixture::Case;
  const Case system(Lamina::ColumnGraph{}, Lamina::VerticalGrid::graded(3, 0.1), {0.1, 0.1});
  EXPECT_TRUE(this->apply(system, {}).empty());
}

TYPED_TEST(HelmholtzOperator, StatesItsTraffic) {
  using Scalar = typename TestFixture::Scalar;
  const auto system = TestFixture::Case::panel(4, 4, 8);
  ASSERT_EQ(system.op.kernel_costs().size(), 1u);
  const double fields = 2.0 * 16 * 8 * sizeof(Scalar), bytes = system.op.kernel_costs()[0].bytes;
  EXPECT_GE(bytes, fields);
  EXPECT_LE(bytes, fields + 16 * 10 * sizeof(double) + 8 * 5 * sizeof(double));
}

TYPED_TEST(HelmholtzOperator, RefusesExtentsThatDoNotFit) {
  using Field = typename TestFixture::Field;
  const auto system = TestFixture::Case::panel(2, 2, 3);
  const TEST_SPACE space;
  const Field good(4, 3), more_columns(5, 3), fewer_levels(4, 2);
  EXPECT_NO_THROW(system.op.apply(space, good.const_view(), Field(4, 3).view()));
  EXPECT_THROW(system.op.apply(space, more_columns.const_view(), good.view()),
               Lamina::InvalidArgument);
  EXPECT_EQ(message_of<Lamina::InvalidArgument>(
                [&] { system.op.apply(space, good.const_view(), fewer_levels.view()); }),
            "Lamina::HelmholtzOperator::apply: argument y: expected 3 levels, got 2");
}

TYPED_TEST(HelmholtzOperator, RefusesParametersOutOfRange) {
  using Case = typename TestFixture::Case;
  const auto graph = Lamina::CubedSpherePanel(2, 2).graph();
  const auto grid = Lamina::VerticalGrid::graded(3, 0.1);
  const double infinity = std::numeric_limits<double>::infinity(), nan = infinity * 0;
  for (const double bad : {0.0, -1.0, infinity, nan}) {
    EXPECT_THROW(Case(graph, grid, {bad, 0.1}), Lamina::InvalidArgument) << "omega2 " << bad;
  }
  for (const double bad : {-1.0, infinity, nan}) {
    EXPECT_THROW(Case(graph, grid, {0.1, bad}), Lamina::InvalidArgument) << "lambda2 " << bad;
  }
  const auto message = [&](const std::vector<double>& stratification) {
    return message_of<Lamina::InvalidArgument>([&] {
      Case(graph, grid, {0.1, 0.1, stratification});
    });
  };
  EXPECT_EQ(message({1}),
            "Lamina::HelmholtzOperator: stratification: expected a value for each of 2 interfaces, "
            "got 1");
  EXPECT_EQ(message({1, -2}),
            "Lamina::HelmholtzOperator: stratification above level 1: expected a value >= 0, got "
            "-2.000000");
  EXPECT_NE(message({nan, 1}), "");
}

}  // namespace LaminaTest
