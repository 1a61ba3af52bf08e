// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/distributed/HaloPattern.hpp>
#include <lamina/distributed/Transport.hpp>
#include <lamina/distributed/impl/TransportCalls.hpp>

#include <cstddef>
#include <vector>

namespace Lamina::Impl {

/// Gives halo items the values of their owners, on the host. Collective.
/// \param values    (local item, value of it), one item after the other
/// \param per_item  values of an item, as many on all ranks
template <class Value>
void update_halo(const Transport& transport, const HaloPattern& pattern, std::vector<Value>& values,
                 std::size_t per_item = 1) {
  std::vector<std::vector<Value>> sent(static_cast<std::size_t>(transport.size()));
  for (const auto& peer : pattern.peers) {
    auto& list = sent[static_cast<std::size_t>(peer.rank)];
    for (const int item : peer.send) {
      const std::size_t first = static_cast<std::size_t>(item) * per_item;
      for (std::size_t n = 0; n < per_item; ++n) list.push_back(values[first + n]);
    }
  }
  const auto received = exchange_lists(transport, sent);
  for (const auto& peer : pattern.peers) {
    auto value = received[static_cast<std::size_t>(peer.rank)].begin();
    for (const int item : peer.receive) {
      const std::size_t first = static_cast<std::size_t>(item) * per_item;
      for (std::size_t n = 0; n < per_item; ++n) values[first + n] = *value++;
    }
  }
}

}  // namespace Lamina::Impl
