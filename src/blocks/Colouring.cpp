// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/blocks/Colouring.hpp>
#include <lamina/core/Require.hpp>
#include <lamina/core/impl/Index.hpp>

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

namespace Lamina {
namespace {

using Impl::index;

/// The rows that a row is coupled with.
struct Neighbours {
  const int *first, *last;
  const int* begin() const { return first; }
  const int* end() const { return last; }
};
Neighbours neighbours_of(const BlockGraph& graph, int row) {
  return {graph.columns.data() + graph.offsets[index(row)],
          graph.columns.data() + graph.offsets[index(row) + 1]};
}

void require_pattern(const std::vector<std::int64_t>& offsets, const std::vector<int>& columns) {
  const char* name = "BlockGraph::of_pattern";
  LAMINA_REQUIRE(!offsets.empty() && offsets.front() == 0, name,
                 "offsets: expected a first entry of 0");
  LAMINA_REQUIRE(offsets.size() - 1 <= index(std::numeric_limits<int>::max()), name,
                 "offsets: expected fewer than 2^31 rows");
  LAMINA_REQUIRE(std::is_sorted(offsets.begin(), offsets.end()), name,
                 "offsets: expected entries that do not decrease");
  LAMINA_REQUIRE(offsets.back() == static_cast<std::int64_t>(columns.size()), name,
                 "offsets: expected a last entry of " + std::to_string(columns.size()) +
                     ", the columns, got " + std::to_string(offsets.back()));
  const int num_rows = static_cast<int>(offsets.size()) - 1;
  for (const int column : columns) {
    LAMINA_REQUIRE(column >= 0 && column < num_rows, name,
                   "columns: expected 0 to " + std::to_string(num_rows - 1) + ", got " +
                       std::to_string(column));
  }
}

void require_permutation(const char* function, const std::vector<int>& order, int num_rows) {
  Impl::require_extent(function, "order", "rows", num_rows, static_cast<long long>(order.size()));
  std::vector<bool> seen(order.size(), false);
  for (const int row : order) {
    LAMINA_REQUIRE(row >= 0 && row < num_rows, function,
                   "argument order: expected rows 0 to " + std::to_string(num_rows - 1) + ", got " +
                       std::to_string(row));
    LAMINA_REQUIRE(!seen[index(row)], function,
                   "argument order: expected each row once, got " + std::to_string(row) + " again");
    seen[index(row)] = true;
  }
}

/// The colours of the neighbours of a row. A mark holds the row, so that marks need no clearing.
class UsedColours {
 public:
  void look(const BlockGraph& graph, const std::vector<int>& colours, int row) {
    m_row = row;
    for (const int neighbour : neighbours_of(graph, row)) {
      const int colour = colours[index(neighbour)];
      if (colour < 0) continue;
      if (index(colour) >= m_marks.size()) m_marks.resize(index(colour) + 1, -1);
      m_marks[index(colour)] = row;
    }
  }
  bool has(int colour) const {
    return index(colour) < m_marks.size() && m_marks[index(colour)] == m_row;
  }

