// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "helmholtz/columns/HelmholtzColumns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "helmholtz/HelmholtzTask.hpp"
#include "helmholtz/columns/ColumnInput.hpp"
#include "support/machine/HostMachine.hpp"
#include "support/options/InputError.hpp"

namespace Lamina::Cli {
namespace {

/// A coefficient of a file, or one number where the file has none.
class Coefficient {
 public:
  Coefficient(const ColumnInput* file, const char* name, double otherwise,
              std::vector<ColumnAxis> axes)
      : m_file(file), m_variable{name, {}, {}, 1, {otherwise}} {
    if (file == nullptr) return;
    auto found = file->find(name);
    if (!found) return;
    m_variable = *std::move(found);
    m_is_given = true;
    for (const auto& axis : {m_variable.across, m_variable.along}) {
      if (!axis || std::find(axes.begin(), axes.end(), *axis) != axes.end()) continue;
      file->fail(fmt::format("variable '{}': expected {}", name, texts_of(axes)));
    }
  }

  bool is_given() const { return m_is_given; }
  bool is_of(ColumnAxis axis) const { return m_variable.across == axis; }
  const ColumnVariable& variable() const { return m_variable; }
  /// \throws FileError for a value that is negative, missing or not finite
  double at(std::size_t place, std::size_t level) const {
    const double value = m_variable.at(place, level);
    if (value >= 0 && std::isfinite(value)) return value;
    const std::string index = m_variable.index_text(place, level);
    m_file->fail(fmt::format("variable '{}': expected a value >= 0{}, got {}", m_variable.name,
                             index.empty() ? "" : " at " + index,
                             std::isnan(value) ? "none" : fmt::format("{:g}", value)));
  }

 private:
  static std::string texts_of(const std::vector<ColumnAxis>& axes) {
    constexpr std::array names{"faces", "edges", "levels", "interfaces"};
    std::string text = "values of ";
    for (std::size_t n = 0; n < axes.size(); ++n) {
      text += (n == 0 ? "" : n + 1 == axes.size() ? " and " : ", ");
      text += names[static_cast<std::size_t>(axes[n])];
    }
    return text;
  }

  const ColumnInput* m_file;
  ColumnVariable m_variable;
  bool m_is_given = false;
};

/// Fills the values of a problem. Numbers of faces are those of its file or generator.
class Assembly {
 public:
  Assembly(const HelmholtzProblem& problem, const ColumnInput* file, HelmholtzColumns& to)
      : m_problem(problem),
        m_grid(problem.vertical()),
        m_file(file),
        m_mass(file, "mass", 1, {ColumnAxis::faces, ColumnAxis::levels}),
        m_surface(file, "surface", 0, {ColumnAxis::faces}),
        m_vertical(file, "vertical", 1, {ColumnAxis::faces, ColumnAxis::interfaces}),
        m_horizontal(file, "horizontal", 1,
                     {ColumnAxis::faces, ColumnAxis::edges, ColumnAxis::levels}),
        m_to(to) {}

  void run() {
    require_any();
    m_to.num_levels = m_grid.num_levels();
    const std::size_t cells = graph().areas.size() * static_cast<std::size_t>(m_to.num_levels);
    m_to.volumes.assign(cells, 0);
    m_to.mass.assign(cells, 0);
    m_to.vertical.assign(cells, 0);
    m_to.horizontal.assign(graph().edges.size() * static_cast<std::size_t>(m_to.num_levels), 0);
    for (std::size_t c = 0; c < graph().areas.size(); ++c) fill_column(c);
    const std::vector<std::size_t> places = edge_places();
    for (std::size_t e = 0; e < graph().edges.size(); ++e) {
      fill_edge(e, places.empty() ? 0 : places[e]);
    }
  }

 private:
  using Faces = std::pair<long, long>;
  using NumberedEdge = std::pair<Faces, std::size_t>;

