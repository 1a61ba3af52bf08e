// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// The baseline: the paper's sequential program (Müller et al. 2013) as plain loops over i, j, k, with
// contiguous columns, l = nz (ny i + j) + k. No Kokkos, no vector types, one core; it solves the same
// discrete problem as the library and makes the same iterates.

#include <lamina/grids/CubedSpherePanel.hpp>
#include <lamina/grids/VerticalGrid.hpp>
#include <lamina/helmholtz/HelmholtzOperator.hpp>

#include <cstddef>
#include <vector>

namespace Lamina::Paper {

/// What the matrix-free program stores.
template <class Real>
struct CPanel {
  int nx, ny, nz;
  std::vector<Real> b, c, d;           ///< b', c', d of eq. (17), over the levels
  std::vector<Real> centre;            ///< a' - b' - c'
  std::vector<Real> inverse_d;         ///< 1/d: a multiplication instead of a division per cell
  std::vector<Real> area;              ///< |T_ij|, at ny i + j
  std::vector<Real> alpha_x, alpha_y;  ///< of the edge between i - 1 and i (j - 1 and j); 0 outside

  CPanel(const CubedSpherePanel& panel, const VerticalGrid& grid,
         const HelmholtzParameters& parameters);

  std::size_t size() const { return area.size() * static_cast<std::size_t>(nz); }
  Real west(int i, int j) const { return alpha_x[index(i, j)]; }
  Real east(int i, int j) const { return alpha_x[index(i + 1, j)]; }
  Real south(int i, int j) const { return alpha_y[index(i, j) + static_cast<std::size_t>(i)]; }
  Real north(int i, int j) const { return alpha_y[index(i, j) + static_cast<std::size_t>(i) + 1]; }
  std::size_t index(int i, int j) const {
    return static_cast<std::size_t>(ny) * static_cast<std::size_t>(i) + static_cast<std::size_t>(j);
  }
};

/// What the matrix-explicit program stores: compressed rows, and the factors of the tridiagonal blocks.
template <class Real>
struct CMatrix {
  std::vector<int> row_start, column;
  std::vector<Real> value;
  std::vector<Real> lower, inverse_pivot, factor;

  CMatrix(const CubedSpherePanel& panel, const VerticalGrid& grid,
          const HelmholtzParameters& parameters);
};

template <class Real>
struct CWorkspace {
  explicit CWorkspace(std::size_t size) : r(size), z(size), p(size), q(size) {}
  std::vector<Real> r, z, p, q;
};

/// y = A x, eq. (18).
template <class Real>
void c_apply(const CPanel<Real>& panel, const Real* x, Real* y);
/// z = M^-1 r by Thomas' algorithm, eq. (19).
template <class Real>
void c_precondition(const CPanel<Real>& panel, const Real* r, Real* z);

/// The same with the stored matrix.
template <class Real>
void c_apply(const CMatrix<Real>& matrix, const Real* x, Real* y);
template <class Real>
void c_precondition(const CMatrix<Real>& matrix, const Real* r, Real* z);

/// Algorithm 2: u += alpha p; p = z + beta p; q = A z + beta q. \return <p, q>
template <class Real>
double c_interleaved_apply(const CPanel<Real>& panel, Real alpha, Real beta, const Real* z, Real* u,
                           Real* p, Real* q);

struct CSums {
  double residual2, energy;
};
/// Algorithm 3: r -= alpha q; z = M^-1 r. \return <r, r> and <r, z>
template <class Real>
CSums c_interleaved_precondition(const CPanel<Real>& panel, Real alpha, const Real* q, Real* r,
                                 Real* z);

/// `iterations` steps of PCG from u = 0, with `CPanel` or `CMatrix`.
/// \return |r_n| / |r_0| for n = 0 ... iterations
template <class Real, template <class> class Operator>
std::vector<double> c_pcg(const Operator<Real>& op, const std::vector<Real>& f,
                          std::vector<Real>& u, CWorkspace<Real>& work, int iterations);
/// The same by algorithm 1, completed: its start, and the update of u that is pending at the end.
template <class Real>
std::vector<double> c_interleaved_pcg(const CPanel<Real>& panel, const std::vector<Real>& f,
                                      std::vector<Real>& u, CWorkspace<Real>& work, int iterations);

}  // namespace Lamina::Paper
