// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Coefficients of a system on columns, on the host; and its matrix, assembled entry by entry.

#include <lamina/columns/ColumnLinePreconditioner.hpp>
#include <lamina/columns/FusedColumns.hpp>
#include <lamina/columns/StoredCoefficients.hpp>
#include <lamina/krylov/FusedPcg.hpp>
#include <lamina/krylov/Pcg.hpp>

#include <gtest/gtest.h>
#include <helmholtz/HelmholtzCase.hpp>
#include <reference/ConjugateGradients.hpp>
#include <reference/DirectSolve.hpp>
#include <reference/LinePreconditioner.hpp>
#include <support/FieldTypes.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace LaminaTest {

/// Values of cells in the order column * num_levels + level, those of edges likewise.
struct ColumnCase {
  Lamina::ColumnGraph graph;
  int num_levels;
  Values mass, vertical, horizontal;

  int num_columns() const { return static_cast<int>(graph.areas.size()); }
  std::size_t size() const { return place(num_columns(), 0); }
  std::size_t place(int column, int level) const {
    return static_cast<std::size_t>(column) * static_cast<std::size_t>(num_levels) +
           static_cast<std::size_t>(level);
  }

  /// Values over some decades, as `Value` holds them. With `masked`, columns end at bottoms of their own,
  /// and what lies beyond is 0.
  template <class Value>
  static ColumnCase random(const Lamina::ColumnGraph& graph, int num_levels, std::uint64_t seed,
                           bool masked = false) {
    ColumnCase result{graph, num_levels, {}, {}, {}};
    const auto positive = [&](std::size_t count, std::uint64_t own_seed, double decades) {
      Values values = random_values(count, own_seed);
      for (double& value : values) value = std::pow(10, decades * value);
      return rounded<Value>(values);
    };
    result.mass = positive(result.size(), seed, 0.5);
    result.vertical = positive(result.size(), seed + 1, 1);
    result.horizontal =
        positive(graph.edges.size() * static_cast<std::size_t>(num_levels), seed + 2, 0.5);
    if (masked) result.mask(seed);
    return result;
  }
  /// Level from which on a column is dry; some are dry from the first one on.
  int bottom(int column, std::uint64_t seed) const {
    return static_cast<int>(Reference::splitmix64(seed + static_cast<std::uint64_t>(column)) %
                            static_cast<std::uint64_t>(num_levels + 1));
  }
  void mask(std::uint64_t seed) {
    for (int c = 0; c < num_columns(); ++c) {
      for (int k = 0; k < num_levels; ++k) {
        if (k >= bottom(c, seed)) mass[place(c, k)] = 0;
        if (k + 1 >= bottom(c, seed)) vertical[place(c, k)] = 0;
      }
    }
    for (std::size_t e = 0; e < graph.edges.size(); ++e) {
      const int open =
          std::min(bottom(graph.edges[e].first, seed), bottom(graph.edges[e].second, seed));
      for (int k = open; k < num_levels; ++k) horizontal[place(static_cast<int>(e), k)] = 0;
    }
  }
  bool is_dry(std::size_t cell) const { return mass[cell] == 0; }

  /// Dry cells have 1 on the diagonal. `coupled`: see `helmholtz_matrix`.
  Reference::Matrix matrix(bool coupled = true) const {
    Reference::Matrix result;
    result.rows.resize(size());
    const auto add = [&](std::size_t row, std::size_t column, double value) {
      result.rows[row].push_back({static_cast<int>(column), value});
    };
    const auto couple = [&](std::size_t a, std::size_t b, double value, bool both) {
      for (const auto& [row, other] : {std::pair{a, b}, {b, a}}) {
        add(row, row, value);
        if (both) add(row, other, -value);
      }
    };
    for (int c = 0; c < num_columns(); ++c) {
      for (int k = 0; k < num_levels; ++k) {
        add(place(c, k), place(c, k), is_dry(place(c, k)) ? 1 : mass[place(c, k)]);
        if (k + 1 < num_levels) {
          couple(place(c, k), place(c, k + 1), vertical[place(c, k)], true);
        }
      }
    }
    for (std::size_t e = 0; e < graph.edges.size(); ++e) {
      for (int k = 0; k < num_levels; ++k) {
        couple(place(graph.edges[e].first, k), place(graph.edges[e].second, k),
               horizontal[place(static_cast<int>(e), k)], coupled);
      }
    }
    return result;
  }
  /// Random values, 0 in dry cells.
  Values random_wet(std::uint64_t seed) const {
    Values values = random_values(size(), seed);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (is_dry(i)) values[i] = 0;
    }
    return values;
  }
};

/// The same on the test space.
template <class Scalar, class Layout, class Value>
struct StoredCase {
  using Coefficients = Lamina::StoredCoefficients<Scalar, Memory, Layout, Value>;
  using Values = TestField<Value, Layout>;

  StoredCase(const ColumnCase& system, const Padding& padding = {})
      : mesh(system.graph),
        mass(system.num_columns(), system.num_levels, system.mass, padding),
        vertical(system.num_columns(), system.num_levels, system.vertical, padding),
        horizontal(mesh.num_edges(), system.num_levels, system.horizontal, padding),
        coefficients(TEST_SPACE(), mesh, mass.view(), vertical.view(), horizontal.view()),
        op(mesh, system.num_levels, coefficients) {}

  void set(const ColumnCase& system) {
    mass.set(system.mass);
    vertical.set(system.vertical);
    horizontal.set(system.horizontal);
  }

  Lamina::ColumnMesh<Memory> mesh;
  Values mass, vertical, horizontal;
  Coefficients coefficients;
  Lamina::ColumnOperator<Coefficients> op;
};

/// Meshes on which systems are solved.
/// More columns than a tile of CPU cores has, with 2 to 5 neighbours, but for the first one with 16.
inline Lamina::ColumnGraph graph_of_many_columns() {
  auto graph =
      Lamina::plane(18, 11, Lamina::PlaneSides::all(Lamina::PlaneSide::zero_flux), 0.1, 0.2);
  for (int n = 0; n < 14; ++n) graph.edges.push_back({0, 40 + 11 * n, 0.1 + 0.01 * n, 0.2});
  return graph;
}

inline std::vector<Lamina::ColumnGraph> graphs_to_solve_on() {
  return {irregular_graph(1, 0), irregular_graph(37, 0), Lamina::CubedSpherePanel(5, 4).graph(),
          Lamina::plane(4, 6, {}, 0.1, 0.2)};
}

}  // namespace LaminaTest
