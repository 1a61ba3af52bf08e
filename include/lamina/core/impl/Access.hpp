// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Kernel bodies that are the same for one cell and for several neighbouring cells read and write
// through these: `Value` is the scalar itself, `Lanes` of it on the host, or a `Pack` on a device.

#include <lamina/core/Concepts.hpp>
#include <lamina/core/impl/Lanes_Host.hpp>
#include <lamina/core/impl/Pack.hpp>

#include <cstdint>
#include <type_traits>

namespace Lamina::Impl {

/// The value, or values, that start at an address.
template <class Value, class Scalar>
KOKKOS_FORCEINLINE_FUNCTION Value load(const Scalar* from) {
  if constexpr (std::is_arithmetic_v<Value>) {
    return *from;
  } else if constexpr (is_pack<Value>) {
    return *reinterpret_cast<const Value*>(from);
  } else {
    return load_lanes(from);
  }
}
template <class Value, class Scalar>
KOKKOS_FORCEINLINE_FUNCTION void store(Scalar* to, const Value& value) {
  if constexpr (std::is_arithmetic_v<Value>) {
    *to = value;
  } else if constexpr (is_pack<Value>) {
    *reinterpret_cast<Value*>(to) = value;
  } else {
    store_lanes(to, value);
  }
}

/// The value of cell (column, level), or of the cells that follow it in memory.
template <class Value, class FieldType>
KOKKOS_FORCEINLINE_FUNCTION Value read(const FieldType& field, std::int64_t column, int level) {
  return load<Value>(&field(column, level));
}
template <class Value, class FieldType>
KOKKOS_FORCEINLINE_FUNCTION void write(const FieldType& field, std::int64_t column, int level,
                                       const Value& value) {
  store(&field(column, level), value);
}

/// The same for vectors over columns or levels.
template <class Value, class Vector>
KOKKOS_FORCEINLINE_FUNCTION Value read(const Vector& vector, std::int64_t i) {
  return load<Value>(&vector(i));
}

}  // namespace Lamina::Impl
