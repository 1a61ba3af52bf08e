// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/io/FileError.hpp>
#include <lamina/io/MatrixMarketFile.hpp>
#include <lamina/io/PendingFile.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>

#include "TextLines.hpp"

namespace Lamina {
namespace {

using Path = std::filesystem::path;

using Impl::parse, Impl::quoted, Impl::take_word;
using Lines = Impl::TextLines;

std::string lower_case(std::string_view word) {
  std::string result(word);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

using Words = std::vector<std::string>;

std::string joined(const Words& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : "|") + word;
  return text;
}

bool contains(const Words& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// What the first line says, in lower case.
struct Banner {
  std::string format, symmetry;
};

/// Reads the first line: one of `formats`, and one of `symmetries`.
Banner read_banner(Lines& lines, const Words& formats, const Words& symmetries) {
  const Words fields{"real", "integer"};
  const std::string expected = "expected \"%%MatrixMarket matrix " + joined(formats) + ' ' +
                               joined(fields) + ' ' + joined(symmetries) + "\", got ";
  std::string_view line;
  if (!lines.next(line)) lines.fail(expected + "an empty file");
  const std::string_view all = line;
  std::string words[5];
  for (std::string& word : words) word = lower_case(take_word(line));
  const bool good = words[0] == "%%matrixmarket" && words[1] == "matrix" &&
                    contains(formats, words[2]) && contains(fields, words[3]) &&
                    contains(symmetries, words[4]) && take_word(line).empty();
  if (!good) lines.fail(expected + quoted(all));
  return {words[2], words[4]};
}

/// Whole numbers of a line, and nothing else.
template <std::size_t Count>
bool parse_line(std::string_view line, std::int64_t (&numbers)[Count]) {
  return Impl::take_numbers(line, std::span(numbers)) && take_word(line).empty();
}

/// The value at the end of a line.
double take_value(const Lines& lines, std::string_view line) {
  double value = 0;
  const std::string problem = Impl::parse_real(take_word(line), value);
  if (!problem.empty()) lines.fail(problem);
  if (const auto more = take_word(line); !more.empty()) {
    lines.fail("expected the end of the line, got " + quoted(more));
  }
  return value;
}

/// What a list of entries states first.
struct EntrySize {
  std::int64_t rows, columns, count;
};

/// An entry of a list, from 0 on.
struct ListEntry {
  std::int64_t row, column;
  double value;
};

/// Entry `n` of a list.
ListEntry read_entry(Lines& lines, const EntrySize& size, std::int64_t n) {
  std::string_view line;
  if (!lines.next_data(line)) lines.fail_at_end(size.count, n, "entries");
  std::string_view rest = line;
  std::int64_t at[2];
  const bool has_indices = Impl::take_numbers(rest, std::span(at));
  if (std::string_view value = rest; !has_indices || take_word(value).empty()) {
    lines.fail("expected row, column and value, got " + quoted(line));
  }
  const std::int64_t extents[2] = {size.rows, size.columns};
  for (int d = 0; d < 2; ++d) {
    if (at[d] >= 1 && at[d] <= extents[d]) continue;
    lines.fail(std::string("expected ") + (d == 0 ? "rows" : "columns") + " 1 to " +
               std::to_string(extents[d]) + ", got " + std::to_string(at[d]));
  }
  return {at[0] - 1, at[1] - 1, take_value(lines, rest)};
}

void require_end(Lines& lines, std::int64_t count, const char* what) {
  std::string_view line;
  if (!lines.next_data(line)) return;
  lines.fail("expected the end after " + std::to_string(count) + ' ' + what + ", got " +
             quoted(line));
}

/// An entry of a block.
struct Entry {
  int block_row, block_column;
  int place;  ///< in the block
  double value;
  std::int64_t line;
};

EntrySize read_size(Lines& lines) {
  std::string_view line;
  if (!lines.next_data(line)) lines.fail("expected rows, columns and entries, the file ends");
  std::int64_t size[3];
  if (!parse_line(line, size) || size[0] < 0 || size[1] < 0 || size[2] < 0) {
    lines.fail("expected numbers of rows, columns and entries, got " + quoted(line));
  }
  return {size[0], size[1], size[2]};
}

void require_blocks(const Lines& lines, const EntrySize& size, int block_size) {
  if (size.rows != size.columns) {
    lines.fail("expected a square matrix, got " + std::to_string(size.rows) + " rows and " +
               std::to_string(size.columns) + " columns");
  }
  if (size.rows % block_size != 0) {
    lines.fail("expected a multiple of the block size " + std::to_string(block_size) + ", got " +
               std::to_string(size.rows) + " rows");
  }
  if (size.rows / block_size > std::numeric_limits<int>::max() - 1) {
    lines.fail("expected fewer than 2^31 block rows, got " +
               std::to_string(size.rows / block_size));
  }
}

std::vector<Entry> read_entries(Lines& lines, const EntrySize& size, bool symmetric,
                                int block_size) {
  std::vector<Entry> entries;
  const auto add = [&](std::int64_t row, std::int64_t column, double value) {
    entries.push_back({static_cast<int>(row / block_size), static_cast<int>(column / block_size),
                       static_cast<int>(column % block_size * block_size + row % block_size), value,
                       lines.number()});
  };
  for (std::int64_t n = 0; n < size.count; ++n) {
    const ListEntry entry = read_entry(lines, size, n);
    add(entry.row, entry.column, entry.value);
    if (!symmetric) continue;
    if (entry.row < entry.column) {
      lines.fail("expected the lower triangle of a symmetric matrix alone");
    }
    if (entry.row != entry.column) add(entry.column, entry.row, entry.value);
  }
  require_end(lines, size.count, "entries");
  return entries;
}

bool same_block(const Entry& a, const Entry& b) {
  return a.block_row == b.block_row && a.block_column == b.block_column;
}

/// Sorts entries by blocks, and in a block by their places.
void sort_entries(const Path& file, std::vector<Entry>& entries) {
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    if (a.block_row != b.block_row) return a.block_row < b.block_row;
    if (a.block_column != b.block_column) return a.block_column < b.block_column;
    return a.place != b.place ? a.place < b.place : a.line < b.line;
  });
  for (std::size_t n = 1; n < entries.size(); ++n) {
    const Entry &before = entries[n - 1], &entry = entries[n];
    if (same_block(before, entry) && before.place == entry.place) {
      throw FileError(file, "line " + std::to_string(entry.line) +
                                ": expected each entry once, got that of line " +
                                std::to_string(before.line) + " again");
    }
  }
}

/// The blocks of sorted entries, without their values.
MatrixMarketBlocks pattern_of(const Path& file, const std::vector<Entry>& entries, int num_rows,
                              int block_size) {
  MatrixMarketBlocks matrix;
  matrix.block_size = block_size;
  std::size_t n = 0;
  for (int row = 0; row < num_rows; ++row) {
    bool has_diagonal = false;
    for (; n < entries.size() && entries[n].block_row == row; ++n) {
      if (n > 0 && same_block(entries[n - 1], entries[n])) continue;
      matrix.columns.push_back(entries[n].block_column);
      has_diagonal = has_diagonal || entries[n].block_column == row;
    }
    if (!has_diagonal) {
      throw FileError(file, "expected a diagonal block in each block row, block row " +
                                std::to_string(row + 1) + " of " + std::to_string(num_rows) +
                                " has none");
    }
    matrix.row_offsets.push_back(static_cast<std::int64_t>(matrix.columns.size()));
  }
  return matrix;
}

std::string gib_text(double bytes) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof(text), bytes / (1024.0 * 1024.0 * 1024.0),
                                 std::chars_format::fixed, 1);
  return end.ec == std::errc{} ? std::string(text, end.ptr) : "more";
}

