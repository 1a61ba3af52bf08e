// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/blocks/BlockSparseMatrix.hpp>
#include <lamina/blocks/impl/BlockKernels.hpp>
#include <lamina/core/ProfilingRegion.hpp>
#include <lamina/core/Require.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

namespace Lamina {
namespace Impl {

/// Whether two lists have the same entries. Fences `space` where they are not the same View.
template <class Space, class View>
bool same_list(const Space& space, const View& a, const View& b) {
  if (a.extent(0) != b.extent(0)) return false;
  if (a.data() == b.data()) return true;
  return ListKernels<Space, typename View::non_const_value_type>::same(
      space, static_cast<std::int64_t>(a.extent(0)), a.data(), b.data());
}

}  // namespace Impl

template <FieldScalar Scalar, StoredScalar OffDiagonal, MemorySpace Memory>
template <ExecutionSpace Space>
requires WorksIn<Space, Memory>
void BlockSparseMatrix<Scalar, OffDiagonal, Memory>::update(
    const Space& space, const blocks_view<Scalar>& blocks) const {
  const char* name = "BlockSparseMatrix::update";
  LAMINA_REQUIRE(m_owned.origin == decltype(m_owned)::Origin::split, name,
                 "argument blocks: expected a matrix made by split, got another one");
  Impl::require_blocks(name, "blocks", blocks, m_block_size, num_blocks() + num_rows());
  const Impl::ProfilingRegion region("Lamina::BlockSparseMatrix::update");
  Impl::BlockSources<Scalar, Scalar> from;
  from.offsets = m_owned.offsets.data();
  from.diagonal_places = m_owned.places.data();
  from.blocks = blocks.data();
  fill(name, space, from);
}

template <FieldScalar Scalar, StoredScalar OffDiagonal, MemorySpace Memory>
template <class Space, class From>
void BlockSparseMatrix<Scalar, OffDiagonal, Memory>::fill(
    const char* function, const Space& space, const Impl::BlockSources<Scalar, From>& from) const {
  const Impl::BlockTargets<Scalar, OffDiagonal> to{
      m_owned.off_diagonal.data(), m_owned.diagonal.data(), m_owned.row_scales.data(),
      m_owned.first_lost.data()};
  using Kernels = Impl::UpdateKernels<Space, Scalar, From, OffDiagonal>;
  if constexpr (std::is_same_v<From, double> && !std::is_same_v<OffDiagonal, double>) {
    int row = std::numeric_limits<int>::max();
    Kokkos::deep_copy(space, m_owned.first_lost, row);
    Kernels::update(space, num_rows(), m_block_size, from, m_row_offsets.data(), to);
    const Kokkos::View<int, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> on_host(
        &row);
    Kokkos::deep_copy(space, on_host, m_owned.first_lost);
    space.fence();  // the caller is told whether float holds the values
    LAMINA_REQUIRE(row >= num_rows(), function,
                   "row " + std::to_string(row) +
                       ": expected values off the diagonal within the range of float");
  } else {
    Kernels::update(space, num_rows(), m_block_size, from, m_row_offsets.data(), to);
  }
}

template <FieldScalar Scalar, StoredScalar OffDiagonal, MemorySpace Memory>
template <class Space, class From>
void BlockSparseMatrix<Scalar, OffDiagonal, Memory>::require_same_pattern(
    const char* function, const Space& space,
    const BlockSparseMatrix<Scalar, From, Memory>& matrix) const {
  constexpr bool rounds = !std::is_same_v<From, OffDiagonal>;
  using Origin = typename decltype(m_owned)::Origin;
  LAMINA_REQUIRE(m_owned.origin == (rounds ? Origin::rounded : Origin::renumbered), function,
                 std::string("argument matrix: expected one to update that was ") +
                     (rounds ? "rounded" : "renumbered") + ", got another one");
  Impl::require_extent(function, "matrix", "rows of a block", m_block_size, matrix.block_size());
  LAMINA_REQUIRE(Impl::same_list(space, m_owned.offsets, matrix.row_offsets()) &&
                     Impl::same_list(space, m_owned.columns, matrix.columns()),
                 function, "argument matrix: expected the same rows and columns, got others");
}

template <FieldScalar Scalar, StoredScalar OffDiagonal, MemorySpace Memory>
template <ExecutionSpace Space>
requires WorksIn<Space, Memory> Impl::BlockUpdate<Scalar, OffDiagonal>
BlockSparseMatrix<Scalar, OffDiagonal, Memory>::update_from(const char* function,
                                                            const Space& space,
                                                            const BlockSparseMatrix& matrix)
const {
  require_same_pattern(function, space, matrix);
  return {{.offsets = m_owned.offsets.data(),
           .rows = m_owned.rows.data(),
           .places = m_owned.places.data(),
           .blocks = matrix.off_diagonal().data(),
           .diagonal = matrix.diagonal().data(),
           .row_scales = matrix.row_scales().data()},
          {m_owned.off_diagonal.data(), m_owned.diagonal.data(), m_owned.row_scales.data(),
           m_owned.first_lost.data()}};
}

template <FieldScalar Scalar, StoredScalar OffDiagonal, MemorySpace Memory>
template <ExecutionSpace Space, class From>
requires WorksIn<Space, Memory>
void BlockSparseMatrix<Scalar, OffDiagonal, Memory>::update(
    const Space& space, const BlockSparseMatrix<Scalar, From, Memory>& matrix) const {
  constexpr bool rounds = !std::is_same_v<From, OffDiagonal>;
  static_assert(!rounds || (FieldScalar<From> && !std::is_same_v<OffDiagonal, double>),
                "update takes a matrix of the same storage, or one in more digits to round");
  const char* name = "BlockSparseMatrix::update";
  const Impl::ProfilingRegion region("Lamina::BlockSparseMatrix::update");
  if constexpr (!rounds) {
    fill(name, space, update_from(name, space, matrix).from);
  } else {
    require_same_pattern(name, space, matrix);
    LAMINA_REQUIRE(num_rows() == 0 || m_diagonal.data() == matrix.diagonal().data(), name,
                   "argument matrix: expected the View of the diagonal that both share, got "
                   "another one");
    if constexpr (Impl::row_scaled<OffDiagonal>) {
      Impl::RoundKernels<Space, From>::round(
          space, num_rows(), m_block_size, m_row_offsets.data(), matrix.off_diagonal().data(),
          m_owned.off_diagonal.data(), m_owned.row_scales.data());
    } else {
      Impl::BlockSources<Scalar, From> from;
      from.offsets = m_owned.offsets.data();
      from.blocks = matrix.off_diagonal().data();
      from.diagonal = matrix.diagonal().data();
      fill(name, space, from);
    }
  }
}

namespace Impl {

/// Takes new values into the result of `renumbered`, which is the matrix itself unless it was
/// copied.
template <class Space, class Matrix>
void update_coloured(const char* function, const Space& space, const Matrix& coloured, bool copied,
                     const Matrix& matrix) {
  if (copied) return coloured.update(space, matrix);
  const bool same = matrix.diagonal().data() == coloured.diagonal().data() &&
                    matrix.off_diagonal().data() == coloured.off_diagonal().data() &&
                    matrix.row_scales().data() == coloured.row_scales().data();
  LAMINA_REQUIRE(same || (coloured.num_rows() == 0 && matrix.num_rows() == 0), function,
                 "argument matrix: expected the Views of the first one, which the plan reads as no "
                 "row moves, got others");
}

}  // namespace Impl
}  // namespace Lamina
