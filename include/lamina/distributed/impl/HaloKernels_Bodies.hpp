// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/device/impl/OverlappedTeams_Device.hpp>
#include <lamina/distributed/impl/HaloKernels.hpp>
#include <lamina/distributed/impl/PeerWords_Device.hpp>
#include <lamina/distributed/impl/Tuning.hpp>

#include <algorithm>

namespace Lamina::Impl {

/// One direction of an exchange. `Message` is `std::byte` to pack, `const std::byte` to unpack.
template <class Message>
struct HaloCopy {
  static constexpr bool packs = !std::is_const_v<Message>;

  HaloFields fields;
  HaloEntries entries;
  Message* const* messages;

  template <class Scalar>
  KOKKOS_FORCEINLINE_FUNCTION void copy_as(const HaloEntry& entry, const HaloFieldData& field,
                                           int level) const {
    Scalar* const values = static_cast<Scalar*>(field.values) + level * field.level_stride;
    Scalar& value = values[entry.item * field.item_stride];
    if constexpr (packs) {
      if (entry.peer < 0) {
        values[entry.position * field.item_stride] = value;
        return;
      }
    }
    using Sent = std::conditional_t<packs, Scalar, const Scalar>;
    auto* const sent =
        reinterpret_cast<Sent*>(messages[entry.peer] + field.bytes_before * entry.count);
    const std::int64_t place =
        field.levels_fastest ? static_cast<std::int64_t>(entry.position) * field.num_levels + level
                             : static_cast<std::int64_t>(level) * entry.count + entry.position;
    if constexpr (packs) {
      sent[place] = value;
    } else {
      value = sent[place];
    }
  }

  /// Calls visit(a value of the field's scalar), on the host.
  template <class Visit>
  static void with_scalar(const HaloFieldData& field, const Visit& visit) {
    // NOLINTNEXTLINE(bugprone-branch-clone): the types differ
    if (field.value_bytes == sizeof(double)) {
      visit(double());
    } else {
      visit(float());
    }
  }

  /// A level of all fields together, as a field and its own level.
  struct Level {
    int field, level;
  };
  KOKKOS_FORCEINLINE_FUNCTION Level find(int level) const {
    int field = 0;
    while (level >= fields.fields[field].num_levels) level -= fields.fields[field++].num_levels;
    return {field, level};
  }
};

/// On a device: a thread for each value. Neighbouring threads take what is contiguous in the first
/// field.
template <class Message>
struct HaloCopyOfValues : HaloCopy<Message> {
  KOKKOS_FUNCTION void operator()(std::int64_t n) const {
    const bool levels_first = this->fields.fields[0].levels_fastest;
    const std::int64_t fast = levels_first ? this->fields.num_levels : this->entries.count;
    const std::int64_t slow = n / fast, rest = n - slow * fast;
    const auto at = this->find(static_cast<int>(levels_first ? rest : slow));
    const HaloEntry entry = this->entries.entries[levels_first ? slow : rest];
    const HaloFieldData& field = this->fields.fields[at.field];
    if (field.value_bytes == sizeof(double)) {
      this->template copy_as<double>(entry, field, at.level);
    } else {
      this->template copy_as<float>(entry, field, at.level);
    }
  }
};

/// The same by teams, which await the flags of messages before they unpack. The last team that has
/// packed raises them.
template <class Message>
struct HaloCopyWithFlags : HaloCopyOfValues<Message> {
  MessageFlags flags;
  std::int64_t count;  // of values

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    team.wait_for_previous();
    if constexpr (!HaloCopy<Message>::packs) await_flags(team, flags);
    const std::int64_t size = team.team_size(), stride = size * team.league_size();
    for (std::int64_t n = size * team.league_rank() + team.team_rank(); n < count; n += stride) {
      HaloCopyOfValues<Message>::operator()(n);
    }
    if constexpr (HaloCopy<Message>::packs) raise_flags(team, flags, team.league_size());
  }
};

/// On CPU cores: an item with all its levels at a time.
template <class Message>
struct HaloCopyOfItems : HaloCopy<Message> {
  void operator()(std::int64_t n) const {
    const HaloEntry& entry = this->entries.entries[n];
    for (int f = 0; f < this->fields.count; ++f) {
      const HaloFieldData& field = this->fields.fields[f];
      this->with_scalar(field, [&](auto scalar) {
        for (int level = 0; level < field.num_levels; ++level) {
          this->template copy_as<decltype(scalar)>(entry, field, level);
        }
      });
    }
  }
};

/// On CPU cores: a level of all items at a time.
template <class Message>
struct HaloCopyOfLevels : HaloCopy<Message> {
  void operator()(std::int64_t n) const {
    const auto at = this->find(static_cast<int>(n));
    const HaloFieldData& field = this->fields.fields[at.field];
    this->with_scalar(field, [&](auto scalar) {
      for (std::int64_t e = 0; e < this->entries.count; ++e) {
        this->template copy_as<decltype(scalar)>(this->entries.entries[e], field, at.level);
      }
    });
  }
};

template <class Space, class Message>
void copy_with_flags(const char* label, const Space& space, const HaloCopy<Message>& copy,
                     const MessageFlags& flags) {
  constexpr int team_size = PeerKernelTuning::copy_threads;
  const std::int64_t count = copy.entries.count * copy.fields.num_levels;
  const auto teams = std::clamp<std::int64_t>((count + team_size - 1) / team_size, 1,
                                              PeerKernelTuning::most_copy_teams);
  launch_teams<team_size, 1>(label, space, static_cast<int>(teams), team_size, 0,
                             HaloCopyWithFlags<Message>{{copy}, flags, count});
}

template <class Space, class Message>
void copy_halo(const char* label, const Space& space, const HaloCopy<Message>& copy,
               const MessageFlags& flags) {
  const std::int64_t items = copy.entries.count, levels = copy.fields.num_levels;
  if constexpr (!runs_on_host<Space>) {
    if (flags.count > 0) return copy_with_flags(label, space, copy, flags);
  }
  if (items == 0 || levels == 0) return;
  const auto launch = [&](std::int64_t count, const auto& kernel) {
    using Policy = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>;
    Kokkos::parallel_for(label, Policy(space, 0, count), kernel);
  };
  if constexpr (!runs_on_host<Space>) {
    launch(items * levels, HaloCopyOfValues<Message>{copy});
  } else if (copy.fields.fields[0].levels_fastest || levels == 1) {
    launch(items, HaloCopyOfItems<Message>{copy});
  } else {
    launch(levels, HaloCopyOfLevels<Message>{copy});
  }
}

template <class Space>
void HaloKernels<Space>::pack(const Space& space, const HaloFields& fields,
                              const HaloEntries& entries, std::byte* const* messages,
                              const MessageFlags& flags) {
  copy_halo("Lamina::HaloExchange::pack", space, HaloCopy<std::byte>{fields, entries, messages},
            flags);
}

template <class Space>
void HaloKernels<Space>::unpack(const Space& space, const HaloFields& fields,
                                const HaloEntries& entries, const std::byte* const* messages,
                                const MessageFlags& flags) {
  copy_halo("Lamina::HaloExchange::unpack", space,
            HaloCopy<const std::byte>{fields, entries, messages}, flags);
}

}  // namespace Lamina::Impl
