// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/grids/impl/ColumnOrder.hpp>
#include <lamina/grids/impl/PaddedRows.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace Lamina {

std::int64_t ColumnGridSize::num_padded_columns() const {
  return Impl::num_padded_places(row_length, num_rows);
}

namespace Impl {
namespace {

constexpr int no_column = ColumnOrder<Kokkos::HostSpace>::no_column;
/// Rows begin with a pack; levels with a line of 128 bytes, in single precision too.
constexpr std::int64_t row_multiple = ColumnPack::max_width, total_multiple = 32;

std::int64_t round_up(std::int64_t count, std::int64_t multiple) {
  return (count + multiple - 1) / multiple * multiple;
}

/// Padding is read and written, too, which must pay off.
bool pays(std::int64_t places, std::int64_t columns) {
  return places > columns && 8 * (places - columns) <= columns;
}

bool are_neighbours(const HostNeighbours& neighbours, int column, int other) {
  const auto row = static_cast<std::size_t>(column);
  for (std::size_t n = 0; n < neighbours.columns.extent(1); ++n) {
    if (neighbours.columns(row, n) == other && neighbours.couplings(row, n) != 0) return true;
  }
  return false;
}

/// One past the last column of each row.
std::vector<int> ends_of_rows(const HostNeighbours& neighbours) {
  const auto num_columns = static_cast<int>(neighbours.columns.extent(0));
  std::vector<int> ends;
  for (int column = 0; column < num_columns; ++column) {
    const bool goes_on = column + 1 < num_columns && are_neighbours(neighbours, column, column + 1);
    if (!goes_on) ends.push_back(column + 1);
  }
  return ends;
}

}  // namespace

std::int64_t num_padded_places(std::int64_t length, std::int64_t rows) {
  if (length == 1) std::swap(length, rows);  // consecutive columns are neighbours
  const std::int64_t places = round_up(round_up(length, row_multiple) * rows, total_multiple);
  return pays(places, length * rows) ? places : length * rows;
}

int halo_begin(const HostColumns& columns) {
  const auto& neighbours = columns.neighbours.columns;
  const auto num_owned = static_cast<int>(neighbours.extent(0));
  auto begin = static_cast<int>(columns.areas.extent(0));
  for (std::size_t n = 0; n < neighbours.extent(1); ++n) {
    for (std::size_t row = 0; row < neighbours.extent(0); ++row) {
      if (neighbours(row, n) >= num_owned) begin = std::min(begin, neighbours(row, n));
    }
  }
  return begin;
}

HostPlaces pad_rows(const HostColumns& columns) {
  const auto num_columns = static_cast<std::int64_t>(columns.areas.extent(0));
  const std::vector<int> ends = ends_of_rows(columns.neighbours);
  std::int64_t num_places = 0;
  int begin = 0;
  for (const int end : ends) {
    num_places += round_up(end - begin, row_multiple);
    begin = end;
  }
  const int num_owned = begin, first_halo = halo_begin(columns);
  if (num_places == num_owned && num_columns % total_multiple == 0) return {};
  const std::int64_t num_halo = num_columns - first_halo;
  num_places =
      round_up(std::max(num_places + num_halo, num_columns + 1), total_multiple) - num_halo;
  if (!pays(num_places, num_owned)) return {};

  HostPlaces places{{}, static_cast<int>(num_places)};
  places.columns.reserve(static_cast<std::size_t>(num_places + num_halo));
  begin = 0;
  for (const int end : ends) {
    const auto last =
        static_cast<std::size_t>(round_up(end - begin, row_multiple)) + places.columns.size();
    for (int column = begin; column < end; ++column) places.columns.push_back(column);
    places.columns.resize(last, no_column);
    begin = end;
  }
  places.columns.resize(static_cast<std::size_t>(num_places + num_halo), no_column);
  const auto& neighbours = columns.neighbours.columns;
  for (std::size_t n = 0; n < neighbours.extent(1); ++n) {
    for (std::size_t row = 0; row < neighbours.extent(0); ++row) {
      const int other = neighbours(row, n);
      if (other < num_owned) continue;
      places.columns[static_cast<std::size_t>(places.num_owned + other - first_halo)] = other;
    }
  }
  return places;
}

std::vector<int> places_of_columns(std::span<const int> columns, int num_columns) {
  std::vector<int> places(static_cast<std::size_t>(num_columns), -1);
  for (std::size_t place = 0; place < columns.size(); ++place) {
    if (columns[place] == no_column) continue;
    places[static_cast<std::size_t>(columns[place])] = static_cast<int>(place);
  }
  return places;
}

std::vector<double> HostColumns::coupling_sums() const {
  const double* const boundary = boundary_couplings.data();
  std::vector<double> sums(boundary, boundary + boundary_couplings.extent(0));
  for (std::size_t n = 0; n < neighbours.couplings.extent(1); ++n) {
    for (std::size_t column = 0; column < sums.size(); ++column) {
      sums[column] += neighbours.couplings(column, n);
    }
  }
  return sums;
}

HostColumns columns_of(const ColumnMesh<Kokkos::HostSpace>& mesh) {
  return {{mesh.neighbours(), mesh.couplings(), mesh.is_first()},
          mesh.areas(),
          mesh.boundary_couplings()};
}

HostColumns in_places(const HostColumns& columns, const HostPlaces& places) {
  using Host = Kokkos::HostSpace;
  const std::size_t num_slots = columns.neighbours.columns.extent(1),
                    num_places = places.columns.size();
  const auto num_owned = static_cast<std::size_t>(places.num_owned);
  const Kokkos::View<int**, Kokkos::LayoutLeft, Host> neighbours("Lamina::ColumnOrder::neighbours",
                                                                 num_owned, num_slots);
  const Kokkos::View<double**, Kokkos::LayoutLeft, Host> couplings("Lamina::ColumnOrder::couplings",
                                                                   num_owned, num_slots);
  const Kokkos::View<bool**, Kokkos::LayoutLeft, Host> is_first("Lamina::ColumnOrder::is_first",
                                                                num_owned, num_slots);
  const Kokkos::View<double*, Host> areas("Lamina::ColumnOrder::areas", num_places),
      boundary("Lamina::ColumnOrder::boundary", num_owned);
  const std::vector<int> place_of =
      places_of_columns(places.columns, static_cast<int>(columns.areas.extent(0)));
  for (std::size_t place = 0; place < num_places; ++place) {
    const bool filled = places.columns[place] != no_column;
    const auto column = static_cast<std::size_t>(filled ? places.columns[place] : 0);
    areas(place) = columns.areas(column);  // of any column, where there is none
    if (place >= num_owned) continue;
    if (filled) boundary(place) = columns.boundary_couplings(column);
    for (std::size_t n = 0; n < num_slots; ++n) {
      const auto other = static_cast<std::size_t>(columns.neighbours.columns(column, n));
      neighbours(place, n) = filled ? place_of[other] : static_cast<int>(place);
      if (!filled) continue;
      couplings(place, n) = columns.neighbours.couplings(column, n);
      is_first(place, n) = columns.neighbours.is_first(column, n);
    }
  }
  return {{neighbours, couplings, is_first}, areas, boundary};
}

}  // namespace Impl
}  // namespace Lamina
