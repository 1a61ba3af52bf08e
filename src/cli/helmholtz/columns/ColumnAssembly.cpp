// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "helmholtz/columns/ColumnAssembly.hpp"

#include <algorithm>
#include <cmath>

#include "helmholtz/HelmholtzTask.hpp"

namespace Lamina::Cli {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// What both classes ask of cells.
class Cells {
 public:
  Cells(const HelmholtzProblem& problem, const OwnColumns& own, const ColumnTerms& terms,
        const HelmholtzColumns& columns)
      : m_own(own), m_terms(terms), m_columns(columns), m_sizes(problem, columns.bottoms) {}

  const CellSizes& sizes() const { return m_sizes; }
  int num_levels() const { return m_columns.num_levels; }
  int first_wet(std::size_t column) const {
    return m_columns.bottoms.first_wet[m_own.number(column)];
  }
  double height(std::size_t column, int level) const {
    return m_sizes.height(m_own.number(column), level);
  }
  /// The lowest level at which the edge is open; the number of levels: none.
  int first_open(const ColumnGraph::Edge& edge) const {
    return std::max(first_wet(at(edge.first)), first_wet(at(edge.second)));
  }
  /// Of an edge. Of faces the harmonic mean of both sides, as of two layers one behind the other.
  double horizontal(std::size_t e, std::size_t level) const {
    const ColumnTerm& term = m_terms.horizontal;
    if (!term.is_of(ColumnAxis::faces)) return term.at(e, level);
    const ColumnGraph::Edge& edge = m_own.graph().edges[e];
    const double a = term.at(at(edge.first), level), b = term.at(at(edge.second), level);
    const auto [less, more] = std::minmax(a, b);
    return more > 0 ? less * (2 / (1 + less / more)) : 0;  // a + b need not be a number
  }

 private:
  const OwnColumns& m_own;
  const ColumnTerms& m_terms;
  const HelmholtzColumns& m_columns;
  CellSizes m_sizes;
};

/// Makes coefficients of terms.
class Assembly {
 public:
  Assembly(const HelmholtzProblem& problem, const OwnColumns& own, const ColumnTerms& terms,
           HelmholtzColumns& to)
      : m_problem(problem),
        m_own(own),
        m_terms(terms),
        m_cells(problem, own, terms, to),
        m_to(to) {}

 protected:
  const HelmholtzProblem& m_problem;
  const OwnColumns& m_own;
  const ColumnTerms& m_terms;
  Cells m_cells;
  HelmholtzColumns& m_to;
};

class StoredAssembly : Assembly {
 public:
  using Assembly::Assembly;

  void run() {
    const auto levels = at(m_to.num_levels);
    for (auto* values : {&m_to.stored.mass, &m_to.stored.vertical}) {
      values->assign(m_own.num_owned() * levels, 0);
    }
    m_to.stored.horizontal.assign(m_own.graph().edges.size() * levels, 0);
    for (std::size_t c = 0; c < m_own.num_owned(); ++c) fill_column(c);
    for (std::size_t e = 0; e < m_own.graph().edges.size(); ++e) fill_edge(e);
  }

 private:
  std::size_t cell(std::size_t item, int level) const {
    return item * at(m_to.num_levels) + at(level);
  }

  void fill_column(std::size_t c) {
    const CellSizes& sizes = m_cells.sizes();
    const std::size_t n = m_own.number(c);
    const int levels = m_to.num_levels;
    const double area = m_own.graph().areas[c],
                 vertical = m_problem.parameters.omega2 * m_problem.parameters.lambda2 * area;
    for (int k = m_cells.first_wet(c); k < levels; ++k) {
      double& mass = m_to.stored.mass[cell(c, k)];
      mass = sizes.volume(n, k) * m_terms.mass.at(c, at(k));
      const bool is_top = k + 1 == levels;
      if (is_top) mass += area * sizes.grid().interface_area(levels) * m_terms.surface.at(c, 0);
      m_to.has_massless = m_to.has_massless || mass == 0;
      if (is_top) continue;
      const double distance = (sizes.height(n, k) + sizes.height(n, k + 1)) / 2;
      m_to.stored.vertical[cell(c, k)] = vertical * sizes.grid().interface_area(k + 1) / distance *
                                         m_terms.vertical.at(c, at(k) + 1);
    }
  }
  void fill_edge(std::size_t e) {
    const ColumnGraph::Edge& edge = m_own.graph().edges[e];
    const double coupling = m_problem.parameters.omega2 * edge.length / edge.distance;
    for (int k = m_cells.first_open(edge); k < m_to.num_levels; ++k) {
      const double height =
          std::min(m_cells.height(at(edge.first), k), m_cells.height(at(edge.second), k));
      m_to.stored.horizontal[cell(e, k)] =
          coupling * m_cells.sizes().volume_of(k, height) * m_cells.horizontal(e, at(k));
    }
  }
};

/// All terms are factors of columns or edges times those of levels. Levels that are dry everywhere have 0: factors
/// of theirs may be missing.
class ProfileAssembly : Assembly {
 public:
  using Assembly::Assembly;

