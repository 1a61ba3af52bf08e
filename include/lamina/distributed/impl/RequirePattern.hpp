// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/distributed/HaloPattern.hpp>
#include <lamina/distributed/Transport.hpp>

#include <cstddef>

namespace Lamina::Impl {

/// Checks a pattern by itself.
/// \throws InvalidArgument for peers, local numbers and parts out of range
void require_pattern(const char* function, const HaloPattern& pattern, int num_ranks);

/// Checks that what each rank sends is what the other one expects. Collective, with a pattern that
/// `require_pattern` has let pass.
/// \throws InvalidArgument where it is not, and for other bytes of an item. On several ranks it is
///   `RankFailure`, on all of them.
void require_match(const char* function, const Transport& transport, const HaloPattern& pattern,
                   std::size_t most_bytes_per_item);

}  // namespace Lamina::Impl
