// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Solves over ranks whose rows are padded. Devices pad them. On CPU cores a model of the tests does so: its
// sweeps are those of a mesh with padding.

#include <lamina/core/impl/Index.hpp>
#include <lamina/device/impl/HostTable.hpp>
#include <lamina/grids/CubedSpherePanel.hpp>
#include <lamina/grids/Plane.hpp>
#include <lamina/grids/impl/PaddedRows.hpp>

#include <distributed/SimulatedTransport.hpp>
#include <gtest/gtest.h>
#include <helmholtz/MeshNeighbours.hpp>
#include <helmholtz/RankedProblem.hpp>

#include <string>
#include <type_traits>
#include <vector>

namespace LaminaTest {

inline Lamina::Impl::HostPlaces places_of(const Lamina::ColumnGraph& graph) {
  const Lamina::ColumnMesh<Kokkos::HostSpace> mesh(graph);
  return Lamina::Impl::pad_rows({neighbours_of(graph), mesh.areas(), mesh.boundary_couplings()});
}

/// The columns of a rank in their places. Padding has areas alone.
inline Lamina::ColumnGraph graph_in_places(const Lamina::ColumnGraph& graph,
                                           const Lamina::Impl::HostPlaces& places) {
  using Lamina::Impl::index;
  const auto place_of =
      Lamina::Impl::places_of_columns(places.columns, static_cast<int>(graph.areas.size()));
  Lamina::ColumnGraph padded;
  padded.num_owned = places.num_owned;
  for (std::size_t place = 0; place < places.columns.size(); ++place) {
    const int column = places.columns[place];
    padded.areas.push_back(column < 0 ? 1 : graph.areas[index(column)]);
    if (place < index(places.num_owned)) continue;
    padded.halo_coupling_sums.push_back(
        column < 0 ? 0 : graph.halo_coupling_sums[index(column - graph.num_owned)]);
  }
  for (auto edge : graph.edges) {
    edge.first = place_of[index(edge.first)];
    edge.second = place_of[index(edge.second)];
    padded.edges.push_back(edge);
  }
  for (auto edge : graph.boundary_edges) {
    edge.column = place_of[index(edge.column)];
    padded.boundary_edges.push_back(edge);
  }
  return padded;
}

/// `FusedHelmholtz` as it is on devices: `FusedPcg` brings fields to places for it.
template <class Scalar>
class SweepsInPlaces {
 public:
  using scalar_type = Scalar;
  using memory_space = Memory;

  SweepsInPlaces(const Lamina::ColumnGraph& graph, int num_levels,
                 const Lamina::Decomposition<Memory>& ranks)
      : SweepsInPlaces(graph, places_of(graph), num_levels, ranks) {}

  int num_owned() const { return m_num_owned; }
  int num_columns() const { return m_num_columns; }
  int num_levels() const { return m_sweeps.num_levels(); }
  const Lamina::Impl::ColumnOrder<Memory>& column_order() const { return m_order; }

  template <class Space, class In, class Out>
  void residual(const Space& space, const Lamina::FusedStep<Memory>& step, const In& b, const In& x,
                const Out& r) const {
    m_sweeps.residual(space, step, b, x, r);
  }
  template <class Space, class In, class Out>
  void precondition(const Space& space, const Lamina::FusedStep<Memory>& step, const In& r,
                    const Out& z) const {
    m_sweeps.precondition(space, step, r, z);
  }
  template <class Space, class In>
  void measure(const Space& space, const Lamina::FusedStep<Memory>& step, const In& z) const {
    m_sweeps.measure(space, step, z);
  }
  template <class Space, class In, class Out>
  void advance(const Space& space, const Lamina::FusedStep<Memory>& step, bool update, const In& z,
               const In& p, const Out& new_p, const Out& r, const Out& u) const {
    m_sweeps.advance(space, step, update, z, p, new_p, r, u);
  }
  const Lamina::Decomposition<Memory>& decomposition() const { return m_sweeps.decomposition(); }
  template <class Space, class In, class Out>
  void precondition_halo(const Space& space, const In& r, const Out& z) const {
    m_sweeps.precondition_halo(space, r, z);
  }
  template <class Space, class In, class Out>
  void advance_halo(const Space& space, const Lamina::FusedStep<Memory>& step, const In& z,
                    const In& p, const Out& new_p) const {
    m_sweeps.advance_halo(space, step, z, p, new_p);
  }

