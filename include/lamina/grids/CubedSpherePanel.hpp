// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/grids/ColumnMesh.hpp>
#include <lamina/grids/LocalColumns.hpp>

#include <vector>

namespace Lamina {

/// What holds on the outer edge of a panel.
enum class PanelEdge {
  zero_flux,  ///< the flux through it is zero
  dirichlet,  ///< the field is zero on it
};

/// One panel of the equidistant gnomonic cubed sphere (Müller et al. 2013, section 2), split into
/// num_x x num_y cells.
///
/// Corner (p, q) is the point (x, y, 1) / sqrt(1 + x^2 + y^2) of the unit sphere with
/// x = -1 + 2p/num_x, y = -1 + 2q/num_y; edges of cells are arcs of great circles. Column
/// num_y * i + j is cell (i, j). Areas are exact: they add up to a sixth of the sphere, 4 pi / 6.
/// The coupling of two cells is the length of their common edge over the distance of their centres.
///
/// The grid is not orthogonal. This two-point flux is the paper's discretisation. Away from the
/// lines through the centre of the panel it is not a consistent approximation of the Laplacian.
class CubedSpherePanel {
 public:
  /// \throws InvalidArgument unless 1 <= num_x, num_y < 2^30 and num_x * num_y fits into an int.
  CubedSpherePanel(int num_x, int num_y);

  int num_x() const { return m_num_x; }
  int num_y() const { return m_num_y; }
  int num_columns() const { return m_num_x * m_num_y; }
  int column(int i, int j) const { return m_num_y * i + j; }

  /// Areas of the cells on the unit sphere, in the order of the columns.
  std::vector<double> areas() const;
  /// Longitude and latitude in degrees of the centre of cell (i, j), for a panel centred on
  /// longitude 0, latitude 0.
  double longitude(int i, int j) const;
  double latitude(int i, int j) const;
  /// The same for corner (p, q), 0 <= p <= num_x, 0 <= q <= num_y.
  double corner_longitude(int p, int q) const;
  double corner_latitude(int p, int q) const;

  /// The panel as a graph of columns, all owned.
  ColumnGraph graph(PanelEdge edge = PanelEdge::zero_flux) const;
  /// The columns of one rank. Only these are computed.
  /// \param partition  of num_columns() items, for example `Partition::grid({num_x, num_y}, ...)`
  /// \throws InvalidArgument for other partitions and ranks.
  LocalColumns local(const Partition& partition, int rank,
                     PanelEdge edge = PanelEdge::zero_flux) const;

 private:
  int m_num_x, m_num_y;
};

}  // namespace Lamina
