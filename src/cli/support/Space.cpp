// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/Space.hpp"

#include <Kokkos_Core.hpp>

namespace Lamina::Cli {

// Each in a file of its own.
Space cuda_space();
Space openmp_space();
Space serial_space();

const std::vector<Space>& enabled_spaces() {
  static const std::vector<Space> spaces {
#if defined(KOKKOS_ENABLE_CUDA)
    cuda_space(),
#endif
#if defined(KOKKOS_ENABLE_OPENMP)
        openmp_space(),
#endif
#if defined(KOKKOS_ENABLE_SERIAL)
        serial_space(),
#endif
  };
  return spaces;
}

Choices<const Space*> space_choices() {
  Choices<const Space*> choices;
  for (const Space& space : enabled_spaces()) choices.push_back({space.name, &space});
  return choices;
}

}  // namespace Lamina::Cli
