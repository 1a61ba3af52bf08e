// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/distributed/HaloExchange.hpp>

namespace Lamina::Impl {

/// Halo items of a field become those of their owners; nothing on one process.
template <class Space, class Memory, class Field>
void exchange_halo(const Space& space, const HaloExchange<Memory>& halo, const Field& field) {
  if (halo.empty()) return;
  halo.start(space, field);
  halo.finish(space);
}

}  // namespace Lamina::Impl
