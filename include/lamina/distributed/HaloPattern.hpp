// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/distributed/Transport.hpp>

#include <cstdint>
#include <vector>

namespace Lamina {

/// What one rank exchanges, in its local numbers 0 to num_local - 1. Owned items come first, halo
/// items from `halo_begin` on: they are copies of items that other ranks own. There may be unused
/// numbers between, so that halo items begin at a cache line.
///
/// Where num_owned is num_local and `halo_begin` 0, they stand in any order, as cells and the ghosts
/// around them do. No item is then both sent and received.
struct HaloPattern {
  /// The messages between this rank and another one. The n-th item received is the n-th that the
  /// peer sends.
  struct Peer {
    int rank = 0;              ///< may be the own rank: items are copied then, without a message
    std::vector<int> send;     ///< local numbers of owned items
    std::vector<int> receive;  ///< local numbers of halo items
    /// Where the parts of `send` begin, and its end: num_parts + 1 offsets. May be empty for one
    /// part.
    std::vector<int> send_parts{};
    std::vector<int> receive_parts{};  ///< the same of `receive`
  };

  int num_owned = 0;
  int halo_begin = 0;
  int num_local = 0;          ///< length of a field: owned, unused and halo items
  int num_parts = 1;          ///< the same on all ranks, see `split_into_parts`
  std::vector<Peer> peers{};  ///< by ascending rank, each rank once
};

/// Stands for no item in the list of halo items.
inline constexpr std::int64_t no_item = -1;

/// Finds the owners of halo items, and tells them who needs what. Collective.
///
/// Owners need not be known: each item is looked up at a rank that its number names. Both sides
/// sort items by global number, so that messages later carry values only.
///
/// \param owned  global numbers >= 0 of the items that this rank owns. The n-th has local number n
/// \param halo   global numbers of its halo items. The n-th has local number owned.size() + n.
///   Entries `no_item` are unused local numbers. An item may occur several times, and may be one of
///   the rank's own
/// \throws InvalidArgument where numbers are negative, an item has two owners or none, and for 2^31
///   or more items on a rank. On several ranks it is `RankFailure`, on all of them.
HaloPattern make_halo_pattern(const Transport& transport, const std::vector<std::int64_t>& owned,
                              const std::vector<std::int64_t>& halo);

/// Splits the messages of a pattern into parts, which `HaloExchange::start_part` sends one at a
/// time: for example the colours of block rows. Parts keep the order of items within them.
///
/// \param parts  the part of each local item, 0 to num_parts - 1, of num_local entries. A halo item
///   must be in the same part as on the rank that owns it. Entries of other items are not read
/// \throws InvalidArgument for other lengths and parts.
HaloPattern split_into_parts(HaloPattern pattern, const std::vector<int>& parts, int num_parts);

}  // namespace Lamina
