// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <utility>

namespace Lamina::Impl {

/// Columns 0 <= column < num_owned of a field.
template <class FieldType>
FieldType first_columns(const FieldType& field, int num_owned) {
  const auto count = static_cast<std::size_t>(num_owned);
  if (count == field.extent(0)) return field;
  return Kokkos::subview(field, std::pair<std::size_t, std::size_t>(0, count), Kokkos::ALL);
}

/// The columns after them.
template <class FieldType>
FieldType last_columns(const FieldType& field, int num_owned) {
  using Range = std::pair<std::size_t, std::size_t>;
  return Kokkos::subview(field, Range(static_cast<std::size_t>(num_owned), field.extent(0)),
                         Kokkos::ALL);
}

}  // namespace Lamina::Impl
