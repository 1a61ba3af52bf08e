// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/columns/ColumnLinePreconditioner.hpp>

#include <columns/ColumnCase.hpp>
#include <sweeps/OwnCoefficients.hpp>

#include <cmath>
#include <limits>

namespace LaminaTest {

template <class Type>
class ColumnLinePreconditioner : public testing::Test {
 public:
  using Scalar = typename Type::scalar;
  using Field = TestField<Scalar, typename Type::layout>;
  using Case = StoredCase<Scalar, typename Type::layout, Scalar>;

  /// z = M^-1 r
  template <class Operator>
  static Values solve(const Operator& op, const Values& r) {
    const TEST_SPACE space;
    const Field r_field(op.num_columns(), op.num_levels(), r, column_padding),
        z_field(op.num_columns(), op.num_levels(), all_padding);
    const Lamina::ColumnLinePreconditioner lines(space, op);
    lines.solve(space, r_field.view(), z_field.view());
    EXPECT_TRUE(z_field.surroundings_untouched());
    return z_field.get();
  }
};
TYPED_TEST_SUITE(ColumnLinePreconditioner, FieldTypes, FieldTypeNames);

TYPED_TEST(ColumnLinePreconditioner, SolvesTheLinesOfTheMatrix) {
  using Scalar = typename TestFixture::Scalar;
  // Segments of either length, and columns that fit on no chip
  for (const int levels : {1, 2, 8, 9, 33, 129, 513, 600, 1024, 1030}) {
    for (const bool masked : {false, true}) {
      SCOPED_TRACE(testing::Message() << levels << " levels" << (masked ? ", masked" : ""));
      const auto system =
          ColumnCase::random<Scalar>(irregular_graph(levels > 130 ? 9 : 67, 0), levels, 3, masked);
      const typename TestFixture::Case stored(system);
      const Values r = rounded<Scalar>(system.random_wet(1));
      const Values z = TestFixture::solve(stored.op, r);
      const auto matrix = system.matrix(false);
      Values scale = matrix.multiply_magnitudes(z);
      for (std::size_t i = 0; i < scale.size(); ++i) scale[i] += std::abs(r[i]);
      EXPECT_TRUE(all_within(matrix.multiply(z), r, rounding<Scalar>(4), scale));
    }
  }
}

TYPED_TEST(ColumnLinePreconditioner, KeepsTheDigitsOfFieldsBesideNarrowValues) {
  using Scalar = typename TestFixture::Scalar;
  // Small integers, whose sums are exact in either precision.
  const auto whole = [](Values& values) {
    for (double& value : values) value = std::floor(8 * std::abs(value)) + 1;
  };
  for (const int levels : {1, 8, 9, 129, 511, 512, 513}) {
    SCOPED_TRACE(testing::Message() << levels << " levels");
    auto system = ColumnCase::random<Scalar>(irregular_graph(levels > 130 ? 9 : 67, 0), levels, 3);
    for (Values* values : {&system.mass, &system.vertical, &system.horizontal}) whole(*values);
    const StoredCase<Scalar, typename TypeParam::layout, float> narrow(system);
    const StoredCase<Scalar, typename TypeParam::layout, double> wide(system);
    const Values r = rounded<Scalar>(random_values(system.size(), 1));
    const Values z = TestFixture::solve(narrow.op, r), expected = TestFixture::solve(wide.op, r);
    EXPECT_TRUE(all_within(z, expected, rounding<Scalar>(4), Values(z.size(), 1.0)));
  }
}

TYPED_TEST(ColumnLinePreconditioner, SumsUpTheCouplingsOfAUsersClass) {
  using Scalar = typename TestFixture::Scalar;
  const int levels = 9;
  const Lamina::ColumnMesh<Memory> mesh(irregular_graph(37, 0));
  const Lamina::ColumnOperator op(mesh, levels, OwnCoefficients<Scalar>{levels});
  const Values r = rounded<Scalar>(random_values(37 * levels, 1));
  const Values z = TestFixture::solve(op, r);
  Values image, scale;
  for (int c = 0; c < 37; ++c) {
    for (int k = 0; k < levels; ++k) {
      const auto at = [&](int level) { return z[static_cast<std::size_t>(c * levels + level)]; };
      const auto row = op.system().coefficients.row(c, k);
      double sum = row.mass;
      for (int n = 0; n < mesh.max_neighbours(); ++n) {
        sum += op.system().coefficients.coupling(c, n, k);
      }
      double value = sum * at(k), magnitude = std::abs(value);
      const auto add = [&](double factor, double other) {
        value += factor * (at(k) - other);
        magnitude += factor * (std::abs(at(k)) + std::abs(other));
      };
      if (k + 1 < levels) add(row.above, at(k + 1));
      if (k > 0) add(row.below, at(k - 1));
      image.push_back(value);
      scale.push_back(magnitude + std::abs(r[image.size() - 1]));
    }
  }
  EXPECT_TRUE(all_within(image, r, rounding<Scalar>(12), scale));
}

TYPED_TEST(ColumnLinePreconditioner, PinsAColumnOfZeroFlux) {
  using Scalar = typename TestFixture::Scalar;
  // One column without mass or neighbours: constants are in its null space.
  for (const int levels : {1, 2, 9, 33, 1030}) {
    SCOPED_TRACE(levels);
    auto system = ColumnCase::random<Scalar>(irregular_graph(1, 0), levels, 3);
    system.mass.assign(system.mass.size(), 0.0);
    const typename TestFixture::Case stored(system);
    Values exact(system.size()), r(system.size(), 0.0);
    for (std::size_t k = 0; k < exact.size(); ++k) exact[k] = std::sin(static_cast<double>(k));
    for (std::size_t k = 0; k + 1 < exact.size(); ++k) {
      const double flux = system.vertical[k] * (exact[k] - exact[k + 1]);
      r[k] += flux;
      r[k + 1] -= flux;
    }
    r = rounded<Scalar>(r);
    const Values z = TestFixture::solve(stored.op, r);
    EXPECT_EQ(z.back(), 0) << "the last level is pinned";
    for (std::size_t k = 0; k + 1 < exact.size(); ++k) {
      const double flux = system.vertical[k] * (z[k] - z[k + 1]);
      double expected = 0, scale = 0;
      for (std::size_t j = 0; j <= k; ++j) {
        expected += r[j];
        scale += std::abs(r[j]);
      }
      EXPECT_NEAR(flux, expected,
                  rounding<Scalar>(levels) * (scale + system.vertical[k] * std::abs(z[k])));
    }
  }
}

TYPED_TEST(ColumnLinePreconditioner, TellsOfBadPivots) {
  using Scalar = typename TestFixture::Scalar;
  const TEST_SPACE space;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const bool masked : {false, true}) {
    const auto good = ColumnCase::random<Scalar>(irregular_graph(9, 0), 5, 1, masked);
    typename TestFixture::Case stored(good);
    const Lamina::ColumnLinePreconditioner lines(space, stored.op);
    EXPECT_EQ(lines.first_bad_column(space), -1) << "land is not bad";
    EXPECT_EQ(lines.status(space), Lamina::SolveStatus::completed);
    for (const double bad : {-1e4, nan}) {
      auto spoilt = good;
      spoilt.mass[spoilt.place(7, 4)] = bad;
      spoilt.mass[spoilt.place(3, 1)] = bad;
      stored.set(spoilt);
      lines.update(space);
      EXPECT_EQ(lines.first_bad_column(space), 3);
      EXPECT_EQ(lines.status(space), Lamina::SolveStatus::breakdown_zero_pivot);
    }
  }
}

}  // namespace LaminaTest
