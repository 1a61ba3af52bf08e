// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TextLines.hpp"

#include <lamina/io/FileError.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
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

namespace {

/// The number with an exponent as C writes it: Fortran's letters are D, d, Q and q, and none where
/// the exponent has three digits.
std::string with_c_exponent(std::string_view word) {
  std::string text(word);
  const std::size_t letter = text.find_first_of("DdQq");
  if (letter != std::string::npos) {
    text[letter] = 'e';
  } else if (text.find_first_of("Ee") == std::string::npos) {
    const std::size_t sign = text.find_last_of("+-");
    if (sign != std::string::npos && sign > 0) text.insert(sign, 1, 'e');
  }
  return text;
}

}  // namespace

std::string parse_real(std::string_view word, double& number) {
  const bool has_plus = !word.empty() && word.front() == '+';
  const std::string text = with_c_exponent(has_plus ? word.substr(1) : word);
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, number);
  const bool is_number =
      error != std::errc::invalid_argument && end == last && !(has_plus && text.front() == '-');
  if (!is_number) return "expected a number, got " + quoted(word);
  if (error == std::errc::result_out_of_range) {
    number = std::strtod(text.c_str(), nullptr);  // from_chars leaves it as it was
    if (std::isinf(number)) {
      return "expected a value that double precision holds, got " + quoted(word);
    }
  }
  return std::isfinite(number) ? "" : "expected a finite value, got " + quoted(word);
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
  m_offset += m_stream.gcount();
  if (count == 0) return false;
  ++m_number;
  m_cut = m_stream.fail() && !m_stream.eof();
  // The end of the line is counted where there is one.
  line = {m_buffer, m_cut || m_stream.eof() ? count : count - 1};
  if (m_cut) {
    m_stream.clear();
    m_stream.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
    m_offset += m_stream.gcount();
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

bool TextLines::next_word(std::string_view& word) {
  constexpr int end_of_file = std::char_traits<char>::eof();
  constexpr std::string_view blanks = " \t\r\v\f\n";
  if (m_number == 0) m_number = 1;
  std::size_t length = 0;
  for (int next = m_stream.peek(); next != end_of_file; next = m_stream.peek()) {
    const char c = static_cast<char>(next);
    const bool is_blank = blanks.find(c) != std::string_view::npos;
    if (is_blank && length > 0) break;
    m_stream.get();
    ++m_offset;
    if (c == '\n') ++m_number;
    if (is_blank) continue;
    if (length == sizeof(m_buffer)) fail("expected a word of at most 1024 characters");
    m_buffer[length++] = c;
  }
  word = {m_buffer, length};
  return length > 0;
}

void TextLines::fail_at(std::int64_t number, const std::string& problem) const {
  fail_with("line " + std::to_string(number) + ": " + problem);
}

void TextLines::fail_with(const std::string& problem) const { throw FileError(m_file, problem); }

bool TextLines::read_bytes(char* to, std::size_t count) {
  m_stream.read(to, static_cast<std::streamsize>(count));
  m_offset += m_stream.gcount();
  return static_cast<std::size_t>(m_stream.gcount()) == count;
}

void TextLines::skip_bytes(std::size_t count) {
  constexpr auto most = static_cast<std::size_t>(std::numeric_limits<std::streamsize>::max());
  m_stream.ignore(static_cast<std::streamsize>(std::min(count, most)));
  m_offset += m_stream.gcount();
}

void TextLines::fail_at_end(std::int64_t expected, std::int64_t got, const char* what) const {
  fail("expected " + std::to_string(expected) + ' ' + what + ", the file ends after " +
       std::to_string(got));
}

std::vector<int> read_one_a_line(TextLines& lines, int count, int below, const LineNames& names) {
  const std::string expected = "lines, one for each " + names.item;
  std::vector<int> numbers(static_cast<std::size_t>(count));
  for (int& number : numbers) {
    std::string_view line;
    if (!lines.next(line)) lines.fail_at_end(count, lines.number(), expected.c_str());
    std::string_view rest = line;
    if (!parse(take_word(rest), number) || !take_word(rest).empty() || number < 0 ||
        number >= below) {
      lines.fail("expected " + names.value + " from 0 to " + std::to_string(below - 1) + ", got " +
                 quoted(line));
    }
  }
  std::string_view more;
  if (lines.next(more))
    lines.fail("expected " + std::to_string(count) + ' ' + expected + ", got more");
  return numbers;
}

}  // namespace Lamina::Impl
