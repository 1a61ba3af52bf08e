// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/helmholtz/HelmholtzOperator.hpp>
#include <lamina/lines/LineSolver.hpp>

#include <KokkosSparse_CrsMatrix.hpp>

#include <cstdint>
#include <vector>

namespace Lamina {

/// The assembled twin of `HelmholtzOperator`: the same matrix in the compressed rows of Kokkos
/// Kernels, and its tridiagonal blocks as fields. It is the baseline of the matrix-free operator
/// (Müller et al. 2013, section 4).
///
/// Unknown (c, k) is numbered as in a contiguous field of `Layout`. Entries are computed in double
/// precision and rounded once: diagonal |T| (a_k - b_k - c_k) - (sum_n alpha_n + alpha_b) d_k,
/// levels above and below |T| b_k and |T| c_k, neighbours alpha_n d_k.
template <FieldScalar Scalar, FieldLayout Layout, ExecutionSpace Space>
class CsrHelmholtz {
 public:
  using scalar_type = Scalar;
  using memory_space = typename Space::memory_space;
  using matrix_type =
      KokkosSparse::CrsMatrix<Scalar, int, typename Space::device_type, void, std::int64_t>;
  using field_type = Kokkos::View<Scalar**, Layout, memory_space>;
  using tridiagonal_type = SymmetricTridiagonal<Kokkos::View<const Scalar**, Layout, memory_space>>;

  /// Assembles the matrix. Allocates and fences.
  /// \throws InvalidArgument as `HelmholtzOperator` does, and where there are 2^31 unknowns or
  ///   more, or columns of `mesh` that are not owned.
  CsrHelmholtz(const Space& space, const ColumnMesh<memory_space>& mesh, const VerticalGrid& grid,
               const HelmholtzParameters& parameters);

  /// Bytes in its memory space of a matrix on a grid of that size, at most, beside those of the
  /// mesh. On a device the constructor needs as many on the host meanwhile.
  static double required_bytes(const ColumnGridSize& size) {
    const double columns = static_cast<double>(size.num_columns()), levels = size.num_levels,
                 unknowns = columns * levels,
                 entries = unknowns * (size.max_neighbours + 1) + 2 * columns * (levels - 1);
    return Impl::small_arrays_bytes + entries * (sizeof(Scalar) + sizeof(int)) +
           (unknowns + 1) * sizeof(std::int64_t) + 2 * unknowns * sizeof(Scalar);
  }

  int num_owned() const { return m_num_columns; }
  int num_columns() const { return m_num_columns; }
  int num_levels() const { return m_num_levels; }

  const matrix_type& matrix() const { return m_matrix; }
  /// The blocks of the columns, for `LineSolver`.
  const tridiagonal_type& tridiagonal() const { return m_tridiagonal; }

  /// How far rounding may move the mean of solutions. It is further than in `HelmholtzOperator`,
  /// because the diagonal has mass term and couplings in one number.
  const RoundingError& rounding_error() const { return m_rounding_error; }

  /// y = A x by the SpMV of Kokkos Kernels. Before version 4.0 it runs on the default instance of
  /// `Space`.
  /// \param x, y  contiguous fields of `Layout`; they must not overlap
  /// \throws InvalidArgument for wrong extents and padded Views.
  template <FieldOf<Scalar, memory_space> In, FieldOf<Scalar, memory_space> Out>
  void apply(const Space& space, const In& x, const Out& y) const;

  std::vector<KernelCost> kernel_costs() const;

 private:
  void multiply(const Space& space, const Scalar* x, Scalar* y) const;

  int m_num_columns, m_num_levels;
  RoundingError m_rounding_error;
  matrix_type m_matrix;
  tridiagonal_type m_tridiagonal;
};

}  // namespace Lamina

#include <lamina/helmholtz/impl/CsrHelmholtz_Impl.hpp>
