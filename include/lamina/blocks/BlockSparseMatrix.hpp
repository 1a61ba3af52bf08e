// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/blocks/Colouring.hpp>
#include <lamina/blocks/impl/rows/BlockRows.hpp>
#include <lamina/blocks/impl/values/OwnedValues.hpp>
#include <lamina/core/Concepts.hpp>
#include <lamina/core/KernelRecord.hpp>

#include <cstdint>
#include <vector>

namespace Lamina {

/// A vector of a block system: a field (block row, component) of `LayoutRight`. The components of a
/// block row are contiguous.
template <class V, class Scalar, class Memory>
concept BlockField =
    FieldOf<V, Scalar, Memory> && std::same_as<typename V::array_layout, Kokkos::LayoutRight>;

/// A square matrix of dense blocks in compressed block rows, with the diagonal stored apart: A = D
/// + O. Or the rows of it that one of several ranks owns.
///
/// \par Equation
///
///   (A x)_i = D_i x_i + sum over k in [row_offsets(i), row_offsets(i + 1)) of O_k x_columns(k)
///
/// \par Shapes
/// A block has `block_size` x `block_size` entries and is column-major: entry (r, c) of block n is
/// diagonal(r, c, n) or off_diagonal(r, c, n), in rank-3 Views of `LayoutLeft`. Offsets have 64
/// bits, columns 32. Copies share the Views.
///
/// \par Several ranks
/// A rank has its own block rows. Columns are local numbers: those of own rows, then `num_halo`
/// columns whose rows other ranks own, see `LocalBlockRows`. Vectors have `num_columns()` block
/// rows. Products read the halo rows of x, which must be up to date (`HaloExchange`), and leave
/// those of y as they are.
///
/// \par Half precision
/// `Half` reaches from 6e-5 to 65504 only. So each row of the matrix has a scale: entry (r, c) of
/// O_k in block row i is row_scales(i, r) off_diagonal(r, c, k). The units of the equations do not
/// matter then. See `rounded_to_half`.
///
/// \tparam Scalar       of the diagonal and of vectors; products are summed in it
/// \tparam OffDiagonal  of the blocks of O, which are most of the memory and of the traffic: float,
///   double or `Half`
template <FieldScalar Scalar, StoredScalar OffDiagonal, MemorySpace Memory>
class BlockSparseMatrix {
 public:
  using scalar_type = Scalar;
  using off_diagonal_type = OffDiagonal;
  using memory_space = Memory;
  using offsets_view = Kokkos::View<const std::int64_t*, Memory>;
  using columns_view = Kokkos::View<const int*, Memory>;
  template <class Value>
  using blocks_view = Kokkos::View<const Value***, Kokkos::LayoutLeft, Memory>;
  using row_scales_view = Kokkos::View<const float**, Kokkos::LayoutRight, Memory>;

  /// An empty matrix of no rows.
  BlockSparseMatrix() {}  // NOLINT(modernize-use-equals-default): see ColumnMesh

  /// Takes the Views of the user, also unmanaged ones, without a copy. Checks them on the host.
  /// Fences `space`.
  /// \param row_offsets   (rows + 1), from 0 to the number of blocks off the diagonal
  /// \param columns       of each block; a row must not name a column twice, or its own
  /// \param diagonal      (block_size, block_size, rows)
  /// \param off_diagonal  (block_size, block_size, blocks)
  /// \param row_scales    (rows, block_size) where O is stored in `Half`, none otherwise
  /// \param num_halo      columns after those of the rows
  /// \throws InvalidArgument for Views that do not fit together or have gaps, blocks of more than
  ///   `max_block_size` rows, more than 2^31 - 1025 block rows with those of the halo, and wrong
  ///   offsets or columns.
  ///   Values are not checked.
  template <ExecutionSpace Space>
  requires WorksIn<Space, Memory> BlockSparseMatrix(
      const Space& space, const offsets_view& row_offsets, const columns_view& columns,
      const blocks_view<Scalar>& diagonal, const blocks_view<OffDiagonal>& off_diagonal,
      const row_scales_view& row_scales = {}, int num_halo = 0);

