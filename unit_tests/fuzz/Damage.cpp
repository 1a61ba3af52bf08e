// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Damage.hpp"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "io/Spoil.hpp"

namespace LaminaFuzz {
namespace {

using Way = void (*)(Random& random, std::string& bytes, const std::string& other);

/// Begin and length of a piece.
std::pair<std::size_t, std::size_t> piece(Random& random, const std::string& bytes) {
  const std::size_t begin = random.below(bytes.size() + 1);
  const std::size_t longest = random.chance(80) ? 16 : 4096;
  return {begin, std::min(bytes.size() - begin, 1 + random.below(longest))};
}

void truncate(Random& random, std::string& bytes, const std::string&) {
  bytes.resize(random.below(bytes.size() + 1));
}

void flip_bits(Random& random, std::string& bytes, const std::string&) {
  for (int n = random.from_to(1, 4); n > 0; --n) {
    char& byte = bytes[random.below(bytes.size())];
    byte = static_cast<char>(byte ^ (1 << random.below(8)));
  }
}

void replace_bytes(Random& random, std::string& bytes, const std::string&) {
  constexpr std::string_view others("\0\1\n\r\t 9-%.$\x1b\x7f\x80\xfe\xff", 16);
  for (int n = random.from_to(1, 4); n > 0; --n) {
    bytes[random.below(bytes.size())] = random.pick(others);
  }
}

/// Numbers of 4 and 8 bytes that binary files count with.
void replace_count(Random& random, std::string& bytes, const std::string&) {
  constexpr std::uint64_t counts[] = {0,          1,          ~0ull,           0x7fffffff,
                                      0x80000000, 0xffffffff, 1ull << 40 | 16, 1ull << 63};
  const std::uint64_t count = random.pick(counts);
  const std::size_t size = random.chance(50) ? 4 : 8, place = random.below(bytes.size());
  const bool big_endian = random.chance(30);
  for (std::size_t n = 0; n < size && place + n < bytes.size(); ++n) {
    bytes[place + n] = static_cast<char>(count >> 8 * (big_endian ? size - 1 - n : n));
  }
}

void fill_piece(Random& random, std::string& bytes, const std::string&) {
  const auto [begin, length] = piece(random, bytes);
  bytes.replace(begin, length, length, random.chance(70) ? '\0' : '\xff');
}

void remove_piece(Random& random, std::string& bytes, const std::string&) {
  const auto [begin, length] = piece(random, bytes);
  bytes.erase(begin, length);
}

void splice(Random& random, std::string& bytes, const std::string& other) {
  const auto [from, count] = piece(random, other);
  const auto [begin, length] = piece(random, bytes);
  bytes.replace(begin, random.chance(50) ? length : 0, other, from, count);
}

void repeat(Random& random, std::string& bytes, const std::string&) {
  const auto [from, count] = piece(random, bytes);
  const std::string part = bytes.substr(from, count);
  for (int n = random.from_to(1, 20); n > 0; --n) bytes.insert(from, part);
}

void rearrange_lines(Random& random, std::string& bytes, const std::string&) {
  std::vector<std::string> lines = LaminaTest::lines_of(bytes);
  if (lines.empty()) return;
  std::string& line = lines[random.below(lines.size())];
  switch (random.below(4)) {
    case 0: std::swap(line, lines[random.below(lines.size())]); break;
    case 1: line += line; break;
    case 2: line.clear(); break;
    default: line = "\n";
  }
  bytes = LaminaTest::joined(lines);
}

void replace_words(Random& random, std::string& bytes, const std::string&) {
  for (int n = random.from_to(1, 3); n > 0; --n) {
    const auto words = LaminaTest::words_of(bytes);
    if (words.empty()) return;
    const auto [begin, length] = random.pick(words);
    const auto [from, count] = random.pick(words);
    const std::string replacement =
        random.chance(70) ? random.pick(LaminaTest::wrong_numbers) : bytes.substr(from, count);
    bytes.replace(begin, length, replacement);
  }
}

void other_line_ends(Random& random, std::string& bytes, const std::string&) {
  const std::string end = random.word({"\r\n", "\r", " \n", "\n\n", ""});
  std::string result;
  for (const char byte : bytes) result += byte == '\n' ? end : std::string(1, byte);
  bytes = result;
}

constexpr Way ways_of_any[] = {truncate,   flip_bits,    replace_bytes, replace_count,
                               fill_piece, remove_piece, splice,        repeat};
constexpr Way ways_of_text[] = {rearrange_lines, replace_words, other_line_ends};

}  // namespace

std::string damaged(Random& random, const std::string& bytes, const std::string& other,
                    bool is_text) {
  std::string result = bytes;
  for (int n = random.chance(70) ? 1 : random.from_to(2, 4); n > 0; --n) {
    if (result.empty()) break;
    const Way way =
        is_text && random.chance(60) ? random.pick(ways_of_text) : random.pick(ways_of_any);
    way(random, result, other);
  }
  return result;
}

}  // namespace LaminaFuzz
