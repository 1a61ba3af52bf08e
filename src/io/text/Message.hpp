// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace Lamina {

/// Numbers and texts on their way between two processes of one machine, in the order of `put`.
class Message {
 public:
  Message() = default;
  explicit Message(std::string bytes) : m_bytes(std::move(bytes)) {}

  const std::string& bytes() const { return m_bytes; }

  Message& put(std::uint64_t value) { return put_bytes(&value, sizeof value); }
  Message& put(double value) { return put_bytes(&value, sizeof value); }
  Message& put(const std::string& text) {
    put(std::uint64_t{text.size()});
    return put_bytes(text.data(), text.size());
  }
  Message& put(const std::vector<std::size_t>& values) {
    put(std::uint64_t{values.size()});
    for (const std::size_t value : values) put(std::uint64_t{value});
    return *this;
  }

  std::uint64_t get_count() { return get<std::uint64_t>(); }
  double get_number() { return get<double>(); }
  std::string get_text() {
    const std::uint64_t size = get_count();
    require(size);
    m_place += size;
    return m_bytes.substr(m_place - size, size);
  }
  std::vector<std::size_t> get_counts() {
    std::vector<std::size_t> values;
    for (std::uint64_t n = get_count(); n > 0; --n) values.push_back(get_count());
    return values;
  }

 private:
  Message& put_bytes(const void* bytes, std::size_t size) {
    m_bytes.append(static_cast<const char*>(bytes), size);
    return *this;
  }
  template <class T>
  T get() {
    require(sizeof(T));
    T value;
    std::memcpy(&value, m_bytes.data() + m_place, sizeof(T));
    m_place += sizeof(T);
    return value;
  }
  void require(std::uint64_t size) const {
    if (size > m_bytes.size() - m_place) throw std::out_of_range("a message ends early");
  }

  std::string m_bytes;
  std::size_t m_place = 0;
};

}  // namespace Lamina
