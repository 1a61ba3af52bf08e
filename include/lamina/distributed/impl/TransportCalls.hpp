// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Collective calls of a transport with values instead of bytes.

#include <lamina/core/impl/FunctionRef.hpp>
#include <lamina/distributed/Transport.hpp>

#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace Lamina::Impl {

/// One value of each rank.
template <class Value>
std::vector<Value> gather_values(const Transport& transport, const Value& mine) {
  static_assert(std::is_trivially_copyable_v<Value>);
  std::vector<Value> all(static_cast<std::size_t>(transport.size()));
  transport.all_gather(std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(all)));
  return all;
}

/// A list of values to each rank, and from each rank.
template <class Value>
std::vector<std::vector<Value>> exchange_lists(const Transport& transport,
                                               const std::vector<std::vector<Value>>& lists) {
  static_assert(std::is_trivially_copyable_v<Value>);
  std::vector<std::vector<std::byte>> outgoing;
  outgoing.reserve(lists.size());
  for (const auto& list : lists) {
    const auto bytes = std::as_bytes(std::span(list));
    outgoing.emplace_back(bytes.begin(), bytes.end());
  }
  std::vector<std::vector<Value>> received;
  received.reserve(lists.size());
  for (const auto& bytes : transport.all_to_all(outgoing)) {
    auto& list = received.emplace_back(bytes.size() / sizeof(Value));
    if (!bytes.empty()) std::memcpy(list.data(), bytes.data(), bytes.size());
  }
  return received;
}

/// The list of each rank, on all ranks.
template <class Value>
std::vector<std::vector<Value>> gather_lists(const Transport& transport,
                                             const std::vector<Value>& mine) {
  return exchange_lists(
      transport, std::vector<std::vector<Value>>(static_cast<std::size_t>(transport.size()), mine));
}
/// The same, one behind the other.
template <class Value>
std::vector<Value> gather_list(const Transport& transport, const std::vector<Value>& mine) {
  std::vector<Value> all;
  for (const auto& list : gather_lists(transport, mine)) {
    all.insert(all.end(), list.begin(), list.end());
  }
  return all;
}

/// \throws InvalidArgument where a transport of several ranks works in another memory space.
void require_memory(const char* function, const Transport& transport, const std::string& memory);

/// Runs work of this rank alone. All ranks throw where it throws on one of them.
void run_agreed(const Transport& transport, FunctionRef<void()> work);
/// The same; without a transport nobody has to agree.
void run_agreed(const Transport* transport, FunctionRef<void()> work);

}  // namespace Lamina::Impl
