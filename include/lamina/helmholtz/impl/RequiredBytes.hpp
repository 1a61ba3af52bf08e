// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/device/impl/Pack.hpp>
#include <lamina/device/impl/TeamSums_Device.hpp>
#include <lamina/grids/ColumnMesh.hpp>
#include <lamina/helmholtz/impl/HelmholtzKernels.hpp>

#include <cstdint>
#include <type_traits>

// What the classes of this component allocate, see their `required_bytes`. Where the content of a
// mesh decides, these are upper bounds.

namespace Lamina::Impl {

/// Of each class: rows of scalar products and other arrays that do not grow with the grid, and what
/// rounds up the sizes of the others.
inline constexpr double small_arrays_bytes = 1 << 17;

/// Columns of the fields of fused solves: on a device rows may be padded.
template <class Memory>
std::int64_t num_places(const ColumnGridSize& size) {
  if constexpr (std::is_same_v<Memory, Kokkos::HostSpace>) return size.num_columns();
  return size.num_padded_columns();
}

/// The tables of an operator over so many columns: couplings, area, diffusion and boundary; on a
/// device also packs, pairs of packs, the columns in none, and edges.
template <class Scalar, class Memory>
double column_table_bytes(std::int64_t num_columns, int slots) {
  double of_column = (slots + 3.0) * sizeof(Scalar);
  if constexpr (!std::is_same_v<Memory, Kokkos::HostSpace>) {
    // At most half of the columns are in no pack, and an eighth in no pair, where there are lists.
    constexpr double of_pack = 5.5 * sizeof(int), listed = 0.625 * sizeof(int), sides = 4;
    const double edges = slots > 4 ? slots : 2;  // a column of a grid in rows lists two
    of_column += of_pack / pack_width<Scalar> + listed + sides * sizeof(Scalar) +
                 edges * (sizeof(int) + sizeof(Scalar));
  }
  return static_cast<double>(num_columns) * of_column;
}

/// The vertical vectors; on a device also the table of all of them.
template <class Scalar, class Memory>
double level_table_bytes(int num_levels) {
  double values = 5.0 * num_levels;
  if constexpr (!std::is_same_v<Memory, Kokkos::HostSpace>) {
    values += 4.0 * (num_levels + 4 * long_helmholtz_segment);
  }
  return values * sizeof(Scalar);
}

/// Scratch of a model of fused sweeps, beside that of its sums: of the line solves, in both orders of
/// columns where there are two.
template <class Scalar, class Memory, class Space>
double fused_scratch_bytes(const Space& space, const ColumnGridSize& size) {
  const auto lines = [&](std::int64_t num_columns) {
    return LineWorkspace<Scalar, Memory>::required_bytes(space, num_columns, size.num_levels,
                                                         helmholtz_segments);
  };
  const std::int64_t places = num_places<Memory>(size);
  return lines(size.num_columns()) + (places > size.num_columns() ? lines(places) : 0);
}

/// Scratch of sums: only devices have it.
template <class Memory>
constexpr double parts_bytes =
    std::is_same_v<Memory, Kokkos::HostSpace> ? 0 : TeamParts<Memory>::bytes;

/// Fields of `Scalar` over so many columns.
template <class Scalar>
double fields_bytes(std::int64_t num_columns, const ColumnGridSize& size, int count) {
  return static_cast<double>(num_columns) * size.num_levels * count * sizeof(Scalar);
}

}  // namespace Lamina::Impl
