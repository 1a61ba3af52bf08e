// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Means over components of cells are taken out of a field. Cells of a component are listed in pieces of
// equal length: a thread adds up a piece, a team the pieces of a component. Sums of components that
// several ranks have are added up over them.

#include <lamina/columns/impl/CellComponents.hpp>
#include <lamina/core/Concepts.hpp>
#include <lamina/distributed/GlobalReduction.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace Lamina::Impl {

template <class Memory>
using CellVolumes = Kokkos::View<const double**, Kokkos::LayoutLeft, Memory>;

/// Weight of a cell; 1 without volumes.
template <class Memory>
KOKKOS_FORCEINLINE_FUNCTION double weight_of(const CellVolumes<Memory>& volumes, int column,
                                             int level) {
  return volumes.extent(0) > 0 ? volumes(column, level) : 1.0;
}

/// A piece of the list of cells of a component.
struct CellPiece {
  std::int64_t begin, end;
  int component;
};

/// The lists in the memory of the kernels.
template <class Memory>
struct CellLists {
  int num_levels = 0;
  Kokkos::View<const int*, Memory> cells, dry;
  Kokkos::View<const CellPiece*, Memory> pieces;
  Kokkos::View<const std::int64_t*, Memory> first_piece;  // of each component, and the end
};

/// Sums over a piece.
struct PieceSums {
  double value = 0, weight = 0;
};

template <class Memory, class FieldType>
struct AddUpPieces {
  CellLists<Memory> lists;
  FieldType field;
  CellVolumes<Memory> volumes;
  bool weigh_values;  ///< sums of weight * value, else of value
  Kokkos::View<PieceSums*, Memory> sums;

  KOKKOS_FUNCTION void operator()(std::int64_t n) const {
    const CellPiece piece = lists.pieces(static_cast<std::size_t>(n));
    PieceSums sum;
    for (std::int64_t i = piece.begin; i < piece.end; ++i) {
      const int cell = lists.cells(static_cast<std::size_t>(i));
      const int column = cell / lists.num_levels, level = cell % lists.num_levels;
      const double weight = weight_of<Memory>(volumes, column, level);
      sum.value += (weigh_values ? weight : 1.0) * static_cast<double>(field(column, level));
      sum.weight += weight;
    }
    sums(static_cast<std::size_t>(n)) = sum;
  }
};

/// Sums of values and of weights over each component.
template <class Memory>
using ComponentTotals = Kokkos::View<double* [2], Kokkos::LayoutRight, Memory>;

template <class Memory>
struct AddUpComponents {
  CellLists<Memory> lists;
  Kokkos::View<const PieceSums*, Memory> sums;
  ComponentTotals<Memory> totals;

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member) const {
    const auto component = static_cast<std::size_t>(member.league_rank());
    const std::int64_t begin = lists.first_piece(component),
                       count = lists.first_piece(component + 1) - begin;
    double value = 0, weight = 0;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(member, static_cast<int>(count)),
        [&](int i, double& sum) { sum += sums(static_cast<std::size_t>(begin + i)).value; }, value);
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(member, static_cast<int>(count)),
        [&](int i, double& sum) { sum += sums(static_cast<std::size_t>(begin + i)).weight; },
        weight);
    if (member.team_rank() == 0) {
      totals(component, 0) = value;
      totals(component, 1) = weight;
    }
  }
};

/// field -= weight * mean, or field -= mean;  sums the squares of what was removed. Items are pieces, then
/// dry cells.
template <class Memory, class FieldType>
struct SubtractMeans {
  using Scalar = typename FieldType::value_type;
  CellLists<Memory> lists;
  FieldType field;
  CellVolumes<Memory> volumes;
  bool weigh_means;
  ComponentTotals<Memory> totals;

  KOKKOS_FUNCTION void operator()(std::int64_t n, double& removed2) const {
    const auto num_pieces = static_cast<std::int64_t>(lists.pieces.extent(0));
    if (n >= num_pieces) {
      const int cell = lists.dry(static_cast<std::size_t>(n - num_pieces));
      Scalar& value = field(cell / lists.num_levels, cell % lists.num_levels);
      removed2 += static_cast<double>(value) * static_cast<double>(value);
      value = 0;
      return;
    }
    const CellPiece piece = lists.pieces(static_cast<std::size_t>(n));
    const auto component = static_cast<std::size_t>(piece.component);
    const double mean = totals(component, 0) / totals(component, 1);
    for (std::int64_t i = piece.begin; i < piece.end; ++i) {
      const int cell = lists.cells(static_cast<std::size_t>(i));
      const int column = cell / lists.num_levels, level = cell % lists.num_levels;
      const double part = weigh_means ? mean * weight_of<Memory>(volumes, column, level) : mean;
      removed2 += part * part;
      field(column, level) = static_cast<Scalar>(static_cast<double>(field(column, level)) - part);
    }
  }
};

template <class Memory, class FieldType>
struct SquareOfField {
  CellExtents extents;
  FieldType field;
  KOKKOS_FUNCTION void operator()(std::int64_t cell, double& sum) const {
    const double value = static_cast<double>(field(static_cast<int>(cell / extents.num_levels),
                                                   static_cast<int>(cell % extents.num_levels)));
    sum += value * value;
  }
};

