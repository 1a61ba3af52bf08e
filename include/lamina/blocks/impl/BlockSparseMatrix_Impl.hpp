// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/blocks/BlockSparseMatrix.hpp>
#include <lamina/blocks/impl/BlockKernels.hpp>
#include <lamina/blocks/impl/BlockPattern.hpp>
#include <lamina/blocks/impl/values/BlockCopies.hpp>
#include <lamina/core/ProfilingRegion.hpp>
#include <lamina/core/Require.hpp>
#include <lamina/core/impl/RequireDisjoint.hpp>

#include <algorithm>
#include <numeric>
#include <string>
#include <type_traits>
#include <utility>

namespace Lamina {
namespace Impl {

template <class View>
void require_blocks(const char* function, const char* argument, const View& blocks, int size,
                    long long count) {
  require_extent(function, argument, "rows of a block", size,
                 static_cast<long long>(blocks.extent(0)));
  require_extent(function, argument, "columns of a block", size,
                 static_cast<long long>(blocks.extent(1)));
  require_extent(function, argument, "blocks", count, static_cast<long long>(blocks.extent(2)));
  LAMINA_REQUIRE(
      blocks.span_is_contiguous(), function,
      "argument " + std::string(argument) + ": expected a contiguous View, got a padded one");
}

template <class View>
void require_row_scales(const char* function, const View& scales, long long rows, long long size) {
  require_block_field(function, "row_scales", scales, rows, size);
  LAMINA_REQUIRE(scales.span_is_contiguous(), function,
                 "argument row_scales: expected a contiguous View, got a padded one");
}

/// Rows are numbered by an int. The last team may have threads without a row, whose numbers must
/// fit, too.
inline constexpr std::size_t max_block_rows = 0x7FFFFFFF - 1024;

inline void require_num_rows(const char* function, const char* argument, std::size_t rows,
                             int num_halo) {
  LAMINA_REQUIRE(rows <= max_block_rows, function,
                 "argument " + std::string(argument) + ": expected at most " +
                     std::to_string(max_block_rows) + " rows, got " + std::to_string(rows));
  LAMINA_REQUIRE(num_halo >= 0 && static_cast<std::size_t>(num_halo) <= max_block_rows - rows,
                 function,
                 "argument num_halo: expected 0 to " + std::to_string(max_block_rows - rows) +
                     ", got " + std::to_string(num_halo));
}

/// The size of the blocks, checked.
template <class View>
int require_block_size(const char* function, const View& blocks) {
  LAMINA_REQUIRE(blocks.extent(0) >= (blocks.extent(2) > 0 ? 1u : 0u) &&
                     blocks.extent(0) <= static_cast<std::size_t>(max_block_size),
                 function,
                 "expected blocks of 1 to " + std::to_string(max_block_size) + " rows, got " +
                     std::to_string(blocks.extent(0)));
  return static_cast<int>(blocks.extent(0));
}

/// Checks that `To` can hold the blocks off the diagonal, see `RangeKernels`.
template <class To, class Space, class Offsets, class Blocks>
void require_range(const char* function, const Space& space, const Offsets& offsets,
                   const std::vector<std::int64_t>& sources, const Blocks& blocks,
                   const Blocks& diagonal) {
  if constexpr (std::is_same_v<To, float> &&
                std::is_same_v<typename Blocks::non_const_value_type, double>) {
    const auto places = to_memory<typename Blocks::memory_space>(space, "sources", sources);
    const int row = RangeKernels<Space>::first_lost_row(
        space, static_cast<int>(diagonal.extent(2)), static_cast<int>(blocks.extent(0)),
        offsets.data(), places.data(), blocks.data(), diagonal.data());
    LAMINA_REQUIRE(row < 0, function,
                   "row " + std::to_string(row) +
                       ": expected values off the diagonal within the range of float");
  }
}
template <class Memory>
Kokkos::View<int, Memory> first_lost_row() {
  return Kokkos::View<int, Memory>(
      Kokkos::view_alloc("Lamina::BlockSparseMatrix::first_lost", Kokkos::WithoutInitializing));
}

}  // namespace Impl

template <FieldScalar Scalar, StoredScalar OffDiagonal, MemorySpace Memory>
template <ExecutionSpace Space>
requires WorksIn<Space, Memory> BlockSparseMatrix<Scalar, OffDiagonal, Memory>::BlockSparseMatrix(
    const Space& space, const offsets_view& row_offsets, const columns_view& columns,
    const blocks_view<Scalar>& diagonal, const blocks_view<OffDiagonal>& off_diagonal,
    const row_scales_view& row_scales, int num_halo)
    : m_num_halo(num_halo),
      m_row_offsets(row_offsets),
      m_columns(columns),
      m_diagonal(diagonal),
      m_off_diagonal(off_diagonal),
      m_row_scales(row_scales) {
  const char* name = "BlockSparseMatrix";
  Impl::require_num_rows(name, "diagonal", diagonal.extent(2), num_halo);
  m_block_size = Impl::require_block_size(name, diagonal);
  Impl::require_blocks(name, "diagonal", diagonal, m_block_size,
                       static_cast<long long>(diagonal.extent(2)));
  Impl::require_extent(name, "row_offsets", "entries", num_rows() + 1LL,
                       static_cast<long long>(row_offsets.extent(0)));
  Impl::require_blocks(name, "off_diagonal", off_diagonal, m_block_size,
                       static_cast<long long>(columns.extent(0)));
  Impl::require_row_scales(name, row_scales, Impl::row_scaled<OffDiagonal> ? num_rows() : 0,
                           Impl::row_scaled<OffDiagonal> ? m_block_size : 0);
  Impl::require_off_diagonal(
      name, {Impl::to_host(space, row_offsets), Impl::to_host(space, columns), num_halo});
}

template <FieldScalar Scalar, StoredScalar OffDiagonal, MemorySpace Memory>
template <ExecutionSpace Space>
requires WorksIn<Space, Memory> BlockSparseMatrix<Scalar, OffDiagonal, Memory>
BlockSparseMatrix<Scalar, OffDiagonal, Memory>::split(const Space& space,
                                                      const offsets_view& row_offsets,
                                                      const columns_view& columns,
                                                      const blocks_view<Scalar>& blocks,
                                                      int num_halo) {
  if constexpr (Impl::row_scaled<OffDiagonal>) {
    const auto in_float = BlockSparseMatrix<Scalar, float, Memory>::split(
        space, row_offsets, columns, blocks, num_halo);
    BlockSparseMatrix matrix = in_float.rounded_to_half(space);
    matrix.m_owned.origin = decltype(m_owned)::Origin::split;
    matrix.m_owned.diagonal = in_float.m_owned.diagonal;
    matrix.m_owned.offsets = row_offsets;
    matrix.m_owned.places = in_float.m_owned.places;
    matrix.m_owned.first_lost = in_float.m_owned.first_lost;
    return matrix;
  } else {
    const char* name = "BlockSparseMatrix::split";
    LAMINA_REQUIRE(row_offsets.extent(0) > 0, name,
                   "argument row_offsets: expected entries, got none");
    Impl::require_num_rows(name, "row_offsets", row_offsets.extent(0) - 1, num_halo);
    const int size = Impl::require_block_size(name, blocks);
    Impl::require_blocks(name, "blocks", blocks, size, static_cast<long long>(columns.extent(0)));
    std::vector<std::int64_t> on_diagonal;
    const Impl::BlockPattern pattern{Impl::to_host(space, row_offsets),
                                     Impl::to_host(space, columns), num_halo};
    const Impl::MovedBlocks moved = Impl::split_pattern(name, pattern, on_diagonal);
    const offsets_view offsets =
        Impl::to_memory<Memory>(space, "row_offsets", moved.pattern.offsets);
    const auto diagonal = Impl::gathered<Scalar>("diagonal", space, on_diagonal, blocks);
    Impl::require_range<OffDiagonal>(name, space, offsets, moved.sources, blocks,
                                     blocks_view<Scalar>(diagonal));
    const auto off_diagonal =
        Impl::gathered<OffDiagonal>("off_diagonal", space, moved.sources, blocks);
    BlockSparseMatrix matrix(space, offsets,
                             Impl::to_memory<Memory>(space, "columns", moved.pattern.columns),
                             diagonal, off_diagonal, {}, num_halo);
    matrix.m_owned.origin = decltype(m_owned)::Origin::split;
    matrix.m_owned.diagonal = diagonal;
    matrix.m_owned.off_diagonal = off_diagonal;
    matrix.m_owned.offsets = row_offsets;
    matrix.m_owned.places = Impl::to_memory<Memory>(
        space, "diagonal_places", Impl::places_in_row(pattern.offsets, on_diagonal));
    matrix.m_owned.first_lost = Impl::first_lost_row<Memory>();
    return matrix;
  }
}

template <FieldScalar Scalar, StoredScalar OffDiagonal, MemorySpace Memory>
template <ExecutionSpace Space>
requires WorksIn<Space, Memory> BlockSparseMatrix<Scalar, OffDiagonal, Memory>
BlockSparseMatrix<Scalar, OffDiagonal, Memory>::renumbered(const Space& space,
                                                           const ColourOrdering& ordering)
const {
  Impl::require_extent("BlockSparseMatrix::renumbered", "ordering", "rows", num_rows(),
                       ordering.num_rows());
  Impl::require_extent("BlockSparseMatrix::renumbered", "ordering", "halo rows", m_num_halo,
                       ordering.num_halo());
  const Impl::BlockPattern pattern{Impl::to_host(space, m_row_offsets),
                                   Impl::to_host(space, m_columns), m_num_halo};
  const auto& old_rows = ordering.old_rows();
  Impl::MovedBlocks moved = Impl::renumber_pattern(pattern, ordering);
  if (std::is_sorted(old_rows.begin(), old_rows.end()) &&
      std::is_sorted(moved.sources.begin(), moved.sources.end())) {
    return *this;
  }
  const std::vector<std::int64_t> rows(old_rows.begin(), old_rows.end());
  decltype(m_owned) owned;
  owned.origin = decltype(m_owned)::Origin::renumbered;
  owned.diagonal = Impl::gathered<Scalar>("diagonal", space, rows, m_diagonal);
  owned.off_diagonal =
      Impl::gathered<OffDiagonal>("off_diagonal", space, moved.sources, m_off_diagonal);
  if constexpr (Impl::row_scaled<OffDiagonal>) {
    owned.row_scales = Impl::gathered_scales(space, rows, m_row_scales);
  }
  owned.offsets = m_row_offsets;
  owned.columns = m_columns;
  owned.rows = Impl::to_memory<Memory>(space, "rows", old_rows);
  owned.places = Impl::to_memory<Memory>(space, "places",
                                         Impl::places_in_row(pattern.offsets, moved, old_rows));
  BlockSparseMatrix matrix(space,
                           Impl::to_memory<Memory>(space, "row_offsets", moved.pattern.offsets),
                           Impl::to_memory<Memory>(space, "columns", moved.pattern.columns),
                           owned.diagonal, owned.off_diagonal, owned.row_scales, m_num_halo);
  matrix.m_owned = owned;
  return matrix;
}

template <FieldScalar Scalar, StoredScalar OffDiagonal, MemorySpace Memory>
template <ExecutionSpace Space>
requires WorksIn<Space, Memory> && std::same_as<Scalar, double> && std::same_as<OffDiagonal, double>
    BlockSparseMatrix<double, float, Memory>
    BlockSparseMatrix<Scalar, OffDiagonal, Memory>::rounded_to_float(const Space& space)
const {
  if (m_row_offsets.extent(0) == 0) return {};  // made without Views
  std::vector<std::int64_t> in_place(m_off_diagonal.extent(2));
  std::iota(in_place.begin(), in_place.end(), std::int64_t{0});
  Impl::require_range<float>("BlockSparseMatrix::rounded_to_float", space, m_row_offsets, in_place,
                             m_off_diagonal, m_diagonal);
  const auto rounded = Impl::gathered<float>("off_diagonal", space, in_place, m_off_diagonal);
  BlockSparseMatrix<double, float, Memory> matrix(space, m_row_offsets, m_columns, m_diagonal,
                                                  rounded, {}, m_num_halo);
  matrix.m_owned.origin = decltype(matrix.m_owned)::Origin::rounded;
  matrix.m_owned.off_diagonal = rounded;
  matrix.m_owned.offsets = m_row_offsets;
  matrix.m_owned.columns = m_columns;
  matrix.m_owned.first_lost = Impl::first_lost_row<Memory>();
  return matrix;
}

template <FieldScalar Scalar, StoredScalar OffDiagonal, MemorySpace Memory>
template <ExecutionSpace Space>
requires WorksIn<Space, Memory> && FieldScalar<OffDiagonal> BlockSparseMatrix<Scalar, Half, Memory>
BlockSparseMatrix<Scalar, OffDiagonal, Memory>::rounded_to_half(const Space& space)
const {
  if (m_row_offsets.extent(0) == 0) return {};  // made without Views
  const auto label = [](const std::string& name) {
    return Kokkos::view_alloc("Lamina::BlockSparseMatrix::" + name, Kokkos::WithoutInitializing);
  };
  const auto size = static_cast<std::size_t>(m_block_size);
  const Kokkos::View<Half***, Kokkos::LayoutLeft, Memory> rounded(label("off_diagonal"), size, size,
                                                                  m_off_diagonal.extent(2));
  const Kokkos::View<float**, Kokkos::LayoutRight, Memory> scales(label("row_scales"),
                                                                  m_diagonal.extent(2), size);
  Impl::RoundKernels<Space, OffDiagonal>::round(space, num_rows(), m_block_size,
                                                m_row_offsets.data(), m_off_diagonal.data(),
                                                rounded.data(), scales.data());
  BlockSparseMatrix<Scalar, Half, Memory> matrix(space, m_row_offsets, m_columns, m_diagonal,
                                                 rounded, scales, m_num_halo);
  matrix.m_owned.origin = decltype(matrix.m_owned)::Origin::rounded;
  matrix.m_owned.off_diagonal = rounded;
  matrix.m_owned.row_scales = scales;
  matrix.m_owned.offsets = m_row_offsets;
  matrix.m_owned.columns = m_columns;
  return matrix;
}

template <FieldScalar Scalar, StoredScalar OffDiagonal, MemorySpace Memory>
BlockGraph BlockSparseMatrix<Scalar, OffDiagonal, Memory>::graph() const {
  if (num_rows() == 0) return {};
  return Impl::graph_of_rows({Impl::to_host(m_row_offsets), Impl::to_host(m_columns), m_num_halo});
}

template <FieldScalar Scalar, StoredScalar OffDiagonal, MemorySpace Memory>
Impl::BlockRows<Scalar, OffDiagonal> BlockSparseMatrix<Scalar, OffDiagonal, Memory>::block_rows()
    const {
  return {num_rows(),       m_block_size,      num_blocks(),          m_row_offsets.data(),
          m_columns.data(), m_diagonal.data(), m_off_diagonal.data(), m_row_scales.data()};
}

template <FieldScalar Scalar, StoredScalar OffDiagonal, MemorySpace Memory>
template <ExecutionSpace Space, BlockField<Scalar, Memory> In, BlockField<Scalar, Memory> Out>
requires WorksIn<Space, Memory> && WritableField<Out>
void BlockSparseMatrix<Scalar, OffDiagonal, Memory>::apply(const Space& space, const In& x,
                                                           const Out& y) const {
  Impl::require_block_field("BlockSparseMatrix::apply", "x", x, num_columns(), m_block_size);
  Impl::require_block_field("BlockSparseMatrix::apply", "y", y, num_columns(), m_block_size);
  Impl::require_disjoint("BlockSparseMatrix::apply", "x", x, "y", y);
  const Impl::ProfilingRegion region("Lamina::BlockSparseMatrix::apply");
  Impl::RowTask<Scalar> task;
  task.last = num_rows();
  task.x = Impl::BlockVector<const Scalar>(x);
  task.y = Impl::BlockVector<Scalar>(y);
  task.off_diagonal = task.diagonal = task.negate = true;
  Impl::BlockKernels<Space, Scalar, OffDiagonal>::run("Lamina::BlockSparseMatrix::apply", space,
                                                      block_rows(), task);
}

template <FieldScalar Scalar, StoredScalar OffDiagonal, MemorySpace Memory>
template <ExecutionSpace Space, BlockField<Scalar, Memory> Rhs, BlockField<Scalar, Memory> In,
          BlockField<Scalar, Memory> Out>
requires WorksIn<Space, Memory> && WritableField<Out>
void BlockSparseMatrix<Scalar, OffDiagonal, Memory>::subtract_off_diagonal(const Space& space,
                                                                           const Rhs& b,
                                                                           const In& x,
                                                                           const Out& y) const {
  const char* name = "BlockSparseMatrix::subtract_off_diagonal";
  Impl::require_block_field(name, "b", b, num_columns(), m_block_size);
  Impl::require_block_field(name, "x", x, num_columns(), m_block_size);
  Impl::require_block_field(name, "y", y, num_columns(), m_block_size);
  Impl::require_same_or_disjoint(name, "b", b, "y", y);
  Impl::require_disjoint(name, "x", x, "y", y);
  const Impl::ProfilingRegion region("Lamina::BlockSparseMatrix::subtract_off_diagonal");
  Impl::RowTask<Scalar> task;
  task.last = num_rows();
  task.b = Impl::BlockVector<const Scalar>(b);
  task.x = Impl::BlockVector<const Scalar>(x);
  task.y = Impl::BlockVector<Scalar>(y);
  task.off_diagonal = true;
  Impl::BlockKernels<Space, Scalar, OffDiagonal>::run(
      "Lamina::BlockSparseMatrix::subtract_off_diagonal", space, block_rows(), task);
}

template <FieldScalar Scalar, StoredScalar OffDiagonal, MemorySpace Memory>
double BlockSparseMatrix<Scalar, OffDiagonal, Memory>::off_diagonal_bytes() const {
  return static_cast<double>(m_off_diagonal.size()) * sizeof(OffDiagonal) +
         static_cast<double>(m_row_scales.size()) * sizeof(float);
}

template <FieldScalar Scalar, StoredScalar OffDiagonal, MemorySpace Memory>
std::vector<KernelCost> BlockSparseMatrix<Scalar, OffDiagonal, Memory>::kernel_costs() const {
  const double rows = num_rows(), blocks = static_cast<double>(num_blocks()), size = m_block_size,
               scalar = sizeof(Scalar);
  const double off_diagonal = off_diagonal_bytes() + blocks * sizeof(int) +
                              rows * static_cast<double>(sizeof(std::int64_t));
  return {
      {"Lamina::BlockSparseMatrix::apply", off_diagonal + rows * (size * size + 2 * size) * scalar,
       2 * size * size * (blocks + rows)},
      {"Lamina::BlockSparseMatrix::subtract_off_diagonal", off_diagonal + rows * 3 * size * scalar,
       2 * size * size * blocks}};
}

}  // namespace Lamina