  const ColumnGraph& graph() const { return m_problem.grid->graph; }
  std::size_t face(std::size_t column) const {
    return static_cast<std::size_t>(m_problem.grid->original[column]);
  }
  void require_any() const {
    if (m_file == nullptr) return;
    for (const Coefficient* given : {&m_mass, &m_surface, &m_vertical, &m_horizontal}) {
      if (given->is_given()) return;
    }
    m_file->fail("expected a variable 'mass', 'vertical', 'horizontal' or 'surface'");
  }

  double height(std::size_t c, int k) const {
    return k == m_to.bottoms.first_wet[c] ? m_to.bottoms.height[c]
                                          : m_grid.thicknesses()[static_cast<std::size_t>(k)];
  }
  /// Above a unit area, of the upper part of a level.
  double volume(int k, double height) const {
    const auto level = static_cast<std::size_t>(k);
    if (height == m_grid.thicknesses()[level]) return m_grid.volume(k);
    if (m_grid.metric() == VerticalMetric::flat) return height;
    const double above = m_grid.interfaces()[level + 1], below = above - height;
    return height * (above * above + above * below + below * below) / 3;
  }

  void fill_column(std::size_t c) {
    const int first = m_to.bottoms.first_wet[c], levels = m_to.num_levels;
    const double area = graph().areas[c];
    const double vertical = m_problem.parameters.omega2 * m_problem.parameters.lambda2 * area;
    for (int k = first; k < levels; ++k) {
      const std::size_t cell = m_to.cell(c, k);
      m_to.volumes[cell] = area * volume(k, height(c, k));
      m_to.mass[cell] = m_to.volumes[cell] * m_mass.at(face(c), static_cast<std::size_t>(k));
      if (k + 1 == levels) {
        m_to.mass[cell] += area * m_grid.interface_area(levels) * m_surface.at(face(c), 0);
        continue;
      }
      const double distance = (height(c, k) + height(c, k + 1)) / 2;
      m_to.vertical[cell] = vertical * m_grid.interface_area(k + 1) / distance *
                            m_vertical.at(face(c), static_cast<std::size_t>(k) + 1);
    }
    if (first == levels) return;
    ++m_to.num_wet_columns;
    m_to.num_wet_cells += levels - first;
    if (height(c, first) < m_grid.thicknesses()[static_cast<std::size_t>(first)]) {
      ++m_to.num_partial_cells;
    }
  }

  /// Of faces the harmonic mean of both sides, as of two layers one behind the other.
  double horizontal(std::size_t e, std::size_t place, std::size_t level) const {
    if (!m_horizontal.is_of(ColumnAxis::faces)) return m_horizontal.at(place, level);
    const auto& edge = graph().edges[e];
    const double a = m_horizontal.at(face(static_cast<std::size_t>(edge.first)), level),
                 b = m_horizontal.at(face(static_cast<std::size_t>(edge.second)), level);
    const auto [less, more] = std::minmax(a, b);
    return more > 0 ? less * (2 / (1 + less / more)) : 0;  // a + b need not be a number
  }
  void fill_edge(std::size_t e, std::size_t place) {
    const auto& edge = graph().edges[e];
    const auto a = static_cast<std::size_t>(edge.first), b = static_cast<std::size_t>(edge.second);
    const double coupling = m_problem.parameters.omega2 * edge.length / edge.distance;
    const int first = std::max(m_to.bottoms.first_wet[a], m_to.bottoms.first_wet[b]);
    for (int k = first; k < m_to.num_levels; ++k) {
      m_to.horizontal[m_to.cell(e, k)] = coupling *
                                         volume(k, std::min(height(a, k), height(b, k))) *
                                         horizontal(e, place, static_cast<std::size_t>(k));
    }
  }

