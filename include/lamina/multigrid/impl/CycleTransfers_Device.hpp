// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Transfers between levels on a device. A thread takes some levels of a column, for which it reads the
// entries of P once; where levels are contiguous one cell, and the threads of a warp read the same
// entries.

#include <lamina/core/impl/ExtentOf.hpp>
#include <lamina/device/impl/Backend.hpp>
#include <lamina/device/impl/KeptAddress.hpp>
#include <lamina/multigrid/impl/ColumnCycle.hpp>
#include <lamina/multigrid/impl/CycleLevel.hpp>
#include <lamina/multigrid/impl/Tuning.hpp>

#include <cstddef>
#include <cstdint>

namespace Lamina::Impl {

/// Levels of a thread.
template <class Layout>
inline constexpr int transferred_levels =
    levels_contiguous<Layout> ? 1 : CycleTuning::transferred_levels;

/// Threads for so many columns.
template <class Layout>
std::size_t transfer_items(int num_columns, std::size_t num_levels) {
  constexpr std::size_t levels = transferred_levels<Layout>;
  return static_cast<std::size_t>(num_columns) * ((num_levels + levels - 1) / levels);
}

/// The share of a thread of columns, and the level that it begins with.
template <class Layout>
KOKKOS_FORCEINLINE_FUNCTION CellPlace transfer_place(std::int64_t item, int num_columns,
                                                     int num_levels) {
  constexpr int levels = transferred_levels<Layout>;
  const CellPlace place = cell_place<Layout>(item, num_columns, (num_levels + levels - 1) / levels);
  return {place.column, place.level * levels};
}

/// The cells of a thread: what column n has at its i-th level. Beyond the top that is the last level again:
/// loads without conditions. Where columns are contiguous offsets have 32 bits; see `kept_address`.
template <class FieldType>
struct TransferredRows {
  using Value = typename FieldType::value_type;
  static constexpr bool contiguous = levels_contiguous<typename FieldType::array_layout>;
  Value* values;
  int stride, last;

  KOKKOS_FORCEINLINE_FUNCTION TransferredRows(const FieldType& field, int first)
      : values(kept_address(field.data() + first * static_cast<std::int64_t>(field.stride(1)))),
        stride(static_cast<int>(field.stride(contiguous ? 0 : 1))),
        last(static_cast<int>(field.extent(1)) - 1 - first) {}
  KOKKOS_FORCEINLINE_FUNCTION Value& operator()(int column, int i) const {
    if constexpr (contiguous) {
      return values[static_cast<std::int64_t>(column) * stride];
    } else {
      return values[(i < last ? i : last) * stride + column];
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION bool has(int i) const { return i <= last; }
};

/// x += P c
template <class Scalar, class Layout, class Memory>
struct ProlongColumns {
  static constexpr int levels = transferred_levels<Layout>;
  using In = FieldView<const Scalar, Layout, Memory>;
  using Out = FieldView<Scalar, Layout, Memory>;

  CycleGuard<Memory> guard;
  Prolongation<Scalar, Memory> prolongation;
  In c;
  Out x;

  KOKKOS_FUNCTION void operator()(std::int64_t item) const {
    if (!guard.active()) return;
    constexpr int slots = Prolongation<Scalar, Memory>::slots;
    const auto [column, first] = transfer_place<Layout>(
        item, static_cast<int>(prolongation.columns.extent(0)), static_cast<int>(x.extent(1)));
    const TransferredRows<Out> to(x, first);
    const TransferredRows<In> from(c, first);
    int coarse[extent_of<slots>];
    Scalar weights[extent_of<slots>], values[extent_of<levels>];
    for (int n = 0; n < slots; ++n) {
      coarse[n] = prolongation.columns(column, n);
      weights[n] = prolongation.weights(column, n);
    }
    LAMINA_DEVICE_UNROLL()
    for (int i = 0; i < levels; ++i) {
      values[i] = to(column, i);
      for (int n = 0; n < slots; ++n) values[i] += weights[n] * from(coarse[n], i);
    }
    LAMINA_DEVICE_UNROLL()
    for (int i = 0; i < levels; ++i) {
      if (to.has(i)) to(column, i) = values[i];
    }
  }
};

/// coarse = P^T r
template <class Scalar, class Layout, class Memory>
struct RestrictColumns {
  static constexpr int levels = transferred_levels<Layout>, batch = CycleTuning::restricted_columns;
  using In = FieldView<const Scalar, Layout, Memory>;
  using Out = FieldView<Scalar, Layout, Memory>;

  CycleGuard<Memory> guard;
  Restriction<Scalar, Memory> restriction;
  In r;
  Out coarse;

  KOKKOS_FUNCTION void operator()(std::int64_t item) const {
    if (!guard.active()) return;
    const auto [place, first] =
        transfer_place<Layout>(item, restriction.num_coarse(), static_cast<int>(r.extent(1)));
    const TransferredRows<In> from(r, first);
    const int count = restriction.counts(place), column = restriction.coarse(place);
    Scalar sums[extent_of<levels>] = {};
    // Entries beyond the last one are that one again, without weight: loads without conditions.
    for (int begin = 0; begin < count; begin += batch) {
      int fine[extent_of<batch>];
      Scalar weights[extent_of<batch>], values[extent_of<batch>][extent_of<levels>];
      LAMINA_DEVICE_UNROLL()
      for (int n = 0; n < batch; ++n) {
        const int entry = begin + n, at = entry < count ? entry : count - 1;
        fine[n] = restriction.fine(place, at);
        weights[n] = entry < count ? restriction.weights(place, at) : Scalar(0);
      }
      LAMINA_DEVICE_UNROLL()
      for (int n = 0; n < batch; ++n) {
        LAMINA_DEVICE_UNROLL()
        for (int i = 0; i < levels; ++i) values[n][i] = from(fine[n], i);
      }
      LAMINA_DEVICE_UNROLL()
      for (int n = 0; n < batch; ++n) {
        LAMINA_DEVICE_UNROLL()
        for (int i = 0; i < levels; ++i) sums[i] += weights[n] * values[n][i];
      }
    }
    const TransferredRows<Out> to(coarse, first);
    LAMINA_DEVICE_UNROLL()
    for (int i = 0; i < levels; ++i) {
      if (to.has(i)) to(column, i) = sums[i];
    }
  }
};

template <class Space, class Scalar, class Layout, class Memory>
void run_device_prolongation(const char* label, const Space& space,
                             const CycleLevel<Scalar, Memory>& level,
                             const CycleGuard<Memory>& guard,
                             const FieldView<const Scalar, Layout, Memory>& c,
                             const FieldView<Scalar, Layout, Memory>& x) {
  const auto columns = static_cast<int>(level.prolongation.columns.extent(0));
  run_items(label, space, transfer_items<Layout>(columns, x.extent(1)),
            ProlongColumns<Scalar, Layout, Memory>{guard, level.prolongation, c, x});
}

template <class Space, class Scalar, class Layout, class Memory>
void run_device_restriction(const char* label, const Space& space,
                            const CycleLevel<Scalar, Memory>& level,
                            const CycleGuard<Memory>& guard,
                            const FieldView<const Scalar, Layout, Memory>& r,
                            const FieldView<Scalar, Layout, Memory>& coarse) {
  run_items(label, space, transfer_items<Layout>(level.restriction.num_coarse(), r.extent(1)),
            RestrictColumns<Scalar, Layout, Memory>{guard, level.restriction, r, coarse});
}

}  // namespace Lamina::Impl
