// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Line solves on CPU cores. A tile of neighbouring columns is solved together, one column to a
// vector lane: the recurrence along the levels is serial, but columns are independent. A tile stays
// in cache between the forward and the backward sweep: each field crosses the memory bus once.
//
// In LayoutRight the levels of a column are contiguous. There blocks of levels are transposed in
// registers when they are loaded and stored.

#include <lamina/core/Concepts.hpp>
#include <lamina/core/impl/ExtentOf.hpp>
#include <lamina/device/impl/HostWork.hpp>
#include <lamina/device/impl/Lanes_Host.hpp>
#include <lamina/device/impl/StreamingStore_X86.hpp>
#include <lamina/lines/Tridiagonal.hpp>
#include <lamina/lines/impl/Tuning.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace Lamina::Impl {
inline namespace LAMINA_LANES {

/// A tile has `tile_groups` vectors of columns at each level.
template <class Scalar, class Layout>
inline constexpr int tile_groups = (levels_contiguous<Layout>
                                        ? LineTileTuning::bytes_of_contiguous_levels
                                        : LineTileTuning::bytes_of_contiguous_columns) /
                                   vector_bytes;
template <class Scalar, class Layout>
inline constexpr int tile_width = tile_groups<Scalar, Layout>* lane_count<Scalar>;

inline constexpr int cache_line_bytes = 64;

/// Values of one field of a tile in scratch.
template <class Scalar>
inline std::size_t tile_field_size(int num_levels) {
  return static_cast<std::size_t>(num_levels) *
         std::max(tile_width<Scalar, Kokkos::LayoutLeft>, tile_width<Scalar, Kokkos::LayoutRight>);
}

/// How a line solve stores its solution.
enum class TileStore {
  plain,   ///< the field fits into the caches
  stream,  ///< non-temporal stores, block by block; every block is aligned to vectors
  staged,  ///< the tile is assembled in scratch and streamed from there
};

template <class Layout, class FieldType>
TileStore tile_store(const FieldType& field) {
  using Scalar = typename FieldType::value_type;
  if (field.span() * sizeof(Scalar) <= reachable_cache_bytes()) return TileStore::plain;
  const auto stride = levels_contiguous<Layout> ? field.stride(0) : field.stride(1);
  const bool aligned = reinterpret_cast<std::uintptr_t>(field.data()) % vector_bytes == 0 &&
                       stride % lane_count<Scalar> == 0;
  return aligned ? TileStore::stream : TileStore::staged;
}

/// Columns [first, first + count) of a field, count <= tile_width.
struct TileColumns {
  std::int64_t first;
  int count;
};

/// Loads and stores blocks of `lane_count` levels of a tile. The lanes of a vector are columns:
/// vector (group, l) holds level first_level + l of columns group * lanes + 0, 1, ...
template <class Scalar, class Layout>
struct TileBlock {
  static constexpr int lanes = lane_count<Scalar>;
  static constexpr int groups = tile_groups<Scalar, Layout>;
  Lanes<Scalar> values[extent_of<groups>][extent_of<lanes>];

  /// Lanes beyond the last column of the tile repeat it: they compute with finite numbers.
  template <class FieldType>
  void load(const FieldType& field, const TileColumns& columns, int first_level, int num_levels) {
    if (columns.count == groups * lanes && num_levels == lanes) {
      const Scalar* from = &field(columns.first, first_level);
      const auto stride = row_stride(field);
      for (int g = 0; g < groups; ++g, from += group_stride(stride)) {
        for (int i = 0; i < lanes; ++i) values[g][i] = load_lanes(from + i * stride);
        if constexpr (levels_contiguous<Layout>) transpose_lanes<Scalar>(values[g]);
      }
      return;
    }
    for (int g = 0; g < groups; ++g) {
      for (int l = 0; l < num_levels; ++l) {
        values[g][l] = gather_lanes<Scalar>([&](int i) {
          const int column = std::min(g * lanes + i, columns.count - 1);
          return field(columns.first + column, first_level + l);
        });
      }
    }
  }

  /// With `stream`, full blocks bypass the caches. Inlined such that the block stays in registers.
  template <class FieldType>
  [[gnu::always_inline]] void store(const FieldType& field, const TileColumns& columns,
                                    int first_level, int num_levels, bool stream) const {
    if (columns.count == groups * lanes && num_levels == lanes) {
      Scalar* to = &field(columns.first, first_level);
      const auto stride = row_stride(field);
      for (int g = 0; g < groups; ++g, to += group_stride(stride)) {
        Lanes<Scalar> rows[extent_of<lanes>];
        for (int i = 0; i < lanes; ++i) rows[i] = values[g][i];
        if constexpr (levels_contiguous<Layout>) transpose_lanes<Scalar>(rows);
        for (int i = 0; i < lanes; ++i) {
          if (stream) {
            stream_lanes(to + i * stride, rows[i]);
          } else {
            store_lanes(to + i * stride, rows[i]);
          }
        }
      }
      return;
    }
    for (int column = 0; column < columns.count; ++column) {
      for (int l = 0; l < num_levels; ++l) {
        field(columns.first + column, first_level + l) = values[column / lanes][l][column % lanes];
      }
    }
  }

 private:
  // A row of a block is contiguous in memory: `lanes` levels of a column, or `lanes` columns of a
  // level.
  template <class FieldType>
  static std::int64_t row_stride(const FieldType& field) {
    return static_cast<std::int64_t>(levels_contiguous<Layout> ? field.stride(0) : field.stride(1));
  }
  static std::int64_t group_stride(std::int64_t row_stride) {
    return levels_contiguous<Layout> ? lanes * row_stride : lanes;
  }
};

/// Prefetches one of the `num_levels` parts of the tile of a field.
template <class Layout, class FieldType>
inline void prefetch_tile(const FieldType& field, std::int64_t first_column, int part) {
  using Scalar = typename FieldType::non_const_value_type;
  constexpr int width = tile_width<Scalar, Layout>;
  // An address past the end is harmless. Debug builds would check &field(c, k), but not a pointer.
  const char* begin = reinterpret_cast<const char*>(
      levels_contiguous<Layout>
          ? field.data() + first_column * static_cast<std::int64_t>(field.stride(0)) + part * width
          : field.data() + first_column + part * static_cast<std::int64_t>(field.stride(1)));
  for (int byte = 0; byte < width * static_cast<int>(sizeof(Scalar)); byte += cache_line_bytes) {
    prefetch_line(begin + byte);
  }
}

/// Prefetches the tile of several fields, one field after the other: step `step` of `num_levels`.
template <class Layout, class FieldType, std::size_t Count>
inline void prefetch_tiles(const FieldType (&fields)[Count], std::int64_t first_column,
                           int num_levels, int step) {
  constexpr int count = static_cast<int>(Count);
  for (int part = step * count; part < (step + 1) * count; ++part) {
    prefetch_tile<Layout>(fields[part / num_levels], first_column, part % num_levels);
  }
}

/// Streams a tile from its image in scratch, bypassing the caches.
template <class Layout, class FieldType>
void stream_tile(const FieldType& field, const TileColumns& columns, const FieldType& image,
                 int num_levels) {
  if constexpr (levels_contiguous<Layout>) {
    for (int column = 0; column < columns.count; ++column) {
      stream_span(&field(columns.first + column, 0), &image(column, 0), num_levels);
    }
  } else {
    for (int k = 0; k < num_levels; ++k) {
      stream_span(&field(columns.first, k), &image(0, k), columns.count);
    }
  }
}

/// The image of a tile: scratch that is indexed like a contiguous field.
template <class Scalar, class Layout, class FieldType>
FieldType tile_image(Scalar* scratch, const TileColumns& columns, int num_levels) {
  constexpr int width = tile_width<Scalar, Layout>;
  return FieldType(scratch,
                   static_cast<std::size_t>(levels_contiguous<Layout> ? columns.count : width),
                   static_cast<std::size_t>(num_levels));
}

/// Stores value(level, group), called from the last level down, in a tile of a field.
/// \param image  of the tile, see `tile_image`
template <class Scalar, class Layout, class FieldType, class Value>
void store_levels(const TileColumns& columns, int num_levels, const FieldType& x,
                  const FieldType& image, TileStore store, const Value& value) {
  using Block = TileBlock<Scalar, Layout>;
  constexpr int lanes = Block::lanes;
  Block block;
  for (int first = (num_levels - 1) / lanes * lanes; first >= 0; first -= lanes) {
    const int n = std::min(lanes, num_levels - first);
    for (int l = n - 1; l >= 0; --l) {
      for (int g = 0; g < Block::groups; ++g) block.values[g][l] = value(first + l, g);
    }
    if (store == TileStore::staged) {
      block.store(image, TileColumns{0, columns.count}, first, n, false);
    } else {
      block.store(x, columns, first, n, store == TileStore::stream);
    }
  }
  if (store == TileStore::staged) stream_tile<Layout>(x, columns, image, num_levels);
}

/// Rows whose pivots are checked. A solve looks for bad pivots where a sum over pivots or a
/// solution is not finite.
template <class Rows>
concept WatchesPivots = requires(const Rows& rows) {
  rows.note_bad_pivots();
};

/// Whether all lanes are finite.
template <class Scalar>
bool all_finite(const Lanes<Scalar>& lanes) {
  const Lanes<Scalar> zero_or_nan = lanes * Scalar(0);
  Scalar sum = 0;
  for (int i = 0; i < lane_count<Scalar>; ++i) sum += zero_or_nan[i];
  return sum == Scalar(0);
}

/// The forward sweep over a tile, level by level. The loop over groups is unrolled such that
/// carried values stay in registers.
template <bool WithEnergy, class Scalar, class Layout>
class TileElimination {
  using Vector = Lanes<Scalar>;
  static constexpr int lanes = lane_count<Scalar>;
  static constexpr int groups = tile_groups<Scalar, Layout>;
  using Groups = std::make_integer_sequence<int, groups>;

 public:
  /// Eliminates level l of a block. Stores the forward solution and the factors of that level.
  template <class Rows>
  [[gnu::always_inline]] void step(const Rows& rows, const TileBlock<Scalar, Layout>& rhs, int l,
                                   Scalar* forward, Scalar* factors) {
    step_of_groups(rows, rhs, l, forward, factors, Groups());
  }

  /// The sum of <rhs, x> over the tile, as sum of pivot_k z_k^2 with z the forward solution.
  template <class Rows>
  double energy(const Rows& rows, int num_columns) const {
    double sum = 0;
    for (int column = 0; column < num_columns; ++column) {
      const int g = column / lanes, lane = column % lanes;
      sum += m_energy[g][lane] * static_cast<double>(rows.inverse_scale(g)[lane]);
    }
    return sum;
  }

  /// False where a pivot of watched rows was zero or not finite. A zero pivot leaves an infinity or
  /// a NaN in later pivots, or in the forward solution at the last level. False, too, where only a
  /// solution is not finite.
  bool finite() const {
    Vector sum = m_pivots;
    for (const Vector& previous : m_previous) sum += previous * Scalar(0);
    return all_finite<Scalar>(sum);
  }

 private:
  template <class Rows, int... G>
  [[gnu::always_inline]] void step_of_groups(const Rows& rows, const TileBlock<Scalar, Layout>& rhs,
                                             int l, Scalar* forward, Scalar* factors,
                                             std::integer_sequence<int, G...>) {
    const auto level = rows.level(l);
    (step_of_group(rows, level, rhs.values[G][l], G, forward + G * lanes, factors + G * lanes),
     ...);
  }
  template <class Rows, class Level>
  [[gnu::always_inline]] void step_of_group(const Rows& rows, const Level& level, const Vector& rhs,
                                            int g, Scalar* forward, Scalar* factor) {
    const auto row = rows.row(level, g);
    const auto eliminated = eliminate(row, m_carry[g]);
    if constexpr (WatchesPivots<Rows>) m_pivots += eliminated.pivot;
    const Vector scaled = rhs * rows.scale(g) - row.lower * m_previous[g];
    m_previous[g] = scaled * eliminated.inverse;
    if constexpr (WithEnergy) add_product<Scalar>(m_energy[g], m_previous[g], scaled);
    store_lanes(forward, m_previous[g]);
    store_lanes(factor, eliminated.factor);
  }

  Vector m_carry[extent_of<groups>] = {}, m_previous[extent_of<groups>] = {};
  Vector m_pivots = {};  // their sum
  LaneSums<Scalar> m_energy[extent_of<groups>];
};

/// Solves T x = rhs for the columns of one tile.
///
/// \param rows  the coefficients of the tile. `rows.stage(first_level, n)` is called before the n
///   levels from first_level on. Then `rows.row(rows.level(l), g)` gives the row of level
///   first_level + l for group g. The rows of a column may lack a common factor: `rows.scale(g)` is
///   its inverse, and the right-hand side is multiplied by it.
/// \param scratch  3 * num_levels * tile_width values
/// \param prefetch_next  prefetch_next(k) prefetches data of the next tile, once a level in the
///   forward sweep. The forward sweep is bound by arithmetic; stores keep the memory bus busy in
///   the backward sweep.
/// \return with `WithEnergy`, the sum of <rhs, x> over the tile. It is a sum of positive terms, and
///   complete after the forward sweep (T = L diag(pivot) L^T). The rows must be symmetric, and
///   `rows.inverse_scale(g)` must give their common factor.
template <bool WithEnergy, class Scalar, class Layout, class Rows, class Rhs, class Solution,
          class PrefetchNext>
double solve_tile(const TileColumns& columns, int num_levels, Rows& rows, const Rhs& rhs,
                  const Solution& x, Scalar* scratch, TileStore store,
                  const PrefetchNext& prefetch_next) {
  using Vector = Lanes<Scalar>;
  using Block = TileBlock<Scalar, Layout>;
  constexpr int lanes = Block::lanes, groups = Block::groups, width = lanes * groups;
  Scalar* forward = scratch;
  Scalar* factors = forward + static_cast<std::size_t>(num_levels) * width;
  const Solution image = tile_image<Scalar, Layout, Solution>(
      factors + static_cast<std::size_t>(num_levels) * width, columns, num_levels);

  Block block;
  TileElimination<WithEnergy, Scalar, Layout> elimination;
  for (int first = 0; first < num_levels; first += lanes) {
    const int n = std::min(lanes, num_levels - first);
    rows.stage(first, n);
    block.load(rhs, columns, first, n);
    for (int l = 0; l < n; ++l) {
      const int k = first + l;
      prefetch_next(k);
      elimination.step(rows, block, l, forward + k * width, factors + k * width);
    }
  }

  if constexpr (WatchesPivots<Rows>) {
    if (!elimination.finite()) rows.note_bad_pivots();
  }
  Vector previous[extent_of<groups>] = {};
  for (int first = (num_levels - 1) / lanes * lanes; first >= 0; first -= lanes) {
    const int n = std::min(lanes, num_levels - first);
    for (int l = n - 1; l >= 0; --l) {
      const int k = first + l;
      for (int g = 0; g < groups; ++g) {
        previous[g] = load_lanes(forward + k * width + g * lanes) -
                      load_lanes(factors + k * width + g * lanes) * previous[g];
        block.values[g][l] = previous[g];
      }
    }
    if (store == TileStore::staged) {
      block.store(image, TileColumns{0, columns.count}, first, n, false);
    } else {
      block.store(x, columns, first, n, store == TileStore::stream);
    }
  }
  if (store == TileStore::staged) stream_tile<Layout>(x, columns, image, num_levels);

  if constexpr (WithEnergy) return elimination.energy(rows, columns.count);
  return 0;
}

/// Calls `on_tile(TileColumns)` for each tile of the share of one worker.
template <class Scalar, class Layout, class OnTile>
void for_each_tile(std::int64_t worker, std::int64_t workers, std::int64_t num_columns,
                   const OnTile& on_tile) {
  constexpr std::int64_t width = tile_width<Scalar, Layout>;
  const WorkRange tiles = share_of(worker, workers, ceil_divide(num_columns, width));
  for (std::int64_t tile = tiles.begin; tile < tiles.end; ++tile) {
    const std::int64_t first = tile * width;
    on_tile(TileColumns{first, static_cast<int>(std::min(width, num_columns - first))});
  }
}

}  // namespace LAMINA_LANES
}  // namespace Lamina::Impl