  void run() {
    fill_levels();
    fill_columns();
    fill_edges();
    if (m_to.kind == ColumnsClass::partial_cells) turn_levels();
  }

 private:
  const VerticalGrid& grid() const { return m_cells.sizes().grid(); }
  bool is_land(std::size_t column) const { return m_cells.first_wet(column) == m_to.num_levels; }

  /// Of all columns of the grid: profiles are the same on all ranks.
  int lowest_wet() const {
    return *std::min_element(m_to.bottoms.first_wet.begin(), m_to.bottoms.first_wet.end());
  }
  int lowest_open() const {
    int lowest = m_to.num_levels;
    for (const ColumnGraph::Edge& edge : m_own.grid().graph.edges) {
      lowest = std::min(lowest, std::max(m_to.bottoms.first_wet[at(edge.first)],
                                         m_to.bottoms.first_wet[at(edge.second)]));
    }
    return lowest;
  }
  void fill_levels() {
    const int levels = m_to.num_levels;
    ColumnProfiles& profiles = m_to.profiled.profiles;
    profiles.mass.assign(at(levels), 0);
    profiles.horizontal.assign(at(levels), 0);
    profiles.vertical.assign(at(levels) - 1, 0);
    const auto& heights = grid().thicknesses();
    const double omega2 = m_problem.parameters.omega2;
    for (int k = lowest_wet(); k < levels; ++k) {
      double& mass = profiles.mass[at(k)];
      mass = grid().volume(k) * m_terms.mass.of_level(at(k));
      if (k + 1 == levels) {
        mass += grid().interface_area(levels) * m_terms.surface.at(0, 0);
      } else {
        profiles.vertical[at(k)] =
            omega2 * m_problem.parameters.lambda2 * grid().interface_area(k + 1) /
            ((heights[at(k)] + heights[at(k) + 1]) / 2) * m_terms.vertical.of_level(at(k) + 1);
      }
      m_to.has_massless = m_to.has_massless || mass == 0;
    }
    const bool by_level = !m_terms.horizontal.varies_across();
    for (int k = lowest_open(); k < levels; ++k) {
      profiles.horizontal[at(k)] =
          omega2 * grid().volume(k) * (by_level ? m_terms.horizontal.of_level(at(k)) : 1);
    }
  }
  /// Factors of land have no effect.
  void fill_columns() {
    const std::vector<double>& areas = m_own.graph().areas;
    ProfileTerms& to = m_to.profiled;
    to.profiles.mass_factors = to.profiles.vertical_factors = areas;
    for (std::size_t c = 0; c < m_own.num_owned(); ++c) {
      if (is_land(c)) continue;
      to.profiles.mass_factors[c] *= m_terms.mass.of_item(c);
      to.profiles.vertical_factors[c] *= m_terms.vertical.of_item(c);
      m_to.has_massless = m_to.has_massless || to.profiles.mass_factors[c] == 0;
    }
    if (m_to.kind != ColumnsClass::partial_cells) return;
    for (std::size_t c = 0; c < m_own.num_columns(); ++c) {
      const bool is_wet = m_own.is_column(c) && !is_land(c);
      const int first = is_wet ? m_cells.first_wet(c) : m_to.num_levels;
      const double height = is_wet ? m_cells.height(c, first) : 0;
      to.wet.push_back(m_to.num_levels - first);
      to.heights.push_back(is_wet ? height / grid().thicknesses()[at(first)] : 1);
      to.volumes.push_back(is_wet ? m_cells.sizes().volume_of(first, height) / grid().volume(first)
                                  : 1);
    }
  }
  void fill_edges() {
    if (!m_terms.horizontal.varies_across()) return;
    const auto& edges = m_own.graph().edges;
    m_to.profiled.edge_factors.assign(edges.size(), 1);
    for (std::size_t e = 0; e < edges.size(); ++e) {
      if (m_cells.first_open(edges[e]) == m_to.num_levels) continue;  // without effect
      m_to.profiled.edge_factors[e] = m_cells.horizontal(e, 0);
    }
  }
  void turn_levels() {
    ColumnProfiles& profiles = m_to.profiled.profiles;
    for (auto* profile : {&profiles.mass, &profiles.vertical, &profiles.horizontal}) {
      std::reverse(profile->begin(), profile->end());
    }
    m_to.profiled.thicknesses.assign(grid().thicknesses().rbegin(), grid().thicknesses().rend());
  }
};

}  // namespace

void assemble_columns(const HelmholtzProblem& problem, const OwnColumns& own,
                      const ColumnTerms& terms, HelmholtzColumns& to) {
  if (to.kind == ColumnsClass::stored) {
    StoredAssembly(problem, own, terms, to).run();
  } else {
    ProfileAssembly(problem, own, terms, to).run();
  }
}

}  // namespace Lamina::Cli
