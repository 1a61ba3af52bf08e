// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/grids/LocalColumns.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "helmholtz/HelmholtzTask.hpp"

namespace Lamina::Cli {

/// The columns of a process with their numbers elsewhere: all of a grid, or those of a rank with its halo, where
/// some places have no column.
class OwnColumns {
 public:
  /// \param local  null: all of the grid. Both must live as long.
  OwnColumns(const HelmholtzGrid& grid, const LocalColumns* local) : m_grid(grid), m_local(local) {}

  const HelmholtzGrid& grid() const { return m_grid; }
  const ColumnGraph& graph() const { return m_local == nullptr ? m_grid.graph : m_local->graph; }
  std::size_t num_owned() const { return static_cast<std::size_t>(graph().count_owned()); }
  std::size_t num_columns() const { return graph().areas.size(); }  ///< owned ones, and the halo
  bool is_column(std::size_t place) const {
    return m_local == nullptr || m_local->columns[place] != no_item;
  }
  /// The number of a column in the whole grid.
  std::size_t number(std::size_t column) const {
    return m_local == nullptr ? column : static_cast<std::size_t>(m_local->columns[column]);
  }
  /// Its number in the file or of the generator of the grid.
  std::size_t face(std::size_t column) const {
    return static_cast<std::size_t>(m_grid.original[number(column)]);
  }

 private:
  const HelmholtzGrid& m_grid;
  const LocalColumns* m_local;
};

}  // namespace Lamina::Cli
