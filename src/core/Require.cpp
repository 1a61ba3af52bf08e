// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Require.hpp>

namespace Lamina::Impl {

void fail_requirement(const char* function, const std::string& message) {
  throw InvalidArgument("Lamina::" + std::string(function) + ": " + message);
}

void require_extent(const char* function, const char* argument, const char* what,
                    long long expected, long long got) {
  if (expected != got) {
    fail_requirement(function, "argument " + std::string(argument) + ": expected " +
                                   std::to_string(expected) + ' ' + what + ", got " +
                                   std::to_string(got));
  }
}

void require_initialized(const char* function) {
  LAMINA_REQUIRE(Kokkos::is_initialized(), function,
                 "expected a call between Kokkos::initialize and Kokkos::finalize");
}

}  // namespace Lamina::Impl
