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

/// Reads the first line. \return whether the matrix is symmetric
bool read_banner(Lines& lines, const std::string& format) {
  const std::string expected = "%%MatrixMarket matrix " + format + " real|integer general" +
                               (format == "coordinate" ? "|symmetric" : "");
  std::string_view line;
  if (!lines.next(line)) lines.fail("expected \"" + expected + "\", got an empty file");
  const std::string_view all = line;
  std::string words[5];
  for (std::string& word : words) word = lower_case(take_word(line));
  const bool symmetric = words[4] == "symmetric" && format == "coordinate";
  const bool good = words[0] == "%%matrixmarket" && words[1] == "matrix" && words[2] == format &&
                    (words[3] == "real" || words[3] == "integer") &&
                    (words[4] == "general" || symmetric) && take_word(line).empty();
  if (!good) lines.fail("expected \"" + expected + "\", got " + quoted(all));
  return symmetric;
}

/// Numbers of a line, and nothing else.
template <std::size_t Count>
bool parse_line(std::string_view line, std::int64_t (&numbers)[Count], double* value) {
  if (!Impl::take_numbers(line, std::span(numbers))) return false;
  if (value != nullptr && !parse(take_word(line), *value)) return false;
  return take_word(line).empty();
}

/// An entry of a block.
struct Entry {
  int block_row, block_column;
  int place;  ///< in the block
  double value;
  std::int64_t line;
};

struct EntrySize {
  std::int64_t rows, count;
};

EntrySize read_size(Lines& lines, int block_size) {
  std::string_view line;
  if (!lines.next_data(line)) lines.fail("expected rows, columns and entries, the file ends");
  std::int64_t size[3];
  if (!parse_line(line, size, nullptr) || size[0] < 0 || size[1] < 0 || size[2] < 0) {
    lines.fail("expected numbers of rows, columns and entries, got " + quoted(line));
  }
  if (size[0] != size[1]) {
    lines.fail("expected a square matrix, got " + std::to_string(size[0]) + " rows and " +
               std::to_string(size[1]) + " columns");
  }
  if (size[0] % block_size != 0) {
    lines.fail("expected a multiple of the block size " + std::to_string(block_size) + ", got " +
               std::to_string(size[0]) + " rows");
  }
  if (size[0] / block_size > std::numeric_limits<int>::max() - 1) {
    lines.fail("expected fewer than 2^31 block rows, got " + std::to_string(size[0] / block_size));
  }
  return {size[0], size[2]};
}

std::vector<Entry> read_entries(Lines& lines, const EntrySize& size, bool symmetric,
                                int block_size) {
  std::vector<Entry> entries;
  const auto add = [&](std::int64_t row, std::int64_t column, double value) {
    entries.push_back({static_cast<int>(row / block_size), static_cast<int>(column / block_size),
                       static_cast<int>(column % block_size * block_size + row % block_size), value,
                       lines.number()});
  };
  std::string_view line;
  for (std::int64_t n = 0; n < size.count; ++n) {
    if (!lines.next_data(line)) lines.fail_at_end(size.count, n, "entries");
    std::int64_t at[2];
    double value = 0;
    if (!parse_line(line, at, &value)) {
      lines.fail("expected row, column and value, got " + quoted(line));
    }
    for (const std::int64_t index : at) {
      if (index < 1 || index > size.rows) {
        lines.fail("expected rows and columns 1 to " + std::to_string(size.rows) + ", got " +
                   std::to_string(index));
      }
    }
    if (!std::isfinite(value)) lines.fail("expected a finite value, got " + quoted(line));
    add(at[0] - 1, at[1] - 1, value);
    if (!symmetric) continue;
    if (at[0] < at[1]) lines.fail("expected the lower triangle of a symmetric matrix alone");
    if (at[0] != at[1]) add(at[1] - 1, at[0] - 1, value);
  }
  if (lines.next_data(line)) {
    lines.fail("expected the end after " + std::to_string(size.count) + " entries, got " +
               quoted(line));
  }
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

}  // namespace

MatrixMarketBlocks read_matrix_market(const Path& file, int block_size,
                                      const std::function<double()>& available_bytes) {
  Lines lines(file, '%');
  const bool symmetric = read_banner(lines, "coordinate");
  const EntrySize size = read_size(lines, block_size);
  std::vector<Entry> entries = read_entries(lines, size, symmetric, block_size);
  sort_entries(file, entries);
  MatrixMarketBlocks matrix =
      pattern_of(file, entries, static_cast<int>(size.rows / block_size), block_size);
  if (available_bytes) require_room(file, matrix, available_bytes());
  fill_blocks(entries, matrix);
  return matrix;
}

std::vector<double> read_matrix_market_vector(const Path& file, std::size_t size) {
  Lines lines(file, '%');
  read_banner(lines, "array");
  std::string_view line;
  if (!lines.next_data(line)) lines.fail("expected rows and columns, the file ends");
  const auto count = static_cast<std::int64_t>(size);
  std::int64_t extents[2];
  if (!parse_line(line, extents, nullptr)) {
    lines.fail("expected numbers of rows and columns, got " + quoted(line));
  }
  if (extents[0] != count || extents[1] != 1) {
    lines.fail("expected " + std::to_string(count) + " rows and 1 column, got " +
               std::to_string(extents[0]) + " and " + std::to_string(extents[1]));
  }
  std::vector<double> values;
  for (std::int64_t n = 0; n < count; ++n) {
    if (!lines.next_data(line)) lines.fail_at_end(count, n, "values");
    std::string_view rest = line;
    double value = 0;
    if (!parse(take_word(rest), value) || !take_word(rest).empty() || !std::isfinite(value)) {
      lines.fail("expected a finite value, got " + quoted(line));
    }
    values.push_back(value);
  }
  if (lines.next_data(line)) {
    lines.fail("expected the end after " + std::to_string(count) + " values, got " + quoted(line));
  }
  return values;
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
