// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Multigrid for the operator of the height by the book: widths of cells of both directions, loops over cells, one
// operation after the other.

#include <reference/Matrix.hpp>

#include <cmath>
#include <cstddef>
#include <vector>

namespace Reference {

/// Cells of a direction, which is a ring, also between walls.
struct CellWidths {
  Values widths;
  int count() const { return static_cast<int>(widths.size()); }
  int wrapped(int n) const { return (n + count()) % count(); }
  double width(int n) const { return widths[static_cast<std::size_t>(wrapped(n))]; }
  /// Between the centres of cells n - 1 and n.
  double distance(int n) const { return (width(n - 1) + width(n)) / 2; }
  /// In pairs, the last of an odd number with the last pair.
  int coarse(int n) const {
    if (count() == 1) return n;
    return n / 2 < count() / 2 ? n / 2 : count() / 2 - 1;
  }
  /// Of the centre of a cell from that of the coarser one that it is in.
  double offset(int n) const {
    double begin = 0, end = 0;
    for (int m = 0; m < count(); ++m) {
      if (coarse(m) != coarse(n)) continue;
      if (m < n) begin += width(m);
      end += width(m);
    }
    return begin + width(n) / 2 - end / 2;
  }
  CellWidths coarser() const {
    CellWidths result;
    result.widths.assign(count() == 1 ? 1 : static_cast<std::size_t>(count() / 2), 0.0);
    for (int n = 0; n < count(); ++n) {
      result.widths[static_cast<std::size_t>(coarse(n))] += width(n);
    }
    return result;
  }
};

/// What a cell takes of coarser cells: linear interpolation between centres.
struct CellShare {
  int in, beside;
  double share;  ///< of `beside`

  CellShare(const CellWidths& fine, int n, bool walls) : in(fine.coarse(n)), beside(in), share(0) {
    const CellWidths coarse = fine.coarser();
    const double offset = fine.offset(n);
    const int next = offset < 0 ? in - 1 : in + 1;
    if (coarse.count() == 1 || (walls && coarse.wrapped(next) != next)) return;
    beside = coarse.wrapped(next);
    share = std::abs(offset) / coarse.distance(offset < 0 ? in : next);
  }
};

/// Values of a rectangle of cells in the order ny i + j.
struct PeriodicLevel {
  CellWidths x, y;
  Values mass, west, south;  ///< couplings to the cell before

  std::size_t size() const { return static_cast<std::size_t>(x.count() * y.count()); }
  std::size_t place(int i, int j) const {
    return static_cast<std::size_t>(x.wrapped(i) * y.count() + y.wrapped(j));
  }
  template <class Visit>
  void for_each(const Visit& visit) const {
    for (int i = 0; i < x.count(); ++i) {
      for (int j = 0; j < y.count(); ++j) visit(i, j);
    }
  }
  double diagonal(int i, int j) const {
    return mass[place(i, j)] + west[place(i, j)] + west[place(i + 1, j)] + south[place(i, j)] +
           south[place(i, j + 1)];
  }
  Values apply(const Values& u) const {
    Values result(size());
    for_each([&](int i, int j) {
      const double centre = u[place(i, j)];
      result[place(i, j)] = mass[place(i, j)] * centre +
                            west[place(i, j)] * (centre - u[place(i - 1, j)]) +
                            west[place(i + 1, j)] * (centre - u[place(i + 1, j)]) +
                            south[place(i, j)] * (centre - u[place(i, j - 1)]) +
                            south[place(i, j + 1)] * (centre - u[place(i, j + 1)]);
    });
    return result;
  }
  void smooth(double weight, const Values& f, Values& u) const {
    const Values image = apply(u);
    for_each([&](int i, int j) {
      const std::size_t n = place(i, j);
      u[n] += weight * (f[n] - image[n]) / diagonal(i, j);
    });
  }

  PeriodicLevel coarser() const {
    PeriodicLevel result{x.coarser(), y.coarser(), {}, {}, {}};
    result.mass = result.west = result.south = Values(result.size(), 0.0);
    for_each([&](int i, int j) {
      const int I = x.coarse(i), J = y.coarse(j);
      const std::size_t to = result.place(I, J);
      result.mass[to] += mass[place(i, j)];
      const bool cuts_x = result.x.count() > 1 && (i == 0 || x.coarse(i - 1) != I),
                 cuts_y = result.y.count() > 1 && (j == 0 || y.coarse(j - 1) != J);
      if (cuts_x) result.west[to] += west[place(i, j)] * x.distance(i) / result.x.distance(I);
      if (cuts_y) result.south[to] += south[place(i, j)] * y.distance(j) / result.y.distance(J);
    });
    return result;
  }
};

/// The V-cycle of `Lamina::PeriodicMultigrid`.
class PeriodicMultigrid {
 public:
  /// \param phi  of all cells
  PeriodicMultigrid(int nx, int ny, double c_x, double c_y, const Values& phi, bool walls,
                    const Values& weights)
      : m_walls(walls), m_weights(weights) {
    PeriodicLevel level{{Values(static_cast<std::size_t>(nx), 1.0)},
                        {Values(static_cast<std::size_t>(ny), 1.0)},
                        {},
                        {},
                        {}};
    level.mass.assign(level.size(), 1.0);
    level.west = level.south = Values(level.size(), 0.0);
    level.for_each([&](int i, int j) {
      const double here = phi[level.place(i, j)];
      if (nx > 1) level.west[level.place(i, j)] = c_x * (phi[level.place(i - 1, j)] + here) / 2;
      if (ny > 1 && !(walls && j == 0)) {
        level.south[level.place(i, j)] = c_y * (phi[level.place(i, j - 1)] + here) / 2;
      }
    });
    m_levels.push_back(level);
    while (m_levels.back().size() > 1) m_levels.push_back(m_levels.back().coarser());
  }

  const std::vector<PeriodicLevel>& levels() const { return m_levels; }
  /// B f
  Values cycle(const Values& f, std::size_t l = 0) const {
    const PeriodicLevel& level = m_levels[l];
    Values u(f.size(), 0.0);
    if (l + 1 == m_levels.size()) {
      u[0] = f[0] / level.mass[0];
      return u;
    }
    for (const double weight : m_weights) level.smooth(weight, f, u);
    const Values image = level.apply(u);
    const PeriodicLevel& coarser = m_levels[l + 1];
    Values rhs(coarser.size(), 0.0);
    // visit(coarser cell, factor)
    const auto for_each_factor = [&](int i, int j, const auto& visit) {
      const CellShare x(level.x, i, false), y(level.y, j, m_walls);
      visit(coarser.place(x.in, y.in), (1 - x.share) * (1 - y.share));
      visit(coarser.place(x.beside, y.in), x.share * (1 - y.share));
      visit(coarser.place(x.in, y.beside), (1 - x.share) * y.share);
      visit(coarser.place(x.beside, y.beside), x.share * y.share);
    };
    level.for_each([&](int i, int j) {
      const double residual = f[level.place(i, j)] - image[level.place(i, j)];
      for_each_factor(i, j, [&](std::size_t to, double factor) { rhs[to] += factor * residual; });
    });
    const Values c = cycle(rhs, l + 1);
    level.for_each([&](int i, int j) {
      for_each_factor(
          i, j, [&](std::size_t from, double factor) { u[level.place(i, j)] += factor * c[from]; });
    });
    for (std::size_t k = m_weights.size(); k-- > 0;) level.smooth(m_weights[k], f, u);
    return u;
  }

 private:
  bool m_walls;
  std::vector<PeriodicLevel> m_levels;
  Values m_weights;
};

}  // namespace Reference
