// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GmshSections.hpp"

#include <algorithm>
#include <limits>

namespace Lamina::Impl {

void require_line(TextLines& lines, const std::string& expected) {
  std::string_view line;
  if (!lines.next_data_beginning(line)) lines.fail("expected " + expected + ", the file ends");
  std::string_view rest = line;
  if (take_word(rest) != expected || !take_word(rest).empty()) {
    lines.fail("expected " + expected + ", got " + quoted(line));
  }
}

void require_format(TextLines& lines) {
  require_line(lines, "$MeshFormat");
  std::string_view line;
  if (!lines.next_data(line)) lines.fail("expected a version, the file ends");
  std::string_view rest = line;
  const std::string_view version = take_word(rest);
  if (version != "4.1") lines.fail("expected version 4.1 of the format, got " + quoted(version));
  std::array<std::int64_t, 2> numbers{};
  if (!take_numbers(rest, std::span(numbers)) || !take_word(rest).empty()) {
    lines.fail("expected a version, a kind of file and a size of numbers, got " + quoted(line));
  }
  if (numbers[0] != 0) {
    lines.fail("expected an ASCII file (kind 0), got a binary one (kind " +
               std::to_string(numbers[0]) + ')');
  }
  require_line(lines, "$EndMeshFormat");
}

void skip_section(TextLines& lines, const std::string& section) {
  if (section.size() < 2 || section.front() != '$') {
    lines.fail("expected a section, got " + Impl::quoted(section));
  }
  const std::int64_t first = lines.number();
  const std::string end = "$End" + section.substr(1);
  std::string_view line;
  while (lines.next_data_beginning(line)) {
    if (take_word(line) == end) return;
  }
  lines.fail("expected " + Impl::quoted(end) + " for the section of line " + std::to_string(first) +
             ", the file ends");
}

GmshInventory::GmshInventory(TextLines& lines, const char* what) : m_lines(lines), m_what(what) {
  const auto stated = read_numbers<4>(
      lines, std::string("numbers of blocks and ") + what + ", least and largest tag");
  m_num_blocks = stated[0];
  m_count = stated[1];
  m_least = stated[2];
  m_largest = stated[3];
  if (m_num_blocks < 0 || m_count < 0) lines.fail("expected numbers >= 0");
  if (m_count > std::numeric_limits<int>::max()) {
    lines.fail(std::string("expected fewer than 2^31 ") + what + ", got " +
               std::to_string(m_count));
  }
}

void GmshInventory::add_block(std::int64_t count) {
  if (count < 0 || count > m_count - m_read) {
    m_lines.fail("expected a block of 0 to " + std::to_string(m_count - m_read) + ' ' + m_what +
                 ", as there are " + std::to_string(m_count) + ", got " + std::to_string(count));
  }
  m_read += count;
}

void GmshInventory::require_tag(std::int64_t tag) const {
  if (tag >= m_least && tag <= m_largest && tag > 0) return;
  m_lines.fail("expected tags " + std::to_string(std::max<std::int64_t>(m_least, 1)) + " to " +
               std::to_string(m_largest) + ", got " + std::to_string(tag));
}

void GmshInventory::require_complete() const {
  if (m_read == m_count) return;
  m_lines.fail("expected " + std::to_string(m_count) + ' ' + m_what + ", got " +
               std::to_string(m_read));
}

}  // namespace Lamina::Impl
