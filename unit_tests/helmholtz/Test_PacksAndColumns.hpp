// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Sweeps over meshes that are not wholly packs: against those over single columns, and against the
// assembled matrix.

#include <lamina/grids/LocalColumns.hpp>

#include <gtest/gtest.h>
#include <helmholtz/SweptMesh.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

namespace LaminaTest {

/// A panel with five columns in the middle that have other neighbours than a panel's.
inline Lamina::ColumnGraph panel_with_irregular_columns(int num_rows, int length) {
  Lamina::ColumnGraph graph = Lamina::CubedSpherePanel(num_rows, length).graph();
  const int middle = num_rows / 2 * length + length / 2;
  for (const auto& [first, second] : {std::array{0, 2}, {0, 2 * length}, {0, length + 1},
                                      {1, 2 * length + 3}, {2, -2 * length - 1}}) {
    graph.edges.push_back({middle + first, middle + second, 0.9, 1.1});
  }
  return graph;
}

/// A periodic plane whose rows are filled up: each row ends with a pack that does not fit.
inline Lamina::ColumnGraph padded_periodic_rows(int num_rows, int length, int stride) {
  Lamina::ColumnGraph graph;
  graph.areas.assign(static_cast<std::size_t>(num_rows * stride), 0.7);
  for (int row = 0; row < num_rows; ++row) {
    for (int i = 0; i < length; ++i) {
      const int column = row * stride + i;
      graph.edges.push_back({column, row * stride + (i + 1) % length, 1.0 + 0.01 * i, 1.3});
      graph.edges.push_back({column, (row + 1) % num_rows * stride + i, 1.0, 1.0 + 0.01 * row});
    }
  }
  return graph;
}

struct NamedGraph {
  std::string name;
  Lamina::ColumnGraph graph;
};

/// Owned columns only.
inline std::vector<NamedGraph> meshes_without_halo() {
  return {{"panel of whole packs", Lamina::CubedSpherePanel(8, 16).graph()},
          {"odd number of rows", Lamina::CubedSpherePanel(9, 16).graph()},
          {"rows that are no multiple of 16", Lamina::CubedSpherePanel(20, 100).graph()},
          {"rows of odd length", Lamina::CubedSpherePanel(15, 15).graph()},
          {"five irregular columns", panel_with_irregular_columns(24, 32)},
          {"five irregular columns, odd number of rows", panel_with_irregular_columns(17, 28)},
          {"walls", Lamina::CubedSpherePanel(9, 20).graph(Lamina::PanelEdge::dirichlet)},
          {"periodic rows with padding", padded_periodic_rows(8, 31, 32)},
          {"one column", Lamina::CubedSpherePanel(1, 1).graph()},
          {"one row", Lamina::CubedSpherePanel(1, 37).graph()},
          {"no pack", irregular_graph(61, 0)}};
}

template <class Scalar, class Layout = Kokkos::LayoutLeft>
Lamina::MeasureSweep<Scalar, Layout, Memory> measure_of(const SweepRun<Scalar>& run) {
  return {run.step(), run.view(0)};
}
template <class Scalar>
double measured(const SweepRun<Scalar>& run) {
  const auto rows = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), run.rows);
  return rows(2 * Lamina::FusedStep<Memory>::row_length + Lamina::FusedStep<Memory>::line_curvature);
}
/// Field n of a run in the order of the twin.
template <class Scalar>
Values values_of(const SweepRun<Scalar>& run, std::size_t n, int num_columns) {
  const auto field = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), run.fields[n]);
  Values values;
  for (std::size_t c = 0; c < static_cast<std::size_t>(num_columns); ++c) {
    for (std::size_t k = 0; k < field.extent(1); ++k) {
      values.push_back(static_cast<double>(field(c, k)));
    }
  }
  return values;
}

template <class Scalar>
struct MixedMesh {
  static constexpr int num_levels = 7;
  explicit MixedMesh(const Lamina::ColumnGraph& graph)
      : mesh(graph, Lamina::VerticalGrid::graded(num_levels, paper_depth), paper_parameters(16)),
        system(system_with_tables(mesh, graph)) {}
  /// Levels begin with a pack.
  SweepRun<Scalar> run() const {
    return SweepRun<Scalar>((mesh.num_columns() + 3) / 4 * 4, num_levels);
  }
  Values values(const SweepRun<Scalar>& run, std::size_t n) const {
    return values_of(run, n, mesh.num_columns());
  }

  HelmholtzCase<Scalar> mesh;
  Lamina::TensorSystem<Scalar, Memory> system;
};

/// Runs `sweep_of(run)` over packs or pairs with single columns, and over single columns alone.
template <bool InPairs, class Scalar, class SweepOf>
void expect_as_columns(const char* what, const MixedMesh<Scalar>& mesh, const SweepOf& sweep_of) {
  SCOPED_TRACE(what);
  const auto mixed = mesh.run(), columns = mesh.run(), untouched = mesh.run();
  sweep_mixed<InPairs>(mesh.system, sweep_of(mixed));
  sweep_columns(mesh.system, sweep_of(columns));
  expect_close_runs(mixed, columns);
  EXPECT_FALSE(same_values(mixed.rows, untouched.rows) &&
               same_values(mixed.fields[1], untouched.fields[1]));
}

