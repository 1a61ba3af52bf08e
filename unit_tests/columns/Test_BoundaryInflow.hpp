// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/columns/BoundaryInflow.hpp>
#include <lamina/columns/ProfileCoefficients.hpp>
#include <lamina/grids/Plane.hpp>
#include <lamina/helmholtz/FusedHelmholtz.hpp>

#include <columns/ColumnCase.hpp>
#include <support/MessageOf.hpp>

#include <cstddef>
#include <vector>

namespace LaminaTest {

/// Every combination of sides of a plane.
inline std::vector<Lamina::PlaneSides> all_sides() {
  using Lamina::PlaneSide;
  const std::vector<std::pair<PlaneSide, PlaneSide>> pairs{
      {PlaneSide::periodic, PlaneSide::periodic},
      {PlaneSide::zero_flux, PlaneSide::zero_flux},
      {PlaneSide::zero_flux, PlaneSide::dirichlet},
      {PlaneSide::dirichlet, PlaneSide::zero_flux},
      {PlaneSide::dirichlet, PlaneSide::dirichlet}};
  std::vector<Lamina::PlaneSides> result;
  for (const auto& [west, east] : pairs) {
    for (const auto& [south, north] : pairs) result.push_back({west, east, south, north});
  }
  return result;
}

/// A system on a plane of nx x ny cells of 2 x 1 with values on sides, written cell by cell.
struct PlaneCase {
  static constexpr int nx = 4, ny = 3, levels = 3;
  Reference::Matrix matrix;
  Values b;

  static std::size_t place(int i, int j, int k) {
    return static_cast<std::size_t>((i * ny + j) * levels + k);
  }
  static double mass(int k) { return 0.5 + k; }
  static double vertical(int k) { return 1 + 2 * k; }
  static double horizontal(int k) { return 2.0 - 0.5 * k; }

