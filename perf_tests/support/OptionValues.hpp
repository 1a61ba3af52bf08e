// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <charconv>
#include <stdexcept>
#include <string>
#include <system_error>

namespace Lamina::Perf {

/// A bad option, exit status 2.
class BadOption : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Walks over the options of a command line and their values.
class OptionValues {
 public:
  OptionValues(int argc, char* argv[]) : m_count(argc), m_values(argv) {}

  const char* next_option() { return ++m_place < m_count ? m_values[m_place] : nullptr; }
  std::string text(const std::string& option) {
    if (++m_place >= m_count) throw BadOption(option + ": a value is missing");
    return m_values[m_place];
  }
  template <class Integer>
  Integer number(const std::string& option, Integer smallest, Integer largest) {
    const std::string value = text(option);
    Integer number = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error != std::errc() || end != value.data() + value.size() || number < smallest ||
        number > largest) {
      throw BadOption(option + ": expected a whole number from " + std::to_string(smallest) +
                      " to " + std::to_string(largest) + ", got " + value);
    }
    return number;
  }

 private:
  int m_count, m_place = 0;
  char** m_values;
};

}  // namespace Lamina::Perf
