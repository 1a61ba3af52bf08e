// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Operators with profiles of all kinds, and what they are cell by cell.

#include <lamina/columns/ColumnOperator.hpp>
#include <lamina/columns/ProfileCoefficients.hpp>

#include <columns/ColumnCase.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace LaminaTest {

/// Profiles and factors over two decades.
inline Lamina::ColumnProfiles random_profiles(int num_columns, int num_levels, std::uint64_t seed) {
  const auto positive = [&](int count, std::uint64_t own_seed) {
    Values values = random_values(static_cast<std::size_t>(count), seed + own_seed);
    for (double& value : values) value = std::pow(10, value);
    return values;
  };
  return {positive(num_levels, 1), positive(num_levels - 1, 2), positive(num_levels, 3),
          positive(num_columns, 4), positive(num_columns, 5)};
}

/// Cuts of lowest cells, on the host.
struct Cuts {
  std::vector<double> fractions, thicknesses;  ///< of columns, of levels
  std::vector<double> volumes{};               ///< of columns; empty: the fractions
};

/// The values cell by cell. `bottoms` may be empty, and cuts, too.
inline ColumnCase expand(const Lamina::ColumnGraph& graph, const Lamina::ColumnProfiles& profiles,
                         const std::vector<int>& bottoms, const Cuts& cuts = {}) {
  const int levels = static_cast<int>(profiles.mass.size());
  ColumnCase result{graph, levels, {}, {}, {}};
  const auto bottom = [&](int column) {
    return bottoms.empty() ? levels : bottoms[static_cast<std::size_t>(column)];
  };
  // The parts of a cell's height and volume that are open, and what thinner cells do to the coupling of two.
  const auto part_of = [&](const std::vector<double>& parts, int column, int level) {
    const bool cut = !parts.empty() && level + 1 == bottom(column);
    return cut ? parts[static_cast<std::size_t>(column)] : 1.0;
  };
  const auto height = [&](int column, int level) { return part_of(cuts.fractions, column, level); };
  const auto open_part = [&](int column, int level) {
    return part_of(cuts.volumes.empty() ? cuts.fractions : cuts.volumes, column, level);
  };
  const auto closer = [&](int column, int level) {
    if (cuts.fractions.empty()) return 1.0;
    const double h = cuts.thicknesses[static_cast<std::size_t>(level)],
                 next = cuts.thicknesses[static_cast<std::size_t>(level) + 1];
    return (h + next) / (h * height(column, level) + next * height(column, level + 1));
  };
  for (int c = 0; c < result.num_columns(); ++c) {
    const auto column = static_cast<std::size_t>(c);
    double boundary = 0;
    for (const auto& edge : graph.boundary_edges) {
      if (edge.column == c) boundary += edge.length / edge.distance;
    }
    for (int k = 0; k < levels; ++k) {
      const auto level = static_cast<std::size_t>(k);
      const double mass = profiles.mass_factors[column] * profiles.mass[level] +
                          boundary * profiles.horizontal[level];
      result.mass.push_back(k < bottom(c) ? open_part(c, k) * mass : 0);
      result.vertical.push_back(k + 1 < bottom(c)
                                    ? closer(c, k) * profiles.vertical_factors[column] *
                                          profiles.vertical[level]
                                    : 0);
    }
  }
  for (const auto& edge : graph.edges) {
    const int open = std::min(bottom(edge.first), bottom(edge.second));
    for (int k = 0; k < levels; ++k) {
      const double coupling = std::min(open_part(edge.first, k), open_part(edge.second, k)) *
                              edge.length / edge.distance *
                              profiles.horizontal[static_cast<std::size_t>(k)];
      result.horizontal.push_back(k < open ? coupling : 0);
    }
  }
  return result;
}

template <class Value>
Kokkos::View<const Value*, Memory> list_of(const std::vector<Value>& values) {
  const Kokkos::View<Value*, Memory> view("LaminaTest::list", values.size());
  const auto host = Kokkos::create_mirror_view(view);
  std::copy(values.begin(), values.end(), host.data());
  Kokkos::deep_copy(view, host);
  return view;
}

/// Calls check(operator, the system cell by cell) for profiles without bottoms, with them, and with partial cells.
template <class Scalar, class Check>
void check_profiles(const Lamina::ColumnGraph& graph, int levels, const std::vector<int>& bottoms,
                    std::uint64_t seed, const Check& check) {
  const Lamina::ColumnMesh<Memory> mesh(graph);
  const auto profiles = random_profiles(mesh.num_columns(), levels, seed);
  check(Lamina::ColumnOperator(mesh, levels,
                               Lamina::ProfileCoefficients<Scalar, Memory>(mesh, profiles)),
        expand(graph, profiles, {}));
  const Lamina::SteppedCoefficients<Scalar, Memory> stepped(mesh, profiles, list_of(bottoms));
  SCOPED_TRACE("with bottoms");
  check(Lamina::ColumnOperator(mesh, levels, stepped), expand(graph, profiles, bottoms));
  Cuts cuts;
  for (int c = 0; c < mesh.num_columns(); ++c) {
    const double part = 0.55 + 0.45 * Reference::unit_value(static_cast<std::uint64_t>(c));
    cuts.fractions.push_back(c % 3 == 0 ? 1 : part);
  }
  for (int k = 0; k < levels; ++k) cuts.thicknesses.push_back(1 + k % 3);
  auto told = cuts.fractions;
  for (std::size_t c = 0; c < told.size(); ++c) {  // of land they have no effect
    if (bottoms[c] == 0) told[c] = std::numeric_limits<double>::quiet_NaN();
  }
  const Lamina::PartialCellCoefficients<Scalar, Memory> partial(
      mesh, profiles, {list_of(bottoms), list_of(told), cuts.thicknesses});
  SCOPED_TRACE("with partial cells");
  check(Lamina::ColumnOperator(mesh, levels, partial), expand(graph, profiles, bottoms, cuts));
  for (const double part : cuts.fractions) cuts.volumes.push_back(part * (1.5 - 0.5 * part));
  const Lamina::PartialCellCoefficients<Scalar, Memory> shell(
      mesh, profiles, {list_of(bottoms), list_of(told), cuts.thicknesses, list_of(cuts.volumes)});
  SCOPED_TRACE("with parts of volumes");
  check(Lamina::ColumnOperator(mesh, levels, shell), expand(graph, profiles, bottoms, cuts));
}

}  // namespace LaminaTest