/// See `ColumnNullSpace`.
template <class Memory>
class ComponentSums {
 public:
  ComponentSums() = default;
  template <class Space>
  ComponentSums(const Space& space, const CellExtents& extents, const CellComponents& found,
                const GlobalReduction<Memory>& reduction)
      : m_extents(extents),
        m_num_lists(found.num_lists()),
        m_num_shared(found.num_shared),
        m_reduction(reduction) {
    constexpr std::int64_t length = 256;  // of a piece: many for a device, few to add up
    std::vector<CellPiece> pieces;
    std::vector<std::int64_t> first_piece{0};
    for (int component = 0; component < m_num_lists; ++component) {
      const std::int64_t end = found.begin[static_cast<std::size_t>(component) + 1];
      for (std::int64_t i = found.begin[static_cast<std::size_t>(component)]; i < end;
           i += length) {
        pieces.push_back({i, std::min(i + length, end), component});
      }
      first_piece.push_back(static_cast<std::int64_t>(pieces.size()));
    }
    m_lists = {extents.num_levels, copy_of("cells", found.cells), copy_of("dry", found.dry),
               copy_of("pieces", pieces), copy_of("first_piece", first_piece)};
    m_sums = Kokkos::View<PieceSums*, Memory>("Lamina::ColumnNullSpace::sums", pieces.size());
    m_totals = ComponentTotals<Memory>("Lamina::ColumnNullSpace::totals",
                                       static_cast<std::size_t>(m_num_lists));
    m_squares = Kokkos::View<double*, Memory>("Lamina::ColumnNullSpace::squares", 2);
    m_squares_on_host =
        Kokkos::View<double*, Kokkos::HostSpace>("Lamina::ColumnNullSpace::squares_on_host", 2);
    space.fence();
  }

  /// Removes what is not in the range of the matrix; returns its part of the field. Fences.
  template <class Space, class FieldType>
  double remove(const Space& space, const FieldType& b, const CellVolumes<Memory>& volumes) const {
    using Index = Kokkos::IndexType<std::int64_t>;
    Kokkos::parallel_reduce("Lamina::ColumnNullSpace::square",
                            Kokkos::RangePolicy<Space, Index>(space, 0, m_extents.count()),
                            SquareOfField<Memory, FieldType>{m_extents, b}, square_at(0));
    add_up(space, b, volumes, false);
    subtract(space, b, volumes, true);
    m_reduction.sum(space, m_squares.data(), m_squares.data(), 2);
    Kokkos::deep_copy(space, m_squares_on_host, m_squares);
    space.fence();
    const double square = m_squares_on_host(0), removed = m_squares_on_host(1);
    return square > 0 ? std::sqrt(removed / square) : 0;
  }
  template <class Space, class FieldType>
  void remove_means(const Space& space, const FieldType& x,
                    const CellVolumes<Memory>& volumes) const {
    add_up(space, x, volumes, true);
    subtract(space, x, volumes, false);
    space.fence();
  }

 private:
  template <class Value>
  static Kokkos::View<const Value*, Memory> copy_of(const char* name,
                                                    const std::vector<Value>& values) {
    const Kokkos::View<Value*, Memory> view(
        Kokkos::view_alloc(std::string("Lamina::ColumnNullSpace::") + name,
                           Kokkos::WithoutInitializing),
        values.size());
    const auto host = Kokkos::create_mirror_view(view);
    std::copy(values.begin(), values.end(), host.data());
    Kokkos::deep_copy(view, host);
    return view;
  }
  /// Where a sum of squares goes: 0 of the field, 1 of what is removed.
  Kokkos::View<double, Memory, Kokkos::MemoryTraits<Kokkos::Unmanaged>> square_at(int n) const {
    return Kokkos::View<double, Memory, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(m_squares.data() +
                                                                                 n);
  }
  template <class Space, class FieldType>
  void add_up(const Space& space, const FieldType& field, const CellVolumes<Memory>& volumes,
              bool weigh_values) const {
    if (m_num_lists == 0) return;
    using Index = Kokkos::IndexType<std::int64_t>;
    Kokkos::parallel_for(
        "Lamina::ColumnNullSpace::pieces",
        Kokkos::RangePolicy<Space, Index>(space, 0, static_cast<std::int64_t>(m_sums.extent(0))),
        AddUpPieces<Memory, FieldType>{m_lists, field, volumes, weigh_values, m_sums});
    Kokkos::parallel_for("Lamina::ColumnNullSpace::components",
                         Kokkos::TeamPolicy<Space>(space, m_num_lists, Kokkos::AUTO),
                         AddUpComponents<Memory>{m_lists, m_sums, m_totals});
    const int num_sums = 2 * m_num_shared, most = GlobalReduction<Memory>::max_values;
    for (int n = 0; n < num_sums; n += most) {
      double* const sums = m_totals.data() + n;
      m_reduction.sum(space, sums, sums, std::min(most, num_sums - n));
    }
  }
  template <class Space, class FieldType>
  void subtract(const Space& space, const FieldType& field, const CellVolumes<Memory>& volumes,
                bool weigh_means) const {
    using Index = Kokkos::IndexType<std::int64_t>;
    const auto count = static_cast<std::int64_t>(m_lists.pieces.extent(0) + m_lists.dry.extent(0));
    Kokkos::parallel_reduce(
        "Lamina::ColumnNullSpace::subtract", Kokkos::RangePolicy<Space, Index>(space, 0, count),
        SubtractMeans<Memory, FieldType>{m_lists, field, volumes, weigh_means, m_totals},
        square_at(1));
  }

  CellExtents m_extents{0, 1};
  int m_num_lists = 0, m_num_shared = 0;
  GlobalReduction<Memory> m_reduction;
  CellLists<Memory> m_lists;
  Kokkos::View<PieceSums*, Memory> m_sums;
  ComponentTotals<Memory> m_totals;
  Kokkos::View<double*, Memory> m_squares;
  Kokkos::View<double*, Kokkos::HostSpace> m_squares_on_host;
};

}  // namespace Lamina::Impl
