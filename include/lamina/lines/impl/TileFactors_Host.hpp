// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Line solves on CPU cores that eliminate the matrices of a tile once. The factors stay in cache.
// They serve several right-hand sides, and the response of a cyclic line to its last level.

#include <lamina/core/impl/ExtentOf.hpp>
#include <lamina/lines/impl/LineTile_Host.hpp>
#include <lamina/lines/impl/StoredColumns.hpp>

#include <algorithm>
#include <cstddef>

namespace Lamina::Impl {
inline namespace LAMINA_LANES {

/// The factors of the columns of one tile. Of a cyclic line all levels but the last one are
/// factorised. With their solution p for x_last = 0 and their response q to x_last = 1,
///
///   x = p + x_last q,   x_last = (rhs - lower p_below - upper p_0) / (diagonal + lower q_below +
///   upper q_0)
template <class Columns>
class TileFactors {
  using Scalar = typename Columns::scalar_type;
  using Layout = typename Columns::layout;
  using Vector = Lanes<Scalar>;
  using Block = TileBlock<Scalar, Layout>;
  using Output = typename Columns::fields_type::Output;
  static constexpr int lanes = Block::lanes, groups = Block::groups, width = lanes * groups;

 public:
  /// Fields of a tile: three of factors, a solution, its image, and the response of a cyclic line.
  static constexpr int scratch_fields = Columns::is_cyclic ? 6 : 5;

  /// Eliminates.
  /// \param scratch        scratch_fields of them
  /// \param prefetch_next  prefetch_next(k) prefetches data that is used next, once a level
  template <class PrefetchNext>
  TileFactors(const Columns& columns, const TileColumns& tile,
              const FirstBadColumn<Kokkos::HostSpace>& first_bad, Scalar* scratch,
              const PrefetchNext& prefetch_next)
      : m_tile(tile), m_num_levels(columns.num_levels()), m_inner(columns.num_inner_levels()) {
    const auto field = [&](int n) {
      return scratch + static_cast<std::size_t>(n) * static_cast<std::size_t>(m_num_levels) * width;
    };
    m_lower = field(0);
    m_inverse = field(1);
    m_factor = field(2);
    m_solution = field(3);
    m_image = field(4);
    StoredTileRows<Columns> rows(columns, tile, first_bad);
    eliminate_levels(rows, prefetch_next);
    if constexpr (Columns::is_cyclic) close(rows, field(5));
  }

  /// x = T^-1 rhs, see `solve_tile`.
  template <class Rhs, class PrefetchNext>
  void solve(const Rhs& rhs, const Output& x, TileStore store, const PrefetchNext& prefetch_next) {
    Vector last[extent_of<groups>] = {};
    forward(rhs, last, prefetch_next);
    const Output image = tile_image<Scalar, Layout, Output>(m_image, m_tile, m_num_levels);
    if constexpr (!Columns::is_cyclic) {
      Vector next[extent_of<groups>] = {};
      store_levels<Scalar, Layout>(m_tile, m_num_levels, x, image, store,
                                   [&](int k, int g) { return next[g] = up(k, g, next[g]); });
    } else {
      substitute(m_solution, Scalar(0));
      Vector x_last[extent_of<groups>];
      for (int g = 0; g < groups; ++g) {
        const auto& row = m_last_row[g];
        x_last[g] = (last[g] - row.lower * get(m_solution, below_last(), g) -
                     row.upper * get(m_solution, 0, g)) *
                    m_closing_inverse[g];
      }
      store_levels<Scalar, Layout>(m_tile, m_num_levels, x, image, store, [&](int k, int g) {
        return get(m_solution, k, g) + x_last[g] * get(m_response, k, g);
      });
    }
  }

 private:
  template <class PrefetchNext>
  void eliminate_levels(StoredTileRows<Columns>& rows, const PrefetchNext& prefetch_next) {
    Vector carry[extent_of<groups>] = {}, watched = {};
    for (int first = 0; first < m_num_levels; first += lanes) {
      const int n = std::min(lanes, m_num_levels - first);
      rows.stage(first, n);
      for (int l = 0; l < n; ++l) {
        const int k = first + l;
        prefetch_next(k);
        for (int g = 0; g < groups; ++g) {
          const auto row = rows.row(rows.level(l), g);
          if constexpr (Columns::is_cyclic) {
            if (k == m_inner) {
              m_last_row[g] = row;
              continue;
            }
          }
          const auto eliminated = eliminate(row, carry[g]);
          watched += eliminated.pivot + eliminated.inverse;
          put(m_lower, k, g, row.lower);
          put(m_inverse, k, g, eliminated.inverse);
          put(m_factor, k, g, eliminated.factor);
        }
      }
    }
    if (!all_finite<Scalar>(watched)) rows.note_bad_pivots();
  }

  /// The response to 1 in the last level, and the pivot of that level.
  void close(const StoredTileRows<Columns>& rows, Scalar* response) {
    m_response = response;
    Vector previous[extent_of<groups>];
    for (int g = 0; g < groups; ++g) previous[g] = broadcast_lanes(Scalar(1));
    for (int k = 0; k < m_inner; ++k) {
      for (int g = 0; g < groups; ++g) {
        previous[g] = -(get(m_lower, k, g) * previous[g]) * get(m_inverse, k, g);
        put(m_response, k, g, previous[g]);
      }
    }
    substitute(m_response, Scalar(1));
    for (int g = 0; g < groups; ++g) {
      const auto& row = m_last_row[g];
      const Vector pivot = row.diagonal + row.lower * get(m_response, below_last(), g) +
                           row.upper * get(m_response, 0, g);
      m_closing_inverse[g] = reciprocal(pivot);
      for (int i = 0; i < std::min(lanes, m_tile.count - g * lanes); ++i) {
        const EliminatedRow<Scalar> closing{pivot[i], m_closing_inverse[g][i], 0};
        if (!closing.usable()) rows.note(m_tile.first + g * lanes + i);
      }
    }
  }

  /// The forward sweep over the inner levels. `last` becomes the right-hand side of the last level.
  template <class Rhs, class PrefetchNext>
  void forward(const Rhs& rhs, Vector (&last)[extent_of<groups>],
               const PrefetchNext& prefetch_next) {
    Block block;
    Vector previous[extent_of<groups>] = {};
    for (int first = 0; first < m_num_levels; first += lanes) {
      const int n = std::min(lanes, m_num_levels - first);
      block.load(rhs, m_tile, first, n);
      for (int l = 0; l < n; ++l) {
        const int k = first + l;
        prefetch_next(k);
        for (int g = 0; g < groups; ++g) {
          if constexpr (Columns::is_cyclic) {
            if (k == m_inner) {
              last[g] = block.values[g][l];
              continue;
            }
          }
          previous[g] =
              (block.values[g][l] - get(m_lower, k, g) * previous[g]) * get(m_inverse, k, g);
          put(m_solution, k, g, previous[g]);
        }
      }
    }
  }
  /// One level of the backward sweep.
  Vector up(int k, int g, const Vector& next) const {
    return get(m_solution, k, g) - get(m_factor, k, g) * next;
  }
  /// The backward sweep in place, for a given value of the last level.
  void substitute(Scalar* values, Scalar last) const {
    Vector next[extent_of<groups>];
    for (int g = 0; g < groups; ++g) {
      next[g] = broadcast_lanes(last);
      put(values, m_inner, g, next[g]);
    }
    for (int k = m_inner - 1; k >= 0; --k) {
      for (int g = 0; g < groups; ++g) {
        next[g] = get(values, k, g) - get(m_factor, k, g) * next[g];
        put(values, k, g, next[g]);
      }
    }
  }
  /// A line of one level couples with itself.
  int below_last() const { return std::max(m_inner - 1, 0); }

  static Vector get(const Scalar* field, int k, int g) {
    return load_lanes(field + (static_cast<std::ptrdiff_t>(k) * groups + g) * lanes);
  }
  static void put(Scalar* field, int k, int g, const Vector& value) {
    store_lanes(field + (static_cast<std::ptrdiff_t>(k) * groups + g) * lanes, value);
  }

  TileColumns m_tile;
  int m_num_levels, m_inner;
  Scalar *m_lower, *m_inverse, *m_factor, *m_solution, *m_image, *m_response = nullptr;
  TridiagonalRow<Vector> m_last_row[extent_of<groups>];
  Vector m_closing_inverse[extent_of<groups>];
};

}  // namespace LAMINA_LANES
}  // namespace Lamina::Impl
