// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Small block rows as a device reads them fastest: in slices of rows that the lanes of a warp take
// side by side (sliced ELLPACK, Monakov, Lokhmotov and Avetisyan 2010, for blocks). What the lanes
// need next lies next to each other: blocks and x go to registers without a stop in scratch memory,
// as many at a time as registers hold, and lanes meet once, at the solve with the diagonal. Only
// inverses of few rows wait in scratch for it.

#include <lamina/blocks/impl/BlockRows.hpp>
#include <lamina/blocks/impl/OwnedValues.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <vector>

namespace Lamina::Impl {

/// Rows of a slice, and how its lanes share them.
struct SliceShape {
  /// Lanes of a slice.
  static constexpr int slice_lanes = 32;
  /// Blocks up to this size are sliced. Larger ones fill the lanes of a row by themselves.
  static constexpr int max_size = 16;

  int size = 1;  ///< of a block
  /// Too few rows to keep a device busy with one lane to each: all that it needs is asked for at
  /// once, and lanes have a component each.
  bool few_rows = false;
  int lanes = 1;  ///< of a row: each has size / lanes components, one after the other

  constexpr SliceShape() = default;
  KOKKOS_FUNCTION constexpr SliceShape(int block_size, bool few)
      : size(block_size), few_rows(few), lanes(few ? block_size : lanes_of_many(block_size)) {}

  /// For few rows where lanes of many would give work to less than an eighth of the threads.
  /// \param rows         of a colour, on average
  /// \param concurrency  threads of the device
  static SliceShape of(int size, double rows, std::int64_t concurrency) {
    return {size, 8 * rows * lanes_of_many(size) < static_cast<double>(concurrency)};
  }
  /// Lanes of a row where there are rows enough for all threads: a lane with several components
  /// reads an entry of x once for all of them. A divisor of `size`: of those tried the fastest on
  /// an H200 with 980000 rows of about 14 blocks each. Primes leave 1 and all, of which 1 needs too
  /// many registers from 11 on.
  KOKKOS_FUNCTION static constexpr int lanes_of_many(int size) {
    constexpr int lanes[max_size] = {1, 1, 1, 1, 1, 1, 1, 8, 3, 5, 11, 4, 13, 7, 5, 16};
    return lanes[size - 1];
  }
  /// Whether blocks are asked for a batch ahead where there are many rows. On an H200 with 980000
  /// rows these sizes gain up to 7 % by it where stored in half, 4 % in float; others lose up to
  /// 16 %. Not measured in double.
  KOKKOS_FUNCTION static constexpr bool early_blocks_of_many(int size) {
    return size == 2 || (5 <= size && size <= 7) || size == 9;
  }

  /// Entries of x that a lane loads at once, `widest` or 1, where x lies so. Wide loads gain 5 to 9 %
  /// for few rows of an even size from 8 on (doubles, an H200), and 1 % for many, where sectors of
  /// x are the limit, not loads.
  static constexpr int x_width(int size, bool few, int widest) {
    return few && size >= 8 && size % widest == 0 ? widest : 1;
  }

  /// Right-hand sides that the registers of a lane have room for: a power of two.
  KOKKOS_FUNCTION constexpr int max_rhs() const { return components() <= 5 ? 8 : 4; }

  /// Blocks of few rows that a lane has on their way together.
  KOKKOS_FUNCTION constexpr int batch_of_few() const { return size <= 2 ? 4 : size <= 8 ? 2 : 1; }
  /// Most warps that share a slice. Those of few rows have 16 blocks on their way together, or 8,
  /// where there are registers for no more.
  KOKKOS_FUNCTION constexpr int max_splits() const {
    return few_rows && batch_of_few() < 4 ? 8 : 4;
  }
  /// Threads of few rows on a multiprocessor, of the 2048 that a device counts for one: more have
  /// no registers. For many rows a rule of thumb.
  static constexpr int busy_threads = 768;
  /// Warps to a slice: as many as have room on the device at once.
  int splits(int num_slices, std::int64_t concurrency) const {
    const std::int64_t room = concurrency * busy_threads / 2048;
    int splits = 1;
    while (splits < max_splits() && std::int64_t{num_slices} * slice_lanes * 2 * splits <= room) {
      splits *= 2;
    }
    return splits;
  }

