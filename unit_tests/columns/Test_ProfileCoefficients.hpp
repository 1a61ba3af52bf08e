// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/columns/ProfileCoefficients.hpp>

#include <columns/ProfileCase.hpp>
#include <support/MessageOf.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace LaminaTest {

template <class Type>
class ProfileCoefficients : public testing::Test {
 public:
  using Scalar = typename Type::scalar;
  using Layout = typename Type::layout;
  using Field = TestField<Scalar, Layout>;

  /// check(operator, the system cell by cell) of all kinds of meshes, levels and bottoms
  template <class Check>
  static void for_each_case(const Check& check) {
    std::uint64_t seed = 1;
    for (const auto& graph : graphs_to_solve_on()) {
      const Lamina::ColumnMesh<Memory> mesh(graph);
      for (const int levels : {1, 2, 9}) {
        SCOPED_TRACE(testing::Message()
                     << mesh.num_owned() << " columns of " << levels << " levels");
        std::vector<int> bottoms;
        for (int c = 0; c < mesh.num_columns(); ++c) {
          bottoms.push_back(
              static_cast<int>(Reference::splitmix64(seed + static_cast<std::uint64_t>(c)) %
                               static_cast<std::uint64_t>(levels + 1)));
        }
        check_profiles<Scalar>(graph, levels, bottoms, seed += 10, check);
      }
    }
  }
  template <class Operator>
  static void expect_rows(const Operator& op, const ColumnCase& system) {
    const Values x = rounded<Scalar>(random_values(system.size(), 1));
    const Field in(system.num_columns(), system.num_levels, x, column_padding),
        out(system.num_columns(), system.num_levels, all_padding);
    op.apply(TEST_SPACE(), in.view(), out.view());
    const auto matrix = system.matrix();
    EXPECT_TRUE(all_within(out.get(), matrix.multiply(x), rounding<Scalar>(12),
                           matrix.multiply_magnitudes(x)));
    EXPECT_TRUE(out.surroundings_untouched());
  }
  template <class Operator>
  static void expect_lines(const Operator& op, const ColumnCase& system) {
    const TEST_SPACE space;
    const Values r = rounded<Scalar>(random_values(system.size(), 1));
    const Field r_field(system.num_columns(), system.num_levels, r, level_padding),
        z_field(system.num_columns(), system.num_levels, all_padding);
    const Lamina::ColumnLinePreconditioner lines(space, op);
    lines.solve(space, r_field.view(), z_field.view());
    const Values z = z_field.get();
    const auto matrix = system.matrix(false);
    Values scale = matrix.multiply_magnitudes(z);
    for (std::size_t i = 0; i < scale.size(); ++i) scale[i] += std::abs(r[i]);
    EXPECT_TRUE(all_within(matrix.multiply(z), r, rounding<Scalar>(6), scale));
    EXPECT_TRUE(z_field.surroundings_untouched());
  }
};
TYPED_TEST_SUITE(ProfileCoefficients, FieldTypes, FieldTypeNames);

TYPED_TEST(ProfileCoefficients, AreTheRowsOfTheMatrix) {
  TestFixture::for_each_case(
      [](const auto& op, const ColumnCase& system) { TestFixture::expect_rows(op, system); });
}

TYPED_TEST(ProfileCoefficients, HaveTheLinesOfTheMatrix) {
  TestFixture::for_each_case(
      [](const auto& op, const ColumnCase& system) { TestFixture::expect_lines(op, system); });
}

/// On CPU cores whole vectors, tiles of deep columns beside some that end within a vector, and columns of
/// more neighbours than are held.
TYPED_TEST(ProfileCoefficients, AreTheSameInVectors) {
  constexpr int lanes = Lamina::Impl::lane_count<typename TestFixture::Scalar>;
  const auto graph = graph_of_many_columns();
  for (const int levels : {lanes, 3 * lanes + 1}) {
    SCOPED_TRACE(testing::Message() << levels << " levels");
    std::vector<int> bottoms;
    for (int c = 0; c < static_cast<int>(graph.areas.size()); ++c) {
      const bool shallow = c % 7 == 0 && c >= 140;
      bottoms.push_back(c % 50 == 3 ? 0 : (shallow ? 1 + c % levels : levels - c % 2));
    }
    check_profiles<typename TestFixture::Scalar>(graph, levels, bottoms, 5,
                                                 [](const auto& op, const ColumnCase& system) {
                                                   TestFixture::expect_rows(op, system);
                                                   TestFixture::expect_lines(op, system);
                                                 });
  }
}

