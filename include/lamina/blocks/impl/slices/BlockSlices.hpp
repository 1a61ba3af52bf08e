// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Small block rows on a device, in slices: the lanes of a warp take the rows of a slice side by
// side (sliced ELLPACK, Monakov, Lokhmotov and Avetisyan 2010, for blocks). Values that the lanes
// load together are neighbours in memory. Blocks and x go to registers without a stop in scratch
// memory, a batch of loads at a time. Lanes exchange values once, for the solve with the diagonal.
// Only inverses of few rows go through scratch.

#include <lamina/blocks/impl/Tuning.hpp>
#include <lamina/blocks/impl/rows/BlockRows.hpp>
#include <lamina/blocks/impl/values/OwnedValues.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <vector>

namespace Lamina::Impl {

/// The rows of a slice, and how its lanes share them.
struct SliceShape {
  using Tuning = BlockSliceTuning;
  /// Lanes of a slice.
  static constexpr int slice_lanes = 32;
  /// Blocks up to this size are sliced. A larger one fills the lanes of a warp by itself.
  static constexpr int max_size = 16;

  int size = 1;  ///< of a block
  /// Too few rows to keep a device busy with one lane to each. Then each lane has one component,
  /// and all its loads are in flight together.
  bool few_rows = false;
  int lanes = 1;  ///< of a row; each has size / lanes consecutive components

  constexpr SliceShape() = default;
  KOKKOS_FUNCTION constexpr SliceShape(int block_size, bool few)
      : size(block_size),
        few_rows(few),
        lanes(few ? block_size : Tuning::lanes_of_many(block_size)) {}

  /// \param rows         of a colour, on average
  /// \param concurrency  threads of the device
  static SliceShape of(int size, double rows, std::int64_t concurrency) {
    const double threads = rows * Tuning::lanes_of_many(size);
    return {size, Tuning::few_share * threads < static_cast<double>(concurrency)};
  }

  /// Entries of x that a lane loads at once, `widest` or 1, where x is aligned for it. The sectors
  /// of x limit many rows, not the number of loads.
  static constexpr int x_width(int size, bool few, int widest) {
    return few && size >= Tuning::least_wide_size && size % widest == 0 ? widest : 1;
  }

  /// Right-hand sides of a kernel, at most: a power of two.
  KOKKOS_FUNCTION constexpr int max_rhs() const { return Tuning::most_rhs(components()); }
  /// Most warps that share a slice.
  KOKKOS_FUNCTION constexpr int max_splits() const { return Tuning::most_splits(size, few_rows); }
  /// Warps to a slice: as many as fit on the device at once. A device counts 2048 threads to a
  /// multiprocessor.
  int splits(int num_slices, std::int64_t concurrency) const {
    const std::int64_t room = concurrency * Tuning::busy_threads / 2048;
    int splits = 1;
    while (splits < max_splits() && std::int64_t{num_slices} * slice_lanes * 2 * splits <= room) {
      splits *= 2;
    }
    return splits;
  }

  KOKKOS_FUNCTION constexpr int rows() const { return slice_lanes / lanes; }
  KOKKOS_FUNCTION constexpr int components() const { return size / lanes; }
  KOKKOS_FUNCTION constexpr int block_values() const { return size * components(); }  ///< of a lane
  /// Lanes that have storage: those with a row, rounded up to sectors of memory.
  KOKKOS_FUNCTION constexpr int places() const { return (rows() * lanes + 7) / 8 * 8; }
};

/// Which rows are in which slice, on the host. A slice has as many steps as its longest row has
/// blocks. So rows of similar lengths are put together, from a window of rows that have common
/// neighbours. Rows keep their order where lengths are equal.
struct SliceLayout {
  std::vector<std::int64_t> offsets;  ///< first step of each slice
  std::vector<int> rows;              ///< (slice, row of it), -1: none
  std::vector<int> first_slices;      ///< of each colour; one more than there are colours

  /// \param row_offsets  of rows by colour
  /// \param first_rows   of each colour; one more than there are colours
  SliceLayout(const std::vector<std::int64_t>& row_offsets, const std::vector<int>& first_rows,
              const SliceShape& shape);

  std::int64_t num_slices() const { return static_cast<std::int64_t>(offsets.size()) - 1; }
  /// Whether the storage of slices is at most twice that of blocks and inverses, or small anyway.
  /// It is larger where few rows are much longer than others, or where colours have only a row or
  /// two.
  bool is_dense(const SliceShape& shape, std::int64_t num_rows, std::int64_t num_blocks) const {
    constexpr std::int64_t small = 1 << 22;  // values
    const std::int64_t room =
        (offsets.back() + num_slices()) * shape.block_values() * shape.places();
    return room <= 2 * (num_blocks + num_rows) * shape.size * shape.size + small;
  }
};

/// Sliced rows as kernels capture them.
template <class Scalar, class OffDiagonal>
struct SlicedRows {
  SliceShape shape;
  int num_slices = 0;
  const std::int64_t* offsets = nullptr;  ///< first step of each slice
  const int* rows = nullptr;              ///< (slice, row of it), -1: none
  int* columns = nullptr;                 ///< (step, row of the slice), -1: none
  /// (step, unit of one load of a lane, place). Lanes load units of 16 bytes as long as values
  /// suffice, and smaller units after them.
  OffDiagonal* values = nullptr;
  Scalar* inverses = nullptr;         ///< (slice, column, component of a lane, place)
  const float* row_scales = nullptr;  ///< as in `BlockRows`
};

/// Calls with<Size, FewRows>() for a shape.
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

/// A sliced copy of the blocks off the diagonal, and of the inverses of the diagonal blocks.
template <class Scalar, class OffDiagonal, class Memory>
class BlockSlices {
 public:
  using Rows = SlicedRows<Scalar, OffDiagonal>;

  /// None.
  BlockSlices() {}  // NOLINT(modernize-use-equals-default): see ColumnMesh
  /// Fences `space`. Makes no slices where they would be mostly empty.
  /// \param matrix      with rows by colour; its row scales must stay alive. `row_offsets` are its
  ///   offsets on the host
  /// \param first_rows  of each colour; one more than there are colours
  /// \param inverses    of its diagonal blocks
  template <class Space>
  BlockSlices(const Space& space, const SliceShape& shape,
              const BlockRows<Scalar, OffDiagonal>& matrix,
              const std::vector<std::int64_t>& row_offsets, const std::vector<int>& first_rows,
              const Scalar* inverses);

  /// Enqueues a kernel that fills the slices with new values for a matrix of the same rows and
  /// columns, and the targets of `update` off the diagonal.
  template <class Space>
  void fill(const Space& space, const BlockRows<Scalar, OffDiagonal>& matrix,
            const BlockUpdate<Scalar, OffDiagonal>& update, const Scalar* inverses) const;

  bool exist() const { return !m_first_slices.empty(); }
  const Rows& rows() const { return m_rows; }
  /// First slice of a colour. Colour num_colours gives the end of the last one.
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
