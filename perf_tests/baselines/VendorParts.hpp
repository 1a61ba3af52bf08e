// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// The operator and the preconditioner from cuSPARSE.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "VendorContext.hpp"
#include "VendorProblem.hpp"

namespace Lamina::Perf {

/// y = A x by the generic interface, with one of its algorithms for CSR.
template <class Scalar>
class VendorSpmv {
 public:
  VendorSpmv(const VendorContext& context, const VendorProblem<Scalar>& problem,
             cusparseSpMVAlg_t algorithm)
      : m_context(context), m_algorithm(algorithm), m_size(problem.num_rows()) {
    cusparseSpMatDescr_t matrix = nullptr;
    LAMINA_VENDOR_CALL(cusparseCreateCsr(
        &matrix, m_size, m_size, static_cast<std::int64_t>(problem.values.extent(0)),
        problem.offsets.data(), problem.columns.data(), problem.values.data(), CUSPARSE_INDEX_32I,
        CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, type));
    m_matrix.reset(matrix);

    // Any two vectors do for the set-up, which reads none
    const auto x = vector(problem.rhs.data()), y = vector(problem.preconditioned.data());
    std::size_t bytes = 0;
    LAMINA_VENDOR_CALL(cusparseSpMV_bufferSize(context.sparse(), operation, &one, matrix, x.get(),
                                               &zero, y.get(), type, algorithm, &bytes));
    m_buffer = make_vendor_buffer(bytes);
    LAMINA_VENDOR_CALL(cusparseSpMV_preprocess(context.sparse(), operation, &one, matrix, x.get(),
                                               &zero, y.get(), type, algorithm, m_buffer.get()));
  }

  void apply(Scalar* x, Scalar* y) const {
    const auto x_vector = vector(x), y_vector = vector(y);
    LAMINA_VENDOR_CALL(cusparseSpMV(m_context.sparse(), operation, &one, m_matrix.get(),
                                    x_vector.get(), &zero, y_vector.get(), type, m_algorithm,
                                    m_buffer.get()));
  }

 private:
  static constexpr cudaDataType type = VendorRoutines<Scalar>::type;
  static constexpr cusparseOperation_t operation = CUSPARSE_OPERATION_NON_TRANSPOSE;
  static constexpr Scalar zero = 0, one = 1;

  using Vector = VendorHandle<cusparseDnVecDescr_t, cusparseDestroyDnVec>;
  Vector vector(Scalar* data) const {
    cusparseDnVecDescr_t descriptor = nullptr;
    LAMINA_VENDOR_CALL(cusparseCreateDnVec(&descriptor, m_size, data, type));
    return Vector(descriptor);
  }

  const VendorContext& m_context;
  cusparseSpMVAlg_t m_algorithm;
  std::int64_t m_size;
  VendorHandle<cusparseSpMatDescr_t, cusparseDestroySpMat> m_matrix;
  VendorBuffer m_buffer;
};

/// The batched tridiagonal solvers of cuSPARSE.
struct VendorTridiagonalRoutine {
  static constexpr int strided = -1;

  const char* name;
  int algorithm;  ///< of gtsvInterleavedBatch, or `strided` for gtsv2StridedBatch

  /// Which layout it wants.
  bool levels_contiguous() const { return algorithm == strided; }
};
inline constexpr std::array vendor_tridiagonal_routines{
    VendorTridiagonalRoutine{"gtsvInterleavedBatch 0 (Thomas)", 0},
    VendorTridiagonalRoutine{"gtsvInterleavedBatch 1 (LU)", 1},
    VendorTridiagonalRoutine{"gtsvInterleavedBatch 2 (QR)", 2},
    VendorTridiagonalRoutine{"gtsv2StridedBatch", VendorTridiagonalRoutine::strided}};

/// T z = r in every column. The routines work in place: r is copied to z first.
///
/// gtsvInterleavedBatch may also write to its diagonals, which are therefore copied anew before
/// every solve. What it leaves as it was is not documented: `skip_needless_copies` looks, and
/// leaves out the copies of diagonals that hold the same bits after a solve. gtsv2StridedBatch
/// promises to leave them.
template <class Scalar>
class VendorTridiagonal {
 public:
  static constexpr int num_diagonals = 3;
  static constexpr std::array<const char*, num_diagonals> names{"dl", "d", "du"};

