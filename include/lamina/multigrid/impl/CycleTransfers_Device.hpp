// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Transfers between levels on a device. A thread takes some levels of a column, for which it reads the
// entries of P once; where levels are contiguous one cell, and the threads of a warp read the same
// entries. Entries are read before the kernel before has ended.

#include <lamina/core/impl/ExtentOf.hpp>
#include <lamina/device/impl/Backend.hpp>
#include <lamina/device/impl/KeptAddress.hpp>
#include <lamina/device/impl/OverlappedTeams_Device.hpp>
#include <lamina/multigrid/impl/ColumnCoarsening.hpp>
#include <lamina/multigrid/impl/CycleLevel.hpp>
#include <lamina/multigrid/impl/Tuning.hpp>

#include <cstddef>
#include <cstdint>

namespace Lamina::Impl {

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
  static constexpr int levels = transferred_levels<Layout, Memory>;
  static constexpr int slots = Prolongation<Scalar, Memory>::slots;
  using In = FieldView<const Scalar, Layout, Memory>;
  using Out = FieldView<Scalar, Layout, Memory>;

  CycleGuard<Memory> guard;
  Prolongation<Scalar, Memory> prolongation;
  In c;
  Out x;

  int num_columns() const { return static_cast<int>(prolongation.columns.extent(0)); }
  struct Entries {
    int column, first, coarse[extent_of<slots>];
    Scalar weights[extent_of<slots>];
  };
  KOKKOS_FORCEINLINE_FUNCTION Entries entries(std::int64_t item) const {
    const auto [column, first] = transfer_place<Layout, Memory>(
        item, static_cast<int>(prolongation.columns.extent(0)), static_cast<int>(x.extent(1)));
    Entries entries{column, first, {}, {}};
    for (int n = 0; n < slots; ++n) {
      entries.coarse[n] = prolongation.columns(column, n);
      entries.weights[n] = prolongation.weights(column, n);
    }
    return entries;
  }
  KOKKOS_FORCEINLINE_FUNCTION void transfer(const Entries& entries) const {
    const TransferredRows<Out> to(x, entries.first);
    const TransferredRows<In> from(c, entries.first);
    Scalar values[extent_of<levels>];
    LAMINA_DEVICE_UNROLL()
    for (int i = 0; i < levels; ++i) {
      values[i] = to(entries.column, i);
      for (int n = 0; n < slots; ++n) values[i] += entries.weights[n] * from(entries.coarse[n], i);
    }
    LAMINA_DEVICE_UNROLL()
    for (int i = 0; i < levels; ++i) {
      if (to.has(i)) to(entries.column, i) = values[i];
    }
  }
};

/// coarse = P^T r
template <class Scalar, class Layout, class Memory>
struct RestrictColumns {
  static constexpr int levels = transferred_levels<Layout, Memory>,
                       batch = CycleTuning::restricted_columns;
  using In = FieldView<const Scalar, Layout, Memory>;
  using Out = FieldView<Scalar, Layout, Memory>;

  CycleGuard<Memory> guard;
  Restriction<Scalar, Memory> restriction;
  In r;
  Out coarse;

  int num_columns() const { return restriction.num_coarse(); }
  /// Of a batch; those beyond the last one are that one again, without weight: loads without conditions.
  struct Entries {
    int place, first, count, column, fine[extent_of<batch>];
    Scalar weights[extent_of<batch>];
  };
  KOKKOS_FORCEINLINE_FUNCTION Entries entries(std::int64_t item) const {
    const auto [place, first] = transfer_place<Layout, Memory>(item, restriction.num_coarse(),
                                                               static_cast<int>(r.extent(1)));
    Entries entries{place, first, restriction.counts(place), restriction.coarse(place), {}, {}};
    read_batch(0, entries);
    return entries;
  }
  KOKKOS_FORCEINLINE_FUNCTION void transfer(Entries entries) const {
    const TransferredRows<In> from(r, entries.first);
    Scalar sums[extent_of<levels>] = {};
    for (int begin = 0; begin < entries.count; begin += batch) {
      if (begin > 0) read_batch(begin, entries);
      Scalar values[extent_of<batch>][extent_of<levels>];
      LAMINA_DEVICE_UNROLL()
      for (int n = 0; n < batch; ++n) {
        LAMINA_DEVICE_UNROLL()
        for (int i = 0; i < levels; ++i) values[n][i] = from(entries.fine[n], i);
      }
      LAMINA_DEVICE_UNROLL()
      for (int n = 0; n < batch; ++n) {
        LAMINA_DEVICE_UNROLL()
        for (int i = 0; i < levels; ++i) sums[i] += entries.weights[n] * values[n][i];
      }
    }
    const TransferredRows<Out> to(coarse, entries.first);
    LAMINA_DEVICE_UNROLL()
    for (int i = 0; i < levels; ++i) {
      if (to.has(i)) to(entries.column, i) = sums[i];
    }
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION void read_batch(int begin, Entries& entries) const {
    const int last = entries.count > 0 ? entries.count - 1 : 0;
    LAMINA_DEVICE_UNROLL()
    for (int n = 0; n < batch; ++n) {
      const bool exists = begin + n < entries.count;
      entries.fine[n] = restriction.fine(entries.place, exists ? begin + n : last);
      entries.weights[n] = exists ? restriction.weights(entries.place, begin + n) : Scalar(0);
    }
  }
};

/// One of them, an item a thread.
template <class Transfer>
struct TransferTeams {
  static constexpr int team_size = CycleTuning::transferring_threads;
  Transfer transfer;
  std::int64_t num_items;

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const std::int64_t item =
        static_cast<std::int64_t>(team.league_rank()) * team_size + team.team_rank();
    const auto entries = transfer.entries(item < num_items ? item : num_items - 1);
    team.wait_for_previous();
    if (item < num_items && transfer.guard.active()) transfer.transfer(entries);
  }
};
template <class Layout, class Memory, class Space, class Transfer>
void run_device_transfer(const char* label, const Space& space, const Transfer& transfer,
                         std::size_t num_levels) {
  using Teams = TransferTeams<Transfer>;
  const auto items =
      static_cast<std::int64_t>(transfer_items<Layout, Memory>(transfer.num_columns(), num_levels));
  if (items == 0) return;
  launch_teams<Teams::team_size, 1>(label, space,
                                    static_cast<int>(ceil_divide(items, Teams::team_size)),
                                    Teams::team_size, 0, Teams{transfer, items});
}

template <class Space, class Scalar, class Layout, class Memory>
void run_device_prolongation(const char* label, const Space& space, const CycleGuard<Memory>& guard,
                             const Prolongation<Scalar, Memory>& prolongation,
                             const FieldView<const Scalar, Layout, Memory>& c,
                             const FieldView<Scalar, Layout, Memory>& x) {
  run_device_transfer<Layout, Memory>(
      label, space, ProlongColumns<Scalar, Layout, Memory>{guard, prolongation, c, x}, x.extent(1));
}

template <class Space, class Scalar, class Layout, class Memory>
void run_device_restriction(const char* label, const Space& space, const CycleGuard<Memory>& guard,
                            const Restriction<Scalar, Memory>& restriction,
                            const FieldView<const Scalar, Layout, Memory>& r,
                            const FieldView<Scalar, Layout, Memory>& coarse) {
  run_device_transfer<Layout, Memory>(
      label, space, RestrictColumns<Scalar, Layout, Memory>{guard, restriction, r, coarse},
      r.extent(1));
}

}  // namespace Lamina::Impl
