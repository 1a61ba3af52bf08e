// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/grids/impl/ColumnOrder.hpp>
#include <lamina/grids/impl/PaddedRows.hpp>

#include <cstddef>
#include <utility>

namespace Lamina::Impl {
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

bool has_halo(const HostNeighbours& neighbours) {
  const auto num_owned = static_cast<int>(neighbours.columns.extent(0));
  for (std::size_t n = 0; n < neighbours.columns.extent(1); ++n) {
    for (std::size_t row = 0; row < neighbours.columns.extent(0); ++row) {
      if (neighbours.columns(row, n) >= num_owned) return true;
    }
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

std::vector<int> pad_rows(const HostNeighbours& neighbours) {
  if (has_halo(neighbours)) return {};
  const std::vector<int> ends = ends_of_rows(neighbours);
  std::int64_t num_places = 0;
  int begin = 0;
  for (const int end : ends) {
    num_places += round_up(end - begin, row_multiple);
    begin = end;
  }
  num_places = round_up(num_places, total_multiple);
  if (!pays(num_places, begin)) return {};

  std::vector<int> places;
  places.reserve(static_cast<std::size_t>(num_places));
  begin = 0;
  for (const int end : ends) {
    const auto last = static_cast<std::size_t>(round_up(end - begin, row_multiple)) + places.size();
    for (int column = begin; column < end; ++column) places.push_back(column);
    places.resize(last, no_column);
    begin = end;
  }
  places.resize(static_cast<std::size_t>(num_places), no_column);
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

HostColumns in_places(const HostColumns& columns, const std::vector<int>& places) {
  using Host = Kokkos::HostSpace;
  const std::size_t num_slots = columns.neighbours.columns.extent(1);
  const Kokkos::View<int**, Kokkos::LayoutLeft, Host> neighbours(
      "Lamina::HelmholtzOperator::padded_neighbours", places.size(), num_slots);
  const Kokkos::View<double**, Kokkos::LayoutLeft, Host> couplings(
      "Lamina::HelmholtzOperator::padded_couplings", places.size(), num_slots);
  const Kokkos::View<double*, Host> areas("Lamina::HelmholtzOperator::padded_areas", places.size()),
      boundary("Lamina::HelmholtzOperator::padded_boundary", places.size());
  std::vector<int> place_of(columns.areas.extent(0));
  for (std::size_t place = 0; place < places.size(); ++place) {
    if (places[place] == no_column) continue;
    place_of[static_cast<std::size_t>(places[place])] = static_cast<int>(place);
  }
  for (std::size_t place = 0; place < places.size(); ++place) {
    const bool filled = places[place] != no_column;
    const auto column = static_cast<std::size_t>(filled ? places[place] : 0);
    areas(place) = columns.areas(column);  // of any column, where there is none
    if (filled) boundary(place) = columns.boundary_couplings(column);
    for (std::size_t n = 0; n < num_slots; ++n) {
      const auto other = static_cast<std::size_t>(columns.neighbours.columns(column, n));
      neighbours(place, n) = filled ? place_of[other] : static_cast<int>(place);
      if (filled) couplings(place, n) = columns.neighbours.couplings(column, n);
    }
  }
  return {{neighbours, couplings}, areas, boundary};
}

}  // namespace Lamina::Impl