/// \throws FileError where the values of the blocks would not fit into `available` bytes.
void require_room(const Path& file, const MatrixMarketBlocks& matrix, double available) {
  const double values = static_cast<double>(matrix.block_size) * matrix.block_size;
  const double needed = static_cast<double>(matrix.columns.size()) * values * sizeof(double);
  if (needed <= available) return;
  const std::string size = std::to_string(matrix.block_size);
  throw FileError(file, std::to_string(matrix.columns.size()) + " blocks of " + size + " x " +
                            size + " need " + gib_text(needed) + " GiB of host memory, " +
                            gib_text(available) + " GiB are available");
}

/// Fills the blocks with the values of sorted entries.
void fill_blocks(const std::vector<Entry>& entries, MatrixMarketBlocks& matrix) {
  const std::size_t values =
      static_cast<std::size_t>(matrix.block_size) * static_cast<std::size_t>(matrix.block_size);
  matrix.blocks.resize(matrix.columns.size() * values, 0.0);
  std::size_t first = 0;  // value of the block at hand
  for (std::size_t n = 0; n < entries.size(); ++n) {
    if (n > 0 && !same_block(entries[n - 1], entries[n])) first += values;
    matrix.blocks[first + static_cast<std::size_t>(entries[n].place)] = entries[n].value;
  }
}

