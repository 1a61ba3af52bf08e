// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// New values for a block-sparse matrix that holds copies of others' blocks: in another order, split
// from their diagonals, or rounded. Where the blocks come from was found when it was made.

#include <lamina/blocks/impl/BlockKernels.hpp>
#include <lamina/blocks/impl/Tuning.hpp>
#include <lamina/blocks/impl/values/Pivots.hpp>
#include <lamina/blocks/impl/values/PrepareBlocks.hpp>
#include <lamina/blocks/impl/values/RoundRows.hpp>
#include <lamina/core/impl/ExtentOf.hpp>
#include <lamina/device/Groups.hpp>
#include <lamina/device/impl/Backend.hpp>
#include <lamina/device/impl/HostWork.hpp>
#include <lamina/device/impl/RangeOf.hpp>
#include <lamina/device/impl/TeamSums_Device.hpp>

#include <algorithm>
#include <cfloat>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace Lamina::Impl {

/// Whether a value is lost where double is rounded to float, unless it is negligible.
KOKKOS_FORCEINLINE_FUNCTION bool is_beyond_float(double value) {
  const double size = magnitude(value);
  return size > double{FLT_MAX} || (size < double{FLT_MIN} && size > 0);
}

/// Fills one row of the target. `Size`: of the blocks, 0 for any.
template <class Scalar, class From, class To, int Size = 0>
struct UpdateRows {
  /// Values are rounded to `To` with a scale to each row of the matrix.
  static constexpr bool finds_scales = row_scaled<To> && !row_scaled<From>;
  static constexpr bool may_lose = std::is_same_v<From, double> && !std::is_same_v<To, double>;

  int any_size;
  BlockSources<Scalar, From> from;
  const std::int64_t* offsets;
  BlockTargets<Scalar, To> to;

  template <class Group>
  KOKKOS_FUNCTION void operator()(const Group& group, int i) const {
    const std::int64_t row = from.rows != nullptr ? from.rows[i] : i, begin = from.offsets[row];
    const std::int64_t first = offsets[i];
    const int size = block_size();
    const auto count = static_cast<int>(offsets[i + 1] - first);
    copy_diagonal(group, i, row, begin);
    if constexpr (finds_scales) {
      group.for_each(size, [&](int p) { round_component(i, p, begin, first, count); });
    } else {
      copy_blocks(group, i, begin, first, count);
      if constexpr (row_scaled<To>) {
        group.for_each(size, [&](int p) {
          to.row_scales[std::int64_t{i} * size + p] = from.row_scales[row * size + p];
        });
      }
    }
  }

  /// On the host, where rows come from anywhere: asks for a row that is still some rows away, and
  /// further ahead for where it begins.
  void ask_ahead(std::int64_t i, std::int64_t end) const {
    constexpr int near = 8, far = 16, line = 64, most_lines = 16;
    if (from.rows == nullptr) return;
    if (i + far < end) prefetch_line(from.offsets + from.rows[i + far]);
    if (i + near >= end) return;
    const std::int64_t row = from.rows[i + near], begin = from.offsets[row];
    ask(from.diagonal + row * block_values(), block_values() * std::int64_t{sizeof(Scalar)});
    ask(from.blocks + begin * block_values(),
        std::min<std::int64_t>(
            (from.offsets[row + 1] - begin) * block_values() * std::int64_t{sizeof(From)},
            std::int64_t{line} * most_lines));
  }

