// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Meshes of packs and of columns that do not fit, and <z, A z> over them.

#include <gtest/gtest.h>
#include <helmholtz/SweptMesh.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

namespace LaminaTest {

/// A panel with five columns in the middle that have other neighbours than a panel's.
inline Lamina::ColumnGraph panel_with_irregular_columns(int num_rows, int length) {
  Lamina::ColumnGraph graph = Lamina::CubedSpherePanel(num_rows, length).graph();
  const int middle = num_rows / 2 * length + length / 2;
  for (const auto& [first, second] : {std::array{0, 2},
                                      {0, 2 * length},
                                      {0, length + 1},
                                      {1, 2 * length + 3},
                                      {2, -2 * length - 1}}) {
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
  return rows(2 * Lamina::FusedStep<Memory>::row_length +
              Lamina::FusedStep<Memory>::line_curvature);
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

}  // namespace LaminaTest
