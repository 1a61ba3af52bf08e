// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Fields and operators of a solve with bottoms or coefficients; for ColumnsSolve_Impl.hpp.

#include <lamina/columns/ProfileCoefficients.hpp>
#include <lamina/columns/StoredCoefficients.hpp>
#include <lamina/core/Require.hpp>
#include <lamina/grids/ColumnMesh.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "helmholtz/columns/HelmholtzColumns.hpp"

namespace Lamina::Cli {

/// Fills the first rows of a field of 0, those that there are values for. Fences the space.
template <class Execution, class Field>
void fill_columns(const Execution& space, const Field& field, const std::vector<double>& values) {
  const auto host = Kokkos::create_mirror_view(field);
  const std::size_t num_levels = field.extent(1);
  LAMINA_REQUIRE(values.size() <= field.size(), "fill_columns",
                 "values: expected at most " + std::to_string(field.size()) + ", got " +
                     std::to_string(values.size()));
  for (std::size_t n = 0; n < values.size(); ++n) {
    host(n / num_levels, n % num_levels) = static_cast<typename Field::value_type>(values[n]);
  }
  Kokkos::deep_copy(space, field, host);
  space.fence();
}

/// The classes of the library as a solve takes them.
struct StoredKind {
  template <class Value, class Memory, class LayoutType>
  using Coefficients = StoredCoefficients<Value, Memory, LayoutType>;
  static constexpr bool is_turned = false;

  template <class Value, class LayoutType, class Execution, class Memory>
  static Coefficients<Value, Memory, LayoutType> make(const Execution& space,
                                                      const ColumnMesh<Memory>& mesh,
                                                      const HelmholtzColumns& columns) {
    const StoredTerms& stored = columns.stored;
    const auto levels = static_cast<std::size_t>(columns.num_levels);
    const std::size_t num_values = static_cast<std::size_t>(mesh.num_edges()) * levels;
    if (stored.horizontal.size() != num_values) {
      throw InvalidArgument("coefficients of edges: expected " + std::to_string(num_values) +
                            " values, got " + std::to_string(stored.horizontal.size()));
    }
    const auto fill = [&](const char* name, int num_rows, const std::vector<double>& values) {
      const Kokkos::View<Value**, LayoutType, Memory> field(
          std::string("Lamina::Cli::") + name, static_cast<std::size_t>(num_rows), levels);
      fill_columns(space, field, values);
      return field;
    };
    return {space, mesh, fill("mass", mesh.num_columns(), stored.mass),
            fill("vertical", mesh.num_columns(), stored.vertical),
            fill("horizontal", mesh.num_edges(), stored.horizontal)};
  }
};

template <bool HasBottoms>
struct ProfileKind {
  template <class Value, class Memory, class LayoutType>
  using Coefficients = ProfileCoefficients<Value, Memory, HasBottoms, HasBottoms>;
  /// Whether fields of the solve have their levels from the top down.
  static constexpr bool is_turned = HasBottoms;

  template <class Value, class LayoutType, class Execution, class Memory>
  static Coefficients<Value, Memory, LayoutType> make(const Execution&,
                                                      const ColumnMesh<Memory>& mesh,
                                                      const HelmholtzColumns& columns) {
    const ProfileTerms& terms = columns.profiled;
    if constexpr (HasBottoms) {
      const auto list = [](const char* name, const auto& values) {
        using Number = typename std::decay_t<decltype(values)>::value_type;
        const Kokkos::View<Number*, Memory> view(std::string("Lamina::Cli::") + name,
                                                 values.size());
        const Kokkos::View<const Number*, Kokkos::HostSpace,
                           Kokkos::MemoryTraits<Kokkos::Unmanaged>>
            host(values.data(), values.size());
        Kokkos::deep_copy(view, host);
        return view;
      };
      return {mesh, terms.profiles,
              PartialBottoms<Memory>{list("wet", terms.wet), list("heights", terms.heights),
                                     terms.thicknesses, list("parts", terms.volumes)}};
    } else {
      return {mesh, terms.profiles};
    }
  }
};

template <class FieldType>
struct ReverseLevels {
  FieldType field;

  KOKKOS_FUNCTION void operator()(std::int64_t n) const {
    const std::size_t columns = field.extent(0), column = static_cast<std::size_t>(n) % columns,
                      level = static_cast<std::size_t>(n) / columns,
                      other = field.extent(1) - 1 - level;
    const auto value = field(column, level);
    field(column, level) = field(column, other);
    field(column, other) = value;
  }
};

/// Between the order of levels in input and output and that of a solve with coefficients of a kind. Enqueued on the
/// space.
template <class Kind, class Execution, class FieldType>
void turn_levels(const Execution& space, const FieldType& field) {
  if constexpr (Kind::is_turned) {
    const auto swaps = static_cast<std::int64_t>(field.extent(0) * (field.extent(1) / 2));
    Kokkos::parallel_for(
        "Lamina::Cli::turn_levels",
        Kokkos::RangePolicy<Execution, Kokkos::IndexType<std::int64_t>>(space, 0, swaps),
        ReverseLevels<FieldType>{field});
  }
}

}  // namespace Lamina::Cli
