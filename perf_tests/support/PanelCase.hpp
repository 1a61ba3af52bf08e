// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/grids/ColumnMesh.hpp>
#include <lamina/grids/CubedSpherePanel.hpp>
#include <lamina/grids/VerticalGrid.hpp>
#include <lamina/helmholtz/HelmholtzOperator.hpp>
#include <lamina/problems/RightHandSide.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "Measure.hpp"
#include "PanelSize.hpp"

namespace Lamina::Perf {

/// The paper's panel, and one of awkward extents.
inline std::vector<PanelSize> panel_sizes() {
  if (tiny_run()) return {{16, 16, 16}, {13, 9, 7}};
  return {{256, 256, 128}, {253, 257, 127}};
}

/// The model problem of Müller et al. (2013) with their parameters, on one space.
template <class Space, class ScalarType, class LayoutType>
struct PanelCase {
  using execution_space = Space;
  using Scalar = ScalarType;
  using Layout = LayoutType;
  using Memory = typename Space::memory_space;
  using Field = Kokkos::View<Scalar**, Layout, Memory>;

  explicit PanelCase(const PanelSize& size)
      : panel(size.num_x, size.num_y),
        grid(VerticalGrid::graded(size.num_levels, 0.0157)),
        parameters(parameters_of(size)),
        mesh(panel.graph()),
        op(mesh, grid, parameters) {}

  static HelmholtzParameters parameters_of(const PanelSize& size) {
    const double cells_of_paper = 256.0 / size.num_x;
    return {.omega2 = 6.71e-4 * cells_of_paper * cells_of_paper, .lambda2 = 3.32e-2};
  }
  static std::string type_names() {
    return std::string(scalar_name<Scalar>) + ',' + layout_name<Layout> + ',' + Space::name();
  }

  Field make_field(const std::string& label) const {
    return Field(label, static_cast<std::size_t>(panel.num_columns()),
                 static_cast<std::size_t>(grid.num_levels()));
  }
  /// A field of the values value(i, j, k).
  template <class Value>
  Field filled_field(const std::string& label, const Value& value) const {
    const Field field = make_field(label);
    const auto host = Kokkos::create_mirror_view(field);
    for (int i = 0; i < panel.num_x(); ++i) {
      for (int j = 0; j < panel.num_y(); ++j) {
        for (int k = 0; k < grid.num_levels(); ++k) {
          host(panel.column(i, j), k) = static_cast<Scalar>(value(i, j, k));
        }
      }
    }
    Kokkos::deep_copy(field, host);
    return field;
  }
  Field right_hand_side(RightHandSide rhs = RightHandSide::smooth) const {
    const Field field = make_field("Lamina::Perf::rhs");
    fill_rhs(space, rhs, panel, grid, field);
    return field;
  }

  Space space{};
  CubedSpherePanel panel;
  VerticalGrid grid;
  HelmholtzParameters parameters;
  ColumnMesh<Memory> mesh;
  HelmholtzOperator<Scalar, Memory> op;
};

/// The largest |value / expected - 1| over a field, expected(column, level) on the host; infinite
/// where a value is not finite.
template <class Field, class Expected>
double worst_ratio(const Field& field, const Expected& expected) {
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), field);
  double worst = 0;
  for (std::size_t column = 0; column < host.extent(0); ++column) {
    for (std::size_t k = 0; k < host.extent(1); ++k) {
      const double value = static_cast<double>(host(column, k));
      if (!std::isfinite(value)) return HUGE_VAL;
      worst = std::max(worst, std::abs(value / expected(column, k) - 1));
    }
  }
  return worst;
}

/// What is wrong where `worst` should be below `allowed`.
inline std::string error_above(double allowed, double worst) {
  return worst <= allowed ? "" : "wrong result: relative error " + std::to_string(worst);
}

}  // namespace Lamina::Perf
