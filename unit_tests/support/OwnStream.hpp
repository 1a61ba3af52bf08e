// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace LaminaTest {

/// Whether Kokkos tells the truth about instances and fences: from version 4 on, and about them
/// apart from each other only on a device.
inline constexpr bool instances_are_told_apart =
    KOKKOS_VERSION >= 40000 && !Lamina::runs_on_host<TEST_SPACE>;

/// Makes an instance on a stream of its own, where Kokkos tells them apart. Elsewhere it stands for
/// the instance that there is.
class OwnStream {
 public:
  OwnStream() = default;
  OwnStream(const OwnStream&) = delete;
  OwnStream& operator=(const OwnStream&) = delete;

  TEST_SPACE space() const { return m_space; }

#if KOKKOS_VERSION >= 40000
  /// As tools hear of it.
  static std::uint32_t id(const TEST_SPACE& space) {
    return instances_are_told_apart ? Kokkos::Tools::Experimental::device_id(space) : 0;
  }

 private:
  static TEST_SPACE make() {
    if constexpr (instances_are_told_apart) {
      return Kokkos::Experimental::partition_space(TEST_SPACE(), 1)[0];
    } else {
      return {};
    }
  }
#else
  static std::uint32_t id(const TEST_SPACE&) { return 0; }

 private:
  static TEST_SPACE make() { return {}; }
#endif

  TEST_SPACE m_space = make();
};

}  // namespace LaminaTest
