// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace LaminaTest {

/// The array that a file of VTK holds under a name.
template <class Value>
std::vector<Value> vtu_array(const std::string& text, const std::string& name) {
  const std::size_t head = text.find("Name=\"" + name + '"');
  const std::string word = "offset=\"";
  const std::size_t at = text.find(word, head);
  const std::string begin = "<AppendedData encoding=\"raw\">\n_";
  const std::size_t data = text.find(begin);
  if (head == text.npos || at == text.npos || data == text.npos) return {};
  const std::size_t place = data + begin.size() + std::stoul(text.substr(at + word.size()));
  std::uint64_t size = 0;
  std::memcpy(&size, text.data() + place, sizeof(size));
  std::vector<Value> values(size / sizeof(Value));
  std::memcpy(values.data(), text.data() + place + sizeof(size), size);
  return values;
}

}  // namespace LaminaTest
