// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Require.hpp>
#include <lamina/io/MatrixMarketFile.hpp>
#include <lamina/io/PendingFile.hpp>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>

#include "EntryList.hpp"

namespace Lamina {
namespace {

using Path = std::filesystem::path;

using Impl::EntrySize, Impl::quoted, Impl::take_value;
using Lines = Impl::TextLines;

/// The values that are wanted of a vector.
struct WantedValues {
  std::size_t size;                       ///< of the vector
  int block_size = 1;                     ///< values of a row
  const std::vector<std::int64_t>* rows;  ///< ascending; null: all

  std::size_t count() const {
    return rows == nullptr ? size : rows->size() * static_cast<std::size_t>(block_size);
  }
  /// Where a value of the vector goes; none: it is not wanted.
  std::optional<std::size_t> place(std::int64_t n) const {
    if (rows == nullptr) return static_cast<std::size_t>(n);
    const auto row = std::lower_bound(rows->begin(), rows->end(), n / block_size);
    return place_from(n, static_cast<std::size_t>(row - rows->begin()));
  }
  /// The same.
  /// \param next  of the rows, with which the last search ended; values come in their order
  std::optional<std::size_t> place_after(std::int64_t n, std::size_t& next) const {
    if (rows == nullptr) return static_cast<std::size_t>(n);
    while (next < rows->size() && (*rows)[next] < n / block_size) ++next;
    return place_from(n, next);
  }

 private:
  /// \param at  the first row that is not before that of the value
  std::optional<std::size_t> place_from(std::int64_t n, std::size_t at) const {
    if (at == rows->size() || (*rows)[at] != n / block_size) return std::nullopt;
    return at * static_cast<std::size_t>(block_size) + static_cast<std::size_t>(n % block_size);
  }
};

/// The values of an array, one a line.
std::vector<double> read_array(Lines& lines, std::int64_t count, const WantedValues& wanted) {
  std::vector<double> values(wanted.count());
  std::string_view line;
  std::size_t next = 0;
  for (std::int64_t n = 0; n < count; ++n) {
    if (!lines.next_data(line)) lines.fail_at_end(count, n, "values");
    const double value = take_value(lines, line);
    if (const auto place = wanted.place_after(n, next)) values[*place] = value;
  }
  Impl::require_end(lines, count, "values");
  return values;
}

/// The values of a list of entries in one column; those that are not named are 0.
std::vector<double> read_list(Lines& lines, const EntrySize& size, const WantedValues& wanted) {
  std::vector<double> values(wanted.count(), 0.0);
  std::vector<std::int64_t> lines_of_rows(values.size(), 0);
  for (std::int64_t n = 0; n < size.count; ++n) {
    const Impl::ListEntry entry = Impl::read_entry(lines, size, n);
    const auto row = wanted.place(entry.row);
    if (!row) continue;
    if (lines_of_rows[*row] > 0) {
      lines.fail("expected each entry once, got that of line " +
                 std::to_string(lines_of_rows[*row]) + " again");
    }
    lines_of_rows[*row] = lines.number();
    values[*row] = entry.value;
  }
  Impl::require_end(lines, size.count, "entries");
  return values;
}

void require_vector(const Lines& lines, std::int64_t expected, std::int64_t rows,
                    std::int64_t columns) {
  if (rows == expected && columns == 1) return;
  lines.fail("expected " + std::to_string(expected) + " rows and 1 column, got " +
             std::to_string(rows) + " and " + std::to_string(columns) +
             (columns > 1 ? "; one right-hand side a file" : ""));
}

std::vector<double> read_vector(const Path& file, const WantedValues& wanted) {
  Lines lines(file, '%');
  const Impl::Banner banner = Impl::read_banner(lines, {"array", "coordinate"}, {"general"});
  const auto expected = static_cast<std::int64_t>(wanted.size);
  if (banner.format == "coordinate") {
    const EntrySize stated = Impl::read_size(lines);
    require_vector(lines, expected, stated.rows, stated.columns);
    return read_list(lines, stated, wanted);
  }
  std::string_view line;
  if (!lines.next_data(line)) lines.fail("expected rows and columns, the file ends");
  std::int64_t extents[2];
  if (!Impl::parse_line(line, extents)) {
    lines.fail("expected numbers of rows and columns, got " + quoted(line));
  }
  require_vector(lines, expected, extents[0], extents[1]);
  return read_array(lines, expected, wanted);
}

}  // namespace

std::vector<double> read_matrix_market_vector(const Path& file, std::size_t size) {
  return read_vector(file, {.size = size, .rows = nullptr});
}

std::vector<double> read_matrix_market_vector_rows(const Path& file, std::size_t size,
                                                   int block_size,
                                                   const std::vector<std::int64_t>& rows) {
  constexpr const char* function = "read_matrix_market_vector_rows";
  Impl::require_ascending(function, rows);
  const std::size_t num_rows = size / static_cast<std::size_t>(block_size);
  LAMINA_REQUIRE(rows.empty() || static_cast<std::size_t>(rows.back()) < num_rows, function,
                 "rows: expected numbers below " + std::to_string(num_rows) + ", got " +
                     std::to_string(rows.back()));
  return read_vector(file, {.size = size, .block_size = block_size, .rows = &rows});
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
