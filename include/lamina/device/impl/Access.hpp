// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Loads and stores of kernel bodies that serve one cell or several neighbouring cells. `Value` is
// the scalar, `Lanes` of it on the host, or a `Pack` of it on a device. A `ColumnPair` is the
// address of a `Pack` whose two halves are not contiguous.

#include <lamina/core/Concepts.hpp>
#include <lamina/device/impl/Lanes_Host.hpp>
#include <lamina/device/impl/Pack.hpp>

#include <cstdint>
#include <type_traits>

namespace Lamina::Impl {

/// Loads the value, or values, from an address on.
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

/// Loads the value of cell (column, level), or of the contiguous cells from it on. A field without
/// addresses, such as a texture, has a member for it.
template <class Value, class FieldType>
KOKKOS_FORCEINLINE_FUNCTION Value read(const FieldType& field, std::int64_t column, int level) {
  if constexpr (requires { field.template read_value<Value>(column, level); }) {
    return field.template read_value<Value>(column, level);
  } else {
    return load<Value>(&field(column, level));
  }
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

/// The addresses of two packs that one thread takes together, as one pack of twice the width.
struct ColumnPair {
  int first, second;
};

template <class Value, class FieldType>
KOKKOS_FORCEINLINE_FUNCTION Value read(const FieldType& field, const ColumnPair& columns,
                                       int level) {
  using Part = decltype(half_of<0>(Value()));
  return join(read<Part>(field, columns.first, level), read<Part>(field, columns.second, level));
}
template <class Value, class FieldType>
KOKKOS_FORCEINLINE_FUNCTION void write(const FieldType& field, const ColumnPair& columns, int level,
                                       const Value& value) {
  write(field, columns.first, level, half_of<0>(value));
  write(field, columns.second, level, half_of<1>(value));
}
template <class Value, class Vector>
KOKKOS_FORCEINLINE_FUNCTION Value read(const Vector& vector, const ColumnPair& columns) {
  using Part = decltype(half_of<0>(Value()));
  return join(read<Part>(vector, columns.first), read<Part>(vector, columns.second));
}

}  // namespace Lamina::Impl
