// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Vectors as Kokkos Kernels takes them.

#include <blocks/BlockCase.hpp>

namespace LaminaTest {

using KernelsVector = Kokkos::View<double*, Kokkos::Device<TEST_SPACE, Memory>>;

inline KernelsVector kernels_vector(const Values& values) {
  const KernelsVector vector("LaminaTest::vector", values.size());
  Kokkos::deep_copy(vector, device_copy(values));
  return vector;
}
inline Values values_of(const KernelsVector& vector) {
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), vector);
  return {host.data(), host.data() + host.size()};
}

}  // namespace LaminaTest
