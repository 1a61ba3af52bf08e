// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <vector>

namespace Lamina {

/// How the area of a column grows with its height.
enum class VerticalMetric {
  shell,  ///< as r^2: columns of a sphere of radius 1; heights are radii, > 0
  flat    ///< constant: columns of a plane; heights may be negative, like depths of an ocean
};

/// The vertical grid, which is the same for every column: interfaces r_0 < r_1 < ... < r_n from the
/// bottom upwards, and thicknesses h_k = r_{k+1} - r_k of the n levels between them. In a shell, r
/// is in units of the planet's radius (1 at the ground).
class VerticalGrid {
 public:
  /// r_k = r_0 + depth (k/n)^2, r_0 = 1 in a shell and 0 on a plane: thin levels at the ground
  /// (Müller et al. 2013, section 2).
  /// \throws InvalidArgument unless num_levels >= 1 and depth > 0.
  static VerticalGrid graded(int num_levels, double depth,
                             VerticalMetric metric = VerticalMetric::shell);
  /// r_k = r_0 + depth k/n.
  static VerticalGrid uniform(int num_levels, double depth,
                              VerticalMetric metric = VerticalMetric::shell);
  /// Interfaces of the user: at least two, strictly increasing, and positive in a shell.
  static VerticalGrid from_interfaces(std::vector<double> interfaces,
                                      VerticalMetric metric = VerticalMetric::shell);

  int num_levels() const { return static_cast<int>(m_thicknesses.size()); }
  VerticalMetric metric() const { return m_metric; }
  const std::vector<double>& interfaces() const { return m_interfaces; }    ///< num_levels + 1
  const std::vector<double>& thicknesses() const { return m_thicknesses; }  ///< num_levels

  /// Volume of level k above a unit area of the horizontal grid: h_k on a plane, and (r_{k+1}^3 -
  /// r_k^3)/3 = h_k (r_{k+1}^2 + r_{k+1} r_k + r_k^2)/3 in a shell, without cancellation.
  double volume(int level) const;
  /// Area of interface k, 0 <= k <= num_levels, above a unit area: 1 on a plane, r_k^2 in a shell.
  double interface_area(int k) const;

 private:
  VerticalGrid(VerticalMetric metric, std::vector<double> interfaces,
               std::vector<double> thicknesses);

  VerticalMetric m_metric;
  std::vector<double> m_interfaces, m_thicknesses;
};

}  // namespace Lamina
