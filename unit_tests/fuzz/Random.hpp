// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <reference/Hash.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace LaminaFuzz {

/// Numbers that a seed decides, the same on every machine.
class Random {
 public:
  explicit Random(std::uint64_t seed) : m_seed(seed) {}

  std::uint64_t bits() { return Reference::splitmix64(m_seed + 0x2545F4914F6CDD1Du * m_use++); }
  /// From 0 to `extent` - 1.
  std::size_t below(std::size_t extent) { return static_cast<std::size_t>(bits() % extent); }
  int from_to(int lowest, int highest) {
    return lowest + static_cast<int>(below(static_cast<std::size_t>(highest - lowest) + 1));
  }
  /// True in so many cases of a hundred.
  bool chance(unsigned percent) { return below(100) < percent; }
  double unit() { return static_cast<double>(bits() >> 11) / 9007199254740992.0; }  // 2^53
  template <class Container>
  const auto& pick(const Container& all) {
    return all[below(std::size(all))];
  }
  std::string word(const std::vector<std::string>& all) { return pick(all); }

 private:
  std::uint64_t m_seed, m_use = 0;
};

}  // namespace LaminaFuzz