/// The values of an array, one a line.
std::vector<double> read_array(Lines& lines, std::int64_t count) {
  std::vector<double> values;
  std::string_view line;
  for (std::int64_t n = 0; n < count; ++n) {
    if (!lines.next_data(line)) lines.fail_at_end(count, n, "values");
    values.push_back(take_value(lines, line));
  }
  require_end(lines, count, "values");
  return values;
}

/// The values of a list of entries in one column; those that are not named are 0.
std::vector<double> read_list(Lines& lines, const EntrySize& size) {
  std::vector<double> values(static_cast<std::size_t>(size.rows), 0.0);
  std::vector<std::int64_t> lines_of_rows(values.size(), 0);
  for (std::int64_t n = 0; n < size.count; ++n) {
    const ListEntry entry = read_entry(lines, size, n);
    const auto row = static_cast<std::size_t>(entry.row);
    if (lines_of_rows[row] > 0) {
      lines.fail("expected each entry once, got that of line " +
                 std::to_string(lines_of_rows[row]) + " again");
    }
    lines_of_rows[row] = lines.number();
    values[row] = entry.value;
  }
  require_end(lines, size.count, "entries");
  return values;
}

void require_vector(const Lines& lines, std::int64_t expected, std::int64_t rows,
                    std::int64_t columns) {
  if (rows == expected && columns == 1) return;
  lines.fail("expected " + std::to_string(expected) + " rows and 1 column, got " +
             std::to_string(rows) + " and " + std::to_string(columns) +
             (columns > 1 ? "; one right-hand side a file" : ""));
}

}  // namespace

std::optional<int> find_block_size(const Path& file) {
  Lines lines(file);
  std::string_view line;
  while (lines.next_data_beginning(line) && line.front() == '%') {
    line.remove_prefix(1);
    if (take_word(line) != "ISTL_STRUCT" || take_word(line) != "blocked") continue;
    std::int64_t extents[2];
    if (!parse_line(line, extents) || extents[0] != extents[1] || extents[0] < 1 ||
        extents[0] > std::numeric_limits<int>::max()) {
      lines.fail("expected \"% ISTL_STRUCT blocked\" and the extents of square blocks");
    }
    return static_cast<int>(extents[0]);
  }
  return std::nullopt;
}

MatrixMarketBlocks read_matrix_market(const Path& file, int block_size,
                                      const std::function<double()>& available_bytes) {
  Lines lines(file, '%');
  const Banner banner = read_banner(lines, {"coordinate"}, {"general", "symmetric"});
  const EntrySize size = read_size(lines);
  require_blocks(lines, size, block_size);
  std::vector<Entry> entries =
      read_entries(lines, size, banner.symmetry == "symmetric", block_size);
  sort_entries(file, entries);
  MatrixMarketBlocks matrix =
      pattern_of(file, entries, static_cast<int>(size.rows / block_size), block_size);
  if (available_bytes) require_room(file, matrix, available_bytes());
  fill_blocks(entries, matrix);
  return matrix;
}

std::vector<double> read_matrix_market_vector(const Path& file, std::size_t size) {
  Lines lines(file, '%');
  const Banner banner = read_banner(lines, {"array", "coordinate"}, {"general"});
  const auto expected = static_cast<std::int64_t>(size);
  if (banner.format == "coordinate") {
    const EntrySize stated = read_size(lines);
    require_vector(lines, expected, stated.rows, stated.columns);
    return read_list(lines, stated);
  }
  std::string_view line;
  if (!lines.next_data(line)) lines.fail("expected rows and columns, the file ends");
  std::int64_t extents[2];
  if (!parse_line(line, extents)) {
    lines.fail("expected numbers of rows and columns, got " + quoted(line));
  }
  require_vector(lines, expected, extents[0], extents[1]);
  return read_array(lines, expected);
}

void write_matrix_market_vector(const Path& file, const std::vector<double>& values) {
  PendingFile pending(file);
  std::ofstream stream(pending.temporary());
  stream << "%%MatrixMarket matrix array real general\n" << values.size() << " 1\n";
  char text[32];
  for (const double value : values) {
    const auto end = std::to_chars(text, text + sizeof(text), value).ptr;
    stream.write(text, end - text).put('\n');
  }
  stream.close();
  if (!stream) throw pending.write_error();
  pending.commit();
}

}  // namespace Lamina
