// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Fields and operators of a solve with bottoms or coefficients; included by what Columns_<Name>.cpp instantiates.

#include <lamina/columns/ColumnOperator.hpp>
#include <lamina/columns/StoredCoefficients.hpp>
#include <lamina/core/Require.hpp>
#include <lamina/core/SolveReport.hpp>
#include <lamina/core/StoppingCriteria.hpp>
#include <lamina/grids/ColumnMesh.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <string>
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

/// The operator of the columns of a process.
template <class Value, class LayoutType, class Execution, class Memory>
auto make_columns_operator(const Execution& space, const ColumnMesh<Memory>& mesh,
                           const HelmholtzColumns& columns) {
  using Stored = StoredCoefficients<Value, Memory, LayoutType>;
  const std::size_t num_values =
      static_cast<std::size_t>(mesh.num_edges()) * static_cast<std::size_t>(columns.num_levels);
  if (columns.horizontal.size() != num_values) {
    throw InvalidArgument("coefficients of edges: expected " + std::to_string(num_values) +
                          " values, got " + std::to_string(columns.horizontal.size()));
  }
  const auto make = [&](const char* name, int num_rows, const std::vector<double>& values) {
    const Kokkos::View<Value**, LayoutType, Memory> field(
        std::string("Lamina::Cli::") + name, static_cast<std::size_t>(num_rows),
        static_cast<std::size_t>(columns.num_levels));
    fill_columns(space, field, values);
    return field;
  };
  const Stored stored(space, mesh, make("mass", mesh.num_columns(), columns.mass),
                      make("vertical", mesh.num_columns(), columns.vertical),
                      make("horizontal", mesh.num_edges(), columns.horizontal));
  return ColumnOperator<Stored>(mesh, columns.num_levels, stored);
}

/// A plan whose cycles take fields of one layout alone: copies them there and back, as `FusedPcg` does for other
/// models.
template <class Plan, class Turned>
class TurnedPlan {
 public:
  /// \param like  a field of the same extents
  template <class Field>
  TurnedPlan(Plan& plan, const Field& like)
      : m_plan(plan),
        m_b("Lamina::Cli::turned_rhs", like.extent(0), like.extent(1)),
        m_x("Lamina::Cli::turned_solution", like.extent(0), like.extent(1)) {}

  template <class Execution, class Field>
  SolveReport solve(const Execution& space, const Field& rhs, const Field& solution,
                    const StoppingCriteria& criteria) {
    Kokkos::deep_copy(space, m_b, rhs);
    Kokkos::deep_copy(space, m_x, solution);
    const SolveReport report = m_plan.solve(space, m_b, m_x, criteria);
    Kokkos::deep_copy(space, solution, m_x);
    return report;
  }

 private:
  Plan& m_plan;
  Turned m_b, m_x;
};

}  // namespace Lamina::Cli
