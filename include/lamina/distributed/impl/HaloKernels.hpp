// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/device/impl/Instantiate.hpp>
#include <lamina/distributed/Transport.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace Lamina::Impl {

/// A field of an exchange: value(item, level) = values[item * item_stride + level * level_stride].
struct HaloFieldData {
  void* values = nullptr;
  std::int64_t item_stride = 0, level_stride = 0, num_items = 0;
  int num_levels = 0;
  int value_bytes = 0;            // 4 or 8
  bool levels_fastest = false;    // in the message
  std::int64_t bytes_before = 0;  // per item, of the fields before this one

  std::int64_t bytes() const { return static_cast<std::int64_t>(num_levels) * value_bytes; }
};

/// The fields of an exchange. Those in double precision come first, so that all values are aligned.
struct HaloFields {
  static constexpr int max_fields = 8;
  HaloFieldData fields[max_fields];
  int count = 0;
  int num_levels = 0;  // of all fields together

  void add(HaloFieldData field);
  std::int64_t bytes() const;  // per item
};

/// An item of a message. A message of n items holds field after field; a field is (item, level)
/// with the index contiguous that is so in the field.
struct HaloEntry {
  int item;      // local number
  int peer;      // index of the message, or -1: the item is copied to local number `position`
  int position;  // within the message
  int count;     // items of the message
};

/// The entries of all messages in one direction, in memory of a space.
struct HaloEntries {
  const HaloEntry* entries = nullptr;
  std::int64_t count = 0;
};

template <class Space>
struct HaloKernels {
  /// Copies items from the fields to the messages.  traffic: reads n, writes n
  static void pack(const Space& space, const HaloFields& fields, const HaloEntries& entries,
                   std::byte* const* messages, const MessageFlags& flags = {});
  /// Copies items from the messages to the fields.  traffic: reads n, writes n
  static void unpack(const Space& space, const HaloFields& fields, const HaloEntries& entries,
                     const std::byte* const* messages, const MessageFlags& flags = {});
};

}  // namespace Lamina::Impl

#include <lamina/distributed/impl/HaloKernels_Bodies.hpp>

namespace Lamina::Impl {
#define LAMINA_EXTERN_HALO(Space) extern template struct HaloKernels<Space>;
LAMINA_FOR_EACH_SPACE(LAMINA_EXTERN_HALO)
#undef LAMINA_EXTERN_HALO
}  // namespace Lamina::Impl
