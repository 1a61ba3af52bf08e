// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/distributed/impl/HaloKernels.hpp>
#include <lamina/distributed/impl/HaloTable.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace Lamina::Impl {

/// Halo items of one field in memory that the peers write: a part of the pattern in each step, the
/// same one on all ranks. A kernel may read halo items there, and send items that it computes: then
/// nothing is packed or unpacked.
///
///   window.begin(space, fields);
///   for each part, in any order:
///     window.receive(space, part, fields);  // or one kernel that does all three, with
///     work on the items of the part         // `awaited_flags` before it reads the halo, and
///     window.send(space, part, fields);     // `raised_flags` when it has sent; then `count_step`
///     work that needs no halo
///   window.end(space, fields);
///
/// A rank sends a part after it has seen the flags of all peers for the step before, and raises its
/// own when it has done its part of a step. So peers have read what it overwrites, unless a step
/// reads halo items of its own part: that is not allowed.
template <class Memory>
class HaloWindow {
 public:
  /// An item and the address of its place in a window.
  using Place = std::pair<int, std::uint64_t>;

  HaloWindow(const HaloPattern& pattern, int own_rank, std::size_t most_bytes_per_item);
  /// \param channels  with windows; for this alone
  void open(std::unique_ptr<Channels> channels) { m_channels = std::move(channels); }

  /// \throws InvalidArgument where the pattern has other parts, or less room for an item.
  void require_parts(const char* function, int num_parts, std::size_t item_bytes) const;

  /// Halo items of the fields go to the window.
  template <class Space>
  void begin(const Space& space, const HaloFields& fields) {
    HaloKernels<Space>::pack(space, fields, m_all.received(), m_channels->own_windows(),
                             m_channels->raised_flags());
    m_all.set_bytes(0, m_bytes);
    m_channels->send(InstanceRef(space), m_bytes);
    m_last_part = no_part;
  }
  /// Halo items that peers have sent in the last step come from the window, unless it was the same
  /// part: peers may be sending that again, and no item of it is needed.
  template <class Space>
  void receive(const Space& space, int part, const HaloFields& fields) {
    const bool none = m_last_part == no_part || m_last_part == part;
    unpack(space, fields, none ? HaloEntries() : table(m_last_part).received());
  }
  /// Items of a part go to the windows of the peers.
  template <class Space>
  void send(const Space& space, int part, const HaloFields& fields) {
    HaloKernels<Space>::pack(space, fields, table(part).sent(), m_channels->peer_windows(),
                             m_channels->raised_flags());
    count_step(space, part, static_cast<std::size_t>(fields.bytes()));
  }
  /// All halo items come from the window.
  template <class Space>
  void end(const Space& space, const HaloFields& fields) {
    unpack(space, fields, m_all.received());
  }

  /// Flags of a step for a kernel that does all of it. `count_step` is called after it.
  MessageFlags awaited_flags() const { return m_channels->awaited_flags(); }
  MessageFlags raised_flags() const { return m_channels->raised_flags(); }
  template <class Space>
  void count_step(const Space& space, int part, std::size_t item_bytes) {
    table(part).set_bytes(item_bytes, m_bytes);
    m_channels->send(InstanceRef(space), m_bytes);
    m_last_part = part;
  }

  /// Where peers have the items that are sent, and where halo items are, for items of so many
  /// bytes. Items that are halo items of their own rank are not among them.
  std::vector<Place> places_at_peers(std::size_t item_bytes) const {
    return places(m_all.sent(), m_channels->peer_windows(), item_bytes);
  }
  std::vector<Place> own_places(std::size_t item_bytes) const {
    return places(m_all.received(), m_channels->own_windows(), item_bytes);
  }

 private:
  static constexpr int no_part = -1;

  template <class Space>
  void unpack(const Space& space, const HaloFields& fields, const HaloEntries& entries) {
    m_channels->receive(InstanceRef(space));
    HaloKernels<Space>::unpack(space, fields, entries, m_channels->own_windows(),
                               m_channels->awaited_flags());
  }
  const HaloTable<Memory>& table(int part) const { return m_parts[static_cast<std::size_t>(part)]; }
  std::vector<Place> places(const HaloEntries& entries, std::byte* const* windows,
                            std::size_t item_bytes) const;

  std::size_t m_most_bytes;  // of an item
  std::unique_ptr<Channels> m_channels;
  HaloTable<Memory> m_all;
  std::vector<HaloTable<Memory>> m_parts;
  std::vector<PeerBytes> m_bytes;
  int m_last_part = no_part;  // that was sent
};

}  // namespace Lamina::Impl
