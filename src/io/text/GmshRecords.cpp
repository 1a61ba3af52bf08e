// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GmshRecords.hpp"

#include <cmath>
#include <cstring>

namespace Lamina::Impl {

GmshRecords::GmshRecords(const std::filesystem::path& file) : m_lines(file) {
  for (std::string section = next_section(); section != "$MeshFormat"; section = next_section()) {
    if (section.empty()) fail("expected $MeshFormat, the file ends");
    if (section.front() != '$') fail("expected $MeshFormat, got " + Impl::quoted(section));
    skip_section(section);
  }
  read_format();
  require_line("$EndMeshFormat");
}

void GmshRecords::read_format() {
  begin_line("a version, a kind of file and a size of numbers");
  const std::string_view version = take_word(m_rest);
  if (version != "4.1" && version != "2" && !version.starts_with("2.")) {
    fail("expected version 2.2 or 4.1 of the format, got " + Impl::quoted(version));
  }
  m_version = version.front() - '0';
  const std::int64_t kind = take_integer(0), size = take_integer(0);
  end();
  if (kind != 0 && kind != 1) {
    fail("expected a kind of file of 0 (ASCII) or 1 (binary), got " + std::to_string(kind));
  }
  if (kind == 0) return;
  if (size != 8) fail("expected binary numbers of 8 bytes, got " + std::to_string(size));
  m_binary = true;
  begin("a number that tells the order of bytes");
  if (take_integer(4) != 1) fail("expected the order of bytes of this machine, got another one");
}

std::string GmshRecords::next_section() {
  std::string_view line;
  if (!m_lines.next_data_beginning(line)) return "";
  m_place = m_lines.number();
  m_in_line = true;
  return std::string(take_word(line));
}

void GmshRecords::skip_section(const std::string& section) {
  if (section.size() < 2 || section.front() != '$') {
    fail("expected a section, got " + Impl::quoted(section));
  }
  const std::int64_t first = m_place;
  const std::string end = "$End" + section.substr(1);
  std::string_view line;
  while (m_lines.next_data_beginning(line)) {
    if (take_word(line) == end) return;
  }
  m_place = m_lines.number();
  fail("expected " + Impl::quoted(end) + " for the section of line " + std::to_string(first) +
       ", the file ends");
}

void GmshRecords::require_line(const std::string& expected) {
  const std::string word = next_section();
  if (word == expected) return;
  if (word.empty()) m_place = m_lines.number();
  fail("expected " + expected + (word.empty() ? ", the file ends" : ", got " + Impl::quoted(word)));
}

void GmshRecords::begin(std::string_view what) {
  if (!m_binary) return begin_line(what);
  m_what = what;
  m_in_line = false;
  m_place = m_lines.offset();
}

void GmshRecords::begin_line(std::string_view what) {
  m_what = what;
  m_in_line = true;
  const bool there = m_lines.next_data_beginning(m_line);
  m_place = m_lines.number();
  if (!there) fail("expected " + std::string(what) + ", the file ends");
  m_rest = m_line;
}

void GmshRecords::fail_record() const {
  fail("expected " + std::string(m_what) + ", got " + Impl::quoted(m_line));
}

template <class Number>
Number GmshRecords::take_raw() {
  char bytes[sizeof(Number)];
  if (!m_lines.read_bytes(bytes, sizeof(bytes))) {
    fail("expected " + std::string(m_what) + ", the file ends");
  }
  Number number{};
  std::memcpy(&number, bytes, sizeof(bytes));
  return number;
}

std::int64_t GmshRecords::take_integer(int bytes) {
  if (!m_in_line) return bytes == 4 ? take_raw<std::int32_t>() : take_raw<std::int64_t>();
  std::int64_t number = 0;
  const std::string_view word = take_word(m_rest);
  if (!parse(word, number)) fail_record();
  if (m_rest.empty() && m_lines.is_cut()) fail("expected shorter lines");
  return number;
}

double GmshRecords::take_real() {
  double number = 0;
  if (!m_in_line) {
    number = take_raw<double>();
    if (!std::isfinite(number)) fail("expected " + std::string(m_what) + ", got another number");
  } else if (!parse_real(take_word(m_rest), number).empty()) {
    fail_record();
  }
  return number;
}

void GmshRecords::end() {
  if (!m_in_line) return;
  if (m_lines.is_cut()) fail("expected a line of fewer than 1024 characters");
  if (!take_word(m_rest).empty()) fail_record();
}

void GmshRecords::skip(std::size_t bytes) {
  if (!m_in_line) m_lines.skip_bytes(bytes);
}

std::string GmshRecords::place_text(std::int64_t place) const {
  return (m_binary ? "byte " : "line ") + std::to_string(place);
}

void GmshRecords::fail(const std::string& problem) const {
  if (m_in_line) m_lines.fail_at(m_place, problem);
  fail_at(m_place, problem);
}

void GmshRecords::fail_at(std::int64_t place, const std::string& problem) const {
  m_lines.fail_with(place_text(place) + ": " + problem);
}

}  // namespace Lamina::Impl
