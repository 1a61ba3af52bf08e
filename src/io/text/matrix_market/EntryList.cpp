// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "EntryList.hpp"

#include <lamina/core/Require.hpp>

#include <algorithm>
#include <string>

namespace Lamina::Impl {
namespace {

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

}  // namespace

Banner read_banner(TextLines& lines, const Words& formats, const Words& symmetries) {
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

double take_value(const TextLines& lines, std::string_view line) {
  double value = 0;
  const std::string problem = parse_real(take_word(line), value);
  if (!problem.empty()) lines.fail(problem);
  if (const auto more = take_word(line); !more.empty()) {
    lines.fail("expected the end of the line, got " + quoted(more));
  }
  return value;
}

ListEntry read_entry(TextLines& lines, const EntrySize& size, std::int64_t n) {
  std::string_view line;
  if (!lines.next_data(line)) lines.fail_at_end(size.count, n, "entries");
  std::string_view rest = line;
  std::int64_t at[2];
  const bool has_indices = take_numbers(rest, std::span(at));
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

void require_end(TextLines& lines, std::int64_t count, const char* what) {
  std::string_view line;
  if (!lines.next_data(line)) return;
  lines.fail("expected the end after " + std::to_string(count) + ' ' + what + ", got " +
             quoted(line));
}

void require_ascending(const char* function, const std::vector<std::int64_t>& rows) {
  std::int64_t before = -1;
  for (const std::int64_t row : rows) {
    LAMINA_REQUIRE(row > before, function,
                   "rows: expected ascending numbers from 0, got " + std::to_string(row) +
                       (before < 0 ? "" : " after " + std::to_string(before)));
    before = row;
  }
}

EntrySize read_size(TextLines& lines) {
  std::string_view line;
  if (!lines.next_data(line)) lines.fail("expected rows, columns and entries, the file ends");
  std::int64_t size[3];
  if (!parse_line(line, size) || size[0] < 0 || size[1] < 0 || size[2] < 0) {
    lines.fail("expected numbers of rows, columns and entries, got " + quoted(line));
  }
  return {size[0], size[1], size[2]};
}

}  // namespace Lamina::Impl