TYPED_TEST(ProfileCoefficients, SolveToTheDirectSolution) {
  using Scalar = typename TestFixture::Scalar;
  using Field = typename TestFixture::Field;
  const TEST_SPACE space;
  TestFixture::for_each_case([&](const auto& op, const ColumnCase& system) {
    const Values b = rounded<Scalar>(system.random_wet(3));
    const Field b_field(system.num_columns(), system.num_levels, b),
        x_field(system.num_columns(), system.num_levels);
    Lamina::FusedPcg pcg(space, Lamina::FusedColumns(space, op));
    const auto report = pcg.solve(space, b_field.view(), x_field.view(),
                                  {.tolerance = rounding<Scalar>(10), .max_iterations = 500});
    EXPECT_TRUE(report.converged()) << to_string(report.status);
    const Values expected = Reference::solve_directly(system.matrix(), b);
    EXPECT_TRUE(all_within(x_field.get(), expected, rounding<Scalar>(1000)));
  });
}

TYPED_TEST(ProfileCoefficients, AreThoseOfHelmholtzForItsProfiles) {
  using Scalar = typename TestFixture::Scalar;
  using Field = typename TestFixture::Field;
  const auto system = HelmholtzCase<Scalar>::panel(5, 7, 9, true);
  const auto& equation = system.equation;
  Lamina::ColumnProfiles profiles;
  for (int k = 0; k < 9; ++k) {
    const double volume = system.vertical_grid.volume(k);
    profiles.mass.push_back(volume);
    profiles.horizontal.push_back(equation.omega2 * volume);
    if (k < 8) {
      const auto& h = system.vertical_grid.thicknesses();
      const auto level = static_cast<std::size_t>(k);
      profiles.vertical.push_back(equation.omega2 * equation.lambda2 *
                                  system.vertical_grid.interface_area(k + 1) /
                                  ((h[level] + h[level + 1]) / 2));
    }
  }
  const Lamina::ColumnOperator op(
      system.mesh, 9, Lamina::ProfileCoefficients<Scalar, Memory>(system.mesh, profiles));
  const Values x = rounded<Scalar>(random_values(system.size(), 1));
  const Field in(35, 9, x), out(35, 9);
  op.apply(TEST_SPACE(), in.view(), out.view());
  const auto matrix = system.matrix();
  EXPECT_TRUE(all_within(out.get(), matrix.multiply(x), rounding<Scalar>(12),
                         matrix.multiply_magnitudes(x)));
}

TYPED_TEST(ProfileCoefficients, RefuseWhatIsNoProfile) {
  using Coefficients = Lamina::SteppedCoefficients<typename TestFixture::Scalar, Memory>;
  const Lamina::ColumnMesh<Memory> mesh(Lamina::plane(3, 3));
  const auto message = [&](const Lamina::ColumnProfiles& profiles,
                           const std::vector<int>& bottoms) {
    return message_of<Lamina::InvalidArgument>(
        [&] { Coefficients(mesh, profiles, list_of(bottoms)); });
  };
  const std::vector<int> full(9, 2);
  EXPECT_EQ(message({{1, 1}, {1, 1}, {1, 1}}, full),
            "Lamina::ProfileCoefficients: argument vertical: expected 1 interfaces, got 2");
  EXPECT_EQ(message({{1, 1}, {1}, {1, -1}}, full),
            "Lamina::ProfileCoefficients: argument profiles: horizontal: expected values >= 0 in "
            "the range of "
            "the precision, got -1");
  EXPECT_EQ(message({{1, 1}, {1}, {1, 1}, {1}}, full),
            "Lamina::ProfileCoefficients: argument mass_factors: expected 9 columns, got 1");
  EXPECT_EQ(message({{1, 1}, {1}, {1, 1}}, std::vector<int>(9, 3)),
            "Lamina::ProfileCoefficients: argument bottoms: expected 0 to 2 levels, got 3");
}

