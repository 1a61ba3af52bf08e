// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/io/FileError.hpp>
#include <lamina/io/MatrixMarketFile.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <compare>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "EntryList.hpp"

namespace Lamina {
namespace {

using Path = std::filesystem::path;
using Rows = std::vector<std::int64_t>;

using Impl::EntrySize, Impl::quoted, Impl::take_word;
using Lines = Impl::TextLines;

/// An entry of a block.
struct Entry {
  int block_row, block_column;
  int place;  ///< in the block
  double value;
  std::int64_t line;
};

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

/// A matrix file whose sizes have been read, and its entries have not.
struct MatrixFile {
  Lines lines;
  EntrySize size{};
  bool symmetric = false;
  int block_size;

  MatrixFile(const Path& file, int size_of_blocks) : lines(file, '%'), block_size(size_of_blocks) {
    symmetric =
        Impl::read_banner(lines, {"coordinate"}, {"general", "symmetric"}).symmetry == "symmetric";
    size = Impl::read_size(lines);
    require_blocks(lines, size, block_size);
  }
  int num_rows() const { return static_cast<int>(size.rows / block_size); }

  /// Calls visit(row, column, value) for all entries of the matrix, to the end of the file.
  template <class Visit>
  void for_each_entry(const Visit& visit) {
    for (std::int64_t n = 0; n < size.count; ++n) {
      const Impl::ListEntry entry = Impl::read_entry(lines, size, n);
      visit(entry.row, entry.column, entry.value);
      if (!symmetric) continue;
      if (entry.row < entry.column) {
        lines.fail("expected the lower triangle of a symmetric matrix alone");
      }
      if (entry.row != entry.column) visit(entry.column, entry.row, entry.value);
    }
    Impl::require_end(lines, size.count, "entries");
  }
};

/// \param wanted  of each block row, whether its entries are kept; none: all are
std::vector<Entry> read_entries(MatrixFile& file, const std::vector<bool>& wanted = {}) {
  std::vector<Entry> entries;
  const int size = file.block_size;
  file.for_each_entry([&](std::int64_t row, std::int64_t column, double value) {
    if (!wanted.empty() && !wanted[static_cast<std::size_t>(row / size)]) return;
    entries.push_back({static_cast<int>(row / size), static_cast<int>(column / size),
                       static_cast<int>(column % size * size + row % size), value,
                       file.lines.number()});
  });
  return entries;
}

/// Where a block is.
struct BlockPlace {
  int block_row, block_column;

  friend auto operator<=>(const BlockPlace&, const BlockPlace&) = default;
  friend bool operator==(const BlockPlace&,
                         const BlockPlace&) = default;  // nvcc does not make it of the one above
};

/// The blocks that have entries, each once and in their order.
std::vector<BlockPlace> read_places(MatrixFile& file) {
  constexpr std::size_t least = std::size_t{1} << 20;
  std::vector<BlockPlace> places;
  std::size_t most = least;
  const auto make_unique = [&] {
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
    most = std::max(least, 2 * places.size());
  };
  file.for_each_entry([&](std::int64_t row, std::int64_t column, double) {
    const BlockPlace place{static_cast<int>(row / file.block_size),
                           static_cast<int>(column / file.block_size)};
    if (!places.empty() && places.back() == place) return;
    if (places.size() == most) make_unique();
    places.push_back(place);
  });
  make_unique();
  return places;
}

template <class Item>
bool same_block(const Item& a, const Item& b) {
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
/// \param rows  the block rows that the entries are of; null: all
template <class Item>
MatrixMarketBlocks pattern_of(const Path& file, const MatrixFile& of_file,
                              const std::vector<Item>& entries, const Rows* rows) {
  MatrixMarketBlocks matrix;
  matrix.block_size = of_file.block_size;
  std::size_t n = 0;
  const std::size_t count =
      rows != nullptr ? rows->size() : static_cast<std::size_t>(of_file.num_rows());
  for (std::size_t at = 0; at < count; ++at) {
    const auto row = rows != nullptr ? (*rows)[at] : static_cast<std::int64_t>(at);
    bool has_diagonal = false;
    for (; n < entries.size() && entries[n].block_row == row; ++n) {
      if (n > 0 && same_block(entries[n - 1], entries[n])) continue;
      matrix.columns.push_back(entries[n].block_column);
      has_diagonal = has_diagonal || entries[n].block_column == row;
    }
    if (!has_diagonal) {
      throw FileError(file, "expected a diagonal block in each block row, block row " +
                                std::to_string(row + 1) + " of " +
                                std::to_string(of_file.num_rows()) + " has none");
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

/// The blocks of entries that have been read, of some block rows or all.
MatrixMarketBlocks blocks_of(const Path& file, const MatrixFile& of_file,
                             std::vector<Entry> entries, const Rows* rows,
                             const std::function<double()>& available_bytes) {
  sort_entries(file, entries);
  MatrixMarketBlocks matrix = pattern_of(file, of_file, entries, rows);
  if (available_bytes) require_room(file, matrix, available_bytes());
  fill_blocks(entries, matrix);
  return matrix;
}

}  // namespace

std::optional<int> find_block_size(const Path& file) {
  Lines lines(file);
  std::string_view line;
  while (lines.next_data_beginning(line) && line.front() == '%') {
    line.remove_prefix(1);
    if (take_word(line) != "ISTL_STRUCT" || take_word(line) != "blocked") continue;
    std::int64_t extents[2];
    if (!Impl::parse_line(line, extents) || extents[0] != extents[1] || extents[0] < 1 ||
        extents[0] > std::numeric_limits<int>::max()) {
      lines.fail("expected \"% ISTL_STRUCT blocked\" and the extents of square blocks");
    }
    return static_cast<int>(extents[0]);
  }
  return std::nullopt;
}

MatrixMarketBlocks read_matrix_market(const Path& file, int block_size,
                                      const std::function<double()>& available_bytes) {
  MatrixFile of_file(file, block_size);
  return blocks_of(file, of_file, read_entries(of_file), nullptr, available_bytes);
}

MatrixMarketBlocks read_matrix_market_pattern(const Path& file, int block_size) {
  MatrixFile of_file(file, block_size);
  return pattern_of(file, of_file, read_places(of_file), nullptr);
}

MatrixMarketBlocks read_matrix_market_rows(const Path& file, int block_size, const Rows& rows,
                                           const std::function<double()>& available_bytes) {
  Impl::require_ascending("read_matrix_market_rows", rows);
  MatrixFile of_file(file, block_size);
  if (!rows.empty() && rows.back() >= of_file.num_rows()) {
    of_file.lines.fail("expected more than " + std::to_string(rows.back()) + " block rows, got " +
                       std::to_string(of_file.num_rows()));
  }
  std::vector<bool> wanted(static_cast<std::size_t>(of_file.num_rows()), false);
  for (const std::int64_t row : rows) wanted[static_cast<std::size_t>(row)] = true;
  return blocks_of(file, of_file, read_entries(of_file, wanted), &rows, available_bytes);
}

}  // namespace Lamina