  VendorTridiagonal(const VendorContext& context, const VendorProblem<Scalar>& problem,
                    const VendorTridiagonalRoutine& routine)
      : m_context(context),
        m_algorithm(routine.algorithm),
        m_num_columns(problem.num_columns),
        m_num_levels(problem.num_levels),
        m_originals{problem.lower, problem.diagonal, problem.upper},
        m_used(m_originals) {
    m_is_copied.fill(!is_strided());
    for (std::size_t i = 0; i < num_diagonals && !is_strided(); ++i) {
      m_used[i] = Array("Lamina::Perf::working_diagonal", m_originals[i].extent(0));
    }
    m_buffer = make_vendor_buffer(buffer_bytes());
  }

  /// z = T^-1 r, all copies included.
  void solve(const Scalar* r, Scalar* z) const {
    copy_diagonals();
    copy(z, r, m_originals[0].extent(0));
    solve_in_place(z);
  }
  void copy_diagonals() const {
    for (std::size_t i = 0; i < num_diagonals; ++i) {
      if (m_is_copied[i]) copy(m_used[i].data(), m_originals[i].data(), m_used[i].extent(0));
    }
  }

  /// Solves once, and fences. \param r, z  fields, z is overwritten
  void skip_needless_copies(const Scalar* r, Scalar* z) {
    solve(r, z);
    m_context.space().fence();
    for (std::size_t i = 0; i < num_diagonals && !is_strided(); ++i) {
      m_is_copied[i] = differ(m_used[i], m_originals[i]);
    }
  }
  bool copies_diagonals() const {
    return std::find(m_is_copied.begin(), m_is_copied.end(), true) != m_is_copied.end();
  }
  /// "d du": the diagonals that are copied before each solve.
  std::string copied_diagonals() const {
    std::string list;
    for (std::size_t i = 0; i < num_diagonals; ++i) {
      if (m_is_copied[i]) list += (list.empty() ? "" : " ") + std::string(names[i]);
    }
    return list.empty() ? "none" : list;
  }

 private:
  using Array = typename VendorProblem<Scalar>::template Array<Scalar>;
  using Routines = VendorRoutines<Scalar>;

  bool is_strided() const { return m_algorithm == VendorTridiagonalRoutine::strided; }
  Scalar* used(std::size_t i) const { return m_used[i].data(); }

  void copy(Scalar* to, const Scalar* from, std::size_t count) const {
    LAMINA_VENDOR_CALL(cudaMemcpyAsync(to, from, count * sizeof(Scalar), cudaMemcpyDeviceToDevice,
                                       m_context.stream()));
  }
  std::size_t buffer_bytes() const {
    std::size_t bytes = 0;
    if (is_strided()) {
      LAMINA_VENDOR_CALL(Routines::gtsv_strided_buffer_size(m_context.sparse(), m_num_levels,
                                                            used(0), used(1), used(2), used(0),
                                                            m_num_columns, m_num_levels, &bytes));
    } else {
      LAMINA_VENDOR_CALL(Routines::gtsv_interleaved_buffer_size(
          m_context.sparse(), m_algorithm, m_num_levels, used(0), used(1), used(2), used(0),
          m_num_columns, &bytes));
    }
    return bytes;
  }
  void solve_in_place(Scalar* x) const {
    if (is_strided()) {
      LAMINA_VENDOR_CALL(Routines::gtsv_strided(m_context.sparse(), m_num_levels, used(0), used(1),
                                                used(2), x, m_num_columns, m_num_levels,
                                                m_buffer.get()));
    } else {
      LAMINA_VENDOR_CALL(Routines::gtsv_interleaved(m_context.sparse(), m_algorithm, m_num_levels,
                                                    used(0), used(1), used(2), x, m_num_columns,
                                                    m_buffer.get()));
    }
  }
  static bool differ(const Array& a, const Array& b) {
    const auto left = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), a);
    const auto right = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), b);
    return !std::equal(left.data(), left.data() + left.extent(0), right.data());
  }

  const VendorContext& m_context;
  int m_algorithm, m_num_columns, m_num_levels;
  std::array<Array, num_diagonals> m_originals, m_used;
  std::array<bool, num_diagonals> m_is_copied;
  VendorBuffer m_buffer;
};

}  // namespace Lamina::Perf