TYPED_TEST(ProfileCoefficients, RefuseWhatIsNoPartOfACell) {
  using Coefficients = Lamina::PartialCellCoefficients<typename TestFixture::Scalar, Memory>;
  const Lamina::ColumnMesh<Memory> mesh(Lamina::plane(3, 3));
  const auto message = [&](const std::vector<double>& fractions,
                           const std::vector<double>& thicknesses,
                           const std::vector<double>& volumes = {}) {
    const auto bottoms = list_of(std::vector<int>{0, 1, 2, 0, 1, 2, 0, 1, 2});
    return message_of<Lamina::InvalidArgument>([&] {
      Coefficients(mesh, {{1, 1}, {1}, {1, 1}},
                   {bottoms, list_of(fractions), thicknesses, list_of(volumes)});
    });
  };
  const std::string start = "Lamina::ProfileCoefficients: argument bottoms";
  std::vector<double> fractions(9, 1);
  EXPECT_EQ(message(fractions, {1, 1}), "nothing was thrown");
  EXPECT_EQ(message(fractions, {1}), start + ".thicknesses: expected 2 levels, got 1");
  EXPECT_EQ(message(fractions, {1, 0}), start + ": thicknesses: expected values > 0, got 0");
  EXPECT_EQ(message({1, 1}, {1, 1}), start + ".fractions: expected 9 columns, got 2");
  EXPECT_EQ(message(fractions, {1, 1}, {1, 1}), start + ".volumes: expected 9 columns, got 2");
  EXPECT_EQ(message(fractions, {1, 1}, std::vector<double>(9, 2)),
            start + ": volumes: expected values > 0 and <= 1, got 2");
  fractions[3] = -1;  // land
  EXPECT_EQ(message(fractions, {1, 1}), "nothing was thrown");
  for (const auto& [fraction, got] : {std::pair{0.0, "0"}, {1.5, "1.5"}, {-1.0, "-1"}}) {
    fractions[4] = fraction;
    EXPECT_EQ(message(fractions, {1, 1}),
              start + ": fractions: expected values > 0 and <= 1, got " + got);
  }
}

/// Line solves of a device ask once whether a segment is above all that ends.
TYPED_TEST(ProfileCoefficients, HaveRowsOfWholeColumnsWhereNothingEnds) {
  if constexpr (!Lamina::runs_on_host<TEST_SPACE>) {
    GTEST_SKIP() << "coefficients are read on the host";
  } else {
    using Scalar = typename TestFixture::Scalar;
    constexpr int levels = 11;
    const Lamina::ColumnMesh<Memory> mesh(Lamina::plane(7, 8));
    const auto profiles = random_profiles(mesh.num_columns(), levels, 3);
    std::vector<int> bottoms;
    std::vector<double> fractions;
    for (int c = 0; c < mesh.num_columns(); ++c) {  // 0, 1, and a half at full depth
      bottoms.push_back(c < 2 ? c : std::min(levels, 4 + c % 14));
      fractions.push_back(c % 3 == 0 ? 1 : 0.7);
    }
    const auto check = [&](const auto& coefficients) {
      int whole = 0, others = 0;
      for (int c = 0; c < mesh.num_columns(); ++c) {
        const auto held = coefficients.template hold<0>(c);
        for (int end = 1; end <= levels + 4; ++end) {
          const bool is_whole = held.is_whole(end, levels);
          ++(is_whole ? whole : others);
          for (int k = 0; is_whole && k < std::min(end, levels); ++k) {
            const auto at = coefficients.profile(k);
            EXPECT_EQ(held.whole_line_mass(at), held.line_mass(coefficients, at, k));
            EXPECT_EQ(held.whole_line_above(at.above), held.line_above(at.above, k))
                << bottoms[static_cast<std::size_t>(c)] << ", " << k << " of " << end;
          }
        }
      }
      EXPECT_GT(whole, 50);
      EXPECT_GT(others, 50);
    };
    check(Lamina::SteppedCoefficients<Scalar, Memory>(mesh, profiles, list_of(bottoms)));
    check(Lamina::PartialCellCoefficients<Scalar, Memory>(
        mesh, profiles, {list_of(bottoms), list_of(fractions), std::vector<double>(levels, 1)}));
  }
}

TYPED_TEST(ProfileCoefficients, CountTheBytesOfGeometryOnce) {
  using Scalar = typename TestFixture::Scalar;
  const Lamina::ColumnMesh<Memory> mesh(Lamina::plane(4, 6));
  const Lamina::ColumnProfiles profiles{{1, 1}, {1}, {1, 1}};
  const Lamina::ProfileCoefficients<Scalar, Memory> flat(mesh, profiles);
  const Lamina::SteppedCoefficients<Scalar, Memory> stepped(mesh, profiles,
                                                            list_of(std::vector<int>(24, 1)));
  const double levels = 4 * 2 * sizeof(Scalar);
  EXPECT_EQ(flat.line_bytes(), 24 * 4 * sizeof(Scalar) + levels);
  EXPECT_EQ(flat.stencil_bytes(), 24 * (7 * sizeof(Scalar) + 4 * sizeof(int)) + levels);
  EXPECT_EQ(stepped.stencil_bytes() - flat.stencil_bytes(), 24 * 5 * sizeof(int));
  const Lamina::PartialCellCoefficients<Scalar, Memory> partial(
      mesh, profiles,
      {list_of(std::vector<int>(24, 1)), list_of(std::vector<double>(24, 0.5)), {1, 1}});
  EXPECT_EQ(partial.stencil_bytes() - stepped.stencil_bytes(), 24 * 6 * sizeof(Scalar));
}

}  // namespace LaminaTest
