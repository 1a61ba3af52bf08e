// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/device/impl/HostSide.hpp>
#include <lamina/distributed/Transport.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace Lamina::Impl {

/// The messages of all peers in one direction: in `Memory`, where kernels pack and unpack them, and
/// on the host. Both are the same where the host can access `Memory`.
template <class Memory>
class StagedBuffer {
 public:
  using HostMemory = typename HostSideOf<Memory>::type;
  static constexpr bool is_staged = !std::is_same_v<HostMemory, Memory>;
  using Bytes = std::size_t PeerBytes::*;

  StagedBuffer(std::span<const PeerBytes> peers, Bytes bytes) : m_bytes(bytes) {
    std::size_t total = 0;
    for (const PeerBytes& peer : peers) {
      m_offsets.push_back(total);
      total += (peer.*bytes + alignment - 1) / alignment * alignment;
    }
    m_values = Values(label("messages"), total);
    m_host = Kokkos::create_mirror_view(HostMemory(), m_values);
    std::vector<unsigned char*> addresses;
    for (const std::size_t offset : m_offsets) addresses.push_back(m_values.data() + offset);
    m_addresses = Values(label("addresses"), addresses.size() * sizeof(std::byte*));
    const auto host = Kokkos::create_mirror_view(m_addresses);
    if (!addresses.empty()) std::memcpy(host.data(), addresses.data(), host.extent(0));
    Kokkos::deep_copy(m_addresses, host);
  }

  /// For each peer where its message is in `Memory`; the table is there, too.
  std::byte* const* addresses() const {
    return reinterpret_cast<std::byte* const*>(m_addresses.data());
  }
  void* in_memory(std::size_t peer) const { return m_values.data() + m_offsets[peer]; }
  void* on_host(std::size_t peer) const { return m_host.data() + m_offsets[peer]; }

  /// Copies the messages, enqueued.
  void to_host(const InstanceRef& space, std::span<const PeerBytes> peers) const {
    copy(space, peers, m_host, m_values);
  }
  void to_device(const InstanceRef& space, std::span<const PeerBytes> peers) const {
    copy(space, peers, m_values, m_host);
  }
  static void fence(const InstanceRef& space) { space.as<Space>().fence(); }

 private:
  using Space = typename Memory::execution_space;
  using Values = Kokkos::View<unsigned char*, Memory>;
  using HostSide = Kokkos::View<unsigned char*, HostMemory>;
  static constexpr std::size_t alignment = 128;  // a line of a device's cache

  static auto label(const char* what) {
    return Kokkos::view_alloc(std::string("Lamina::StagedBuffer::") + what,
                              Kokkos::WithoutInitializing);
  }
  template <class To, class From>
  void copy(const InstanceRef& space, std::span<const PeerBytes> peers, const To& to,
            const From& from) const {
    for (std::size_t n = 0; n < peers.size(); ++n) {
      const auto range = Kokkos::make_pair(m_offsets[n], m_offsets[n] + peers[n].*m_bytes);
      if (range.first == range.second) continue;
      Kokkos::deep_copy(space.as<Space>(), Kokkos::subview(to, range),
                        Kokkos::subview(from, range));
    }
  }

  Bytes m_bytes;
  std::vector<std::size_t> m_offsets;
  Values m_values, m_addresses;
  HostSide m_host;
};

}  // namespace Lamina::Impl