 private:
  SweepsInPlaces(const Lamina::ColumnGraph& graph, const Lamina::Impl::HostPlaces& places,
                 int num_levels, const Lamina::Decomposition<Memory>& ranks)
      : m_num_owned(graph.num_owned),
        m_num_columns(static_cast<int>(graph.areas.size())),
        m_order{Lamina::Impl::list_of<Memory>("LaminaTest::order", places.columns),
                places.num_owned},
        m_sweeps(TEST_SPACE(),
                 {Lamina::ColumnMesh<Memory>(graph_in_places(graph, places)),
                  Lamina::VerticalGrid::graded(num_levels, paper_depth), paper_parameters(24)},
                 ranks) {}

  int m_num_owned, m_num_columns;
  Lamina::Impl::ColumnOrder<Memory> m_order;
  Lamina::FusedHelmholtz<Scalar, Memory> m_sweeps;
};

struct Padded {
  template <class Operator>
  static auto make(const Lamina::ColumnGraph& graph, const Operator& op,
                   const Lamina::Decomposition<Memory>& ranks) {
    using Scalar = typename Operator::scalar_type;
    const TEST_SPACE space;
    if constexpr (Lamina::runs_on_host<TEST_SPACE>) {
      const SweepsInPlaces<Scalar> model(graph, op.num_levels(), ranks);
      EXPECT_FALSE(model.column_order().empty());
      return Lamina::FusedPcg(space, model);
    } else {
      const Lamina::FusedHelmholtz<Scalar, Memory> model(space, op, ranks);
      EXPECT_FALSE(model.column_order().empty());
      return Lamina::FusedPcg(space, model);
    }
  }
};

/// Each rank has a strip of rows, or a part of each row.
template <class Scalar>
void expect_one_solve_with_padding(const Lamina::ColumnGraph& whole, int num_rows, int length,
                                   bool of_rows, int num_ranks,
                                   const RankedRightHandSide& rhs = {}) {
  SCOPED_TRACE(std::to_string(num_rows) + " rows of " + std::to_string(length) + " on " +
               std::to_string(num_ranks));
  const auto partition = of_rows ? Lamina::Partition::grid({num_rows, length}, {num_ranks, 1})
                                 : Lamina::Partition::grid({num_rows, length}, {1, num_ranks});
  run_on_ranks<Memory>(num_ranks, [&](const Lamina::Transport& transport) {
    constexpr double rounding = std::is_same_v<Scalar, double> ? 1e-12 : 1e-3;
    // CPU cores bring fields of this layout alone to places.
    expect_one_solve<Scalar, Kokkos::LayoutLeft, Padded, Fused>(
        transport, whole, {{of_rows ? "strips" : "across", partition}}, 3, rhs,
        {rounding, rounding});
  });
}

TEST(PaddedRowsOverRanks, SolvesAreThoseOfOneProcess) {
  const auto panel = [](int num_rows, int length) {
    return Lamina::CubedSpherePanel(num_rows, length).graph();
  };
  expect_one_solve_with_padding<double>(panel(47, 31), 47, 31, true, 3);
  expect_one_solve_with_padding<double>(panel(60, 62), 60, 62, false, 2);
  expect_one_solve_with_padding<double>(Lamina::plane(26, 31), 26, 31, true, 2);
  // Sums beside those of sweeps: this one is scaled.
  expect_one_solve_with_padding<double>(Lamina::plane(26, 31), 26, 31, true, 2, {1e-170});
  expect_one_solve_with_padding<float>(panel(47, 31), 47, 31, true, 3);
}

}  // namespace LaminaTest
