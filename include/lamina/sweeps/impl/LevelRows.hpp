// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Fields as the sweeps of a device read and write them, in 32-bit offsets from one level.

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
template <class FieldType>
using RowsOf = LevelRows<typename FieldType::value_type>;
/// The same for sinks of many fields. Packs of floats leave no registers for their addresses; see
/// docs/developer/tuning.md.
template <class FieldType, class Scalar>
using SinkRowsOf = LevelRows<typename FieldType::value_type, sizeof(Scalar) == sizeof(double)>;
template <class FieldType>
using ScalarOf = typename FieldType::non_const_value_type;

}  // namespace Lamina::Impl
