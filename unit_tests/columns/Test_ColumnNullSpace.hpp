// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/columns/ColumnNullSpace.hpp>
#include <lamina/columns/ProfileCoefficients.hpp>

#include <columns/ColumnCase.hpp>
#include <support/MessageOf.hpp>

#include <cmath>
#include <limits>
#include <map>
#include <vector>

namespace LaminaTest {

/// Cells that couplings connect, found by painting: each cell's set, and which sets have mass.
struct PaintedCells {
  std::vector<int> colour;
  std::map<int, int> size;
  std::map<int, bool> has_mass;

  explicit PaintedCells(const ColumnCase& system) : colour(system.size()) {
    for (std::size_t i = 0; i < colour.size(); ++i) colour[i] = static_cast<int>(i);
    for (bool changed = true; changed;) {
      changed = false;
      const auto couple = [&](std::size_t a, std::size_t b, double value) {
        if (value == 0 || colour[a] == colour[b]) return;
        colour[a] = colour[b] = std::min(colour[a], colour[b]);
        changed = true;
      };
      for (int c = 0; c < system.num_columns(); ++c) {
        for (int k = 0; k + 1 < system.num_levels; ++k) {
          couple(system.place(c, k), system.place(c, k + 1), system.vertical[system.place(c, k)]);
        }
      }
      for (std::size_t e = 0; e < system.graph.edges.size(); ++e) {
        for (int k = 0; k < system.num_levels; ++k) {
          couple(system.place(system.graph.edges[e].first, k),
                 system.place(system.graph.edges[e].second, k),
                 system.horizontal[system.place(static_cast<int>(e), k)]);
        }
      }
    }
    for (std::size_t i = 0; i < colour.size(); ++i) {
      ++size[colour[i]];
      has_mass[colour[i]] = has_mass[colour[i]] || system.mass[i] != 0;
    }
  }
  bool singular(std::size_t cell) const { return !has_mass.at(colour[cell]); }
};

/// b without what no x gives: sums over singular sets are 0.
inline Values consistent(const PaintedCells& cells, const Values& volumes, Values b) {
  std::map<int, double> sum, weight;
  for (std::size_t i = 0; i < b.size(); ++i) {
    sum[cells.colour[i]] += b[i];
    weight[cells.colour[i]] += volumes[i];
  }
  for (std::size_t i = 0; i < b.size(); ++i) {
    if (cells.singular(i)) b[i] -= volumes[i] * sum[cells.colour[i]] / weight[cells.colour[i]];
  }
  return b;
}

/// The solution whose weighted mean over each singular set is 0: that of a matrix which has v v^T more.
inline Values solve_singular(const ColumnCase& system, const PaintedCells& cells,
                             const Values& volumes, const Values& b) {
  Reference::Matrix matrix = system.matrix();
  for (std::size_t i = 0; i < b.size(); ++i) {
    auto& row = matrix.rows[i];
    if (system.is_dry(i)) row.push_back({static_cast<int>(i), -1});  // as written for masked cells
    if (!cells.singular(i)) continue;
    for (std::size_t j = 0; j < b.size(); ++j) {
      if (cells.colour[j] == cells.colour[i]) {
        row.push_back({static_cast<int>(j), volumes[i] * volumes[j]});
      }
    }
  }
  return Reference::solve_directly(matrix, b);
}

/// Two separate meshes in one.
inline Lamina::ColumnGraph side_by_side(const Lamina::ColumnGraph& a,
                                        const Lamina::ColumnGraph& b) {
  Lamina::ColumnGraph both = a;
  const int first = static_cast<int>(a.areas.size());
  both.num_owned = Lamina::ColumnGraph::all_columns;
  both.areas.insert(both.areas.end(), b.areas.begin(), b.areas.end());
  for (auto edge : b.edges) {
    edge.first += first;
    edge.second += first;
    both.edges.push_back(edge);
  }
  return both;
}

template <class Type>
class ColumnNullSpace : public testing::Test {
 public:
  using Scalar = typename Type::scalar;
  using Layout = typename Type::layout;
  using Field = TestField<Scalar, Layout>;
  using Case = StoredCase<Scalar, Layout, Scalar>;

