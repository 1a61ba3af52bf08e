// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Kernel bodies that are the same for one cell and for a vector of cells read and write through
// these: `Value` is the scalar itself, or `Lanes` of it on the host.

#include <lamina/core/Concepts.hpp>
#include <lamina/core/impl/Lanes_Host.hpp>

#include <cstdint>
#include <type_traits>

namespace Lamina::Impl {

/// The value of cell (column, level), or of the cells that follow it in memory.
template <class Value, class FieldType>
KOKKOS_FORCEINLINE_FUNCTION Value read(const FieldType& field, std::int64_t column, int level) {
  if constexpr (std::is_arithmetic_v<Value>) {
    return field(column, level);
  } else {
    return load_lanes(&field(column, level));
  }
}
template <class Value, class FieldType>
KOKKOS_FORCEINLINE_FUNCTION void write(const FieldType& field, std::int64_t column, int level,
                                       const Value& value) {
  if constexpr (std::is_arithmetic_v<Value>) {
    field(column, level) = value;
  } else {
    store_lanes(&field(column, level), value);
  }
}

/// The same for vectors over columns or levels.
template <class Value, class Vector>
KOKKOS_FORCEINLINE_FUNCTION Value read(const Vector& vector, std::int64_t i) {
  if constexpr (std::is_arithmetic_v<Value>) {
    return vector(i);
  } else {
    return load_lanes(&vector(i));
  }
}

}  // namespace Lamina::Impl