template <bool InPairs, class Scalar>
void expect_all_as_columns(const MixedMesh<Scalar>& mesh) {
  using Layout = Kokkos::LayoutLeft;
  using Run = SweepRun<Scalar>;
  expect_as_columns<InPairs>("apply", mesh, [](const Run& run) {
    return Lamina::ApplySweep<Scalar, Layout, Memory>{run.view(0), run.view(1)};
  });
  expect_as_columns<InPairs>("residual", mesh, [](const Run& run) {
    return Lamina::ResidualSweep<Scalar, Layout, Memory>{run.step(), run.view(0), run.view(1),
                                                         run.view(2)};
  });
  expect_as_columns<InPairs>("advance", mesh, [](const Run& run) {
    return Lamina::AdvanceSweep<Scalar, Layout, Memory, false>{
        run.step(), run.view(0), run.view(1), run.view(2), run.view(3), run.view(4)};
  });
  expect_as_columns<InPairs>("advance and update", mesh, [](const Run& run) {
    return Lamina::AdvanceSweep<Scalar, Layout, Memory, true>{
        run.step(), run.view(0), run.view(1), run.view(2), run.view(3), run.view(4)};
  });
  if constexpr (!InPairs) {
    expect_as_columns<InPairs>("advance, stored form", mesh, [](const Run& run) {
      return Lamina::AdvanceStoredSweep<Scalar, Layout, Memory>{
          run.step(), run.view(0), run.view(1), run.view(2), run.view(3)};
    });
  }
}

/// A x of the twin, to the rounding of each row.
template <bool InPairs, class Scalar>
void expect_matrix_applied(const MixedMesh<Scalar>& mesh) {
  const auto run = mesh.run();
  const Values x = mesh.values(run, 0);
  sweep_mixed<InPairs>(mesh.system, Lamina::ApplySweep<Scalar, Kokkos::LayoutLeft, Memory>{
                                        run.view(0), run.view(1)});
  const Values found = first_entries(mesh.values(run, 1), mesh.mesh.owned_size());
  const auto matrix = mesh.mesh.matrix();
  const Values expected = matrix.multiply(x), magnitudes = matrix.multiply_magnitudes(x);
  for (std::size_t i = 0; i < found.size(); ++i) {
    ASSERT_NEAR(found[i], expected[i],
                rounding<Scalar>(mesh.mesh.operations()) * magnitudes[i])
        << "row " << i;
  }
}

/// <x, A x> of the twin; and what its rounding is relative to.
template <class Scalar>
std::array<double, 2> energy_of(const MixedMesh<Scalar>& mesh) {
  const Values x = mesh.values(mesh.run(), 0);
  const auto matrix = mesh.mesh.matrix();
  const Values y = matrix.multiply(x), magnitudes = matrix.multiply_magnitudes(x);
  double energy = 0, size = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    energy += x[i] * y[i];
    size += std::abs(x[i]) * magnitudes[i];
  }
  return {energy, size};
}

/// <z, A z> by each path.
template <class Scalar>
void expect_energies(const MixedMesh<Scalar>& mesh) {
  const auto [energy, size] = energy_of(mesh);
  const double tolerance = rounding<Scalar>(mesh.mesh.operations()) * size;
  const auto by_columns = mesh.run(), by_packs = mesh.run(), by_pairs = mesh.run();
  measure_columns(mesh.system, measure_of(by_columns));
  EXPECT_NEAR(measured(by_columns), energy, tolerance) << "by columns";
  const auto& packs = mesh.system.coefficients.packs;
  if (packs.packs.extent(0) > 0) {
    measure_mixed<false>(mesh.system, measure_of(by_packs));
    EXPECT_NEAR(measured(by_packs), energy, tolerance) << "by packs and columns";
  }
  if (packs.pairs.extent(0) > 0) {
    measure_mixed<true>(mesh.system, measure_of(by_pairs));
    EXPECT_NEAR(measured(by_pairs), energy, tolerance) << "by pairs and columns";
  }
}

template <class Scalar>
class PacksAndColumns : public testing::Test {};
using PackedScalars = testing::Types<double, float>;
TYPED_TEST_SUITE(PacksAndColumns, PackedScalars);

TYPED_TEST(PacksAndColumns, AreSweptAsSingleColumns) {
  int in_packs = 0, in_pairs = 0;
  for (const auto& [name, graph] : meshes_without_halo()) {
    SCOPED_TRACE(name);
    const MixedMesh<TypeParam> mesh(graph);
    const auto& packs = mesh.system.coefficients.packs;
    if (packs.packs.extent(0) > 0) {
      ++in_packs;
      expect_all_as_columns<false>(mesh);
      expect_matrix_applied<false>(mesh);
    }
    if (packs.pairs.extent(0) > 0) {
      ++in_pairs;
      expect_all_as_columns<true>(mesh);
      expect_matrix_applied<true>(mesh);
    }
    expect_energies(mesh);
  }
  EXPECT_GE(in_packs, 4);
  EXPECT_GE(in_pairs, 5);
}

