// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// What Kokkos Kernels has that comes closest to a point-implicit sweep.

#include <lamina/blocks/BsrMatrix.hpp>

#include "VendorMeasure.hpp"
#include "Vendor_PointImplicit.hpp"

// Before 4.6 its Gauss-Seidel was in the namespace Experimental
#if defined(KOKKOSKERNELS_VERSION) && KOKKOSKERNELS_VERSION >= 40600
#define LAMINA_HAS_KERNELS_GAUSS_SEIDEL
#include <KokkosKernels_Handle.hpp>
#include <KokkosSparse_gauss_seidel.hpp>
#include <KokkosSparse_spmv.hpp>
#endif

#include <exception>
#include <string>

namespace Lamina::Perf {

/// A failure in one line.
inline std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

#if defined(LAMINA_HAS_KERNELS_GAUSS_SEIDEL)

/// The block matrix in single precision, and block Gauss-Seidel over it: it colours block rows, and
/// relaxes the scalar rows of a block one after the other.
class KernelsGaussSeidel {
 public:
  using Matrix = BsrMatrix<float, Kokkos::Cuda>;
  using Vector = Kokkos::View<float*, Matrix::device_type>;

  explicit KernelsGaussSeidel(const Matrix& matrix) : m_matrix(matrix) {
    m_handle.create_gs_handle(KokkosSparse::GS_DEFAULT);
    const int rows = matrix.numRows(), columns = matrix.numCols(), size = matrix.blockDim();
    KokkosSparse::block_gauss_seidel_symbolic(&m_handle, rows, columns, size, matrix.graph.row_map,
                                              matrix.graph.entries, true);
    KokkosSparse::block_gauss_seidel_numeric<format>(&m_handle, rows, columns, size,
                                                     matrix.graph.row_map, matrix.graph.entries,
                                                     matrix.values, true);
  }
  ~KernelsGaussSeidel() { m_handle.destroy_gs_handle(); }
  KernelsGaussSeidel(const KernelsGaussSeidel&) = delete;
  KernelsGaussSeidel& operator=(const KernelsGaussSeidel&) = delete;

  /// One forward sweep over x.
  void sweep(const Vector& b, const Vector& x) {
    KokkosSparse::forward_sweep_block_gauss_seidel_apply<format>(
        &m_handle, m_matrix.numRows(), m_matrix.numCols(), m_matrix.blockDim(),
        m_matrix.graph.row_map, m_matrix.graph.entries, m_matrix.values, x, b, false, m_is_first,
        1.0f, 1);
    m_is_first = false;  // it has b in its own order by now
  }

 private:
  static constexpr auto format = KokkosSparse::SparseMatrixFormat::BSR;
  using Handle =
      KokkosKernels::Experimental::KokkosKernelsHandle<std::size_t, int, float, Kokkos::Cuda,
                                                       Kokkos::CudaSpace, Kokkos::CudaSpace>;

  Matrix m_matrix;
  Handle m_handle;
  bool m_is_first = true;
};

/// \throws std::exception where memory lacks or a call fails
template <class System>
KernelsResult try_kernels(const System& system) {
  using Vector = KernelsGaussSeidel::Vector;
  const Kokkos::Cuda space;  // most of its calls take no other
  const auto matrix = bsr_matrix<float>(space, system.solver.coloured_matrix());
  const std::size_t size = system.b.size();
  const Vector b("Lamina::Perf::b", size), x("Lamina::Perf::x", size), y("Lamina::Perf::y", size);
  const auto flat = [&](const auto& field) {
    return Kokkos::View<double*, Vector::device_type, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
        field.data(), size);
  };
  Kokkos::deep_copy(b, flat(system.b));

  KernelsResult result;
  result.product =
      median_seconds(space, [&] { KokkosSparse::spmv("N", 1.0f, matrix, b, 0.0f, y); });
  KernelsGaussSeidel gauss_seidel(matrix);
  for (int n = 0; n < compared_sweeps; ++n) gauss_seidel.sweep(b, x);
  const auto solution = system.make_field("x");
  Kokkos::deep_copy(flat(solution), x);
  const auto zero = system.make_field("zero");
  Kokkos::fence();
  result.residual = system.solver.residual_norm_in_colour_order(system.space, system.b, solution) /
                    system.solver.residual_norm_in_colour_order(system.space, system.b, zero);
  result.gauss_seidel = median_seconds(space, [&] { gauss_seidel.sweep(b, x); });
  return result;
}

template <class System>
KernelsResult measure_kernels(const System& system) {
  const auto& matrix = system.solver.coloured_matrix();
  const std::int64_t blocks = matrix.num_blocks() + matrix.num_rows();
  KernelsResult result;
  if (blocks * matrix.block_size() * matrix.block_size() > 0x7FFFFFFF) {
    result.failure = "more than 2^31 - 1 values, by which its Gauss-Seidel counts";
    return result;
  }
  try {
    result = try_kernels(system);
  } catch (const std::exception& error) {
    result.failure = first_line(error.what());
    (void)cudaGetLastError();  // so that the next call does not find it
  }
  return result;
}

#else

template <class System>
KernelsResult measure_kernels(const System&) {
  KernelsResult result;
  result.failure = "Kokkos Kernels >= 4.6 is needed";
  return result;
}

#endif

}  // namespace Lamina::Perf
