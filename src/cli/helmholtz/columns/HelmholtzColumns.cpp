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
#include "helmholtz/parts/GridPartition.hpp"
#include "support/machine/HostMachine.hpp"
#include "support/machine/Launcher.hpp"
#include "support/options/InputError.hpp"

namespace Lamina::Cli {
namespace {

/// A coefficient of a file, or one number where the file has none.
class Coefficient {
 public:
  /// \param faces  that this process asks for; empty: all of them
  Coefficient(const ColumnInput* file, const std::vector<bool>& faces, const char* name,
              double otherwise, std::vector<ColumnAxis> axes)
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
    m_fingerprint = Cli::fingerprint(m_variable.values);
    if (is_of(ColumnAxis::faces) && !faces.empty()) m_variable.keep(faces);
  }

  bool is_given() const { return m_is_given; }
  bool is_of(ColumnAxis axis) const { return m_variable.across == axis; }
  const ColumnVariable& variable() const { return m_variable; }
  /// Of all values of the file; 0: it has none.
  std::size_t fingerprint() const { return m_fingerprint; }
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
  std::size_t m_fingerprint = 0;
};

/// Fills the values of a problem. Numbers of faces are those of its file or generator.
class Assembly {
 public:
  /// \param local  the columns of this process; null: all of them
  Assembly(const HelmholtzProblem& problem, const LocalColumns* local, const ColumnInput* file,
           HelmholtzColumns& to)
      : m_problem(problem),
        m_local(local),
        m_sizes(problem, to.bottoms),
        m_file(file),
        m_faces(own_faces()),
        m_mass(file, m_faces, "mass", 1, {ColumnAxis::faces, ColumnAxis::levels}),
        m_surface(file, m_faces, "surface", 0, {ColumnAxis::faces}),
        m_vertical(file, m_faces, "vertical", 1, {ColumnAxis::faces, ColumnAxis::interfaces}),
        m_horizontal(file, m_faces, "horizontal", 1,
                     {ColumnAxis::faces, ColumnAxis::edges, ColumnAxis::levels}),
        m_to(to) {}

  void run() {
    require_any();
    if (m_file != nullptr && m_local != nullptr) {
      m_to.file_fingerprint =
          fingerprint(std::vector{m_mass.fingerprint(), m_surface.fingerprint(),
                                  m_vertical.fingerprint(), m_horizontal.fingerprint()});
    }
    m_to.num_levels = m_sizes.grid().num_levels();
    const auto levels = static_cast<std::size_t>(m_to.num_levels);
    const auto num_owned = static_cast<std::size_t>(graph().count_owned());
    for (auto* values : {&m_to.volumes, &m_to.mass, &m_to.vertical}) {
      values->assign(num_owned * levels, 0);
    }
    m_to.horizontal.assign(graph().edges.size() * levels, 0);
    for (std::size_t c = 0; c < num_owned; ++c) fill_column(c);
    const std::vector<std::size_t> places = edge_places();
    for (std::size_t e = 0; e < graph().edges.size(); ++e) {
      fill_edge(e, places.empty() ? 0 : places[e]);
    }
  }

 private:
  using Faces = std::pair<long, long>;
  using NumberedEdge = std::pair<Faces, std::size_t>;

  const ColumnGraph& whole() const { return m_problem.grid->graph; }
  const ColumnGraph& graph() const { return m_local == nullptr ? whole() : m_local->graph; }
  /// The number of a column of this process in the whole grid.
  std::size_t number(std::size_t column) const {
    return m_local == nullptr ? column : static_cast<std::size_t>(m_local->columns[column]);
  }
  /// In the file, of a column of this process.
  std::size_t face(std::size_t column) const {
    return static_cast<std::size_t>(m_problem.grid->original[number(column)]);
  }
  /// The faces of the columns of this process and of its halo; empty where that are all.
  std::vector<bool> own_faces() const {
    std::vector<bool> own;
    if (m_local == nullptr) return own;
    own.resize(whole().areas.size());
    for (std::size_t c = 0; c < m_local->columns.size(); ++c) {
      if (m_local->columns[c] != no_item) own[face(c)] = true;
    }
    return own;
  }
  void require_any() const {
    if (m_file == nullptr) return;
    for (const Coefficient* given : {&m_mass, &m_surface, &m_vertical, &m_horizontal}) {
      if (given->is_given()) return;
    }
    m_file->fail("expected a variable 'mass', 'vertical', 'horizontal' or 'surface'");
  }

