// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Helmholtz_CSerial.hpp"

#include <algorithm>
#include <cmath>

#include "Helmholtz_CSerialLevel1.hpp"

#define RESTRICT __restrict__

namespace Lamina::Paper {
namespace {

// --- One column ---

/// Coefficients of one column, and where its neighbours begin. A neighbour that does not exist has
/// coupling 0; the column itself stands in for it.
template <class Real>
struct Column {
  std::size_t first, west, east, south, north;
  Real area, alpha_west, alpha_east, alpha_south, alpha_north, alpha;

  Column(const CPanel<Real>& panel, int i, int j) {
    const std::size_t nz = static_cast<std::size_t>(panel.nz),
                      row = nz * static_cast<std::size_t>(panel.ny);
    first = nz * panel.index(i, j);
    west = i > 0 ? first - row : first;
    east = i + 1 < panel.nx ? first + row : first;
    south = j > 0 ? first - nz : first;
    north = j + 1 < panel.ny ? first + nz : first;
    area = panel.area[panel.index(i, j)];
    alpha_west = panel.west(i, j), alpha_east = panel.east(i, j);
    alpha_south = panel.south(i, j), alpha_north = panel.north(i, j);
    alpha = alpha_west + alpha_east + alpha_south + alpha_north;
  }
};

/// image(k, value) for each level k of a column, with row k of A x as `value`. The two ends stand
/// outside the loop, which has no condition left in it.
template <class Real, class Image>
inline void apply_column(const CPanel<Real>& panel, const Column<Real>& at, const Real* RESTRICT x,
                         const Image& image) {
  const int nz = panel.nz;
  const Real *RESTRICT b = panel.b.data(), *RESTRICT c = panel.c.data(),
                       *RESTRICT d = panel.d.data();
  const Real* RESTRICT centre = panel.centre.data();
  const Real *RESTRICT here = x + at.first, *RESTRICT west = x + at.west,
                       *RESTRICT east = x + at.east;
  const Real *RESTRICT south = x + at.south, *RESTRICT north = x + at.north;
  const auto row = [&](int k, Real below, Real above) {
    return d[k] * ((centre[k] * at.area - at.alpha) * here[k] +
                   at.area * (b[k] * above + c[k] * below) + at.alpha_east * east[k] +
                   at.alpha_west * west[k] + at.alpha_north * north[k] + at.alpha_south * south[k]);
  };
  image(0, row(0, Real(0), nz > 1 ? here[1] : Real(0)));
  for (int k = 1; k < nz - 1; ++k) image(k, row(k, here[k - 1], here[k + 1]));
  if (nz > 1) image(nz - 1, row(nz - 1, here[nz - 2], Real(0)));
}

/// Thomas' algorithm in a column with right-hand sides rhs(k); back(k, z_k) sees the solution, from
/// the top down. `phi` is scratch.
template <class Real, class Rhs, class Back>
inline void solve_column(const CPanel<Real>& panel, const Column<Real>& at, const Rhs& rhs,
                         Real* RESTRICT z, Real* RESTRICT phi, const Back& back) {
  const int nz = panel.nz;
  const Real *RESTRICT b = panel.b.data(), *RESTRICT c = panel.c.data();
  const Real *RESTRICT centre = panel.centre.data(), *RESTRICT inverse_d = panel.inverse_d.data();
  const Real inverse_area = Real(1) / at.area, alpha = at.alpha * inverse_area;

  Real inverse_pivot = Real(1) / (centre[0] - alpha);
  phi[0] = b[0] * inverse_pivot;
  z[0] = rhs(0) * inverse_area * inverse_d[0] * inverse_pivot;
  for (int k = 1; k < nz; ++k) {
    inverse_pivot = Real(1) / ((centre[k] - alpha) - phi[k - 1] * c[k]);
    phi[k] = b[k] * inverse_pivot;
    z[k] = (rhs(k) * inverse_area * inverse_d[k] - c[k] * z[k - 1]) * inverse_pivot;
  }
  back(nz - 1, z[nz - 1]);
  for (int k = nz - 2; k >= 0; --k) {
    z[k] -= phi[k] * z[k + 1];
    back(k, z[k]);
  }
}

}  // namespace

// --- Sweeps over the panel ---

template <class Real>
void c_apply(const CPanel<Real>& panel, const Real* RESTRICT x, Real* RESTRICT y) {
  for (int i = 0; i < panel.nx; ++i) {
    for (int j = 0; j < panel.ny; ++j) {
      const Column<Real> at(panel, i, j);
      Real* RESTRICT to = y + at.first;
      apply_column(panel, at, x, [&](int k, Real value) { to[k] = value; });
    }
  }
}

template <class Real>
void c_precondition(const CPanel<Real>& panel, const Real* RESTRICT r, Real* RESTRICT z) {
  std::vector<Real> phi(static_cast<std::size_t>(panel.nz));
  for (int i = 0; i < panel.nx; ++i) {
    for (int j = 0; j < panel.ny; ++j) {
      const Column<Real> at(panel, i, j);
      const Real* RESTRICT from = r + at.first;
      solve_column(
          panel, at, [&](int k) { return from[k]; }, z + at.first, phi.data(), [](int, Real) {});
    }
  }
}

template <class Real>
double c_interleaved_apply(const CPanel<Real>& panel, Real alpha, Real beta, const Real* RESTRICT z,
                           Real* RESTRICT u, Real* RESTRICT p, Real* RESTRICT q) {
  double sigma = 0;
  const auto nz = static_cast<std::size_t>(panel.nz);
  for (int i = 0; i < panel.nx; ++i) {
    for (int j = 0; j < panel.ny; ++j) {
      const Column<Real> at(panel, i, j);
      const Real* RESTRICT z_at = z + at.first;
      Real *RESTRICT u_at = u + at.first, *RESTRICT p_at = p + at.first,
                     *RESTRICT q_at = q + at.first;
      apply_column(panel, at, z, [&](int k, Real value) {
        u_at[k] += alpha * p_at[k];
        p_at[k] = beta * p_at[k] + z_at[k];
        q_at[k] = beta * q_at[k] + value;
      });
      sigma += dot(nz, p_at, q_at);  // both still in the first-level cache
    }
  }
  return sigma;
}

template <class Real>
CSums c_interleaved_precondition(const CPanel<Real>& panel, Real alpha, const Real* RESTRICT q,
                                 Real* RESTRICT r, Real* RESTRICT z) {
  CSums sums{0, 0};
  std::vector<Real> phi(static_cast<std::size_t>(panel.nz));
  for (int i = 0; i < panel.nx; ++i) {
    for (int j = 0; j < panel.ny; ++j) {
      const Column<Real> at(panel, i, j);
      const Real* RESTRICT q_at = q + at.first;
      Real* RESTRICT r_at = r + at.first;
      Real residual2 = 0, energy = 0;
      const auto updated = [&](int k) {
        const Real value = r_at[k] - alpha * q_at[k];
        residual2 += value * value;
        return r_at[k] = value;
      };
      solve_column(panel, at, updated, z + at.first, phi.data(),
                   [&](int k, Real value) { energy += value * r_at[k]; });
      sums.residual2 += static_cast<double>(residual2);
      sums.energy += static_cast<double>(energy);
    }
  }
  return sums;
}

// --- Solvers ---

template <class Real, template <class> class Operator>
std::vector<double> c_pcg(const Operator<Real>& op, const std::vector<Real>& f,
                          std::vector<Real>& u, CWorkspace<Real>& work, int iterations) {
  const std::size_t n = f.size();
  Real *r = work.r.data(), *z = work.z.data(), *p = work.p.data(), *q = work.q.data();
  std::fill(u.begin(), u.end(), Real(0));
  work.r = f;
  c_precondition(op, r, z);
  work.p = work.z;
  double kappa = dot(n, r, z);
  const double initial = std::sqrt(dot(n, r, r));
  std::vector<double> history{1};
  for (int iteration = 1; iteration <= iterations; ++iteration) {
    c_apply(op, p, q);
    const double alpha = kappa / dot(n, p, q);
    axpy(n, static_cast<Real>(alpha), p, u.data());
    axpy(n, static_cast<Real>(-alpha), q, r);
    history.push_back(std::sqrt(dot(n, r, r)) / initial);
    if (iteration == iterations) break;
    c_precondition(op, r, z);
    const double previous = kappa;
    kappa = dot(n, r, z);
    xpby(n, z, static_cast<Real>(kappa / previous), p);
  }
  return history;
}

template <class Real>
std::vector<double> c_interleaved_pcg(const CPanel<Real>& panel, const std::vector<Real>& f,
                                      std::vector<Real>& u, CWorkspace<Real>& work,
                                      int iterations) {
  const std::size_t n = f.size();
  Real *r = work.r.data(), *z = work.z.data(), *p = work.p.data(), *q = work.q.data();
  for (std::vector<Real>* zeroed : {&u, &work.p, &work.q})
    std::fill(zeroed->begin(), zeroed->end(), Real(0));
  work.r = f;
  double alpha = 0, previous = 0, initial = 0;
  std::vector<double> history;
  for (int pass = 0; pass < iterations; ++pass) {
    const CSums sums = c_interleaved_precondition(panel, static_cast<Real>(alpha), q, r, z);
    if (pass == 0) initial = std::sqrt(sums.residual2);
    history.push_back(std::sqrt(sums.residual2) / initial);
    const double beta = pass == 0 ? 0 : sums.energy / previous;
    previous = sums.energy;
    alpha = previous / c_interleaved_apply(panel, static_cast<Real>(alpha), static_cast<Real>(beta),
                                           z, u.data(), p, q);
  }
  axpy(n, static_cast<Real>(alpha), p, u.data());  // pending
  axpy(n, static_cast<Real>(-alpha), q, r);
  history.push_back(std::sqrt(dot(n, r, r)) / initial);
  return history;
}

#define LAMINA_INSTANTIATE(Real)                                                                   \
  template void c_apply(const CPanel<Real>&, const Real*, Real*);                                  \
  template void c_precondition(const CPanel<Real>&, const Real*, Real*);                           \
  template double c_interleaved_apply(const CPanel<Real>&, Real, Real, const Real*, Real*, Real*,  \
                                      Real*);                                                      \
  template CSums c_interleaved_precondition(const CPanel<Real>&, Real, const Real*, Real*, Real*); \
  template std::vector<double> c_pcg(const CPanel<Real>&, const std::vector<Real>&,                \
                                     std::vector<Real>&, CWorkspace<Real>&, int);                  \
  template std::vector<double> c_pcg(const CMatrix<Real>&, const std::vector<Real>&,               \
                                     std::vector<Real>&, CWorkspace<Real>&, int);                  \
  template std::vector<double> c_interleaved_pcg(const CPanel<Real>&, const std::vector<Real>&,    \
                                                 std::vector<Real>&, CWorkspace<Real>&, int);
LAMINA_INSTANTIATE(float)
LAMINA_INSTANTIATE(double)

}  // namespace Lamina::Paper
