// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <support/OwnStream.hpp>

#if KOKKOS_VERSION >= 40000 && defined(KOKKOS_ENABLE_CUDA)
namespace LaminaTest {

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
template <>
inline constexpr bool are_told_apart<Kokkos::Cuda> = true;

}  // namespace LaminaTest
#endif