  void fill_column(std::size_t c) {
    const std::size_t n = number(c);
    const int first = m_to.bottoms.first_wet[n], levels = m_to.num_levels;
    const double area = graph().areas[c];
    const double vertical = m_problem.parameters.omega2 * m_problem.parameters.lambda2 * area;
    for (int k = first; k < levels; ++k) {
      const std::size_t cell = m_to.cell(c, k);
      m_to.volumes[cell] = m_sizes.volume(n, k);
      m_to.mass[cell] = m_to.volumes[cell] * m_mass.at(face(c), static_cast<std::size_t>(k));
      if (k + 1 == levels) {
        m_to.mass[cell] += area * m_sizes.grid().interface_area(levels) * m_surface.at(face(c), 0);
        continue;
      }
      const double distance = (m_sizes.height(n, k) + m_sizes.height(n, k + 1)) / 2;
      m_to.vertical[cell] = vertical * m_sizes.grid().interface_area(k + 1) / distance *
                            m_vertical.at(face(c), static_cast<std::size_t>(k) + 1);
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
    const std::size_t a = number(static_cast<std::size_t>(edge.first)),
                      b = number(static_cast<std::size_t>(edge.second));
    const double coupling = m_problem.parameters.omega2 * edge.length / edge.distance;
    const int first = std::max(m_to.bottoms.first_wet[a], m_to.bottoms.first_wet[b]);
    for (int k = first; k < m_to.num_levels; ++k) {
      const double height = std::min(m_sizes.height(a, k), m_sizes.height(b, k));
      m_to.horizontal[m_to.cell(e, k)] = coupling * m_sizes.volume_of(k, height) *
                                         horizontal(e, place, static_cast<std::size_t>(k));
    }
  }

  /// The number in the file of each edge of this process; empty where the file has no values of edges.
  std::vector<std::size_t> edge_places() const {
    const std::vector<std::size_t> of_grid = places_of_grid();
    if (of_grid.empty() || m_local == nullptr) return of_grid;
    std::vector<std::size_t> places;
    for (const int edge : edges_of_rank(whole(), *m_local)) {
      places.push_back(of_grid[static_cast<std::size_t>(edge)]);
    }
    return places;
  }
  /// The number in the file of each edge of the grid; empty where the file has no values of edges. Two faces of a
  /// narrow periodic plane share several edges, which may be one here: their values must be the same.
  std::vector<std::size_t> places_of_grid() const {
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
      const auto& edge = whole().edges[static_cast<std::size_t>(missing - places.begin())];
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
    edges.reserve(whole().edges.size());
    for (const ColumnGraph::Edge& edge : whole().edges) {
      const auto [low, high] = std::minmax({side(edge.first), side(edge.second)});
      edges.push_back({{low, high}, edges.size()});
    }
    std::sort(edges.begin(), edges.end());
    return edges;
  }
  long side(int column) const { return m_problem.grid->original[static_cast<std::size_t>(column)]; }

  const HelmholtzProblem& m_problem;
  const LocalColumns* m_local;
  CellSizes m_sizes;
  const ColumnInput* m_file;
  std::vector<bool> m_faces;
  Coefficient m_mass, m_surface, m_vertical, m_horizontal;
  HelmholtzColumns& m_to;
};

/// Counts wet cells of all columns.
void count_wet(const CellSizes& sizes, HelmholtzColumns& columns) {
  const ColumnBottoms& bottoms = columns.bottoms;
  const int levels = sizes.grid().num_levels();
  for (std::size_t c = 0; c < bottoms.first_wet.size(); ++c) {
    const int first = bottoms.first_wet[c];
    if (first == levels) continue;
    ++columns.num_wet_columns;
    columns.num_wet_cells += levels - first;
    const double whole = sizes.grid().thicknesses()[static_cast<std::size_t>(first)];
    if (bottoms.height[c] < whole) ++columns.num_partial_cells;
  }
}

}  // namespace

CellSizes::CellSizes(const HelmholtzProblem& problem, const ColumnBottoms& bottoms)
    : m_grid(problem.vertical()), m_graph(problem.grid->graph), m_bottoms(bottoms) {}

double CellSizes::height(std::size_t column, int level) const {
  return level == m_bottoms.first_wet[column]
             ? m_bottoms.height[column]
             : m_grid.thicknesses()[static_cast<std::size_t>(level)];
}

double CellSizes::volume_of(int level, double height) const {
  const auto l = static_cast<std::size_t>(level);
  if (height == m_grid.thicknesses()[l]) return m_grid.volume(level);
  if (m_grid.metric() == VerticalMetric::flat) return height;
  const double above = m_grid.interfaces()[l + 1], below = above - height;
  return height * (above * above + above * below + below * below) / 3;
}

double CellSizes::volume(std::size_t column, int level) const {
  return level < m_bottoms.first_wet[column]
             ? 0
             : m_graph.areas[column] * volume_of(level, height(column, level));
}

std::vector<double> wet_levels(const ColumnBottoms& bottoms, int num_levels) {
  std::vector<double> levels;
  levels.reserve(bottoms.first_wet.size());
  for (const int first : bottoms.first_wet) levels.push_back(num_levels - first);
  return levels;
}

void require_columns_memory(const HelmholtzProblem& problem, double of_file) {
  const auto launch = find_launch();
  const double processes = launch ? launch->processes : 1;  // each keeps its part
  const auto all_columns = static_cast<double>(problem.num_columns()),
             all_edges = static_cast<double>(problem.grid->graph.edges.size());
  // Once the partition is known: the own and halo columns of the rank that has most.
  const double columns = launch && problem.partition
                             ? static_cast<double>(problem.partition->quality.most_items)
                             : all_columns / processes;
  const double edges = all_edges * (columns / std::max(all_columns, 1.0));
  // Of all edges of a grid while a file is read: sorted by their faces, and their places.
  const double of_tables = of_file > 0 ? 6 * all_edges : 0;
  constexpr double of_vertical_grid = 16;  // a level
  const double values =
      (3 * columns + edges + of_vertical_grid) * (problem.num_levels + 1.0) + of_file + of_tables;
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
    std::optional<LocalColumns> local;
    if (const auto launch = find_launch()) {
      columns.rank = launch->rank;
      local = local_columns(problem.grid->graph, problem.partition->columns, columns.rank);
    }
    Assembly(problem, local ? &*local : nullptr, file ? &*file : nullptr, columns).run();
  });
  count_wet(CellSizes(problem, columns.bottoms), columns);
  return columns;
}

}  // namespace Lamina::Cli
