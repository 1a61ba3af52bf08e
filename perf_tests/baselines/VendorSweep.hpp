// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// A sweep from cuSPARSE and cuBLAS, as Zubair et al. (2016) take it from them.

#include <lamina/blocks/BlockSparseMatrix.hpp>
#include <lamina/blocks/Colouring.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "VendorContext.hpp"

namespace Lamina::Perf {

/// Products with sparse matrices of dense blocks that cuSPARSE has. The first has none for blocks of
/// one row.
enum class VendorBlockProduct { bsrmv, spmv };
/// The generic interface takes blocks from CUDA 13 on.
inline constexpr bool vendor_spmv_takes_blocks = CUSPARSE_VERSION >= 12600;

template <class T>
using VendorArray = Kokkos::View<T*, Kokkos::CudaSpace>;

/// begin, begin + stride, ... in device memory, as the batched routines want their operands.
template <class Scalar>
class VendorPointers {
 public:
  VendorPointers(Scalar* begin, std::int64_t stride, int count) {
    std::vector<Scalar*> pointers;
    pointers.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) pointers.push_back(begin + i * stride);
    const std::size_t bytes = pointers.size() * sizeof(Scalar*);
    m_pointers = make_vendor_buffer(bytes);
    LAMINA_VENDOR_CALL(
        cudaMemcpy(m_pointers.get(), pointers.data(), bytes, cudaMemcpyHostToDevice));
  }
  Scalar* const* data() const { return static_cast<Scalar* const*>(m_pointers.get()); }

 private:
  VendorBuffer m_pointers;
};

/// A matrix of blocks in one precision, its diagonal blocks as factors without pivoting. Blocks off
/// the diagonal that have this precision already are those of the matrix that it is made of, which
/// must outlive it.
template <class Scalar>
class VendorBlocks {
 public:
  /// \throws VendorError where a library call fails; std::exception where memory lacks
  template <class OffDiagonal>
  VendorBlocks(const VendorContext& context,
               const BlockSparseMatrix<double, OffDiagonal, Kokkos::CudaSpace>& matrix)
      : m_num_rows(matrix.num_rows()),
        m_block_size(matrix.block_size()),
        m_columns(matrix.columns()) {
    m_off_diagonal = in_precision("off_diagonal", matrix.off_diagonal());
    const auto diagonal = copied("factors", matrix.diagonal());
    m_factors = diagonal;
    Kokkos::fence();  // the stream of the context goes on
    factor(context, diagonal);
  }

  int num_rows() const { return m_num_rows; }
  int block_size() const { return m_block_size; }
  std::int64_t block_values() const { return std::int64_t{m_block_size} * m_block_size; }
  const int* columns() const { return m_columns.data(); }
  const Scalar* off_diagonal() const { return m_off_diagonal.data(); }
  const Scalar* factors() const { return m_factors.data(); }

 private:
  using Values = Kokkos::View<const Scalar*, Kokkos::CudaSpace>;

  template <class Blocks>
  static VendorArray<Scalar> copied(const std::string& name, const Blocks& blocks) {
    const VendorArray<Scalar> copy(
        Kokkos::view_alloc("Lamina::Perf::" + name, Kokkos::WithoutInitializing), blocks.size());
    using From = typename Blocks::non_const_value_type;
    Kokkos::deep_copy(
        copy, Kokkos::View<const From*, Kokkos::CudaSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
                  blocks.data(), blocks.size()));
    return copy;
  }
  template <class Blocks>
  static Values in_precision(const std::string& name, const Blocks& blocks) {
    if constexpr (std::is_same_v<typename Blocks::non_const_value_type, Scalar>) {
      return Values(blocks.data(), blocks.size());
    } else {
      return copied(name, blocks);
    }
  }
  void factor(const VendorContext& context, const VendorArray<Scalar>& diagonal) const;

  int m_num_rows, m_block_size;
  Kokkos::View<const int*, Kokkos::CudaSpace> m_columns;
  Values m_off_diagonal, m_factors;
};

template <class Scalar>
void VendorBlocks<Scalar>::factor(const VendorContext& context,
                                  const VendorArray<Scalar>& diagonal) const {
  const VendorPointers<Scalar> blocks(diagonal.data(), block_values(), m_num_rows);
  const VendorArray<int> info("Lamina::Perf::info", static_cast<std::size_t>(m_num_rows));
  Kokkos::fence();
  LAMINA_VENDOR_CALL(VendorRoutines<Scalar>::getrf_batched(
      context.blas(), m_block_size, blocks.data(), m_block_size, nullptr, info.data(), m_num_rows));
  context.space().fence();
}

