// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

// The one way to standard output, and to standard error. A failed write is remembered and goes on
// without: a long run is not to end for its table.

namespace Lamina::Cli {

/// A text of one line as a terminal may show it: control characters, marks that change the direction
/// of writing, and bytes that are not UTF-8 become "\n", "\t" or "\x1b"; all else stays.
std::string printable(std::string_view text);
/// The same line by line.
std::string printable_lines(std::string_view text);

/// Writes bytes as they are.
void write_output(std::string_view bytes);
void flush_output();

/// Prints lines, without control characters in what they are made of.
template <class... Values>
void print(fmt::format_string<Values...> format, Values&&... values) {
  write_output(printable_lines(fmt::format(format, std::forward<Values>(values)...)));
}

/// One line on standard error: "who: message".
void print_error(const std::string& who, std::string_view message);

/// Whether nothing is printed from now on, nor errors: one process prints for several.
void set_silent(bool silent);

/// Opens what is closed of the three standard streams on nothing, before a file takes its number and
/// receives what is printed. To be called first.
void open_standard_streams();

/// Why standard output could not be written: "standard output: cannot be written: No space left on
/// device"; empty where all was. Flushes it.
std::string output_problem();
/// \throws InputError where standard output could not be written
void require_output();

}  // namespace Lamina::Cli