 private:
  static void ask(const void* first, std::int64_t bytes) {
    constexpr int line = 64;
    const char* const address = static_cast<const char*>(first);
    for (std::int64_t n = 0; n < bytes; n += line) prefetch_line(address + n);
  }
  KOKKOS_FORCEINLINE_FUNCTION int block_size() const { return Size > 0 ? Size : any_size; }
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t block_values() const {
    return std::int64_t{block_size()} * block_size();
  }
  /// Where block `k` of row i comes from, counted from the first block of the source's row.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t place(int i, std::int64_t first, int k) const {
    if (from.places != nullptr) return from.places[first + k];
    return k + (from.diagonal_places != nullptr && k >= from.diagonal_places[i] ? 1 : 0);
  }

  template <class Group>
  KOKKOS_FORCEINLINE_FUNCTION void copy_diagonal(const Group& group, int i, std::int64_t row,
                                                 std::int64_t begin) const {
    if (to.diagonal == nullptr) return;  // both share it
    Scalar* const diagonal = to.diagonal + i * block_values();
    const int values = block_size() * block_size();
    if (from.diagonal_places != nullptr) {
      const From* const source = from.blocks + (begin + from.diagonal_places[i]) * block_values();
      group.for_each(values, [&](int n) { diagonal[n] = static_cast<Scalar>(source[n]); });
    } else {
      const Scalar* const source = from.diagonal + row * block_values();
      group.for_each(values, [&](int n) { diagonal[n] = source[n]; });
    }
  }

  /// Each lane of a group loads several values before it stores them: of the whole row where blocks
  /// are small, otherwise of several blocks.
  template <class Group>
  KOKKOS_FORCEINLINE_FUNCTION void copy_blocks(const Group& group, int i, std::int64_t begin,
                                               std::int64_t first, int count) const {
    if constexpr (std::is_same_v<Group, SerialGroup>) {
      for (int k = 0; k < count; ++k) {
        copy_block(i, from.blocks + (begin + place(i, first, k)) * block_values(),
                   to.blocks + (first + k) * block_values());
      }
    } else if constexpr (Size > 0) {
      constexpr int batch = UpdateTuning::batch_of_small, values = Size * Size;
      const int total = count * values, share = (total + batch - 1) / batch;
      group.for_each(share, [&](int n) {
        copy_values<batch>(i, begin, first, [=](int u) {
          const int value = n + u * share;
          return value < total ? Value{value / values, value % values} : Value{};
        });
      });
    } else {
      constexpr int batch = UpdateTuning::batch_of_large;
      for (int k = 0; k < count; k += batch) {
        group.for_each(block_size() * block_size(), [&](int n) {
          copy_values<batch>(i, begin, first, [=](int u) {
            return k + u < count ? Value{k + u, n} : Value{};
          });
        });
      }
    }
  }
  /// A value of a row: its block, -1: none, and its place there.
  struct Value {
    int block = -1, place = 0;
  };
  /// Copies the values value_of(0), ... value_of(Batch - 1). All are loaded before any is stored.
  template <int Batch, class ValueOf>
  KOKKOS_FORCEINLINE_FUNCTION void copy_values(int i, std::int64_t begin, std::int64_t first,
                                               const ValueOf& value_of) const {
    From values[extent_of<Batch>];
    LAMINA_DEVICE_UNROLL()
    for (int u = 0; u < Batch; ++u) {
      const Value at = value_of(u);
      if (at.block < 0) continue;
      values[u] = from.blocks[(begin + place(i, first, at.block)) * block_values() + at.place];
    }
    LAMINA_DEVICE_UNROLL()
    for (int u = 0; u < Batch; ++u) {
      const Value at = value_of(u);
      if (at.block < 0) continue;
      to.blocks[(first + at.block) * block_values() + at.place] = static_cast<To>(values[u]);
      if constexpr (may_lose) note_loss(i, at.place % block_size(), values[u]);
    }
  }
  /// By one thread: copied first and looked at then, both in lanes.
  KOKKOS_FORCEINLINE_FUNCTION void copy_block(int i, const From* source, To* target) const {
    const int values = block_size() * block_size();
    if constexpr (std::is_same_v<From, To>) {
      memcpy(target, source, static_cast<std::size_t>(values) * sizeof(To));
    } else {
      for (int n = 0; n < values; ++n) target[n] = static_cast<To>(source[n]);
    }
    if constexpr (may_lose) {
      int beyond = 0;
      for (int n = 0; n < values; ++n) beyond |= static_cast<int>(is_beyond_float(source[n]));
      if (beyond == 0) return;
      for (int n = 0; n < values; ++n) note_loss(i, n % block_size(), source[n]);
    }
  }

  /// As `split` rounds to half: by way of float.
  KOKKOS_FORCEINLINE_FUNCTION void round_component(int i, int p, std::int64_t begin,
                                                   std::int64_t first, int count) const {
    const int size = block_size();
    float largest = 0;
    for (int k = 0; k < count; ++k) {
      const From* const source = from.blocks + (begin + place(i, first, k)) * block_values() + p;
      for (int c = 0; c < size; ++c) {
        const From value = source[std::int64_t{c} * size];
        const float rounded = magnitude(static_cast<float>(value));
        if (rounded > largest) largest = rounded;
        if constexpr (may_lose) note_loss(i, p, value);
      }
    }
    const float scale = half_scale(largest), inverse = 1.0F / scale;
    to.row_scales[std::int64_t{i} * size + p] = scale;
    for (int k = 0; k < count; ++k) {
      const From* const source = from.blocks + (begin + place(i, first, k)) * block_values() + p;
      To* const target = to.blocks + (first + k) * block_values() + p;
      for (int c = 0; c < size; ++c) {
        const std::int64_t at = std::int64_t{c} * size;
        target[at] = To(static_cast<float>(source[at]) * inverse);
      }
    }
  }

  /// As `LostValues` judges.
  KOKKOS_FORCEINLINE_FUNCTION void note_loss(int i, int p, double value) const {
    if (!is_beyond_float(value)) return;
    const std::int64_t row = from.rows != nullptr ? from.rows[i] : i;
    const Scalar* const diagonal =
        (from.diagonal_places != nullptr
             ? from.blocks + (from.offsets[row] + from.diagonal_places[i]) * block_values()
             : from.diagonal + row * block_values()) +
        p;
    const double size_of_value = magnitude(value);
    const int size = block_size();
    if (size_of_value > double{FLT_MAX} ||
        size_of_value > double{FLT_EPSILON} * largest_of(size, diagonal, size)) {
      Kokkos::atomic_fetch_min(to.first_lost, i);
    }
  }
};

