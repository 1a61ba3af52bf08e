// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Lines, words and numbers of text files, for all readers.

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace Lamina::Impl {

/// The next word of a line, taken off its front; empty at its end.
std::string_view take_word(std::string_view& line);

/// A whole number, the word and nothing else.
template <class Number>
bool parse(std::string_view word, Number& number) {
  const bool has_plus = !word.empty() && word.front() == '+';
  if (has_plus) word.remove_prefix(1);
  if (has_plus && !word.empty() && word.front() == '-') return false;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  return error == std::errc{} && end == word.data() + word.size();
}

/// A real number as C or Fortran programs write it: 1e-3, 1.D-03, 1.0-103. What is too small for
/// double precision becomes what is nearest to it, 0 at last.
/// \return what is wrong with the word, empty where nothing is
std::string parse_real(std::string_view word, double& number);

/// The same where only its being a finite number matters.
inline bool parse(std::string_view word, double& number) {
  return parse_real(word, number).empty();
}

/// Takes as many numbers off the front of a line. \return false where they are not there
template <class Number, std::size_t Count>
bool take_numbers(std::string_view& line, std::span<Number, Count> numbers) {
  for (Number& number : numbers) {
    if (!parse(take_word(line), number)) return false;
  }
  return true;
}

/// What a message quotes of a file: not all of a line, and no bytes that a terminal would act upon.
std::string quoted(std::string_view text);

/// The lines of a file, counted, each with a bound on its length: a file need not have any ends.
class TextLines {
 public:
  /// \param comment  what a line begins with that is a comment; none: there are no comments
  /// \throws FileError where the file cannot be read
  explicit TextLines(const std::filesystem::path& file, std::optional<char> comment = {});

  /// The next line of any kind; false at the end of the file. Valid until the next call.
  /// \throws FileError for a line that is too long
  bool next(std::string_view& line);
  /// The next line that is neither empty nor a comment.
  bool next_data(std::string_view& line);
  /// The same without a bound on the line, of which the beginning alone is returned.
  bool next_data_beginning(std::string_view& line);
  /// The next word, on this line or a later one of any length; false at the end of the file. Not to be mixed with
  /// lines. Valid until the next call. \throws FileError for a word that is too long
  bool next_word(std::string_view& word);

  [[noreturn]] void fail(const std::string& problem) const { fail_at(m_number, problem); }
  [[noreturn]] void fail_at(std::int64_t number, const std::string& problem) const;
  [[noreturn]] void fail_at_end(std::int64_t expected, std::int64_t got, const char* what) const;
  /// \throws FileError that names the file
  [[noreturn]] void fail_with(const std::string& problem) const;
  /// Of the last line, from 1.
  std::int64_t number() const { return m_number; }
  /// Whether the last line is longer than what was returned of it.
  bool is_cut() const { return m_cut; }

  /// Bytes that follow the last line, or the last ones. \return false where the file ends before
  bool read_bytes(char* to, std::size_t count);
  /// Passes over bytes; where the file ends before, the next read fails.
  void skip_bytes(std::size_t count);
  /// Bytes before what is read next.
  std::int64_t offset() const { return m_offset; }

 private:
  bool read(std::string_view& line);
  void require_whole() const;

  std::filesystem::path m_file;
  std::ifstream m_stream;
  std::int64_t m_number = 0, m_offset = 0;
  std::optional<char> m_comment;
  bool m_cut = false;  ///< the last line is longer than what is kept of it
  char m_buffer[1024];
};

/// What a file of one number a line is about, for messages: "row", "a colour".
struct LineNames {
  std::string item, value;
};
/// All of a file with a whole number from 0 to `below` - 1 on each of `count` lines.
/// \throws FileError for another number of lines, and anything else on one
std::vector<int> read_one_a_line(TextLines& lines, int count, int below, const LineNames& names);

}  // namespace Lamina::Impl
