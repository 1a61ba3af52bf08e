// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Packs of levels of one column, for kernels of a device whose fields have contiguous levels: a thread takes one. What a
// warp reads of a neighbour is contiguous, wherever that neighbour lies, and packs below the bottom of a column
// cost nothing. Fields hold whole packs, and all levels behind the last one are dry.

#include <lamina/core/Concepts.hpp>
#include <lamina/core/impl/ExtentOf.hpp>
#include <lamina/device/impl/Backend.hpp>
#include <lamina/device/impl/KeptAddress.hpp>
#include <lamina/device/impl/LevelPack.hpp>
#include <lamina/device/impl/Warp_Device.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace Lamina::Impl {

/// One pack of each row of a field: levels `first` and following. Rows are less than 4 GB long.
template <class FieldType>
class PackRows {
 public:
  using Element = std::remove_const_t<typename FieldType::value_type>;
  KOKKOS_FORCEINLINE_FUNCTION PackRows(const FieldType& field, int first)
      : m_at(field.data() + first),
        m_bytes(static_cast<std::uint32_t>(field.stride(0) * sizeof(Element))) {}
  KOKKOS_FORCEINLINE_FUNCTION LevelPack<Element> operator()(int row) const {
    return load<LevelPack<Element>>(address_behind(m_at, static_cast<std::uint32_t>(row), m_bytes));
  }

 private:
  const Element* m_at;
  std::uint32_t m_bytes;
};

/// The neighbours of columns: (owned column, 2 slot) the neighbour, (owned column, 2 slot + 1) the edge between them. Edge -1:
/// there is none, nor are there any behind it. Rows are whole batches.
template <class Memory>
using ColumnLinks = Kokkos::View<const int**, Kokkos::LayoutRight, Memory>;
/// Some links of a column, which a thread loads together.
struct LinkBatch {
  static constexpr int count = 4;
  Pack<int, count> first, second;

  KOKKOS_FORCEINLINE_FUNCTION int column(int n) const {
    return n < 2 ? first[2 * (n & 1)] : second[2 * (n & 1)];
  }
  KOKKOS_FORCEINLINE_FUNCTION int edge(int n) const {
    return n < 2 ? first[2 * (n & 1) + 1] : second[2 * (n & 1) + 1];
  }
};
template <class Memory>
KOKKOS_FORCEINLINE_FUNCTION LinkBatch load_links(const ColumnLinks<Memory>& links, int column,
                                                 int batch) {
  using Half = Pack<int, LinkBatch::count>;
  const int* const at = links.data() + static_cast<std::int64_t>(column) * links.stride(0) +
                        2 * LinkBatch::count * batch;
  return {load<Half>(at), load<Half>(at + LinkBatch::count)};
}
template <class Memory>
int num_batches(const ColumnLinks<Memory>& links) {
  return static_cast<int>(links.extent(1)) / (2 * LinkBatch::count);
}

/// to += sum_s coupling_s (x_s - own), from the neighbours s of a column; without `Differences` own counts as 0.
/// The loads of several neighbours are in flight at once.
/// \param batch  the first one
template <bool Differences, class Memory, class Couplings, class FieldType, class Scalar>
KOKKOS_FORCEINLINE_FUNCTION void add_inflow(const ColumnLinks<Memory>& links, int num_batches,
                                            LinkBatch batch, const Couplings& horizontal,
                                            const FieldType& x, int column, int first,
                                            const LevelPack<Scalar>& own, LevelPack<Scalar>& to) {
  constexpr int together = LevelPackTuning::neighbours<Scalar>;
  const PackRows<FieldType> values(x, first);
  const PackRows<Couplings> couplings(horizontal, first);
  using Stored = typename PackRows<Couplings>::Element;
  LAMINA_DEVICE_UNROLL(1)
  for (int n = 0; n < num_batches && batch.edge(0) >= 0; ++n) {
    LinkBatch next = batch;
    if (n + 1 < num_batches) next = load_links<Memory>(links, column, n + 1);
    LAMINA_DEVICE_UNROLL()
    for (int begin = 0; begin < LinkBatch::count; begin += together) {
      LevelPack<Scalar> other[extent_of<together>];
      LevelPack<Stored> coupling[extent_of<together>];
      LAMINA_DEVICE_UNROLL()
      for (int s = 0; s < together; ++s) {
        other[s] = LevelPack<Scalar>{};
        coupling[s] = LevelPack<Stored>{};
        if (batch.edge(begin + s) >= 0) {
          coupling[s] = couplings(batch.edge(begin + s));
          other[s] = values(batch.column(begin + s));
        }
      }
      LAMINA_DEVICE_UNROLL()
      for (int s = 0; s < together; ++s) {
        LAMINA_DEVICE_UNROLL()
        for (int i = 0; i < LevelPackTuning::levels; ++i) {
          const Scalar difference = Differences ? other[s][i] - own[i] : other[s][i];
          to[i] += static_cast<Scalar>(coupling[s][i]) * difference;
        }
      }
    }
    batch = next;
  }
}