/// x_i = D_i^-1 (b_i - sum over j of O_ij x_j), one colour after the other: a copy of b, one sparse
/// product and two batched triangular solves each.
///
/// The product of a colour is written to its own part of x, which it does not read: rows of one
/// colour are not coupled. That spares the vendor a vector.
template <class Scalar>
class VendorSweep {
 public:
  VendorSweep(const VendorContext& context, const VendorBlocks<Scalar>& blocks,
              const ColourOrdering& ordering, const std::vector<std::int64_t>& offsets,
              VendorBlockProduct product)
      : m_context(context),
        m_blocks(blocks),
        m_product(product),
        m_one("Lamina::Perf::one", 1),
        m_x("Lamina::Perf::x", static_cast<std::size_t>(blocks.num_rows()) *
                                   static_cast<std::size_t>(blocks.block_size())),
        m_solutions(m_x.data(), blocks.block_size(), blocks.num_rows()),
        m_factors(blocks.factors(), blocks.block_values(), blocks.num_rows()) {
    Kokkos::deep_copy(m_one, Scalar(1));
    cusparseMatDescr_t descriptor = nullptr;
    LAMINA_VENDOR_CALL(cusparseCreateMatDescr(&descriptor));
    m_descriptor.reset(descriptor);
    slice(ordering, offsets);
    if (product == VendorBlockProduct::spmv) describe_slices();
    Kokkos::fence();  // all this was filled on another stream
  }

  /// One sweep over x with right-hand side b, enqueued on the stream of the context.
  void sweep(const Scalar* b) const {
    for (const Slice& colour : m_slices) sweep_colour(colour, b);
  }
  const VendorArray<Scalar>& x() const { return m_x; }

 private:
  using MatrixHandle = VendorHandle<cusparseSpMatDescr_t, cusparseDestroySpMat>;

  /// The rows of one colour.
  struct Slice {
    int first = 0, num_rows = 0, num_blocks = 0;
    std::int64_t first_block = 0;
    const int* offsets = nullptr;  ///< from 0
    // Of the generic interface
    MatrixHandle matrix{};
    VendorHandle<cusparseDnVecDescr_t, cusparseDestroyDnVec> y{};
    VendorBuffer buffer{};
  };
  using Routines = VendorRoutines<Scalar>;
  static constexpr Scalar minus_one = -1, plus_one = 1;

  /// \param offsets  of the rows of the whole matrix
  void slice(const ColourOrdering& ordering, const std::vector<std::int64_t>& offsets) {
    std::vector<int> own;
    for (std::size_t k = 0; k + 1 < ordering.offsets().size(); ++k) {
      const int first = ordering.offsets()[k], last = ordering.offsets()[k + 1];
      const std::int64_t begin = offsets[static_cast<std::size_t>(first)];
      for (int row = first; row <= last; ++row) {
        own.push_back(static_cast<int>(offsets[static_cast<std::size_t>(row)] - begin));
      }
      Slice colour;
      colour.first = first;
      colour.num_rows = last - first;
      colour.num_blocks = own.back();
      colour.first_block = begin;
      m_slices.push_back(std::move(colour));
    }
    m_offsets = VendorArray<int>("Lamina::Perf::offsets", own.size());
    Kokkos::deep_copy(
        m_offsets, Kokkos::View<int*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
                       own.data(), own.size()));
    const int* next = m_offsets.data();
    for (Slice& colour : m_slices) {
      colour.offsets = next;
      next += colour.num_rows + 1;
    }
  }

  const int* columns(const Slice& colour) const { return m_blocks.columns() + colour.first_block; }
  const Scalar* values(const Slice& colour) const {
    return m_blocks.off_diagonal() + colour.first_block * m_blocks.block_values();
  }
  Scalar* part(const Slice& colour) const {
    return m_x.data() + std::int64_t{colour.first} * m_blocks.block_size();
  }

  void describe_slices();
  MatrixHandle describe(const Slice& colour) const;
  cusparseSpMVAlg_t spmv_algorithm() const;
  void multiply(const Slice& colour) const;
  void sweep_colour(const Slice& colour, const Scalar* b) const;

  const VendorContext& m_context;
  const VendorBlocks<Scalar>& m_blocks;
  VendorBlockProduct m_product;
  VendorArray<Scalar> m_one, m_x;
  VendorArray<int> m_offsets;
  VendorPointers<Scalar> m_solutions;
  VendorPointers<const Scalar> m_factors;
  VendorHandle<cusparseMatDescr_t, cusparseDestroyMatDescr> m_descriptor;
  VendorHandle<cusparseDnVecDescr_t, cusparseDestroyDnVec> m_x_vector;
  std::vector<Slice> m_slices;
};

