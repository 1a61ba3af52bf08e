// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <gtest/gtest.h>
#include <support/TestField.hpp>

namespace LaminaTest {

template <class Scalar>
using DeviceVector = Kokkos::View<Scalar*, Memory>;

template <class Scalar>
DeviceVector<Scalar> to_device(const Values& values) {
  const Kokkos::View<Scalar*, Kokkos::HostSpace> host("LaminaTest::host", values.size());
  for (std::size_t i = 0; i < values.size(); ++i) host(i) = static_cast<Scalar>(values[i]);
  return Kokkos::create_mirror_view_and_copy(Memory(), host);
}
template <class Scalar>
Values to_host(const DeviceVector<Scalar>& view) {
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
  return Values(host.data(), host.data() + host.extent(0));
}

using LineScalars = testing::Types<float, double>;

}  // namespace LaminaTest
