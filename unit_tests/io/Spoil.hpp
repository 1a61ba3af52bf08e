// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// The ways in which tests spoil the text of a file. All are deterministic.

#include <reference/Hash.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace LaminaTest {

using OnText = std::function<void(const std::string&)>;

/// Ends after each byte.
inline void truncate_everywhere(const std::string& text, const OnText& on_text) {
  for (std::size_t n = 0; n < text.size(); ++n) on_text(text.substr(0, n));
}

/// Each byte replaced by others, or with one of its bits flipped.
inline void replace_bytes(const std::string& text, const OnText& on_text) {
  constexpr std::string_view others("\0\n 9-%.$\xff", 9);
  std::string spoilt = text;
  for (std::size_t n = 0; n < text.size(); ++n) {
    for (const char other : others) {
      spoilt[n] = other;
      on_text(spoilt);
    }
    spoilt[n] = static_cast<char>(text[n] ^ (1 << n % 8));
    on_text(spoilt);
    spoilt[n] = text[n];
  }
}

/// Begin and length of each word.
inline std::vector<std::pair<std::size_t, std::size_t>> words_of(const std::string& text) {
  constexpr const char* blanks = " \n";
  std::vector<std::pair<std::size_t, std::size_t>> words;
  std::size_t begin = text.find_first_not_of(blanks);
  while (begin != std::string::npos) {
    const std::size_t end = std::min(text.find_first_of(blanks, begin), text.size());
    words.emplace_back(begin, end - begin);
    begin = text.find_first_not_of(blanks, end);
  }
  return words;
}

/// What stands in the place of a number.
inline constexpr const char* wrong_numbers[] = {"",
                                                "0",
                                                "-1",
                                                "2",
                                                "1000",
                                                "2147483647",
                                                "4294967296",
                                                "9223372036854775807",
                                                "-9223372036854775808",
                                                "18446744073709551616",
                                                "1e308",
                                                "-1e999",
                                                "1e-999",
                                                "nan",
                                                "-inf",
                                                "0x1p3",
                                                "1.",
                                                "--1"};

inline void replace_words(const std::string& text, const OnText& on_text) {
  for (const auto& [begin, length] : words_of(text)) {
    for (const char* other : wrong_numbers) {
      on_text(std::string(text).replace(begin, length, other));
    }
  }
}

/// Lines with their ends.
inline std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
    lines.push_back(text.substr(begin, end - begin));
    begin = end;
  }
  return lines;
}

inline std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line;
  return text;
}

/// Each line left out, given twice, emptied, or exchanged with each of the others.
inline void rearrange_lines(const std::string& text, const OnText& on_text) {
  const std::vector<std::string> lines = lines_of(text);
  for (std::size_t n = 0; n < lines.size(); ++n) {
    for (const std::string& other : {std::string(), lines[n] + lines[n], std::string("\n")}) {
      std::vector<std::string> spoilt = lines;
      spoilt[n] = other;
      on_text(joined(spoilt));
    }
    for (std::size_t m = 0; m < n; ++m) {
      std::vector<std::string> spoilt = lines;
      std::swap(spoilt[m], spoilt[n]);
      on_text(joined(spoilt));
    }
  }
}

/// Several words replaced at once by wrong numbers, or by other words of the text.
inline void replace_some_words(const std::string& text, std::uint64_t count,
                               const OnText& on_text) {
  const auto pick = [](std::uint64_t hash, std::size_t extent) {
    return static_cast<std::size_t>(hash % extent);
  };
  for (std::uint64_t n = 0; n < count; ++n) {
    std::string spoilt = text;
    for (std::uint64_t k = 0; k < 2 + n % 3; ++k) {
      const auto words = words_of(spoilt);
      const auto hash = [&](std::uint64_t use) {
        return Reference::splitmix64(16 * n + 4 * k + use);
      };
      const auto [begin, length] = words[pick(hash(0), words.size())];
      const auto [other, other_length] = words[pick(hash(1), words.size())];
      const std::string replacement = hash(2) % 2 == 0
                                          ? wrong_numbers[pick(hash(3), std::size(wrong_numbers))]
                                          : spoilt.substr(other, other_length);
      spoilt.replace(begin, length, replacement);
    }
    on_text(spoilt);
  }
}

}  // namespace LaminaTest
