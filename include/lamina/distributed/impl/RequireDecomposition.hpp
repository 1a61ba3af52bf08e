// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Require.hpp>
#include <lamina/distributed/Decomposition.hpp>

#include <string>

namespace Lamina::Impl {

/// Checks that fields of so many items, of which some are owned, have no halo items, or can be
/// exchanged over `ranks`. An exchange would find it out in the middle of a solve, on one rank.
/// \param argument  has the fields
/// \param what      the items
template <class Memory>
void require_decomposition(const char* function, const char* argument, const char* what,
                           const Decomposition<Memory>& ranks, int num_owned, int num_items) {
  if (!ranks.halo.empty()) {
    require_extent(function, "ranks", what, num_items, ranks.halo.num_items());
    return;
  }
  LAMINA_REQUIRE(num_owned == num_items, function,
                 std::string(argument) + ": expected no halo " + what +
                     ", or a decomposition, got " + std::to_string(num_items - num_owned));
}

}  // namespace Lamina::Impl
