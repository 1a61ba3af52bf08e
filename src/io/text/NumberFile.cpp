// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/io/NumberFile.hpp>

#include <cstddef>
#include <string>
#include <string_view>

#include "TextLines.hpp"

namespace Lamina {

std::vector<double> read_numbers(const std::filesystem::path& file) {
  constexpr std::size_t most_values = 100'000'000;
  Impl::TextLines lines(file);
  std::vector<double> values;
  for (std::string_view word; lines.next_word(word);) {
    double value = 0;
    const std::string problem = Impl::parse_real(word, value);
    if (!problem.empty()) lines.fail(problem);
    if (values.size() == most_values) lines.fail("expected at most 10^8 numbers, got more");
    values.push_back(value);
  }
  return values;
}

}  // namespace Lamina