template <class Scalar>
void VendorSweep<Scalar>::describe_slices() {
  const int size = m_blocks.block_size();
  const auto type = Routines::type;
  const auto vector = [&](Scalar* data, std::int64_t rows) {
    cusparseDnVecDescr_t descriptor = nullptr;
    LAMINA_VENDOR_CALL(cusparseCreateDnVec(&descriptor, rows * size, data, type));
    return VendorHandle<cusparseDnVecDescr_t, cusparseDestroyDnVec>(descriptor);
  };
  m_x_vector = vector(m_x.data(), m_blocks.num_rows());
  for (Slice& colour : m_slices) {
    colour.matrix = describe(colour);
    colour.y = vector(part(colour), colour.num_rows);
    std::size_t bytes = 0;
    LAMINA_VENDOR_CALL(cusparseSpMV_bufferSize(
        m_context.sparse(), CUSPARSE_OPERATION_NON_TRANSPOSE, &minus_one, colour.matrix.get(),
        m_x_vector.get(), &plus_one, colour.y.get(), type, spmv_algorithm(), &bytes));
    colour.buffer = make_vendor_buffer(bytes);
  }
}

/// Compressed rows where blocks are single values: the library takes no such blocks.
template <class Scalar>
auto VendorSweep<Scalar>::describe(const Slice& colour) const -> MatrixHandle {
  const int size = m_blocks.block_size();
  cusparseSpMatDescr_t matrix = nullptr;
  // What is only read is taken as a pointer to what may be written
  auto* const offsets = const_cast<int*>(colour.offsets);
  auto* const names = const_cast<int*>(columns(colour));
  auto* const entries = const_cast<Scalar*>(values(colour));
  if (size == 1) {
    LAMINA_VENDOR_CALL(cusparseCreateCsr(
        &matrix, colour.num_rows, m_blocks.num_rows(), colour.num_blocks, offsets, names, entries,
        CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, Routines::type));
    return MatrixHandle(matrix);
  }
#if CUSPARSE_VERSION >= 12600
  LAMINA_VENDOR_CALL(
      cusparseCreateBsr(&matrix, colour.num_rows, m_blocks.num_rows(), colour.num_blocks, size,
                        size, offsets, names, entries, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                        CUSPARSE_INDEX_BASE_ZERO, Routines::type, CUSPARSE_ORDER_COL));
#endif
  return MatrixHandle(matrix);
}

template <class Scalar>
cusparseSpMVAlg_t VendorSweep<Scalar>::spmv_algorithm() const {
#if CUSPARSE_VERSION >= 12600
  if (m_blocks.block_size() > 1) return CUSPARSE_SPMV_BSR_ALG1;
#endif
  return CUSPARSE_SPMV_ALG_DEFAULT;
}

/// x = x - O x over the rows of a colour, which O does not read.
template <class Scalar>
void VendorSweep<Scalar>::multiply(const Slice& colour) const {
  if (m_product == VendorBlockProduct::bsrmv) {
    LAMINA_VENDOR_CALL(Routines::bsrmv(
        m_context.sparse(), CUSPARSE_DIRECTION_COLUMN, CUSPARSE_OPERATION_NON_TRANSPOSE,
        colour.num_rows, m_blocks.num_rows(), colour.num_blocks, &minus_one, m_descriptor.get(),
        values(colour), colour.offsets, columns(colour), m_blocks.block_size(), m_x.data(),
        &plus_one, part(colour)));
    return;
  }
  LAMINA_VENDOR_CALL(cusparseSpMV(m_context.sparse(), CUSPARSE_OPERATION_NON_TRANSPOSE, &minus_one,
                                  colour.matrix.get(), m_x_vector.get(), &plus_one, colour.y.get(),
                                  Routines::type, spmv_algorithm(), colour.buffer.get()));
}

template <class Scalar>
void VendorSweep<Scalar>::sweep_colour(const Slice& colour, const Scalar* b) const {
  const int size = m_blocks.block_size();
  const std::int64_t values = std::int64_t{colour.num_rows} * size;
  LAMINA_VENDOR_CALL(cudaMemcpyAsync(part(colour), b + std::int64_t{colour.first} * size,
                                     static_cast<std::size_t>(values) * sizeof(Scalar),
                                     cudaMemcpyDeviceToDevice, m_context.stream()));
  if (colour.num_blocks > 0) multiply(colour);
  const auto solve = [&](cublasFillMode_t part_of_block, cublasDiagType_t diagonal) {
    LAMINA_VENDOR_CALL(
        Routines::trsm_batched(m_context.blas(), CUBLAS_SIDE_LEFT, part_of_block, CUBLAS_OP_N,
                               diagonal, size, 1, m_one.data(), m_factors.data() + colour.first,
                               size, m_solutions.data() + colour.first, size, colour.num_rows));
  };
  solve(CUBLAS_FILL_MODE_LOWER, CUBLAS_DIAG_UNIT);
  solve(CUBLAS_FILL_MODE_UPPER, CUBLAS_DIAG_NON_UNIT);
}

}  // namespace Lamina::Perf
