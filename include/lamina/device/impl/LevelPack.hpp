// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Packs of contiguous levels of a column.

#include <lamina/device/impl/Access.hpp>
#include <lamina/device/impl/Backend.hpp>
#include <lamina/device/impl/KeptAddress.hpp>
#include <lamina/device/impl/Pack.hpp>
#include <lamina/device/impl/Tuning.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>

namespace Lamina::Impl {

template <class Scalar>
using LevelPack = Pack<Scalar, LevelPackTuning::levels>;

/// Levels of columns that fields hold: whole packs.
constexpr int packed_levels(int num_levels) {
  constexpr int levels = LevelPackTuning::levels;
  return (num_levels + levels - 1) / levels * levels;
}

/// Where levels `first` and following of a row of a field are. Rows are less than 4 GB long.
template <class FieldType>
KOKKOS_FORCEINLINE_FUNCTION const std::remove_const_t<typename FieldType::value_type>*
level_address(const FieldType& field, int row, int first) {
  using Element = std::remove_const_t<typename FieldType::value_type>;
  const Element* const begin = field.data() + first;
  return address_behind(begin, static_cast<std::uint32_t>(row),
                        static_cast<std::uint32_t>(field.stride(0) * sizeof(Element)));
}
/// These levels, as they are stored.
template <class FieldType>
KOKKOS_FORCEINLINE_FUNCTION auto load_levels(const FieldType& field, int row, int first) {
  using Stored = std::remove_const_t<typename FieldType::value_type>;
  return load<LevelPack<Stored>>(level_address(field, row, first));
}
template <class FieldType, class Scalar>
KOKKOS_FORCEINLINE_FUNCTION void store_levels(const FieldType& field, int row, int first,
                                              const LevelPack<Scalar>& values) {
  store(const_cast<Scalar*>(level_address(field, row, first)), values);
}
template <class Scalar, class Stored>
KOKKOS_FORCEINLINE_FUNCTION LevelPack<Scalar> converted_levels(const LevelPack<Stored>& stored) {
  LevelPack<Scalar> levels;
  LAMINA_DEVICE_UNROLL()
  for (int i = 0; i < LevelPackTuning::levels; ++i) levels[i] = static_cast<Scalar>(stored[i]);
  return levels;
}

}  // namespace Lamina::Impl