  /// Makes a matrix from block rows that hold their diagonal blocks anywhere in the row. Copies
  /// diagonal blocks, and rounds the others to `OffDiagonal` (to `Half` by way of float).
  /// Allocates, and fences `space`.
  /// \throws InvalidArgument as above, and for a row without a diagonal block or with two. Where
  ///   doubles are rounded, also for a row with a value that float cannot hold: one too large, or
  ///   one below the normal numbers that matters beside the diagonal block.
  template <ExecutionSpace Space>
  requires WorksIn<Space, Memory>
  static BlockSparseMatrix split(const Space& space, const offsets_view& row_offsets,
                                 const columns_view& columns, const blocks_view<Scalar>& blocks,
                                 int num_halo = 0);

  /// The same matrix with O rounded to float. Allocates O, and shares the other Views. Fences
  /// `space`.
  /// \throws InvalidArgument for a row with a value that float cannot hold, as `split` does.
  template <ExecutionSpace Space>
  requires WorksIn<Space, Memory> && std::same_as<Scalar, double> &&
      std::same_as<OffDiagonal, double>
          BlockSparseMatrix<double, float, Memory> rounded_to_float(const Space& space)
  const;

  /// The same matrix with O rounded to `Half`. Each row of O is divided by a power of two, such
  /// that its largest entry is between 2^14 and 2^15. Entries down to 2^-28 of the largest are
  /// rounded to 11 significant bits, a relative error of 2^-11 at most. Smaller entries are rounded
  /// to within 2^-39 of the largest. Nothing overflows that does not overflow in float. Allocates O
  /// and the scales, and shares the other Views. Fences `space`.
  template <ExecutionSpace Space>
  requires WorksIn<Space, Memory> && FieldScalar<OffDiagonal>
      BlockSparseMatrix<Scalar, Half, Memory> rounded_to_half(const Space& space)
  const;

  /// The same matrix with rows and columns in the order of `ordering`, with columns in each row
  /// that ascend by their places. Halo columns keep their numbers. Where nothing moves, the result
  /// shares the Views. Otherwise it is a copy, which also keeps the old offsets and columns, and 4
  /// bytes a block, for `update`. Fences `space`.
  template <ExecutionSpace Space>
  requires WorksIn<Space, Memory> BlockSparseMatrix renumbered(const Space& space,
                                                               const ColourOrdering& ordering)
  const;

  /// Takes new values on the same graph, for a matrix that was made by `split`, as if it were split
  /// from `blocks` with the same offsets and columns. No analysis, no allocation. Copies of the
  /// matrix have the new values, too. Enqueued on `space`. Fences only where doubles are rounded.
  /// \throws InvalidArgument for a matrix that was made otherwise, for other extents, and for
  ///   values that float cannot hold, see `split`. In the last case the values of the matrix are of
  ///   no use.
  template <ExecutionSpace Space>
  requires WorksIn<Space, Memory>
  void update(const Space& space, const blocks_view<Scalar>& blocks) const;

  /// The same for a matrix that was made by `renumbered`, `rounded_to_float` or `rounded_to_half`
  /// from a source with the rows and columns of `matrix`. Enqueued on `space`. Rounding to float
  /// fences it, and throws as `split` does. Views of offsets and columns other than those of the
  /// source are compared with them, which fences `space`.
  /// \throws InvalidArgument for a matrix that was made otherwise, and for other rows or columns.
  ///   After rounding also for another View of the diagonal, because both matrices share it.
  template <ExecutionSpace Space, class From>
  requires WorksIn<Space, Memory>
  void update(const Space& space, const BlockSparseMatrix<Scalar, From, Memory>& matrix) const;

  /// Which rows of this rank are coupled, on the host. Fences all instances of all spaces.
  BlockGraph graph() const;

