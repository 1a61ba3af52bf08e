// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <vector>

namespace Lamina {

/// The vertical grid of a thin shell: interfaces r_0 < r_1 < ... < r_n in units of the planet's
/// radius, r_0 > 0 (1 at the ground), and thicknesses h_k = r_{k+1} - r_k of the n levels between.
/// The same for every column.
class VerticalGrid {
 public:
  /// r_k = 1 + depth (k/n)^2: thin levels at the ground (Müller et al. 2013, section 2).
  /// \throws InvalidArgument unless num_levels >= 1 and depth > 0.
  static VerticalGrid graded(int num_levels, double depth);
  /// r_k = 1 + depth k/n.
  static VerticalGrid uniform(int num_levels, double depth);
  /// User-given interfaces, at least two, positive, strictly increasing.
  static VerticalGrid from_interfaces(std::vector<double> interfaces);

  int num_levels() const { return static_cast<int>(m_thicknesses.size()); }
  const std::vector<double>& interfaces() const { return m_interfaces; }    ///< num_levels + 1
  const std::vector<double>& thicknesses() const { return m_thicknesses; }  ///< num_levels

  /// Volume of level k above the unit area of the unit sphere,
  /// (r_{k+1}^3 - r_k^3)/3 = h_k (r_{k+1}^2 + r_{k+1} r_k + r_k^2)/3, without cancellation.
  double volume(int level) const;

 private:
  VerticalGrid(std::vector<double> interfaces, std::vector<double> thicknesses);

  std::vector<double> m_interfaces, m_thicknesses;
};

}  // namespace Lamina
