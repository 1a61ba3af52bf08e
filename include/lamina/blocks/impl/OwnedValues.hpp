// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace Lamina::Impl {

/// The values of a block-sparse matrix that was made from another one, to be written again, and
/// where they come from. Empty for a matrix of the user's Views.
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
