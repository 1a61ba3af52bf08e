// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/io/GmshFile.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "GmshSections.hpp"

namespace Lamina {
namespace {

using Impl::quoted, Impl::take_numbers, Impl::take_word, Impl::read_numbers;
using Lines = Impl::TextLines;

constexpr std::size_t num_corners = 4;  // of a tetrahedron

struct Node {
  std::int64_t tag, line;
  std::array<double, 3> point;
};
struct Tetrahedron {
  std::int64_t tag, line;
  std::array<int, num_corners> corners;  ///< places in the sorted nodes
};

/// Sorts nodes or tetrahedra by tag.
template <class Tagged>
void sort_by_tag(const Lines& lines, std::vector<Tagged>& all, const std::string& what) {
  const auto less = [](const Tagged& a, const Tagged& b) {
    return a.tag != b.tag ? a.tag < b.tag : a.line < b.line;
  };
  if (!std::is_sorted(all.begin(), all.end(), less)) std::sort(all.begin(), all.end(), less);
  for (std::size_t n = 1; n < all.size(); ++n) {
    if (all[n].tag != all[n - 1].tag) continue;
    lines.fail_at(all[n].line, "expected each " + what + " once, got that of line " +
                                   std::to_string(all[n - 1].line) + " again");
  }
}

/// Coordinates, and where the block is parametric, one parameter for each dimension of its entity.
std::array<double, 3> read_point(Lines& lines, std::int64_t num_parameters) {
  std::string_view line;
  if (!lines.next_data(line)) lines.fail("expected coordinates, the file ends");
  std::array<double, 3> point{}, parameters{};
  std::string_view rest = line;
  const auto used = std::span(parameters).first(static_cast<std::size_t>(num_parameters));
  if (!take_numbers(rest, std::span(point)) || !take_numbers(rest, used) ||
      !take_word(rest).empty()) {
    lines.fail("expected three coordinates" +
               (num_parameters > 0 ? " and " + std::to_string(num_parameters) + " parameters"
                                   : std::string()) +
               ", got " + quoted(line));
  }
  if (!std::all_of(point.begin(), point.end(), [](double x) { return std::isfinite(x); })) {
    lines.fail("expected finite coordinates, got " + quoted(line));
  }
  return point;
}

std::vector<Node> read_nodes(Lines& lines) {
  Impl::GmshInventory inventory(lines, "nodes");
  std::vector<Node> nodes;
  for (std::int64_t n = 0; n < inventory.num_blocks(); ++n) {
    const auto [dimension, entity, parametric, count] =
        read_numbers<4>(lines, "dimension, entity, parametric or not, and number of nodes");
    if (dimension < 0 || dimension > 3 || parametric < 0 || parametric > 1) {
      lines.fail("expected a dimension of 0 to 3, and 0 or 1 for parametric, got " +
                 std::to_string(dimension) + " and " + std::to_string(parametric));
    }
    inventory.add_block(count);
    const std::size_t first = nodes.size();
    for (std::int64_t k = 0; k < count; ++k) {
      const auto [tag] = read_numbers<1>(lines, "the tag of a node");
      inventory.require_tag(tag);
      nodes.push_back({tag, lines.number(), {}});
    }
    for (std::size_t k = first; k < nodes.size(); ++k) {
      nodes[k].point = read_point(lines, parametric * dimension);
    }
  }
  Impl::require_line(lines, "$EndNodes");
  inventory.require_complete();
  sort_by_tag(lines, nodes, "node");
  return nodes;
}

/// The place of a tag in sorted nodes. Where tags have no gaps, as is common, nothing is searched.
std::optional<int> find_node(const std::vector<Node>& nodes, std::int64_t tag) {
  if (nodes.empty() || tag < nodes.front().tag) return std::nullopt;
  const auto guess = static_cast<std::size_t>(tag - nodes.front().tag);
  if (guess < nodes.size() && nodes[guess].tag == tag) return static_cast<int>(guess);
  const auto place =
      std::lower_bound(nodes.begin(), nodes.end(), tag,
                       [](const Node& node, std::int64_t wanted) { return node.tag < wanted; });
  if (place == nodes.end() || place->tag != tag) return std::nullopt;
  return static_cast<int>(place - nodes.begin());
}

Tetrahedron read_tetrahedron(Lines& lines, const std::vector<Node>& nodes) {
  const auto numbers =
      read_numbers<1 + num_corners>(lines, "the tags of a tetrahedron and 4 nodes");
  Tetrahedron tetrahedron{numbers[0], lines.number(), {}};
  auto& corners = tetrahedron.corners;
  for (std::size_t n = 0; n < num_corners; ++n) {
    const auto place = find_node(nodes, numbers[1 + n]);
    if (!place) lines.fail("expected nodes of $Nodes, got " + std::to_string(numbers[1 + n]));
    if (std::find(corners.begin(), corners.begin() + n, *place) != corners.begin() + n) {
      lines.fail("expected four different nodes, got " + std::to_string(numbers[1 + n]) + " twice");
    }
    corners[n] = *place;
  }
  return tetrahedron;
}

/// Elements of other kinds may have any number of nodes.
void skip_element(Lines& lines) {
  std::string_view line;
  if (!lines.next_data_beginning(line)) lines.fail("expected an element, the file ends");
  std::string_view rest = line;
  std::int64_t tag = 0;
  if (!Impl::parse(take_word(rest), tag)) lines.fail("expected an element, got " + quoted(line));
}

std::vector<Tetrahedron> read_tetrahedra(Lines& lines, const std::vector<Node>& nodes) {
  constexpr std::int64_t tetrahedron_type = 4;
  Impl::GmshInventory inventory(lines, "elements");
  std::vector<Tetrahedron> tetrahedra;
  for (std::int64_t n = 0; n < inventory.num_blocks(); ++n) {
    const auto [dimension, entity, type, count] =
        read_numbers<4>(lines, "dimension, entity, type and number of elements");
    inventory.add_block(count);
    for (std::int64_t k = 0; k < count; ++k) {
      if (type != tetrahedron_type) {
        skip_element(lines);
        continue;
      }
      tetrahedra.push_back(read_tetrahedron(lines, nodes));
      inventory.require_tag(tetrahedra.back().tag);
    }
  }
  Impl::require_line(lines, "$EndElements");
  inventory.require_complete();
  sort_by_tag(lines, tetrahedra, "tetrahedron");
  return tetrahedra;
}

/// The points that tetrahedra use; corners become places among them.
GmshMesh take_used_points(const std::vector<Node>& nodes, std::vector<Tetrahedron>& tetrahedra) {
  constexpr int unused = -1;
  std::vector<int> new_places(nodes.size(), unused);
  for (const Tetrahedron& tetrahedron : tetrahedra) {
    for (const int corner : tetrahedron.corners) new_places[static_cast<std::size_t>(corner)] = 0;
  }
  GmshMesh mesh;
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    if (new_places[n] == unused) continue;
    new_places[n] = static_cast<int>(mesh.tags.size());
    mesh.tags.push_back(nodes[n].tag);
    mesh.points.push_back(nodes[n].point);
  }
  for (Tetrahedron& tetrahedron : tetrahedra) {
    for (int& corner : tetrahedron.corners) {
      corner = new_places[static_cast<std::size_t>(corner)];
    }
  }
  mesh.num_tetrahedra = static_cast<std::int64_t>(tetrahedra.size());
  return mesh;
}

/// Each edge of each tetrahedron, dealt to its first corner, then without repetition.
BlockGraph graph_of(const std::vector<Tetrahedron>& tetrahedra, std::size_t num_points) {
  const auto for_each_edge = [&](const auto& on_edge) {
    for (const Tetrahedron& tetrahedron : tetrahedra) {
      for (std::size_t m = 0; m < num_corners; ++m) {
        for (std::size_t n = m + 1; n < num_corners; ++n) {
          on_edge(static_cast<std::size_t>(tetrahedron.corners[m]), tetrahedron.corners[n]);
        }
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
  Lines lines(file);
  Impl::require_format(lines);
  std::optional<std::vector<Node>> nodes;
  std::optional<std::vector<Tetrahedron>> tetrahedra;
  std::string_view line;
  while (lines.next_data_beginning(line)) {
    const std::string section(take_word(line));
    if (section == "$Nodes" && !nodes) {
      nodes = read_nodes(lines);
    } else if (section == "$Elements" && nodes && !tetrahedra) {
      tetrahedra = read_tetrahedra(lines, *nodes);
    } else if (section == "$Nodes" || section == "$Elements") {
      lines.fail("expected $Nodes, then $Elements, each once, got " + section);
    } else {
      Impl::skip_section(lines, section);
    }
  }
  if (!tetrahedra) lines.fail("expected $Nodes and $Elements, the file ends");
  if (tetrahedra->empty()) {
    lines.fail("expected tetrahedra (elements of type 4), the file ends without any");
  }
  GmshMesh mesh = take_used_points(*nodes, *tetrahedra);
  mesh.graph = graph_of(*tetrahedra, mesh.points.size());
  return mesh;
}

}  // namespace Lamina
