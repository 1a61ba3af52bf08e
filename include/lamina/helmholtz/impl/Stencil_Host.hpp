// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// The stencil sweep on CPU cores: lanes run along the contiguous index of the layout.

#include <lamina/core/impl/ExtentOf.hpp>
#include <lamina/device/impl/HostWork.hpp>
#include <lamina/helmholtz/impl/Stencil.hpp>

#include <algorithm>

namespace Lamina::Impl {
inline namespace LAMINA_LANES {

template <class Scalar, class Layout, class Source, class Sink>
class HostStencil {
 public:
  using Data = HelmholtzData<Scalar, Kokkos::HostSpace>;

  HostStencil(const Data& data, const Source& source, const Sink& sink)
      : m_data(data), m_source(source), m_sink(sink) {}

  /// Sweeps over columns and returns what the sink summed up.
  double sweep(const WorkRange& columns) const {
    // Quadrilateral grids are worth their own instantiation: the loop over neighbours is unrolled.
    return m_data.neighbours.extent(1) == 4 ? sweep<4>(columns) : sweep<0>(columns);
  }

 private:
  using Vector = Lanes<Scalar>;
  static constexpr int lanes = lane_count<Scalar>;
  /// How far ahead to ask for data, in values: beyond the page, at whose end the prefetching of
  /// the hardware stops.
  static constexpr std::int64_t ahead = 8192 / sizeof(Scalar);
  /// Where neighbouring columns are contiguous they are swept in tiles: wide enough for long
  /// contiguous rows, and few enough that geometry and three levels of x of a tile stay in the
  /// second-level cache.
  static constexpr std::int64_t tile = 8192 / sizeof(Scalar);

  /// `Slots` neighbours per column; 0: as many as the mesh has.
  template <int Slots>
  double sweep(const WorkRange& columns) const {
    double sum = 0;
    if constexpr (levels_contiguous<Layout>) {
      LaneSums<Scalar> sums;
      for (std::int64_t column = columns.begin; column < columns.end; ++column) {
        sweep_column<Slots>(column, sums, sum);
      }
      sum += sums.total();
    } else {
      for (std::int64_t begin = columns.begin; begin < columns.end; begin += tile) {
        sum += sweep_tile<Slots>({begin, std::min(begin + tile, columns.end)});
      }
    }
    return sum;
  }

  /// Lanes along the levels of one column. What lies above and below comes from the vectors before
  /// and after: a load at an odd address crosses cache lines, and where fields lie a multiple of
  /// 4 KiB apart it waits for stores that have nothing to do with it.
  template <int Slots>
  void sweep_column(std::int64_t column, LaneSums<Scalar>& sums, double& sum) const {
    // Copies: stores to a field cannot change them.
    const Source source = m_source;
    const Sink sink = m_sink;
    const Scalar *mass = m_data.mass.data(), *above = m_data.above.data(),
                 *below = m_data.below.data(), *scale = m_data.scale.data();
    const int num_levels = m_data.num_levels, full = num_levels / lanes * lanes;
    const int slots = num_slots<Slots>();
    const Scalar area = m_data.area(column), boundary = m_data.boundary(column);
    int neighbours[extent_of<Slots + 1>];
    Scalar couplings[extent_of<Slots + 1>];
    for (int n = 0; n < Slots; ++n) {
      neighbours[n] = m_data.neighbours(column, n);
      couplings[n] = m_data.couplings(column, n);
    }
    LaneSums<Scalar> column_sums;
    // Beyond either end the coupling is 0: any finite value will do.
    Vector previous{}, x = full > 0 ? source.template value<Vector>(column, 0) : Vector{};
    for (int k = 0; k < full; k += lanes) {
      const int after = k + lanes;
      Vector next{};
      if (after < full) {
        next = source.template value<Vector>(column, after);
      } else if (after < num_levels) {
        next[0] = source.template value<Scalar>(column, after);
      }
      Vector flux = -boundary * x;
      for (int n = 0; n < slots; ++n) {
        const int neighbour = Slots > 0 ? neighbours[n] : m_data.neighbours(column, n);
        const Scalar coupling = Slots > 0 ? couplings[n] : m_data.couplings(column, n);
        // Neighbours are sorted: the last one is the one that no column before has touched.
        if (n == slots - 1) source.prefetch(neighbour, k, ahead);
        flux += coupling * (source.template value<Vector>(neighbour, k) - x);
      }
      sink.prefetch(column, k, ahead);
      const Vector image =
          stencil_image<Vector>(area, load<Vector>(mass + k), load<Vector>(above + k),
                                load<Vector>(below + k), load<Vector>(scale + k), x,
                                shift_down<Scalar>(x, next), shift_up<Scalar>(previous, x), flux);
      sink(column, k, x, image, column_sums);
      previous = x;
      x = next;
    }
    sums += column_sums;
    for (int k = full; k < num_levels; ++k) add_cell(column, k, sum);
  }

  /// Lanes along the columns of a tile, level by level.
  template <int Slots>
  double sweep_tile(const WorkRange& columns) const {
    const int num_levels = m_data.num_levels, slots = num_slots<Slots>();
    const std::int64_t full = columns.begin + (columns.end - columns.begin) / lanes * lanes;
    bool contiguous[extent_of<tile /
                              lanes>];  // by group: its neighbours follow each other in every slot
    for (std::int64_t column = columns.begin; column < full; column += lanes) {
      contiguous[(column - columns.begin) / lanes] = neighbours_contiguous(column, slots);
    }
    double sum = 0;
    for (int k = 0; k < num_levels; ++k) {
      const std::int64_t next_level =
          k + 1 < num_levels ? static_cast<std::int64_t>(m_data.num_columns) : 0;
      const int level_above = k + 1 < num_levels ? k + 1 : k, level_below = k > 0 ? k - 1 : k;
      const Scalar mass = m_data.mass(k), above = m_data.above(k), below = m_data.below(k),
                   scale = m_data.scale(k);
      LaneSums<Scalar> sums;
      for (std::int64_t column = columns.begin; column < full; column += lanes) {
        const Vector x = at<Vector>(column, k);
        Vector flux = -read<Vector>(m_data.boundary, column) * x;
        if (contiguous[(column - columns.begin) / lanes]) {
          for (int n = 0; n < slots; ++n) {
            flux += read<Vector>(m_data.couplings, column, n) *
                    (at<Vector>(m_data.neighbours(column, n), k) - x);
          }
        } else {
          for (int n = 0; n < slots; ++n) {
            const Vector neighbour = gather_lanes<Scalar>(
                [&](int i) { return at<Scalar>(m_data.neighbours(column + i, n), k); });
            flux += read<Vector>(m_data.couplings, column, n) * (neighbour - x);
          }
        }
        m_sink.prefetch(column, k, next_level);
        const Vector image = stencil_image<Vector>(read<Vector>(m_data.area, column), mass, above,
                                                   below, scale, x, at<Vector>(column, level_above),
                                                   at<Vector>(column, level_below), flux);
        m_sink(column, k, x, image, sums);
      }
      sum += sums.total();
      for (std::int64_t column = full; column < columns.end; ++column) add_cell(column, k, sum);
    }
    return sum;
  }

  /// One cell, where lanes do not fit.
  void add_cell(std::int64_t column, int k, double& sum) const {
    const Scalar x = at<Scalar>(column, k);
    Scalar flux = -m_data.boundary(column) * x;
    for (int n = 0; n < num_slots<0>(); ++n) {
      flux += m_data.couplings(column, n) * (at<Scalar>(m_data.neighbours(column, n), k) - x);
    }
    const Scalar image = stencil_image<Scalar>(
        m_data.area(column), m_data.mass(k), m_data.above(k), m_data.below(k), m_data.scale(k), x,
        at<Scalar>(column, k + 1 < m_data.num_levels ? k + 1 : k),
        at<Scalar>(column, k > 0 ? k - 1 : k), flux);
    m_sink(column, k, x, image, sum);
  }

  template <class Value>
  Value at(std::int64_t column, int level) const {
    return m_source.template value<Value>(column, level);
  }

  template <int Slots>
  int num_slots() const {
    return Slots > 0 ? Slots : static_cast<int>(m_data.neighbours.extent(1));
  }

  bool neighbours_contiguous(std::int64_t column, int slots) const {
    for (int n = 0; n < slots; ++n) {
      for (int i = 1; i < lanes; ++i) {
        if (m_data.neighbours(column + i, n) != m_data.neighbours(column, n) + i) return false;
      }
    }
    return true;
  }

  const Data& m_data;
  const Source& m_source;
  const Sink& m_sink;
};

/// Runs a sweep over the share of one worker; returns what it sums up.
template <class Scalar, class Layout, class Sweep>
double sweep_share(const HelmholtzData<Scalar, Kokkos::HostSpace>& data, const Sweep& sweep,
                   int worker, int workers) {
  const auto pass = sweep.begin(worker == 0);
  if (!pass.active) return 0;
  using Pass = std::remove_const_t<decltype(pass)>;
  using Stencil = HostStencil<Scalar, Layout, typename Pass::source_type, typename Pass::sink_type>;
  return Stencil(data, pass.source, pass.sink).sweep(share_of(worker, workers, data.num_owned));
}

}  // namespace LAMINA_LANES
}  // namespace Lamina::Impl
