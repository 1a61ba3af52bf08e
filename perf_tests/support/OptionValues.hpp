// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <charconv>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

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
    return number_in(option, text(option), smallest, largest);
  }
  /// Numbers with commas between them.
  std::vector<int> numbers(const std::string& option, int smallest, int largest) {
    const std::string list = text(option);
    std::vector<int> values;
    for (std::size_t begin = 0, end = 0; end != std::string::npos; begin = end + 1) {
      end = list.find(',', begin);
      values.push_back(number_in(option, list.substr(begin, end - begin), smallest, largest));
    }
    return values;
  }

 private:
  template <class Integer>
  static Integer number_in(const std::string& option, const std::string& value, Integer smallest,
                           Integer largest) {
    Integer number = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error != std::errc() || end != value.data() + value.size() || number < smallest ||
        number > largest) {
      throw BadOption(option + ": expected a whole number from " + std::to_string(smallest) +
                      " to " + std::to_string(largest) + ", got " + value);
    }
    return number;
  }

  int m_count, m_place = 0;
  char** m_values;
};

}  // namespace Lamina::Perf
