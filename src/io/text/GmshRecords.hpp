// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "TextLines.hpp"

namespace Lamina::Impl {

/// The records of a file of Gmsh, MSH 2 or 4.1: lines of numbers in a text file, numbers one after
/// the other in a binary one. Names of sections are lines in both.
class GmshRecords {
 public:
  /// Reads up to the end of $MeshFormat, which other sections may come before.
  /// \throws FileError for other formats and versions
  explicit GmshRecords(const std::filesystem::path& file);

  int version() const { return m_version; }  ///< 2 or 4
  bool binary() const { return m_binary; }

  /// The name of the next section, with its $; empty at the end of the file.
  std::string next_section();
  /// Reads up to the end of a section whose name was the last that was read.
  void skip_section(const std::string& section);
  void require_line(const std::string& expected);

  /// Begins a record; `what` is expected of it, and must live until the next one begins.
  void begin(std::string_view what);
  /// Begins a line, in a binary file, too.
  void begin_line(std::string_view what);
  std::int64_t take_integer(int bytes);
  double take_real();
  /// Requires that nothing is left of a line.
  void end();
  /// Leaves what remains: of a binary record `bytes`.
  void skip(std::size_t bytes);

  /// Where the record stands: its line, or its first byte in a binary file.
  std::int64_t place() const { return m_place; }
  std::string place_text(std::int64_t place) const;
  [[noreturn]] void fail(const std::string& problem) const;
  /// \param place  of an earlier record, which did not begin with `begin_line`
  [[noreturn]] void fail_at(std::int64_t place, const std::string& problem) const;

 private:
  void read_format();
  [[noreturn]] void fail_record() const;
  template <class Number>
  Number take_raw();

  TextLines m_lines;
  int m_version = 0;
  bool m_binary = false, m_in_line = true;
  std::int64_t m_place = 0;
  std::string_view m_what, m_line, m_rest;
};

}  // namespace Lamina::Impl
