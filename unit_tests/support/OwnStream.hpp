// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>

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

#if KOKKOS_VERSION >= 40000 && defined(KOKKOS_ENABLE_CUDA)
template <>
class OwnStreamOf<Kokkos::Cuda> {
 public:
  OwnStreamOf() { cudaStreamCreate(&m_stream); }
  ~OwnStreamOf() { cudaStreamDestroy(m_stream); }
  OwnStreamOf(const OwnStreamOf&) = delete;
  OwnStreamOf& operator=(const OwnStreamOf&) = delete;

  Kokkos::Cuda space() const { return Kokkos::Cuda(m_stream); }
  static std::uint32_t id(const Kokkos::Cuda& space) {
    return Kokkos::Tools::Experimental::device_id(space);
  }

 private:
  cudaStream_t m_stream{};
};
inline constexpr bool instances_are_told_apart = std::is_same_v<TEST_SPACE, Kokkos::Cuda>;
#else
inline constexpr bool instances_are_told_apart = false;
#endif

using OwnStream = OwnStreamOf<TEST_SPACE>;

}  // namespace LaminaTest
