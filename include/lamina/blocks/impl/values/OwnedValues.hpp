// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/blocks/impl/rows/BlockRows.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace Lamina::Impl {

/// The sources of the blocks of a matrix. Row i comes from row rows[i] of the source, or from row i
/// without `rows`. Block k of it is block places[k] of that row, or block k. Where the source holds
/// diagonal blocks among the others, diagonal_places[i] is the place of the diagonal block of row
/// i.
template <class Scalar, class From>
struct BlockSources {
  const std::int64_t* offsets = nullptr;
  const int *rows = nullptr, *places = nullptr, *diagonal_places = nullptr;
  const From* blocks = nullptr;
  const Scalar* diagonal = nullptr;  ///< none: they are among `blocks`
  const float* row_scales = nullptr;
};
template <class Scalar, class To>
struct BlockTargets {
  To* blocks = nullptr;
  Scalar* diagonal = nullptr;
  float* row_scales = nullptr;
  int* first_lost = nullptr;  ///< lowered to the first row with a value that rounding would lose
};

/// The sources and the targets of an update. Without targets the sources are the matrix itself.
template <class Scalar, class OffDiagonal>
struct BlockUpdate {
  BlockSources<Scalar, OffDiagonal> from{};
  BlockTargets<Scalar, OffDiagonal> to{};
};

template <class Scalar, class OffDiagonal>
BlockUpdate<Scalar, OffDiagonal> in_place(const BlockRows<Scalar, OffDiagonal>& matrix) {
  BlockUpdate<Scalar, OffDiagonal> update;
  update.from.offsets = matrix.offsets;
  update.from.blocks = matrix.off_diagonal;
  update.from.diagonal = matrix.diagonal;
  return update;
}

/// The values of a block-sparse matrix that was made from another one, for updates, and their
/// sources. Empty for a matrix of the user's Views.
template <class Scalar, class OffDiagonal, class Memory>
struct OwnedValues {
  enum class Origin { none, split, renumbered, rounded };

  Origin origin = Origin::none;
  Kokkos::View<Scalar***, Kokkos::LayoutLeft, Memory> diagonal;  ///< not `rounded`, which shares it
  Kokkos::View<OffDiagonal***, Kokkos::LayoutLeft, Memory> off_diagonal;
  Kokkos::View<float**, Kokkos::LayoutRight, Memory> row_scales;
  Kokkos::View<const std::int64_t*, Memory> offsets;  ///< of the source
  Kokkos::View<const int*, Memory> columns;           ///< of the source; not `split`
  Kokkos::View<const int*, Memory> rows;              ///< `renumbered`: of the source
  /// `renumbered`: of each block in the source's row; `split`: of each row's diagonal block there
  Kokkos::View<const int*, Memory> places;
  Kokkos::View<int, Memory> first_lost;  ///< `split`: see `BlockTargets`

  // NOLINTNEXTLINE(modernize-use-equals-default): see ColumnMesh
  OwnedValues() {}
};

}  // namespace Lamina::Impl
