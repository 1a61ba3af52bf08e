// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/io/GmshFile.hpp>

#include <array>
#include <cstddef>
#include <numeric>
#include <optional>

#include "GmshSections.hpp"

namespace Lamina {
namespace {

using Impl::GmshElement, Impl::GmshNode;

/// The points that elements use as corners, and the elements by these.
GmshMesh take_used_points(const std::vector<GmshNode>& nodes,
                          const std::vector<GmshElement>& elements) {
  constexpr int unused = -1;
  std::vector<int> new_places(nodes.size(), unused);
  for (const GmshElement& element : elements) {
    const auto end = element.corners.begin() + num_corners(element.kind);
    for (auto corner = element.corners.begin(); corner != end; ++corner) {
      new_places[static_cast<std::size_t>(*corner)] = 0;
    }
  }
  GmshMesh mesh;
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    if (new_places[n] == unused) continue;
    new_places[n] = static_cast<int>(mesh.tags.size());
    mesh.tags.push_back(nodes[n].tag);
    mesh.points.push_back(nodes[n].point);
  }
  mesh.cells.reserve(elements.size());
  for (const GmshElement& element : elements) {
    std::array<int, Impl::max_gmsh_corners> corners{};
    for (std::size_t n = 0; n < Impl::max_gmsh_corners; ++n) {
      corners[n] = new_places[static_cast<std::size_t>(element.corners[n])];
    }
    mesh.cells.add(element.kind, corners.data());
  }
  return mesh;
}

/// Each edge of each element, dealt to its first corner, then without repetition.
BlockGraph graph_of(const MeshCells& cells, std::size_t num_points) {
  const auto for_each_edge = [&](const auto& on_edge) {
    for (std::size_t cell = 0; cell < cells.kinds.size(); ++cell) {
      const int* corners = cells.corners.data() + cells.offsets[cell];
      for (const auto& edge : edges_of(cells.kinds[cell])) {
        on_edge(static_cast<std::size_t>(corners[edge[0]]), corners[edge[1]]);
      }
    }
  };
  std::vector<std::int64_t> offsets(num_points + 1, 0);
  for_each_edge([&](std::size_t corner, int) { ++offsets[corner + 1]; });
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  std::vector<int> columns(static_cast<std::size_t>(offsets.back()));
  std::vector<std::int64_t> next(offsets.begin(), offsets.end() - 1);
  for_each_edge([&](std::size_t corner, int other) {
    columns[static_cast<std::size_t>(next[corner]++)] = other;
  });
  return BlockGraph::of_pattern(offsets, columns);
}

}  // namespace

GmshMesh read_gmsh(const std::filesystem::path& file) {
  Impl::GmshRecords records(file);
  std::optional<std::vector<GmshNode>> nodes;
  std::optional<std::vector<GmshElement>> elements;
  for (std::string section = records.next_section(); !section.empty();
       section = records.next_section()) {
    if (section == "$Nodes" && !nodes) {
      nodes = Impl::read_gmsh_nodes(records);
    } else if (section == "$Elements" && nodes && !elements) {
      elements = Impl::read_gmsh_elements(records, *nodes);
    } else if (section == "$Nodes" || section == "$Elements") {
      records.fail("expected $Nodes, then $Elements, each once, got " + section);
    } else {
      records.skip_section(section);
    }
  }
  if (!elements) records.fail("expected $Nodes and $Elements, the file ends");
  if (elements->empty()) {
    records.fail("expected volume elements, the file ends without any");
  }
  GmshMesh mesh = take_used_points(*nodes, *elements);
  mesh.graph = graph_of(mesh.cells, mesh.points.size());
  return mesh;
}

}  // namespace Lamina