 private:
  std::vector<int> m_marks;
  int m_row = -1;
};

/// The smallest colour that a row may move to such that colours become more even; or -1.
int better_colour(const std::vector<std::int64_t>& sizes, const UsedColours& used, int own) {
  int best = -1;
  for (int colour = 0; colour < static_cast<int>(sizes.size()); ++colour) {
    if (used.has(colour) || sizes[index(colour)] + 1 >= sizes[index(own)]) continue;
    if (best < 0 || sizes[index(colour)] < sizes[index(best)]) best = colour;
  }
  return best;
}

void require_different_colours(const char* function, const BlockGraph& graph,
                               const std::vector<int>& colours) {
  for (int row = 0; row < graph.num_rows(); ++row) {
    const int colour = colours[index(row)];
    for (const int neighbour : neighbours_of(graph, row)) {
      LAMINA_REQUIRE(colours[index(neighbour)] != colour, function,
                     "argument colours: expected different colours of the coupled rows " +
                         std::to_string(row) + " and " + std::to_string(neighbour) + ", got " +
                         std::to_string(colour) + " for both");
    }
  }
}

}  // namespace

BlockGraph BlockGraph::of_pattern(const std::vector<std::int64_t>& offsets,
                                  const std::vector<int>& columns) {
  require_pattern(offsets, columns);
  const int num_rows = static_cast<int>(offsets.size()) - 1;
  // Each entry counts for both of its rows. Repetitions are removed after that.
  std::vector<std::int64_t> starts(offsets.size(), 0);
  const auto for_each_entry = [&](const auto& on_entry) {
    for (int row = 0; row < num_rows; ++row) {
      for (std::int64_t k = offsets[index(row)]; k < offsets[index(row) + 1]; ++k) {
        const int column = columns[static_cast<std::size_t>(k)];
        if (column != row) on_entry(row, column);
      }
    }
  };
  for_each_entry([&](int row, int column) {
    ++starts[index(row) + 1];
    ++starts[index(column) + 1];
  });
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  std::vector<int> both(static_cast<std::size_t>(starts.back()));
  std::vector<std::int64_t> next(starts.begin(), starts.end() - 1);
  for_each_entry([&](int row, int column) {
    both[static_cast<std::size_t>(next[index(row)]++)] = column;
    both[static_cast<std::size_t>(next[index(column)]++)] = row;
  });

  BlockGraph graph;
  graph.offsets.reserve(offsets.size());
  graph.columns.reserve(both.size() / 2);
  for (int row = 0; row < num_rows; ++row) {
    const auto first = both.begin() + starts[index(row)],
               last = both.begin() + starts[index(row) + 1];
    std::sort(first, last);
    graph.columns.insert(graph.columns.end(), first, std::unique(first, last));
    graph.offsets.push_back(static_cast<std::int64_t>(graph.columns.size()));
  }
  return graph;
}

std::vector<int> natural_order(int num_rows) {
  std::vector<int> order(index(num_rows));
  std::iota(order.begin(), order.end(), 0);
  return order;
}

std::vector<int> reverse_cuthill_mckee(const BlockGraph& graph) {
  const int num_rows = graph.num_rows();
  const auto less = [&](int a, int b) {
    return std::pair(graph.degree(a), a) < std::pair(graph.degree(b), b);
  };
  std::vector<int> starts = natural_order(num_rows);
  std::sort(starts.begin(), starts.end(), less);

  std::vector<int> order;
  order.reserve(index(num_rows));
  std::vector<bool> visited(index(num_rows), false);
  const auto visit = [&](int row) {
    visited[index(row)] = true;
    order.push_back(row);
  };
  for (const int start : starts) {
    if (visited[index(start)]) continue;
    std::size_t next = order.size();
    visit(start);
    for (; next < order.size(); ++next) {
      const auto first_new = static_cast<std::ptrdiff_t>(order.size());
      for (const int neighbour : neighbours_of(graph, order[next])) {
        if (!visited[index(neighbour)]) visit(neighbour);
      }
      std::sort(order.begin() + first_new, order.end(), less);
    }
  }
  std::reverse(order.begin(), order.end());
  return order;
}

std::vector<int> greedy_colouring(const BlockGraph& graph, const std::vector<int>& order) {
  require_permutation("greedy_colouring", order, graph.num_rows());
  std::vector<int> colours(order.size(), -1);
  UsedColours used;
  for (const int row : order) {
    used.look(graph, colours, row);
    int colour = 0;
    while (used.has(colour)) ++colour;
    colours[index(row)] = colour;
  }
  return colours;
}

std::vector<int> balanced_colouring(const BlockGraph& graph, const std::vector<int>& order) {
  std::vector<int> colours = greedy_colouring(graph, order);
  if (colours.empty()) return colours;
  std::vector<std::int64_t> sizes(index(*std::max_element(colours.begin(), colours.end())) + 1, 0);
  for (const int colour : colours) ++sizes[index(colour)];
  const auto num_colours = static_cast<std::int64_t>(sizes.size());
  const std::int64_t mean = (graph.num_rows() + num_colours - 1) / num_colours;

  UsedColours used;
  constexpr int max_passes = 8;  // a move allows others; later passes find few
  for (int pass = 0; pass < max_passes; ++pass) {
    bool moved = false;
    for (const int row : order) {
      const int own = colours[index(row)];
      if (sizes[index(own)] <= mean) continue;
      used.look(graph, colours, row);
      const int other = better_colour(sizes, used, own);
      if (other < 0) continue;
      colours[index(row)] = other;
      --sizes[index(own)];
      ++sizes[index(other)];
      moved = true;
    }
    if (!moved) break;
  }
  return colours;
}

ColourOrdering::ColourOrdering(const BlockGraph& graph, const std::vector<int>& order,
                               const std::vector<int>& colours) {
  const char* name = "ColourOrdering";
  const int num_rows = graph.num_rows();
  require_permutation(name, order, num_rows);
  Impl::require_extent(name, "colours", "rows", num_rows, static_cast<long long>(colours.size()));
  for (int row = 0; row < num_rows; ++row) {
    const int colour = colours[index(row)];
    LAMINA_REQUIRE(colour >= 0 && colour < num_rows, name,
                   "argument colours: expected 0 to " + std::to_string(num_rows - 1) + ", got " +
                       std::to_string(colour) + " for row " + std::to_string(row));
  }
  require_different_colours(name, graph, colours);

  m_old_rows = order;
  std::stable_sort(m_old_rows.begin(), m_old_rows.end(),
                   [&](int a, int b) { return colours[index(a)] < colours[index(b)]; });
  m_new_rows.resize(index(num_rows));
  for (int row = 0; row < num_rows; ++row) {
    m_new_rows[index(m_old_rows[index(row)])] = row;
    const bool last = row + 1 == num_rows || colours[index(m_old_rows[index(row)])] !=
                                                 colours[index(m_old_rows[index(row + 1)])];
    if (last) m_offsets.push_back(row + 1);
  }
}

ColourOrdering ColourOrdering::greedy(const BlockGraph& graph) {
  const std::vector<int> order = reverse_cuthill_mckee(graph);
  return {graph, order, greedy_colouring(graph, order)};
}

namespace Impl {

void require_independent_colours(const ColourOrdering& ordering, const BlockGraph& graph) {
  std::vector<int> colours(ordering.old_rows().size());
  for (int colour = 0; colour < ordering.num_colours(); ++colour) {
    const auto k = static_cast<std::size_t>(colour);
    for (int row = ordering.offsets()[k]; row < ordering.offsets()[k + 1]; ++row) {
      const int old_row = ordering.old_rows()[static_cast<std::size_t>(row)];
      colours[static_cast<std::size_t>(old_row)] = colour;
    }
  }
  require_different_colours("ColourOrdering", graph, colours);
}

}  // namespace Impl
}  // namespace Lamina
