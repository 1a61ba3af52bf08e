// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/device/impl/KeptAddress.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace Lamina::Impl {

/// Levels of one row of a field, from some level on, for a thread that takes several of them. Levels lie less than 4 GB
/// apart.
template <class Element>
class LevelsFrom {
 public:
  template <class FieldType>
  KOKKOS_FORCEINLINE_FUNCTION LevelsFrom(const FieldType& field, std::int64_t row, int first)
      : m_first(field.data() + row * static_cast<std::int64_t>(field.stride(0)) +
                first * static_cast<std::int64_t>(field.stride(1))),
        m_bytes(static_cast<std::uint32_t>(field.stride(1) * sizeof(Element))) {}

  /// That of level first + n, n >= 0.
  KOKKOS_FORCEINLINE_FUNCTION Element operator()(int n) const {
    return *address_behind(m_first, static_cast<std::uint32_t>(n), m_bytes);
  }

 private:
  const Element* m_first;
  std::uint32_t m_bytes;
};

}  // namespace Lamina::Impl
