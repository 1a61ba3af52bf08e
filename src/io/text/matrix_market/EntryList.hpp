// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// What matrices and vectors of the format Matrix Market have in common: a first line, and lists of
// entries.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "../TextLines.hpp"

namespace Lamina::Impl {

/// What the first line says, in lower case.
struct Banner {
  std::string format, symmetry;
};
/// Reads the first line: one of `formats`, and one of `symmetries`.
Banner read_banner(TextLines& lines, const std::vector<std::string>& formats,
                   const std::vector<std::string>& symmetries);

/// Whole numbers of a line, and nothing else.
template <std::size_t Count>
bool parse_line(std::string_view line, std::int64_t (&numbers)[Count]) {
  return take_numbers(line, std::span(numbers)) && take_word(line).empty();
}
/// The value at the end of a line.
double take_value(const TextLines& lines, std::string_view line);

/// What a list of entries states first.
struct EntrySize {
  std::int64_t rows, columns, count;
};
EntrySize read_size(TextLines& lines);

/// An entry of a list, from 0 on.
struct ListEntry {
  std::int64_t row, column;
  double value;
};
/// Entry `n` of a list.
ListEntry read_entry(TextLines& lines, const EntrySize& size, std::int64_t n);

/// Nothing may follow `count` items.
void require_end(TextLines& lines, std::int64_t count, const char* what);

/// \throws InvalidArgument unless numbers of rows ascend from 0 or more.
void require_ascending(const char* function, const std::vector<std::int64_t>& rows);

}  // namespace Lamina::Impl
