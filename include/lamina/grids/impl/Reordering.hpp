// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Operators on fields whose rows are padded, beside those on fields in the order of the mesh.

#include <lamina/device/impl/HostTable.hpp>
#include <lamina/grids/impl/ColumnOrder.hpp>
#include <lamina/grids/impl/PaddedRows.hpp>

#include <cstddef>
#include <optional>
#include <type_traits>

namespace Lamina::Impl {

/// A system on fields in an order of columns.
template <class System>
struct Reordering {
  ColumnOrder<typename System::memory_space> order;
  System system;
};

/// Whether nearly all columns are in packs, and levels begin with a cache line: padding is of no use then.
template <class System>
bool is_in_order(const System& system) {
  constexpr int line = 128 / static_cast<int>(sizeof(typename System::scalar_type));
  const auto& topology = system.topology;
  if constexpr (requires { system.coefficients.packs; }) {
    return system.coefficients.packs.nearly_all_of(topology.num_owned) &&
           topology.num_columns % line == 0;
  } else {
    return false;
  }
}

/// The system on fields with padded rows. None where rows need no padding, and on devices where more than an
/// eighth of the places would be in no pack: copies would not pay. CPU cores have no packs; there tests alone
/// ask.
/// \param make  make(the columns in their places, these places): the system
template <class System, class Make>
std::optional<Reordering<System>> find_reordering(const HostColumns& columns, const Make& make) {
  using Memory = typename System::memory_space;
  const HostPlaces places = pad_rows(columns);
  if (places.empty()) return {};
  Reordering<System> result{
      {list_of<Memory>("Lamina::ColumnOrder::columns", places.columns), places.num_owned},
      make(in_places(columns, places), places)};
  if constexpr (!std::is_same_v<Memory, Kokkos::HostSpace>) {
    if (!result.system.coefficients.packs.nearly_all_of(places.num_owned)) return {};
  }
  return result;
}

/// What sweeps need, for fields in the order of the mesh, and for those in places where there is such an order.
template <class Sweeps, class Memory>
class InEitherOrder {
 public:
  /// \param num_columns  of fields in the order of the mesh
  InEitherOrder(int num_columns, const Sweeps& given)
      : m_num_columns(static_cast<std::size_t>(num_columns)), m_given(given) {}

  void add(const ColumnOrder<Memory>& order, const Sweeps& in_places) {
    m_order = order;
    m_in_places = in_places;
  }

  const ColumnOrder<Memory>& order() const { return m_order; }
  const Sweeps& given() const { return m_given; }
  /// Padding makes fields in places larger.
  template <class FieldType>
  const Sweeps& of(const FieldType& field) const {
    return m_in_places && field.extent(0) != m_num_columns ? *m_in_places : m_given;
  }
  template <class Visit>
  void visit(const Visit& visit) const {
    visit(m_given);
    if (m_in_places) visit(*m_in_places);
  }

 private:
  std::size_t m_num_columns;
  Sweeps m_given;
  std::optional<Sweeps> m_in_places;
  ColumnOrder<Memory> m_order;
};

}  // namespace Lamina::Impl