  /// value(x, y, k) on Dirichlet sides, at the middle of an edge
  template <class Value>
  PlaneCase(const Lamina::PlaneSides& sides, const Values& f, const Value& value) : b(f) {
    matrix.rows.resize(b.size());
    for (int i = 0; i < nx; ++i) {
      for (int j = 0; j < ny; ++j) {
        for (int k = 0; k < levels; ++k) {
          const std::size_t row = place(i, j, k);
          const auto add = [&](std::size_t column, double entry) {
            matrix.rows[row].push_back({static_cast<int>(column), entry});
          };
          const auto couple = [&](std::size_t other, double coupling) {
            add(row, coupling);
            add(other, -coupling);
          };
          const auto side = [&](int p, int q, bool inside, Lamina::PlaneSide beyond, double alpha,
                                double x, double y) {
            const double coupling = alpha * horizontal(k);
            if (inside || beyond == Lamina::PlaneSide::periodic) {
              couple(place((p + nx) % nx, (q + ny) % ny, k), coupling);
            } else if (beyond == Lamina::PlaneSide::dirichlet) {
              add(row, 2 * coupling);
              b[row] += 2 * coupling * value(x, y, k);
            }
          };
          add(row, 2 * mass(k));
          if (k + 1 < levels) couple(place(i, j, k + 1), 2 * vertical(k));
          if (k > 0) couple(place(i, j, k - 1), 2 * vertical(k - 1));
          side(i - 1, j, i > 0, sides.west, 0.5, 2 * i, j + 0.5);
          side(i + 1, j, i + 1 < nx, sides.east, 0.5, 2 * (i + 1), j + 0.5);
          side(i, j - 1, j > 0, sides.south, 2, 2 * i + 1, j);
          side(i, j + 1, j + 1 < ny, sides.north, 2, 2 * i + 1, j + 1);
        }
      }
    }
  }
  static Lamina::ColumnGraph graph(const Lamina::PlaneSides& sides) {
    return Lamina::plane(nx, ny, sides, 2 * nx, ny);
  }
  static Lamina::ColumnProfiles profiles() {
    Lamina::ColumnProfiles result;
    for (int k = 0; k < levels; ++k) {
      result.mass.push_back(mass(k));
      result.horizontal.push_back(horizontal(k));
      if (k + 1 < levels) result.vertical.push_back(vertical(k));
    }
    return result;
  }
  /// The middles of the boundary edges, in the order that `plane` documents.
  static std::vector<std::pair<double, double>> middles(const Lamina::PlaneSides& sides) {
    const auto is = [](Lamina::PlaneSide side) { return side == Lamina::PlaneSide::dirichlet; };
    std::vector<std::pair<double, double>> result;
    for (int i = 0; i < nx; ++i) {
      for (int j = 0; j < ny; ++j) {
        if (i == 0 && is(sides.west)) result.emplace_back(0, j + 0.5);
        if (i + 1 == nx && is(sides.east)) result.emplace_back(2 * nx, j + 0.5);
        if (j == 0 && is(sides.south)) result.emplace_back(2 * i + 1, 0);
        if (j + 1 == ny && is(sides.north)) result.emplace_back(2 * i + 1, ny);
      }
    }
    return result;
  }
};

template <class Type>
class BoundaryInflow : public testing::Test {
 public:
  using Scalar = typename Type::scalar;
  using Field = TestField<Scalar, typename Type::layout>;
};
TYPED_TEST_SUITE(BoundaryInflow, FieldTypes, FieldTypeNames);

TYPED_TEST(BoundaryInflow, SolvesWithValuesOnEveryCombinationOfSides) {
  using Scalar = typename TestFixture::Scalar;
  using Field = typename TestFixture::Field;
  const TEST_SPACE space;
  const int columns = PlaneCase::nx * PlaneCase::ny, levels = PlaneCase::levels;
  const auto value = [](double x, double y, int k) {
    return static_cast<double>(static_cast<Scalar>(1 + x - 2 * y + k * x * y));
  };
  int n = 0;
  for (const auto& sides : all_sides()) {
    SCOPED_TRACE(n++);
    const auto graph = PlaneCase::graph(sides);
    const auto middles = PlaneCase::middles(sides);
    ASSERT_EQ(middles.size(), graph.boundary_edges.size());
    const Values f = rounded<Scalar>(random_values(static_cast<std::size_t>(columns * levels), 3));
    const PlaneCase expected(sides, f, value);
    const Lamina::ColumnMesh<Memory> mesh(graph);
    const auto profiles = PlaneCase::profiles();
    const Lamina::ColumnOperator op(mesh, levels,
                                    Lamina::ProfileCoefficients<Scalar, Memory>(mesh, profiles));
    const Lamina::BoundaryInflow<Scalar, Memory> inflow(graph, profiles.horizontal);
    Values on_edges;
    for (const auto& [x, y] : middles) {
      for (int k = 0; k < levels; ++k) on_edges.push_back(value(x, y, k));
    }
    const Field values(static_cast<int>(middles.size()), levels, on_edges, all_padding),
        b(columns, levels, f, column_padding), x(columns, levels);
    inflow.add(space, values.view(), b.view());
    EXPECT_TRUE(all_within(b.get(), expected.b, rounding<Scalar>(6)));
    EXPECT_TRUE(b.surroundings_untouched());
    Lamina::FusedPcg pcg(space, Lamina::FusedColumns(space, op));
    EXPECT_TRUE(
        pcg.solve(space, b.view(), x.view(), {.tolerance = rounding<Scalar>(10)}).converged());
    EXPECT_TRUE(all_within(x.get(), Reference::solve_directly(expected.matrix, expected.b),
                           rounding<Scalar>(500)));
  }
}

TYPED_TEST(BoundaryInflow, HoldsALinearFieldBetweenTwoWallsExactly) {
  using Scalar = typename TestFixture::Scalar;
  using Field = typename TestFixture::Field;
  const TEST_SPACE space;
  const int nx = 8, ny = 3;
  const auto side = Lamina::PlaneSide::dirichlet;
  const auto graph = Lamina::plane(nx, ny, {.west = side, .east = side});
  const Lamina::ColumnMesh<Memory> mesh(graph);
  const auto grid = Lamina::VerticalGrid::uniform(2, 0.5, Lamina::VerticalMetric::flat);
  const Lamina::HelmholtzParameters equation{.omega2 = 0.5, .lambda2 = 0.1};
  const Lamina::HelmholtzOperator<Scalar, Memory> op(mesh, grid, equation);
  // u = x: 0 in the west, 1 in the east; the integral of u over a cell is its value times the volume
  const Lamina::BoundaryInflow<Scalar, Memory> inflow(
      graph, {equation.omega2 * grid.volume(0), equation.omega2 * grid.volume(1)});
  Values exact, f, on_edges;
  for (int i = 0; i < nx; ++i) {
    for (int c = 0; c < 2 * ny; ++c) {
      exact.push_back((i + 0.5) / nx);
      f.push_back(exact.back() * graph.areas[0] * grid.volume(0));
    }
  }
  for (const auto& edge : graph.boundary_edges) {
    on_edges.insert(on_edges.end(), 2, edge.column < ny ? 0.0 : 1.0);
  }
  const Field values(2 * ny, 2, on_edges), b(nx * ny, 2, f), x(nx * ny, 2);
  inflow.add(space, values.view(), b.view());
  Lamina::FusedPcg pcg(space, Lamina::FusedHelmholtz(space, op));
  EXPECT_TRUE(
      pcg.solve(space, b.view(), x.view(), {.tolerance = rounding<Scalar>(10)}).converged());
  EXPECT_TRUE(all_within(x.get(), exact, rounding<Scalar>(200)));
}

TYPED_TEST(BoundaryInflow, RefusesWhatDoesNotFit) {
  using Field = typename TestFixture::Field;
  using Inflow = Lamina::BoundaryInflow<typename TestFixture::Scalar, Memory>;
  auto graph = Lamina::plane(3, 3, Lamina::PlaneSides::all(Lamina::PlaneSide::dirichlet));
  const Inflow inflow(graph, {1, 1});
  const Field values(11, 2), b(9, 2);
  EXPECT_EQ(message_of<Lamina::InvalidArgument>(
                [&] { inflow.add(TEST_SPACE(), values.view(), b.view()); }),
            "Lamina::BoundaryInflow::add: argument values: expected 12 edges, got 11");
  graph.boundary_edges[0].column = 9;
  EXPECT_EQ(message_of<Lamina::InvalidArgument>([&] {
              Inflow(graph, {1, 1});
            }),
            "Lamina::BoundaryInflow: boundary edge of column 9: expected a column of the graph");
}

}  // namespace LaminaTest
