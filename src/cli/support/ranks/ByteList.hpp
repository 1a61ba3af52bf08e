// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

namespace Lamina::Cli {

/// Appends a list to the bytes of a message.
template <class Value>
void append(std::vector<std::byte>& message, const std::vector<Value>& values) {
  static_assert(std::is_trivially_copyable_v<Value>);
  const std::uint64_t count = values.size();
  const auto length = std::as_bytes(std::span(&count, 1)), bytes = std::as_bytes(std::span(values));
  message.insert(message.end(), length.begin(), length.end());
  message.insert(message.end(), bytes.begin(), bytes.end());
}

/// Takes the lists of a message, in their order.
class MessageReader {
 public:
  explicit MessageReader(std::span<const std::byte> message) : m_rest(message) {}

  template <class Value>
  std::vector<Value> take() {
    std::uint64_t count = 0;
    copy(&count, sizeof count);
    std::vector<Value> values(count);
    copy(values.data(), count * sizeof(Value));
    return values;
  }

 private:
  void copy(void* to, std::size_t bytes) {
    if (bytes > 0) std::memcpy(to, m_rest.data(), bytes);
    m_rest = m_rest.subspan(bytes);
  }

  std::span<const std::byte> m_rest;
};

}  // namespace Lamina::Cli