  int num_rows() const { return static_cast<int>(m_diagonal.extent(2)); }
  int block_size() const { return m_block_size; }
  std::int64_t num_blocks() const {  ///< off the diagonal
    return static_cast<std::int64_t>(m_off_diagonal.extent(2));
  }
  const offsets_view& row_offsets() const { return m_row_offsets; }
  const columns_view& columns() const { return m_columns; }
  const blocks_view<Scalar>& diagonal() const { return m_diagonal; }
  const blocks_view<OffDiagonal>& off_diagonal() const { return m_off_diagonal; }
  const row_scales_view& row_scales() const { return m_row_scales; }
  /// Bytes of O, without its pattern.
  double off_diagonal_bytes() const;

  /// Columns after those of the rows.
  int num_halo() const { return m_num_halo; }

  // The extents of fields for `Pcg`.
  int num_owned() const { return num_rows(); }
  int num_columns() const { return num_rows() + m_num_halo; }
  int num_levels() const { return m_block_size; }

  /// y = A x. Enqueued on `space`: no allocation, no fence.
  /// \param x, y  (num_columns, block_size)
  /// \throws InvalidArgument for other extents, and where x and y overlap.
  template <ExecutionSpace Space, BlockField<Scalar, Memory> In, BlockField<Scalar, Memory> Out>
  requires WorksIn<Space, Memory> && WritableField<Out>
  void apply(const Space& space, const In& x, const Out& y) const;
  /// Refuses all other types.
  template <class Space, class In, class Out>
  Impl::ExpectsFieldAndWritableField<Scalar, Kokkos::LayoutRight, Memory> apply(
      const Space& space, const In& x, const Out& y) const = delete;

  /// y = b - O x, the part of `apply` off the diagonal. Enqueued on `space`: no allocation, no
  /// fence.
  /// \param b, x, y  (num_columns, block_size); y may be b
  /// \throws InvalidArgument for other extents, where y overlaps x, or b without being b.
  template <ExecutionSpace Space, BlockField<Scalar, Memory> Rhs, BlockField<Scalar, Memory> In,
            BlockField<Scalar, Memory> Out>
  requires WorksIn<Space, Memory> && WritableField<Out>
  void subtract_off_diagonal(const Space& space, const Rhs& b, const In& x, const Out& y) const;

  /// What one call of each costs, without the gather of x.
  std::vector<KernelCost> kernel_costs() const;

  /// \cond
  // For kernels and models of the library. Types of `Impl` may change at any time.

  /// The matrix as kernels capture it.
  Impl::BlockRows<Scalar, OffDiagonal> block_rows() const;
  /// The values that kernels copy in an `update` from `matrix`, for a matrix that was made by
  /// `renumbered`. `function` is the name of the caller in messages.
  template <ExecutionSpace Space>
  requires WorksIn<Space, Memory> Impl::BlockUpdate<Scalar, OffDiagonal> update_from(
      const char* function, const Space& space, const BlockSparseMatrix& matrix)
  const;
  /// \endcond

 private:
  template <FieldScalar, StoredScalar, MemorySpace>
  friend class BlockSparseMatrix;

  /// Takes new values into blocks that this matrix owns.
  template <class Space, class From>
  void fill(const char* function, const Space& space,
            const Impl::BlockSources<Scalar, From>& from) const;
  /// Refuses a matrix with other rows and columns than the source of this one.
  template <class Space, class From>
  void require_same_pattern(const char* function, const Space& space,
                            const BlockSparseMatrix<Scalar, From, Memory>& matrix) const;

  int m_block_size = 0, m_num_halo = 0;
  offsets_view m_row_offsets;
  columns_view m_columns;
  blocks_view<Scalar> m_diagonal;
  blocks_view<OffDiagonal> m_off_diagonal;
  row_scales_view m_row_scales;  // for `Half` only
  Impl::OwnedValues<Scalar, OffDiagonal, Memory> m_owned;
};

}  // namespace Lamina

#include <lamina/blocks/impl/BlockSparseMatrix_Impl.hpp>
#include <lamina/blocks/impl/BlockSparseMatrix_Update.hpp>