/// Where each column is.
struct Shares {
  std::size_t packs, rest, pairs, rest_of_pairs;
  bool operator==(const Shares&) const = default;
};
template <class Scalar>
Shares shares_of(const Lamina::ColumnGraph& graph) {
  const auto packs = Impl::PackTables<Scalar, Memory>(neighbours_of(graph)).packs;
  const auto width = static_cast<std::size_t>(Impl::pack_width<Scalar>);
  const std::size_t columns = static_cast<std::size_t>(graph.count_owned());
  if (packs.empty()) return {0, columns, 0, columns};
  const std::size_t in_packs = columns - packs.rest.extent(0);
  EXPECT_EQ(packs.packs.extent(0), packs.rest.extent(0) > 0 ? in_packs / width : 0);
  const std::size_t in_pairs = 2 * width * packs.pairs.extent(0);
  if (in_pairs > 0) {
    EXPECT_EQ(packs.rest_of_pairs.extent(0), columns - in_pairs);
  }
  return {in_packs, packs.rest.extent(0), in_pairs, columns - in_pairs};
}

TEST(ColumnShares, AreWhatFits) {
  const Shares whole{128, 0, 128, 0};
  EXPECT_EQ(shares_of<double>(Lamina::CubedSpherePanel(8, 16).graph()), whole);
  EXPECT_EQ(shares_of<float>(Lamina::CubedSpherePanel(8, 16).graph()), whole);
  const Shares odd{144, 0, 128, 16};
  EXPECT_EQ(shares_of<float>(Lamina::CubedSpherePanel(9, 16).graph()), odd);
  const Shares none{0, 225, 0, 225};
  EXPECT_EQ(shares_of<float>(Lamina::CubedSpherePanel(15, 15).graph()), none);
  // 8 rows of 32 places: all packs but the last one of each row.
  const Shares periodic{224, 32, 224, 32};
  EXPECT_EQ(shares_of<float>(padded_periodic_rows(8, 31, 32)), periodic);
  const auto irregular = shares_of<float>(panel_with_irregular_columns(24, 32));
  EXPECT_GT(irregular.rest, 0u);
  EXPECT_LE(irregular.rest, 7 * 4u) << "packs that hold an end of an added edge";
  EXPECT_GT(irregular.pairs, 0u);
}

/// Each rank takes another path. Their sums are those of the whole mesh.
TYPED_TEST(PacksAndColumns, OfSeveralRanksCountEachEdgeOnce) {
  for (const std::array<int, 2> ranks : {std::array{3, 1}, {1, 3}, {2, 2}}) {
    SCOPED_TRACE(testing::Message() << ranks[0] << " x " << ranks[1] << " ranks");
    const Lamina::CubedSpherePanel panel(15, 56);
    const auto whole = panel.graph();
    const MixedMesh<TypeParam> all(whole);
    const auto [energy, size] = energy_of(all);
    const auto partition = Lamina::Partition::grid({15, 56}, ranks);
    const Values x = all.values(all.run(), 0);
    int paths = 0;
    for (int first_path = 0; first_path < 3; ++first_path) {
      double sum = 0;
      for (int rank = 0; rank < partition.num_ranks(); ++rank) {
        const auto local = panel.local(partition, rank);
        const MixedMesh<TypeParam> mesh(local.graph);
        const auto run = mesh.run();
        const auto field = Kokkos::create_mirror_view(run.fields[0]);
        for (std::size_t c = 0; c < local.columns.size(); ++c) {
          for (std::size_t k = 0; k < field.extent(1); ++k) {
            const bool exists = local.columns[c] != Lamina::no_item;
            const auto at = static_cast<std::size_t>(exists ? local.columns[c] : 0);
            field(c, k) = static_cast<TypeParam>(exists ? x[at * field.extent(1) + k] : 0);
          }
        }
        Kokkos::deep_copy(run.fields[0], field);
        const auto& packs = mesh.system.coefficients.packs;
        const int path = (first_path + rank) % 3;
        if (path == 0 && packs.pairs.extent(0) > 0 && packs.rest_of_pairs.extent(0) > 0) {
          measure_mixed<true>(mesh.system, measure_of(run));
          paths |= 1;
        } else if (path <= 1 && packs.packs.extent(0) > 0) {
          measure_mixed<false>(mesh.system, measure_of(run));
          paths |= 2;
        } else {
          measure_columns(mesh.system, measure_of(run));
          paths |= 4;
        }
        sum += measured(run);
      }
      EXPECT_NEAR(sum, energy, rounding<TypeParam>(all.mesh.operations()) * size);
    }
    EXPECT_GE(paths, 4);
  }
}

}  // namespace LaminaTest
