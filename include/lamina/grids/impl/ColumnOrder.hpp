// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/core/KernelRecord.hpp>
#include <lamina/device/impl/Instantiate.hpp>
#include <lamina/device/impl/RangeOf.hpp>
#include <lamina/grids/impl/Tuning.hpp>
#include <lamina/grids/impl/TurnField_Host.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace Lamina::Impl {

/// An order of columns that a solver chose: each owned column has a place, and each halo column that is a
/// neighbour. Places without a column are padding, or halo columns that nobody reads: fields are zero
/// there. Empty: columns stay where they are.
template <class Memory>
struct ColumnOrder {
  static constexpr int no_column = -1;
  Kokkos::View<const int*, Memory> columns;  // (place): its column, or `no_column`
  int num_owned = 0;  // places of owned columns and padding; those of halo columns follow

  bool empty() const { return columns.extent(0) == 0; }
  KOKKOS_FORCEINLINE_FUNCTION int column_at(std::int64_t place) const {
    return columns.extent(0) == 0 ? static_cast<int>(place) : columns(place);
  }
};

/// to(place) = from(column of the place)
template <class From, class To, class Memory>
struct ToPlaces {
  ColumnOrder<Memory> order;
  From from;
  To to;

  KOKKOS_FUNCTION void operator()(std::int64_t place, std::int64_t level) const {
    const int column = order.column_at(place);
    to(place, level) = column == order.no_column ? 0 : from(column, level);
  }
};

/// to(column of the place) = from(place)
template <class From, class To, class Memory>
struct FromPlaces {
  ColumnOrder<Memory> order;
  From from;
  To to;

  KOKKOS_FUNCTION void operator()(std::int64_t place, std::int64_t level) const {
    const int column = order.column_at(place);
    if (column != order.no_column) to(column, level) = from(place, level);
  }
};

/// Whether a model lets a solver bring fields to `SweepLayout`, and to its order of columns where it has
/// one.
template <class Model>
inline constexpr bool has_column_order = requires(const Model& model) {
  model.column_order();
};

/// \tparam Kernel  `ToPlaces` or `FromPlaces`
template <template <class, class, class> class Kernel, class Space, class Memory, class From,
          class To>
void copy_columns(const char* label, const Space& space, const ColumnOrder<Memory>& order,
                  const From& from, const To& to, std::size_t num_places) {
  if constexpr (runs_on_host<Space>) {
    if (order.empty()) {  // as all of the library on CPU cores; tests have others
      const int workers = static_cast<int>(space.concurrency());
      Kokkos::parallel_for(label, range_of(space, workers),
                           [=](int worker) { turn_share(from, to, worker, workers); });
      return;
    }
  }
  using Order = Kokkos::Rank<2, Kokkos::Iterate::Left, Kokkos::Iterate::Left>;
  using Policy = Kokkos::MDRangePolicy<Space, Order, Kokkos::IndexType<std::int64_t>>;
  const Policy policy(
      space, {0, 0},
      {static_cast<std::int64_t>(num_places), static_cast<std::int64_t>(to.extent(1))},
      {ColumnOrderTuning::tile_columns, ColumnOrderTuning::tile_levels});
  Kokkos::parallel_for(label, policy, Kernel<From, To, Memory>{order, from, to});
}

/// Copies a field of columns to a field of places. Layouts may differ on devices; on CPU cores they do.
/// Fields must not overlap.  traffic: reads n, writes n
template <class Space, class Scalar, class From, class To, class Memory>
void to_places(const Space& space, const ColumnOrder<Memory>& order,
               const FieldView<const Scalar, From, Memory>& from,
               const FieldView<Scalar, To, Memory>& to) {
  copy_columns<ToPlaces>("Lamina::ColumnOrder::to_places", space, order, from, to, to.extent(0));
}

/// Copies a field of places to a field of columns, likewise.  traffic: reads n, writes n
template <class Space, class Scalar, class From, class To, class Memory>
void from_places(const Space& space, const ColumnOrder<Memory>& order,
                 const FieldView<const Scalar, From, Memory>& from,
                 const FieldView<Scalar, To, Memory>& to) {
  copy_columns<FromPlaces>("Lamina::ColumnOrder::from_places", space, order, from, to,
                           from.extent(0));
}

#define LAMINA_COLUMN_COPY(Space, Scalar, Own, Layout, prefix)                                     \
  LAMINA_FUNCTION(                                                                                 \
      prefix, void to_places(const Space&, const ColumnOrder<typename Space::memory_space>&,       \
                             const FieldView<const Scalar, Layout, typename Space::memory_space>&, \
                             const FieldView<Scalar, Own, typename Space::memory_space>&))         \
  LAMINA_FUNCTION(                                                                                 \
      prefix, void from_places(const Space&, const ColumnOrder<typename Space::memory_space>&,     \
                               const FieldView<const Scalar, Own, typename Space::memory_space>&,  \
                               const FieldView<Scalar, Layout, typename Space::memory_space>&))
#define LAMINA_COLUMN_COPIES(Space, Own, Layout, prefix) \
  LAMINA_COLUMN_COPY(Space, float, Own, Layout, prefix)  \
  LAMINA_COLUMN_COPY(Space, double, Own, Layout, prefix)
/// Between `SweepLayout` and the layouts of fields.
#define LAMINA_COPIES_ON_HOST(Space, prefix) \
  LAMINA_COLUMN_COPIES(Space, Kokkos::LayoutRight, Kokkos::LayoutLeft, prefix)
#define LAMINA_COPIES_ON_DEVICE(Space, prefix)                                \
  LAMINA_COLUMN_COPIES(Space, Kokkos::LayoutLeft, Kokkos::LayoutLeft, prefix) \
  LAMINA_COLUMN_COPIES(Space, Kokkos::LayoutLeft, Kokkos::LayoutRight, prefix)
LAMINA_IF_SERIAL(LAMINA_COPIES_ON_HOST, extern)
LAMINA_IF_OPENMP(LAMINA_COPIES_ON_HOST, extern)
LAMINA_IF_DEVICE(LAMINA_COPIES_ON_DEVICE, extern)

/// u = x, where u is in places, and may lie in the memory of x.
/// \param buffer  as u, which x passes through then
// traffic: reads n, writes n; in the memory of x twice that
template <class Space, class Memory, class Solution, class Vector>
void bring_to_places(const Space& space, const ColumnOrder<Memory>& order, const Solution& x,
                     const Vector& buffer, const Vector& u) {
  const bool shared = x.data() == u.data();
  to_places(space, order, as_const_field(x), shared ? buffer : u);
  if (shared) Kokkos::deep_copy(space, u, buffer);
}
/// x = u, likewise.
template <class Space, class Memory, class Solution, class Vector>
void bring_from_places(const Space& space, const ColumnOrder<Memory>& order, const Vector& u,
                       const Vector& buffer, const Solution& x) {
  const bool shared = x.data() == u.data();
  if (shared) Kokkos::deep_copy(space, buffer, u);
  from_places(space, order, as_const_field(shared ? buffer : u), x);
}

/// Costs of both copies for a field of so many bytes.
inline std::array<KernelCost, 2> column_copy_costs(double field_bytes) {
  return {{{"Lamina::ColumnOrder::to_places", 2 * field_bytes, 0},
           {"Lamina::ColumnOrder::from_places", 2 * field_bytes, 0}}};
}

}  // namespace Lamina::Impl