/// One row to a thread: on the host.
template <class Update>
struct UpdateByThreads {
  Update update;
  int workers, num_rows;

  void operator()(int worker) const {
    const WorkRange share = share_of(worker, workers, num_rows);
    for (auto i = share.begin; i < share.end; ++i) {
      update.ask_ahead(i, share.end);
      update(SerialGroup{}, static_cast<int>(i));
    }
  }
};

/// One row to the lanes of a thread: on a device.
template <class Update>
struct UpdateByLanes {
  Update update;
  int num_rows, team_rows;

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member) const {
    const int i = member.league_rank() * team_rows + member.team_rank();
    if (i < num_rows) update(VectorGroup<Member>{member}, i);
  }
};

// traffic: with s = sizeof(Scalar), f = sizeof(From), t = sizeof(To), per row of k blocks: reads
// k (f nb^2 + 4) + s nb^2 + 20, writes k t nb^2 + s nb^2, row scales of half storage besides; places
// and row numbers are there where rows move only
template <class Space, class Scalar, class From, class To>
void UpdateKernels<Space, Scalar, From, To>::update(const Space& space, int num_rows, int size,
                                                    const BlockSources<Scalar, From>& from,
                                                    const std::int64_t* offsets,
                                                    const BlockTargets<Scalar, To>& to) {
  constexpr const char* label = "Lamina::BlockSparseMatrix::update";
  if (num_rows == 0) return;
  if constexpr (runs_on_host<Space>) {
    const int workers = std::min(static_cast<int>(space.concurrency()), num_rows);
    with_small_size(size, [&](auto fixed_size) {
      using Update = UpdateRows<Scalar, From, To, fixed_size>;
      Kokkos::parallel_for(
          label, range_of(space, workers),
          UpdateByThreads<Update>{Update{size, from, offsets, to}, workers, num_rows});
    });
  } else {
    constexpr int threads = UpdateTuning::threads;
    const int lanes = UpdateTuning::lanes(size), team_rows = threads / lanes;
    const auto teams = static_cast<int>(ceil_divide(num_rows, team_rows));
    with_small_size(size, [&](auto fixed_size) {
      using Update = UpdateRows<Scalar, From, To, fixed_size>;
      Kokkos::parallel_for(
          label,
          DeviceTeams<Space, threads, UpdateTuning::min_teams>(space, teams, team_rows, lanes),
          UpdateByLanes<Update>{Update{size, from, offsets, to}, num_rows, team_rows});
    });
  }
}

/// Counts entries in which two lists differ.
template <class Value>
struct CountDifferences {
  using value_type = std::int64_t;

  const Value *a, *b;

  KOKKOS_FUNCTION void operator()(std::int64_t n, std::int64_t& sum) const {
    sum += static_cast<std::int64_t>(a[n] != b[n]);
  }
};

template <class Space, class Value>
bool ListKernels<Space, Value>::same(const Space& space, std::int64_t count, const Value* a,
                                     const Value* b) {
  std::int64_t differences = 0;
  Kokkos::parallel_reduce(
      "Lamina::BlockSparseMatrix::same_pattern",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, count),
      CountDifferences<Value>{a, b}, differences);
  return differences == 0;
}

}  // namespace Lamina::Impl
