// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/impl/SplitMix.hpp>
#include <lamina/problems/VoronoiPlane.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "PanelCase.hpp"

namespace Lamina::Perf {

/// As many columns as panels have.
inline std::vector<PanelSize> graph_sizes() {
  if (tiny_run()) return {{16, 16, 16}, {14, 10, 7}};
  return {{256, 256, 128}, {252, 258, 127}};
}

/// A plane of polygons: columns of 4 to 8 neighbours.
struct Polygons {
  static constexpr const char* name = "voronoi";
  static ColumnGraph graph(const PanelSize& size) { return voronoi_plane(size.num_x, size.num_y); }
};

/// A panel with a few columns in its middle that have one to three neighbours more.
struct PatchedPanel {
  static constexpr const char* name = "irregular";
  static ColumnGraph graph(const PanelSize& size) {
    ColumnGraph graph = CubedSpherePanel(size.num_x, size.num_y).graph();
    const int middle = size.num_x / 2 * size.num_y + size.num_y / 2;
    const double length = graph.edges.front().length, distance = graph.edges.front().distance;
    for (const auto& [from, to] : {std::array{0, 2}, {0, 4}, {0, -3}, {1, 3}, {2, 5}}) {
      graph.edges.push_back({middle + from, middle + to, length, distance});
    }
    return graph;
  }
};

/// The equation of `PanelCase` on another graph.
template <class Graph, class Space, class ScalarType, class LayoutType>
struct GraphCase {
  using execution_space = Space;
  using Scalar = ScalarType;
  using Layout = LayoutType;
  using Memory = typename Space::memory_space;
  using Field = Kokkos::View<Scalar**, Layout, Memory>;

  explicit GraphCase(const PanelSize& size)
      : grid(VerticalGrid::graded(size.num_levels, 0.0157)),
        parameters(PanelCase<Space, Scalar, Layout>::parameters_of(size)),
        mesh(Graph::graph(size)),
        op(mesh, grid, parameters) {}

  static std::string type_names() {
    return std::string(Graph::name) + ',' + PanelCase<Space, Scalar, Layout>::type_names();
  }

  Field make_field(const std::string& label) const {
    return Field(label, static_cast<std::size_t>(mesh.num_owned()),
                 static_cast<std::size_t>(grid.num_levels()));
  }
  Field right_hand_side() const {
    const Field field = make_field("Lamina::Perf::rhs");
    const auto host = Kokkos::create_mirror_view(field);
    std::uint64_t cell = 0;
    for (int column = 0; column < mesh.num_owned(); ++column) {
      for (int k = 0; k < grid.num_levels(); ++k) {
        host(column, k) = static_cast<Scalar>(Impl::unit_hash(cell++));
      }
    }
    Kokkos::deep_copy(field, host);
    return field;
  }

  Space space{};
  VerticalGrid grid;
  HelmholtzParameters parameters;
  ColumnMesh<Memory> mesh;
  HelmholtzOperator<Scalar, Memory> op;
};

}  // namespace Lamina::Perf
