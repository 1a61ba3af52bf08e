// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// What the sections of a file of Gmsh (MSH 4.1) have in common.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "TextLines.hpp"

namespace Lamina::Impl {

/// A line of whole numbers and nothing else.
template <std::size_t Count>
std::array<std::int64_t, Count> read_numbers(TextLines& lines, const std::string& what) {
  std::string_view line;
  if (!lines.next_data(line)) lines.fail("expected " + what + ", the file ends");
  std::array<std::int64_t, Count> numbers{};
  std::string_view rest = line;
  if (!take_numbers(rest, std::span(numbers)) || !take_word(rest).empty()) {
    lines.fail("expected " + what + ", got " + quoted(line));
  }
  return numbers;
}

/// A line that is one word.
void require_line(TextLines& lines, const std::string& expected);

/// The section $MeshFormat.
void require_format(TextLines& lines);

/// Reads up to the end of a section whose first line, the last that was read, is `section`.
void skip_section(TextLines& lines, const std::string& section);

/// What the first line of $Nodes and $Elements states, and how much of it was read.
class GmshInventory {
 public:
  GmshInventory(TextLines& lines, const char* what);

  std::int64_t num_blocks() const { return m_num_blocks; }
  void add_block(std::int64_t count);
  void require_tag(std::int64_t tag) const;
  void require_complete() const;

 private:
  TextLines& m_lines;
  const char* m_what;
  std::int64_t m_num_blocks, m_count, m_least, m_largest, m_read = 0;
};

}  // namespace Lamina::Impl
