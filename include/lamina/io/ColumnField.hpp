// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace Lamina {

/// The values of one column in a file: `values_of(column, values)` moves those of all its levels,
/// from the bottom up, to or from `values`.
template <class Scalar>
using ColumnValues = std::function<void(int column, Scalar* values)>;

/// A field (column, level) to be written. CF attributes: `cell_methods` says whether values are cell
/// averages ("area: mean level: mean") or integrals ("area: sum level: sum").
template <class Scalar>
struct ColumnField {
  std::string name, long_name, cell_methods;
  ColumnValues<Scalar> values_of;  ///< called for columns 0, 1, ...
  bool has_missing = false;        ///< NaN stands for a missing value
};

/// The values of a host field (column, level). The field must outlive the result.
/// \param place  place(column) is the column of the field that column of the file is
template <class HostField, class Place>
auto column_values(const HostField& field, const Place& place) {
  using Scalar = typename HostField::non_const_value_type;
  return ColumnValues<Scalar>([place, &field](int column, Scalar* values) {
    const auto here = static_cast<std::size_t>(place(column));
    for (std::size_t k = 0; k < field.extent(1); ++k) *values++ = field(here, k);
  });
}

}  // namespace Lamina
