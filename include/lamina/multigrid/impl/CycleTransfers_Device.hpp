// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Transfers between levels on a device. A thread takes some levels of a column, for which it reads the
// entries of P once; where levels are contiguous one cell, and the threads of a warp read the same
// entries.

#include <lamina/core/impl/ExtentOf.hpp>
#include <lamina/device/impl/Backend.hpp>
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

/// x += P c
template <class Scalar, class Layout, class Memory>
struct ProlongColumns {
  static constexpr int levels = transferred_levels<Layout>;

  CycleGuard<Memory> guard;
  Prolongation<Scalar, Memory> prolongation;
  FieldView<const Scalar, Layout, Memory> c;
  FieldView<Scalar, Layout, Memory> x;

  KOKKOS_FUNCTION void operator()(std::int64_t item) const {
    if (!guard.active()) return;
    constexpr int slots = Prolongation<Scalar, Memory>::slots;
    const int num_levels = static_cast<int>(x.extent(1));
    const auto [column, first] =
        transfer_place<Layout>(item, static_cast<int>(prolongation.columns.extent(0)), num_levels);
    int coarse[extent_of<slots>];
    Scalar weights[extent_of<slots>], values[extent_of<levels>];
    for (int n = 0; n < slots; ++n) {
      coarse[n] = prolongation.columns(column, n);
      weights[n] = prolongation.weights(column, n);
    }
    // Beyond the top the last level is taken again: loads without conditions.
    LAMINA_DEVICE_UNROLL()
    for (int i = 0; i < levels; ++i) {
      const int level = first + i < num_levels ? first + i : num_levels - 1;
      values[i] = x(column, level);
      for (int n = 0; n < slots; ++n) values[i] += weights[n] * c(coarse[n], level);
    }
    LAMINA_DEVICE_UNROLL()
    for (int i = 0; i < levels; ++i) {
      if (first + i < num_levels) x(column, first + i) = values[i];
    }
  }
};

/// coarse = P^T r
template <class Scalar, class Layout, class Memory>
struct RestrictColumns {
  static constexpr int levels = transferred_levels<Layout>;

  CycleGuard<Memory> guard;
  Restriction<Scalar, Memory> restriction;  // with tiles of one coarse column, or a few over ranks
  FieldView<const Scalar, Layout, Memory> r;
  FieldView<Scalar, Layout, Memory> coarse;

  KOKKOS_FUNCTION void operator()(std::int64_t item) const {
    if (!guard.active()) return;
    const int num_levels = static_cast<int>(r.extent(1));
    const auto [tile, first] = transfer_place<Layout>(item, restriction.num_tiles(), num_levels);
    const int first_fine = restriction.first_fine(tile);
    for (int p = restriction.first_coarse(tile); p < restriction.first_coarse(tile + 1); ++p) {
      Scalar sums[extent_of<levels>] = {};
      LAMINA_DEVICE_UNROLL(4)
      for (int n = restriction.first_entry(p); n < restriction.first_entry(p + 1); ++n) {
        const int fine = restriction.fine(first_fine + restriction.entries(n));
        const Scalar weight = restriction.weights(n);
        LAMINA_DEVICE_UNROLL()
        for (int i = 0; i < levels; ++i) {
          const int level = first + i < num_levels ? first + i : num_levels - 1;
          sums[i] += weight * r(fine, level);
        }
      }
      const int column = restriction.coarse(p);
      LAMINA_DEVICE_UNROLL()
      for (int i = 0; i < levels; ++i) {
        if (first + i < num_levels) coarse(column, first + i) = sums[i];
      }
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
  run_items(label, space, transfer_items<Layout>(level.restriction.num_tiles(), r.extent(1)),
            RestrictColumns<Scalar, Layout, Memory>{guard, level.restriction, r, coarse});
}

}  // namespace Lamina::Impl