  KOKKOS_FUNCTION constexpr int rows() const { return slice_lanes / lanes; }
  KOKKOS_FUNCTION constexpr int components() const { return size / lanes; }
  KOKKOS_FUNCTION constexpr int block_values() const { return size * components(); }  ///< of a lane
  /// Lanes that have room: those with a row, in whole sectors of memory.
  KOKKOS_FUNCTION constexpr int places() const { return (rows() * lanes + 7) / 8 * 8; }
};

/// Which rows are in which slice, on the host. A slice has as many steps as its longest row has
/// blocks, so rows of like lengths are put together: no further from each other than a window of
/// rows, which have neighbours in common, and in their order where that makes no difference.
struct SliceLayout {
  std::vector<std::int64_t> offsets;  ///< first step of each slice
  std::vector<int> rows;              ///< (slice, row of it), -1: none
  std::vector<int> first_slices;      ///< of each colour; one more than there are colours

  /// \param row_offsets  of rows by colour
  /// \param first_rows   of each colour; one more than there are colours
  SliceLayout(const std::vector<std::int64_t>& row_offsets, const std::vector<int>& first_rows,
              const SliceShape& shape);

  std::int64_t num_slices() const { return static_cast<std::int64_t>(offsets.size()) - 1; }
  /// Whether the room for blocks and inverses is at most twice what they take, or small anyway.
  /// There is more where few rows are much longer than others, or colours have a row or two only.
  bool is_dense(const SliceShape& shape, std::int64_t num_rows, std::int64_t num_blocks) const {
    constexpr std::int64_t small = 1 << 22;  // values
    const std::int64_t room =
        (offsets.back() + num_slices()) * shape.block_values() * shape.places();
    return room <= 2 * (num_blocks + num_rows) * shape.size * shape.size + small;
  }
};

/// Sliced rows as kernels see them.
template <class Scalar, class OffDiagonal>
struct SlicedRows {
  SliceShape shape;
  int num_slices = 0;
  const std::int64_t* offsets = nullptr;  ///< first step of each slice
  const int* rows = nullptr;              ///< (slice, row of it), -1: none
  int* columns = nullptr;                 ///< (step, row of the slice), -1: none
  /// (step, units of what a lane loads at once, place): units of 16 bytes while values are left for
  /// them, then smaller ones
  OffDiagonal* values = nullptr;
  Scalar* inverses = nullptr;         ///< (slice, column, component of a lane, place)
  const float* row_scales = nullptr;  ///< as in `BlockRows`
};

/// with<Size, FewRows>() for a shape.
template <int Size = 1, class With>
void with_slice_shape(const SliceShape& shape, const With& with) {
  if constexpr (Size < SliceShape::max_size) {
    if (shape.size != Size) return with_slice_shape<Size + 1>(shape, with);
  }
  if (shape.few_rows) {
    with.template operator()<Size, true>();
  } else {
    with.template operator()<Size, false>();
  }
}

/// A sliced copy of the blocks off the diagonal, and of the inverses of those on it.
template <class Scalar, class OffDiagonal, class Memory>
class BlockSlices {
 public:
  using Rows = SlicedRows<Scalar, OffDiagonal>;

  /// None.
  BlockSlices() {}  // NOLINT(modernize-use-equals-default): see ColumnMesh
  /// Fences `space`. None where slices would be mostly empty.
  /// \param matrix      with rows by colour, whose row scales must stay; `row_offsets` are its
  ///   offsets on the host
  /// \param first_rows  of each colour; one more than there are colours
  /// \param inverses    of its diagonal blocks
  template <class Space>
  BlockSlices(const Space& space, const SliceShape& shape,
              const BlockRows<Scalar, OffDiagonal>& matrix,
              const std::vector<std::int64_t>& row_offsets, const std::vector<int>& first_rows,
              const Scalar* inverses);

  /// New values: enqueues what fills the slices, and the targets of `update` off the diagonal.
  template <class Space>
  void fill(const Space& space, const BlockRows<Scalar, OffDiagonal>& matrix,
            const BlockUpdate<Scalar, OffDiagonal>& update, const Scalar* inverses) const;

  bool exist() const { return !m_first_slices.empty(); }
  const Rows& rows() const { return m_rows; }
  /// First slice of a colour, and where the last colour ends.
  int first_slice(int colour) const { return m_first_slices[static_cast<std::size_t>(colour)]; }

 private:
  template <class Value>
  using List = Kokkos::View<Value*, Memory>;

  Rows m_rows;
  std::vector<int> m_first_slices;
  List<std::int64_t> m_offsets;
  List<int> m_row_numbers, m_columns;
  List<OffDiagonal> m_values;
  List<Scalar> m_inverses;
};

}  // namespace Lamina::Impl
