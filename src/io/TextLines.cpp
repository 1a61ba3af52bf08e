// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TextLines.hpp"

#include <lamina/io/FileError.hpp>

#include <algorithm>
#include <limits>

namespace Lamina::Impl {

std::string_view take_word(std::string_view& line) {
  constexpr std::string_view blanks = " \t\r\v\f";
  const std::size_t first = std::min(line.find_first_not_of(blanks), line.size());
  const std::size_t last = std::min(line.find_first_of(blanks, first), line.size());
  const std::string_view word = line.substr(first, last - first);
  line.remove_prefix(last);
  return word;
}

std::string quoted(std::string_view text) {
  constexpr std::size_t most = 40;
  std::string result(text.substr(0, most));
  for (char& c : result) {
    if (c < ' ' || c > '~') c = '?';
  }
  return '"' + result + (text.size() > most ? "...\"" : "\"");
}

TextLines::TextLines(const std::filesystem::path& file, std::optional<char> comment)
    : m_file(file), m_comment(comment) {
  std::error_code ignored;
  const auto status = std::filesystem::status(file, ignored);
  if (!std::filesystem::exists(status)) throw FileError(file, "no such file");
  if (!std::filesystem::is_regular_file(status)) throw FileError(file, "not a regular file");
  m_stream.open(file, std::ios::binary);
  if (!m_stream) throw FileError(file, "cannot be read");
}

bool TextLines::read(std::string_view& line) {
  m_stream.getline(m_buffer, sizeof(m_buffer));
  const auto count = static_cast<std::size_t>(m_stream.gcount());
  if (count == 0) return false;
  ++m_number;
  m_cut = m_stream.fail() && !m_stream.eof();
  // The end of the line is counted where there is one.
  line = {m_buffer, m_cut || m_stream.eof() ? count : count - 1};
  if (m_cut) {
    m_stream.clear();
    m_stream.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  return true;
}

void TextLines::require_whole() const {
  if (m_cut) fail("expected a line of fewer than 1024 characters");
}

bool TextLines::next(std::string_view& line) {
  if (!read(line)) return false;
  require_whole();
  return true;
}

bool TextLines::next_data(std::string_view& line) {
  if (!next_data_beginning(line)) return false;
  require_whole();
  return true;
}

bool TextLines::next_data_beginning(std::string_view& line) {
  while (read(line)) {
    std::string_view rest = line;
    const std::string_view word = take_word(rest);
    if (!word.empty() && word.front() != m_comment) return true;
  }
  return false;
}

void TextLines::fail_at(std::int64_t number, const std::string& problem) const {
  throw FileError(m_file, "line " + std::to_string(number) + ": " + problem);
}

void TextLines::fail_at_end(std::int64_t expected, std::int64_t got, const char* what) const {
  fail("expected " + std::to_string(expected) + ' ' + what + ", the file ends after " +
       std::to_string(got));
}

}  // namespace Lamina::Impl
