// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>

namespace LaminaTest {

#if KOKKOS_VERSION >= 40000 && defined(KOKKOS_ENABLE_CUDA)
/// Kokkos tells the truth about instances and fences from version 4 on, and about them apart from
/// each other only on a device.
inline constexpr bool instances_are_told_apart = std::is_same_v<TEST_SPACE, Kokkos::Cuda>;

/// Makes an instance on a stream of its own.
class OwnStream {
 public:
  OwnStream() {
    if constexpr (instances_are_told_apart) cudaStreamCreate(&m_stream);
  }
  ~OwnStream() {
    if constexpr (instances_are_told_apart) cudaStreamDestroy(m_stream);
  }
  OwnStream(const OwnStream&) = delete;
  OwnStream& operator=(const OwnStream&) = delete;

  TEST_SPACE space() const {
    if constexpr (instances_are_told_apart) {
      return TEST_SPACE(m_stream);
    } else {
      return {};
    }
  }
  /// As tools hear of it.
  static std::uint32_t id(const TEST_SPACE& space) {
    return Kokkos::Tools::Experimental::device_id(space);
  }

 private:
  cudaStream_t m_stream{};
};
#else
inline constexpr bool instances_are_told_apart = false;

/// Stands for what there is elsewhere.
class OwnStream {
 public:
  TEST_SPACE space() const { return {}; }
  static std::uint32_t id(const TEST_SPACE&) { return 0; }
};
#endif

}  // namespace LaminaTest
