// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace Lamina {
namespace Impl {
class LocalRowsBuilder;
}

/// Which block rows are coupled. Row i is coupled with the rows columns[offsets[i] .. offsets[i +
/// 1]). Each is listed once, in ascending order, without i itself. The graph is symmetric: i lists
/// j where j lists i.
struct BlockGraph {
  std::vector<std::int64_t> offsets{0};
  std::vector<int> columns;

  int num_rows() const { return static_cast<int>(offsets.size()) - 1; }
  std::int64_t degree(int row) const {
    return offsets[static_cast<std::size_t>(row) + 1] - offsets[static_cast<std::size_t>(row)];
  }

  /// The graph of a matrix pattern: i and j are coupled where either row names the other. Entries
  /// (i, i) are dropped.
  /// \throws InvalidArgument for offsets that do not begin with 0, decrease, or end beyond the
  ///   columns, and for columns out of range.
  static BlockGraph of_pattern(const std::vector<std::int64_t>& offsets,
                               const std::vector<int>& columns);
};

// An order lists the rows: order[position] = row. All functions below are deterministic. Their time
// is proportional to the graph, up to sorting the neighbours of a row.

/// 0, 1, 2, ...
std::vector<int> natural_order(int num_rows);

/// The order of Cuthill and McKee (1969), reversed. It visits rows breadth first, from the
/// unvisited row of least (degree, index), and neighbours by (degree, index). It keeps coupled rows
/// close together.
std::vector<int> reverse_cuthill_mckee(const BlockGraph& graph);

/// Colours such that no two coupled rows share one. Each row, in the given order, takes the
/// smallest colour that no neighbour has. \return the colour of each row
/// \throws InvalidArgument where `order` is not a permutation of the rows.
std::vector<int> greedy_colouring(const BlockGraph& graph, const std::vector<int>& order);

/// Greedy colours, balanced without a further colour: rows of colours that are larger than the mean
/// move to the smallest colour that no neighbour has. Greedy colours alone leave a tail of tiny
/// colours, and each of them costs a kernel that does next to nothing.
std::vector<int> balanced_colouring(const BlockGraph& graph, const std::vector<int>& order);

/// The order of rows in vectors of a block system: that of the user, or by colour.
enum class VectorOrder { user, colour };

/// In which order a sweep takes the colours. A symmetric sweep is a forward sweep and a backward
/// sweep. It takes the last colour once, because the second time would change nothing.
enum class SweepDirection { forward, backward, symmetric };

/// When ranks exchange the halo rows of x: after each colour, or after each sweep only. The first
/// gives the sweeps of one process. The second saves messages, and gives block Jacobi between ranks
/// with Gauss-Seidel within each: sweeps then depend on the ranks, and may need to be more of them.
enum class HaloUpdate { colour, sweep };

/// Rows sorted by colour, with the new numbers of the rows and the old ones. The sort is stable.
class ColourOrdering {
 public:
  ColourOrdering() = default;

  /// Rows of one colour keep the given order.
  /// \param colours  of each row, 0, 1, ...; a colour without rows is dropped
  /// \throws InvalidArgument where `order` is not a permutation of the rows, a colour is negative
  ///   or not less than the number of rows, or two coupled rows share one.
  ColourOrdering(const BlockGraph& graph, const std::vector<int>& order,
                 const std::vector<int>& colours);

  /// Greedy colours in the order of `reverse_cuthill_mckee`.
  static ColourOrdering greedy(const BlockGraph& graph);

  int num_rows() const { return static_cast<int>(m_old_rows.size()); }
  int num_colours() const { return static_cast<int>(m_offsets.size()) - 1; }
  /// New rows offsets[k] .. offsets[k + 1) have colour k.
  const std::vector<int>& offsets() const { return m_offsets; }
  const std::vector<int>& old_rows() const { return m_old_rows; }  ///< old_rows[new] = old
  const std::vector<int>& new_rows() const { return m_new_rows; }  ///< new_rows[old] = new

  /// Halo rows after the own rows, see `LocalBlockRows`; 0 on one process.
  int num_halo() const {
    return m_places.empty() ? 0 : static_cast<int>(m_places.size() - m_old_rows.size());
  }
  /// New rows offsets[k] .. boundary_end(k) are those of colour k that other ranks need, or that need rows of
  /// other ranks.
  int boundary_end(int colour) const {
    return (m_boundary_ends.empty() ? m_offsets
                                    : m_boundary_ends)[static_cast<std::size_t>(colour)];
  }
  /// Blocks of a row are added up in the order of the places of their columns, which are new rows
  /// or halo rows. On one process they are the new rows.
  int place(int column) const {
    return m_places.empty() ? column : m_places[static_cast<std::size_t>(column)];
  }
  /// Rows of a colour on all ranks.
  std::int64_t colour_rows(int colour) const {
    const auto k = static_cast<std::size_t>(colour);
    return m_colour_rows.empty() ? m_offsets[k + 1] - m_offsets[k] : m_colour_rows[k];
  }

 private:
  friend class Impl::LocalRowsBuilder;

  std::vector<int> m_offsets{0}, m_old_rows, m_new_rows;
  std::vector<int> m_boundary_ends, m_places;  // of a rank among several
  std::vector<std::int64_t> m_colour_rows;
};

}  // namespace Lamina
