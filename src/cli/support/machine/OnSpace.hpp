// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/device/impl/Instantiate.hpp>

#include <stdexcept>

#include "support/machine/Space.hpp"

namespace Lamina::Cli {

/// call(instance) with the execution space that `space` describes. To be called while Kokkos is initialised.
template <class Call>
auto on_space(const Space& space, const Call& call) {
#define LAMINA_CALL(Execution) \
  if (space.type == typeid(Execution)) return call(Execution());
  LAMINA_FOR_EACH_SPACE(LAMINA_CALL)
#undef LAMINA_CALL
  throw std::logic_error("a space that is not in this build: " + space.name);
}

}  // namespace Lamina::Cli
