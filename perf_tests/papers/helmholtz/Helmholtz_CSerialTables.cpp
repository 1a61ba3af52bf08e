// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What the sequential program stores: the tables of the matrix-free form, and the assembled matrix
// with its own kernels.

#include "Helmholtz_CSerial.hpp"

#define RESTRICT __restrict__

namespace Lamina::Paper {
namespace {

/// a, b, c, d of eq. (8) in double precision.
struct Vertical {
  std::vector<double> a, b, c, d;

  Vertical(const VerticalGrid& grid, const HelmholtzParameters& parameters) {
    const auto levels = static_cast<std::size_t>(grid.num_levels());
    const auto& r = grid.interfaces();
    const auto& h = grid.thicknesses();
    const double vertical = parameters.omega2 * parameters.lambda2;
    for (std::size_t k = 0; k < levels; ++k) {
      a.push_back(grid.volume(static_cast<int>(k)));
      d.push_back(-parameters.omega2 * a.back());
      b.push_back(k + 1 < levels ? -vertical * r[k + 1] * r[k + 1] / ((h[k] + h[k + 1]) / 2) : 0);
      c.push_back(k > 0 ? b[k - 1] : 0);
    }
  }
};

}  // namespace

template <class Real>
CPanel<Real>::CPanel(const CubedSpherePanel& panel, const VerticalGrid& grid,
                     const HelmholtzParameters& parameters)
    : nx(panel.num_x()), ny(panel.num_y()), nz(grid.num_levels()) {
  const Vertical vertical(grid, parameters);
  for (std::size_t k = 0; k < static_cast<std::size_t>(nz); ++k) {
    const double dk = vertical.d[k];
    b.push_back(static_cast<Real>(vertical.b[k] / dk));
    c.push_back(static_cast<Real>(vertical.c[k] / dk));
    d.push_back(static_cast<Real>(dk));
    centre.push_back(static_cast<Real>((vertical.a[k] - vertical.b[k] - vertical.c[k]) / dk));
    inverse_d.push_back(static_cast<Real>(1 / dk));
  }
  const ColumnGraph graph = panel.graph();
  for (const double value : graph.areas) area.push_back(static_cast<Real>(value));
  alpha_x.resize(index(nx + 1, 0));
  alpha_y.resize(index(nx, nx));
  for (const ColumnGraph::Edge& edge : graph.edges) {
    const int i = edge.second / ny, j = edge.second % ny;
    const Real alpha = static_cast<Real>(edge.length / edge.distance);
    if (edge.first / ny < i) {
      alpha_x[index(i, j)] = alpha;
    } else {
      alpha_y[index(i, j) + static_cast<std::size_t>(i)] = alpha;
    }
  }
}

template <class Real>
CMatrix<Real>::CMatrix(const CubedSpherePanel& panel, const VerticalGrid& grid,
                       const HelmholtzParameters& parameters) {
  const CPanel<double> tables(panel, grid, parameters);
  const Vertical vertical(grid, parameters);
  const int nz = tables.nz, row = nz * tables.ny;
  const std::size_t size = tables.size();
  row_start.reserve(size + 1);
  column.reserve(7 * size);
  value.reserve(7 * size);
  lower.resize(size), inverse_pivot.resize(size), factor.resize(size);

  row_start.push_back(0);
  for (int i = 0; i < tables.nx; ++i) {
    for (int j = 0; j < tables.ny; ++j) {
      const double area = tables.area[tables.index(i, j)];
      const double west = tables.west(i, j), east = tables.east(i, j);
      const double south = tables.south(i, j), north = tables.north(i, j);
      double carry = 0;
      for (int k = 0; k < nz; ++k) {
        const int l = nz * static_cast<int>(tables.index(i, j)) + k;
        const auto level = static_cast<std::size_t>(k), at = static_cast<std::size_t>(l);
        const auto add = [&](bool exists, int other, double entry) {
          if (!exists) return;
          column.push_back(other);
          value.push_back(static_cast<Real>(entry));
        };
        const double d = vertical.d[level], up = area * vertical.b[level],
                     down = area * vertical.c[level];
        const double diagonal =
            area * vertical.a[level] - up - down - (west + east + south + north) * d;
        add(i > 0, l - row, west * d);
        add(j > 0, l - nz, south * d);
        add(k > 0, l - 1, down);
        add(true, l, diagonal);
        add(k + 1 < nz, l + 1, up);
        add(j + 1 < tables.ny, l + nz, north * d);
        add(i + 1 < tables.nx, l + row, east * d);
        row_start.push_back(static_cast<int>(column.size()));

        const double pivot = diagonal - down * carry;
        carry = up / pivot;
        lower[at] = static_cast<Real>(down);
        inverse_pivot[at] = static_cast<Real>(1 / pivot);
        factor[at] = static_cast<Real>(carry);
      }
    }
  }
}

template <class Real>
void c_apply(const CMatrix<Real>& matrix, const Real* RESTRICT x, Real* RESTRICT y) {
  const int rows = static_cast<int>(matrix.row_start.size()) - 1;
  const int *RESTRICT row_start = matrix.row_start.data(), *RESTRICT column = matrix.column.data();
  const Real* RESTRICT value = matrix.value.data();
  for (int row = 0; row < rows; ++row) {
    Real sum = 0;
    for (int entry = row_start[row]; entry < row_start[row + 1]; ++entry) {
      sum += value[entry] * x[column[entry]];
    }
    y[row] = sum;
  }
}

/// The blocks lie behind each other and do not couple: one pass up and one pass down does them all.
template <class Real>
void c_precondition(const CMatrix<Real>& matrix, const Real* RESTRICT r, Real* RESTRICT z) {
  const int n = static_cast<int>(matrix.lower.size());
  const Real *RESTRICT lower = matrix.lower.data(), *RESTRICT factor = matrix.factor.data();
  const Real* RESTRICT inverse_pivot = matrix.inverse_pivot.data();
  Real previous = 0;
  for (int l = 0; l < n; ++l) {
    previous = (r[l] - lower[l] * previous) * inverse_pivot[l];
    z[l] = previous;
  }
  for (int l = n - 1; l >= 0; --l) {
    previous = z[l] - (l + 1 < n ? factor[l] * previous : Real(0));
    z[l] = previous;
  }
}

#define LAMINA_INSTANTIATE(Real)                                   \
  template struct CPanel<Real>;                                    \
  template struct CMatrix<Real>;                                   \
  template void c_apply(const CMatrix<Real>&, const Real*, Real*); \
  template void c_precondition(const CMatrix<Real>&, const Real*, Real*);
LAMINA_INSTANTIATE(float)
LAMINA_INSTANTIATE(double)

}  // namespace Lamina::Paper