  /// The number in the file of each edge of the grid; empty where the file has no values of edges. Two faces of a
  /// narrow periodic plane share several edges, which may be one here: their values must be the same.
  std::vector<std::size_t> edge_places() const {
    if (!m_horizontal.is_of(ColumnAxis::edges)) return {};
    const std::vector<NumberedEdge> edges = sorted_edges();
    constexpr std::size_t none = static_cast<std::size_t>(-1);
    std::vector<std::size_t> places(edges.size(), none);
    const auto faces = m_file->edge_faces(m_horizontal.variable());
    for (std::size_t n = 0; n < faces.size(); ++n) {
      const auto [low, high] = std::minmax(faces[n][0], faces[n][1]);
      if (low < 0) continue;  // at the rim
      const Faces sides{low, high};
      auto edge = std::lower_bound(edges.begin(), edges.end(), NumberedEdge{sides, 0});
      if (edge != edges.end() && edge->first == sides) {
        for (; edge != edges.end() && edge->first == sides; ++edge) {
          std::size_t& place = places[edge->second];
          if (place == none) place = n;
          require_same_values(place, n, sides);
        }
      } else if (m_problem.grid->num_left_out == 0) {
        m_file->fail(
            fmt::format("edge {}: expected faces that share an edge of the grid, got {} "
                        "and {}, counted from 0",
                        n, low, high));
      }
    }
    const auto missing = std::find(places.begin(), places.end(), none);
    if (missing != places.end()) {
      const auto& edge = graph().edges[static_cast<std::size_t>(missing - places.begin())];
      m_file->fail(
          fmt::format("expected all edges of the grid, got none of faces {} and {}, "
                      "counted from 0",
                      side(edge.first), side(edge.second)));
    }
    return places;
  }
  void require_same_values(std::size_t first, std::size_t second, const Faces& faces) const {
    const ColumnVariable& values = m_horizontal.variable();
    for (std::size_t k = 0; k < static_cast<std::size_t>(m_to.num_levels); ++k) {
      const double a = values.at(first, k), b = values.at(second, k);
      if (a == b || (std::isnan(a) && std::isnan(b))) continue;
      m_file->fail(
          fmt::format("edge {}: expected the values of edge {}, which is between the same faces {} "
                      "and {}, counted from 0, got others",
                      second, first, faces.first, faces.second));
    }
  }
  /// The edges of the grid, by their faces.
  std::vector<NumberedEdge> sorted_edges() const {
    std::vector<NumberedEdge> edges;
    edges.reserve(graph().edges.size());
    for (const ColumnGraph::Edge& edge : graph().edges) {
      const auto [low, high] = std::minmax({side(edge.first), side(edge.second)});
      edges.push_back({{low, high}, edges.size()});
    }
    std::sort(edges.begin(), edges.end());
    return edges;
  }
  long side(int column) const { return m_problem.grid->original[static_cast<std::size_t>(column)]; }

  const HelmholtzProblem& m_problem;
  VerticalGrid m_grid;
  const ColumnInput* m_file;
  Coefficient m_mass, m_surface, m_vertical, m_horizontal;
  HelmholtzColumns& m_to;
};

}  // namespace

void require_columns_memory(const HelmholtzProblem& problem, double of_file) {
  const auto columns = static_cast<double>(problem.num_columns()),
             edges = static_cast<double>(problem.grid->graph.edges.size());
  constexpr double of_vertical_grid = 16;  // a level
  const double values =
      (3 * columns + edges + of_vertical_grid) * (problem.num_levels + 1.0) + of_file;
  const double needed = values * sizeof(double), available = HostMachine::available_bytes();
  if (needed <= available) return;
  throw InputError(
      fmt::format("--levels: expected coefficients of at most {:.1f} GB, got {:.1f} GB",
                  available * 1e-9, needed * 1e-9));
}

HelmholtzColumns make_columns(const HelmholtzProblem& problem, ColumnBottoms bottoms,
                              const std::string& coefficients) {
  HelmholtzColumns columns;
  columns.bottoms = std::move(bottoms);
  for_option("--coefficients", [&] {
    std::optional<ColumnInput> file;
    if (!coefficients.empty()) {
      file.emplace(coefficients, ColumnExtents{static_cast<std::size_t>(problem.num_columns()),
                                               static_cast<std::size_t>(problem.num_levels)});
      require_columns_memory(
          problem, file->num_values({"mass", "surface", "vertical", "horizontal", "edge_faces"}));
    }
    Assembly(problem, file ? &*file : nullptr, columns).run();
  });
  return columns;
}

}  // namespace Lamina::Cli
