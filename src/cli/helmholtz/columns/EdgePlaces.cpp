// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "helmholtz/columns/EdgePlaces.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace Lamina::Cli {
namespace {

using Faces = std::pair<std::size_t, std::size_t>;  // the lower one first
using NumberedEdge = std::pair<Faces, std::size_t>;

Faces faces_of(const OwnColumns& own, const ColumnGraph::Edge& edge) {
  return std::minmax({own.face(static_cast<std::size_t>(edge.first)),
                      own.face(static_cast<std::size_t>(edge.second))});
}

/// The edges of a process, by their faces.
std::vector<NumberedEdge> sorted_edges(const OwnColumns& own) {
  std::vector<NumberedEdge> edges;
  edges.reserve(own.graph().edges.size());
  for (const ColumnGraph::Edge& edge : own.graph().edges) {
    edges.emplace_back(faces_of(own, edge), edges.size());
  }
  std::sort(edges.begin(), edges.end());
  return edges;
}

std::vector<bool> owned_faces(const OwnColumns& own) {
  std::vector<bool> owned(own.grid().original.size());
  for (std::size_t c = 0; c < own.num_owned(); ++c) owned[own.face(c)] = true;
  return owned;
}

}  // namespace

EdgePlaces find_edge_places(const ColumnInput& file, const ColumnVariable& edges_of,
                            const OwnColumns& own) {
  const std::vector<NumberedEdge> edges = sorted_edges(own);
  const std::vector<bool> owned = owned_faces(own);
  EdgePlaces result;
  result.places.assign(edges.size(), no_place);
  file.for_each_edge(edges_of, [&](std::size_t n, const std::array<long, 2>& sides) {
    const auto [low, high] = std::minmax(sides[0], sides[1]);
    if (low < 0) return;  // at the rim
    const Faces faces{static_cast<std::size_t>(low), static_cast<std::size_t>(high)};
    auto edge = std::lower_bound(edges.begin(), edges.end(), NumberedEdge{faces, 0});
    const bool is_found = edge != edges.end() && edge->first == faces;
    const bool is_mine = owned[faces.first] || owned[faces.second];
    if (!is_found && is_mine && own.grid().num_left_out == 0) {
      file.fail(
          fmt::format("edge {}: expected faces that share an edge of the grid, got {} "
                      "and {}, counted from 0",
                      n, low, high));
    }
    for (; edge != edges.end() && edge->first == faces; ++edge) {
      if (result.places[edge->second] == no_place) {
        result.places[edge->second] = n;
      } else {
        result.alike.emplace_back(edge->second, result.places.size());
        result.places.push_back(n);
      }
    }
  });
  const auto& all = own.graph().edges;
  for (std::size_t e = 0; e < all.size(); ++e) {
    if (result.places[e] != no_place) continue;
    const Faces faces = faces_of(own, all[e]);
    file.fail(
        fmt::format("expected all edges of the grid, got none of faces {} and {}, "
                    "counted from 0",
                    faces.first, faces.second));
  }
  return result;
}

}  // namespace Lamina::Cli
