// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace LaminaTest {

/// Makes an instance on a stream of its own, where Kokkos tells the truth about instances and
/// fences: from version 4 on, and about them apart from each other only on a device. Elsewhere it
/// stands for the instance that there is.
template <class Space>
class OwnStreamOf {
 public:
  Space space() const { return {}; }
  /// As tools hear of it.
  static std::uint32_t id(const Space&) { return 0; }
};
template <class Space>
inline constexpr bool are_told_apart = false;

}  // namespace LaminaTest

#include <support/OwnStream_Cuda.hpp>

namespace LaminaTest {

inline constexpr bool instances_are_told_apart = are_told_apart<TEST_SPACE>;
using OwnStream = OwnStreamOf<TEST_SPACE>;

}  // namespace LaminaTest