/// Lanes of a warp that hold a column, one pack each, or several in turn.
struct ColumnLanes {
  int shift;  ///< there are 2^shift

  /// As few as hold a column, at most a warp.
  static ColumnLanes of(int num_levels) {
    ColumnLanes lanes{0};
    while (lanes.count() < warp_lanes && lanes.levels() < num_levels) ++lanes.shift;
    return lanes;
  }
  KOKKOS_FORCEINLINE_FUNCTION int count() const { return 1 << shift; }
  KOKKOS_FORCEINLINE_FUNCTION int levels() const { return LevelPackTuning::levels << shift; }
  /// Those of a team.
  KOKKOS_FORCEINLINE_FUNCTION int columns() const { return LevelPackTuning::threads >> shift; }
  /// The column of a thread among those of a block, and its place there. A team takes a block at a time.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION int column(const Team& team, int block) const {
    return block * columns() + (team.team_rank() >> shift);
  }
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION int lane(const Team& team) const {
    return team.team_rank() & (count() - 1);
  }
};

/// What lanes of a column tell each other. All threads of the team call the functions together.
/// `Lanes`: how many there are, where the compiler knows it; otherwise 0
template <class Scalar, class Team, int Lanes>
struct LaneExchange {
  const Team& team;
  int lane, lanes;

  static constexpr std::size_t scratch_bytes(int threads) {
    return has_warp_shuffles ? 0 : static_cast<std::size_t>(threads) * sizeof(Scalar);
  }
  KOKKOS_FORCEINLINE_FUNCTION int count() const { return Lanes > 0 ? Lanes : lanes; }
  /// The value of the thread so many lanes further on; any value where there is none.
  KOKKOS_FORCEINLINE_FUNCTION Scalar value_at(int offset, Scalar value) const {
    const int rank = team.team_rank(), from = rank + offset;
    if constexpr (has_warp_shuffles) return value_of_lane(from, value);
    auto* const scratch = static_cast<Scalar*>(team.scratch());
    scratch[rank] = value;
    team.team_barrier();
    const Scalar result = scratch[from < 0 || from >= team.team_size() ? rank : from];
    team.team_barrier();
    return result;
  }
  /// What enters a lane, from the affine maps of the lanes before it, or, downwards, of those after it. `first` enters
  /// the first one; it is 0 for `FromZero`.
  template <bool Upwards, bool FromZero>
  KOKKOS_FORCEINLINE_FUNCTION Scalar entering(Scalar factor, Scalar shift, Scalar first) const {
    const int before = Upwards ? lane : count() - 1 - lane;
    if constexpr (Lanes > 0) {
      LAMINA_DEVICE_UNROLL()
      for (int distance = 1; distance < Lanes; distance *= 2) {
        compose<Upwards>(distance, before, factor, shift);
      }
    } else {
      for (int distance = 1; distance < lanes; distance *= 2) {
        compose<Upwards>(distance, before, factor, shift);
      }
    }
    const int offset = Upwards ? -1 : 1;
    const Scalar other_shift = value_at(offset, shift);
    if constexpr (FromZero) return before > 0 ? other_shift : Scalar(0);
    const Scalar other_factor = value_at(offset, factor);
    return before > 0 ? other_shift + other_factor * first : first;
  }

 private:
  template <bool Upwards>
  KOKKOS_FORCEINLINE_FUNCTION void compose(int distance, int before, Scalar& factor,
                                           Scalar& shift) const {
    const int offset = Upwards ? -distance : distance;
    const Scalar other_factor = value_at(offset, factor), other_shift = value_at(offset, shift);
    if (before >= distance) {
      shift += factor * other_shift;
      factor *= other_factor;
    }
  }
};

}  // namespace Lamina::Impl
