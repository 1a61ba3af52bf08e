// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/distributed/GlobalReduction.hpp>
#include <lamina/distributed/HaloExchange.hpp>

#include <cstddef>

namespace Lamina {

/// What a solver over several ranks needs: how halo items are updated, and how sums become global.
/// The default is one process. Copies share the buffers.
template <MemorySpace Memory>
struct Decomposition {
  HaloExchange<Memory> halo{};
  GlobalReduction<Memory> reduction{};

  Decomposition() {}  // NOLINT(modernize-use-equals-default): see ColumnMesh
  /// Collective. See the constructors of both.
  Decomposition(const Transport& transport, const HaloPattern& pattern,
                std::size_t most_bytes_per_item)
      : halo(transport, pattern, most_bytes_per_item), reduction(transport) {}
};

}  // namespace Lamina
