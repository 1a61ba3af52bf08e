// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Multigrid for the five-point stencil by the book: intervals of both directions, loops over
// points, one operation after the other.

#include <reference/Matrix.hpp>

#include <cmath>
#include <cstddef>
#include <vector>

namespace Reference {

/// A direction: interval n ends at point n, and the last one at the wall.
struct Intervals {
  Values lengths;
  int count() const { return static_cast<int>(lengths.size()) - 1; }
  double length(int n) const { return lengths[static_cast<std::size_t>(n)]; }
  double width(int n) const { return (length(n) + length(n + 1)) / 2; }

  Intervals coarser() const {
    if (count() == 1) return *this;
    Intervals result;
    for (std::size_t n = 0; n < lengths.size(); n += 2) {
      result.lengths.push_back(lengths[n] + (n + 1 < lengths.size() ? lengths[n + 1] : 0));
    }
    return result;
  }
  /// The weight of coarse point I at fine point i, by linear interpolation.
  double weight(int i, int I) const {
    if (count() == 1) return 1;
    const int middle = 2 * I + 1;
    if (i == middle) return 1;
    if (i == middle - 1) return length(i) / (length(i) + length(i + 1));
    if (i == middle + 1) return length(i + 1) / (length(i) + length(i + 1));
    return 0;
  }
};

/// Values of a rectangle of points in the order ny i + j.
struct PoissonLevel {
  Intervals x, y;

  std::size_t size() const { return static_cast<std::size_t>(x.count() * y.count()); }
  std::size_t place(int i, int j) const { return static_cast<std::size_t>(i * y.count() + j); }
  double at(const Values& u, int i, int j) const {
    const bool inside = i >= 0 && i < x.count() && j >= 0 && j < y.count();
    return inside ? u[place(i, j)] : 0;
  }
  template <class Visit>
  void for_each(const Visit& visit) const {
    for (int i = 0; i < x.count(); ++i) {
      for (int j = 0; j < y.count(); ++j) visit(i, j);
    }
  }
  double diagonal(int i, int j) const {
    return y.width(j) * (1 / x.length(i) + 1 / x.length(i + 1)) +
           x.width(i) * (1 / y.length(j) + 1 / y.length(j + 1));
  }
  /// Fluxes out of the cells.
  Values apply(const Values& u) const {
    Values result(size());
    for_each([&](int i, int j) {
      const double centre = at(u, i, j);
      result[place(i, j)] = y.width(j) * ((centre - at(u, i - 1, j)) / x.length(i) +
                                          (centre - at(u, i + 1, j)) / x.length(i + 1)) +
                            x.width(i) * ((centre - at(u, i, j - 1)) / y.length(j) +
                                          (centre - at(u, i, j + 1)) / y.length(j + 1));
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
};

class PoissonMultigrid {
 public:
  PoissonMultigrid(int nx, int ny, const Values& weights) : m_weights(weights) {
    PoissonLevel level{{Values(static_cast<std::size_t>(nx) + 1, 1.0)},
                       {Values(static_cast<std::size_t>(ny) + 1, 1.0)}};
    m_levels.push_back(level);
    while (level.size() > 1) {
      level = {level.x.coarser(), level.y.coarser()};
      m_levels.push_back(level);
    }
  }
  const std::vector<PoissonLevel>& levels() const { return m_levels; }

  /// One cycle from u.
  void cycle(const Values& f, Values& u, std::size_t l = 0) const {
    const PoissonLevel& level = m_levels[l];
    if (l + 1 == m_levels.size()) {
      u = {f[0] / level.diagonal(0, 0)};
      return;
    }
    for (const double weight : m_weights) level.smooth(weight, f, u);
    Values residual = level.apply(u);
    for (std::size_t n = 0; n < f.size(); ++n) residual[n] = f[n] - residual[n];
    Values coarse(m_levels[l + 1].size(), 0.0);
    cycle(restricted(residual, l), coarse, l + 1);
    const Values correction = prolonged(coarse, l);
    for (std::size_t n = 0; n < u.size(); ++n) u[n] += correction[n];
    for (std::size_t k = m_weights.size(); k-- > 0;) level.smooth(m_weights[k], f, u);
  }
  Values full_multigrid(const Values& b) const {
    std::vector<Values> rhs{b};
    for (std::size_t l = 0; l + 1 < m_levels.size(); ++l) rhs.push_back(restricted(rhs[l], l));
    Values u(1, 0.0);
    cycle(rhs.back(), u, m_levels.size() - 1);
    for (std::size_t l = m_levels.size() - 1; l-- > 0;) {
      u = prolonged(u, l);
      cycle(rhs[l], u, l);
    }
    return u;
  }

 private:
  /// visit(fine place, coarse place, weight) of the entries of P from level l + 1 to level l.
  template <class Visit>
  void for_each_entry(std::size_t l, const Visit& visit) const {
    const PoissonLevel &fine = m_levels[l], &coarse = m_levels[l + 1];
    const auto near = [](const Intervals& direction, int i, int count) {
      std::vector<int> points;
      for (const int n : {i / 2 - 1, i / 2}) {
        if (direction.count() > 1 && n >= 0 && n < count) points.push_back(n);
      }
      return direction.count() > 1 ? points : std::vector<int>{0};
    };
    fine.for_each([&](int i, int j) {
      for (const int I : near(fine.x, i, coarse.x.count())) {
        for (const int J : near(fine.y, j, coarse.y.count())) {
          visit(fine.place(i, j), coarse.place(I, J), fine.x.weight(i, I) * fine.y.weight(j, J));
        }
      }
    });
  }
  Values restricted(const Values& r, std::size_t l) const {
    Values result(m_levels[l + 1].size(), 0.0);
    for_each_entry(l, [&](std::size_t fine, std::size_t coarse, double weight) {
      result[coarse] += weight * r[fine];
    });
    return result;
  }
  Values prolonged(const Values& c, std::size_t l) const {
    Values result(m_levels[l].size(), 0.0);
    for_each_entry(l, [&](std::size_t fine, std::size_t coarse, double weight) {
      result[fine] += weight * c[coarse];
    });
    return result;
  }

  std::vector<PoissonLevel> m_levels;
  Values m_weights;
};

}  // namespace Reference
