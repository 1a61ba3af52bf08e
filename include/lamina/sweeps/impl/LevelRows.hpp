// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Fields as the sweeps of a device read and write them, in 32-bit offsets from one level.

#include <lamina/core/Concepts.hpp>
#include <lamina/device/impl/Access.hpp>
#include <lamina/device/impl/KeptAddress.hpp>

#include <cstdint>
#include <type_traits>

namespace Lamina::Impl {

/// The levels of a field with contiguous columns from some level upwards. Offsets have 32 bits, which
/// saves half of the instructions of an address. `Kept`: the address stays in registers, see
/// `kept_address`.
template <class Value, bool Kept = true>
struct LevelRows {
  using value_type = Value;
  using non_const_value_type = std::remove_const_t<Value>;
  Value* base;
  int stride;

  template <class FieldType>
  KOKKOS_FORCEINLINE_FUNCTION LevelRows(const FieldType& field, int level)
      : base(field.data() +
             static_cast<std::int64_t>(level) * static_cast<std::int64_t>(field.stride(1))),
        stride(static_cast<int>(field.stride(1))) {
    if constexpr (Kept) base = kept_address(base);
  }
  KOKKOS_FORCEINLINE_FUNCTION Value& operator()(std::int64_t column, int level) const {
    return base[level * stride + static_cast<int>(column)];
  }
};
/// The same of a field with contiguous levels. Columns are less than 4 GB long.
template <class Value>
struct LevelCells {
  using value_type = Value;
  using non_const_value_type = std::remove_const_t<Value>;
  Value* base;
  std::uint32_t bytes;  // of a column

  template <class FieldType>
  KOKKOS_FORCEINLINE_FUNCTION LevelCells(const FieldType& field, int level)
      : base(field.data() + level),
        bytes(static_cast<std::uint32_t>(field.stride(0) * sizeof(Value))) {}
  KOKKOS_FORCEINLINE_FUNCTION Value& operator()(std::int64_t column, int level) const {
    const non_const_value_type* const at = address_behind<non_const_value_type>(
        base + level, static_cast<std::uint32_t>(column), bytes);
    return *const_cast<Value*>(at);
  }
};
template <class FieldType>
inline constexpr bool has_contiguous_levels = requires {
  requires levels_contiguous<typename FieldType::array_layout>;
};
template <class FieldType>
using RowsOf =
    std::conditional_t<has_contiguous_levels<FieldType>, LevelCells<typename FieldType::value_type>,
                       LevelRows<typename FieldType::value_type>>;
/// The same for sinks of many fields. Packs of floats leave no registers for their addresses; see
/// docs/developer/tuning.md.
template <class FieldType, class Scalar>
using SinkRowsOf =
    std::conditional_t<has_contiguous_levels<FieldType>, LevelCells<typename FieldType::value_type>,
                       LevelRows<typename FieldType::value_type, sizeof(Scalar) == sizeof(double)>>;
template <class FieldType>
using ScalarOf = typename FieldType::non_const_value_type;

}  // namespace Lamina::Impl
