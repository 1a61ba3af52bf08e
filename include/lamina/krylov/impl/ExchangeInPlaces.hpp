// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/distributed/HaloExchange.hpp>
#include <lamina/grids/impl/ColumnOrder.hpp>
#include <lamina/grids/impl/PaddedRows.hpp>

namespace Lamina::Impl {

/// The exchange of fields in places.
template <class Memory>
HaloExchange<Memory> exchange_in_places(const HaloExchange<Memory>& halo,
                                        const ColumnOrder<Memory>& order) {
  if (halo.empty()) return halo;
  const auto columns = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), order.columns);
  return halo.renumbered(places_of_columns({columns.data(), columns.extent(0)}, halo.num_items()),
                         static_cast<int>(columns.extent(0)));
}

}  // namespace Lamina::Impl