  /// check(system) without mass: in one part, masked, in layers, and in one of two parts.
  template <class Check>
  static void for_each_case(const Check& check) {
    const auto without_mass = [](ColumnCase system) {
      system.mass.assign(system.mass.size(), 0.0);
      return system;
    };
    for (const int levels : {1, 2, 9}) {
      SCOPED_TRACE(testing::Message() << levels << " levels");
      const auto graph = irregular_graph(37, 0);
      check(without_mass(ColumnCase::random<Scalar>(graph, levels, 1)));
      check(without_mass(ColumnCase::random<Scalar>(graph, levels, 5, true)));
      auto layers = without_mass(ColumnCase::random<Scalar>(graph, levels, 9));
      for (int c = 0; c < 37; ++c) layers.vertical[layers.place(c, levels / 2)] = 0;
      check(layers);
      auto parts = ColumnCase::random<Scalar>(
          side_by_side(Lamina::plane(3, 4), Lamina::plane(5, 3)), levels, 13);
      for (std::size_t i = 0; i < parts.place(12, 0); ++i) parts.mass[i] = 0;
      check(parts);
    }
  }
};
TYPED_TEST_SUITE(ColumnNullSpace, FieldTypes, FieldTypeNames);

TYPED_TEST(ColumnNullSpace, CountsTheSingularComponents) {
  TestFixture::for_each_case([](const ColumnCase& system) {
    const typename TestFixture::Case stored(system);
    const Lamina::ColumnNullSpace null_space(TEST_SPACE(), stored.op);
    const PaintedCells cells(system);
    int components = 0, singular = 0, dry = 0;
    for (const auto& [colour, size] : cells.size) {
      components += size > 1;
      singular += size > 1 && !cells.has_mass.at(colour);
      dry += size == 1 && !cells.has_mass.at(colour);
    }
    EXPECT_EQ(null_space.num_components(), components);
    EXPECT_EQ(null_space.num_singular(), singular);
    EXPECT_EQ(null_space.num_dry(), dry);
    EXPECT_FALSE(null_space.empty());
  });
}

TYPED_TEST(ColumnNullSpace, ProjectsAndSolvesToTheDirectSolution) {
  using Scalar = typename TestFixture::Scalar;
  using Field = typename TestFixture::Field;
  const TEST_SPACE space;
  TestFixture::for_each_case([&](const ColumnCase& system) {
    const int columns = system.num_columns(), levels = system.num_levels;
    const PaintedCells cells(system);
    const typename TestFixture::Case stored(system);
    for (const bool weighted : {false, true}) {
      SCOPED_TRACE(weighted ? "with volumes" : "without volumes");
      Values volumes(system.size(), 1.0);
      if (weighted) {
        for (std::size_t i = 0; i < volumes.size(); ++i)
          volumes[i] = 1.0 + static_cast<double>(i % 7);
      }
      const TestField<double, Kokkos::LayoutLeft> volume_field(columns, levels, volumes);
      Kokkos::View<const double**, Kokkos::LayoutLeft, Memory> given;
      if (weighted) given = volume_field.view();
      const Lamina::ColumnNullSpace<Memory> null_space(space, stored.op, given);
      const Values b = rounded<Scalar>(random_values(system.size(), 3));
      const Values wanted = consistent(cells, volumes, b);
      const Field b_field(columns, levels, b, all_padding), x_field(columns, levels);
      Lamina::FusedPcg pcg(space, Lamina::FusedColumns(space, stored.op));
      const Lamina::StoppingCriteria criteria{.tolerance = rounding<Scalar>(20),
                                              .max_iterations = 500};
      const auto report = null_space.solve(space, pcg, b_field.view(), x_field.view(), criteria,
                                           std::numeric_limits<double>::infinity());
      EXPECT_TRUE(report.solve.converged()) << to_string(report.solve.status);
      EXPECT_TRUE(all_within(b_field.get(), wanted, rounding<Scalar>(4)));
      EXPECT_TRUE(b_field.surroundings_untouched());
      Values removed = b;
      Reference::add(removed, -1, wanted);
      EXPECT_NEAR(report.rhs_defect,
                  std::sqrt(Reference::dot(removed, removed) / Reference::dot(b, b)),
                  rounding<Scalar>(10));
      // Of large and small matrices rounding moves solutions by the condition.
      EXPECT_TRUE(all_within(x_field.get(), solve_singular(system, cells, volumes, wanted),
                             rounding<Scalar>(4000)));
    }
  });
}

TYPED_TEST(ColumnNullSpace, TellsWhereThereIsNoSolution) {
  using Scalar = typename TestFixture::Scalar;
  using Field = typename TestFixture::Field;
  const TEST_SPACE space;
  auto system = ColumnCase::random<Scalar>(irregular_graph(37, 0), 9, 1);
  system.mass.assign(system.mass.size(), 0.0);
  const typename TestFixture::Case stored(system);
  const Lamina::ColumnNullSpace null_space(space, stored.op);
  Lamina::FusedPcg pcg(space, Lamina::FusedColumns(space, stored.op));
  const Field b(37, 9, Values(system.size(), 2.0)), x(37, 9, Values(system.size(), 3.0));
  const auto report = null_space.solve(space, pcg, b.view(), x.view());
  EXPECT_EQ(report.solve.status, Lamina::SolveStatus::inconsistent);
  EXPECT_NEAR(report.rhs_defect, 1, rounding<Scalar>(4));
  EXPECT_EQ(x.get(), Values(system.size(), 3.0));
}

TYPED_TEST(ColumnNullSpace, IsEmptyWhereEachPartHasMass) {
  using Scalar = typename TestFixture::Scalar;
  using Field = typename TestFixture::Field;
  const TEST_SPACE space;
  const auto graph = irregular_graph(37, 0);
  const Lamina::ColumnMesh<Memory> mesh(graph);
  // Masked rows are the identity
  const Kokkos::View<int*, Memory> bottoms("LaminaTest::bottoms", 37);
  Kokkos::deep_copy(bottoms, 2);
  const Lamina::SteppedCoefficients<Scalar, Memory> stepped(mesh, {{1, 1, 1}, {1, 1}, {1, 1, 1}},
                                                            bottoms);
  const Lamina::ColumnNullSpace null_space(space, Lamina::ColumnOperator(mesh, 3, stepped));
  EXPECT_TRUE(null_space.empty());
  EXPECT_EQ(null_space.num_singular(), 0);
  const Values values = rounded<Scalar>(random_values(37 * 3, 1));
  const Field b(37, 3, values);
  EXPECT_EQ(null_space.project(space, b.view()), 0);
  EXPECT_EQ(b.get(), values);
}

TYPED_TEST(ColumnNullSpace, RefusesVolumesOfOtherExtents) {
  const auto system = ColumnCase::random<typename TestFixture::Scalar>(irregular_graph(9, 0), 3, 1);
  const typename TestFixture::Case stored(system);
  const Kokkos::View<double**, Kokkos::LayoutLeft, Memory> volumes("LaminaTest::volumes", 9, 2);
  EXPECT_EQ(message_of<Lamina::InvalidArgument>(
                [&] { Lamina::ColumnNullSpace<Memory>(TEST_SPACE(), stored.op, volumes); }),
            "Lamina::ColumnNullSpace: argument volumes: expected 3 levels, got 2");
}

}  // namespace LaminaTest
