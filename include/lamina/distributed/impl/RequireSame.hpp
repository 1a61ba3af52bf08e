// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/distributed/Transport.hpp>

#include <vector>

namespace Lamina::Impl {

/// A parameter that all ranks must have alike.
struct SharedParameter {
  const char* name;
  double value;
};

/// Checks parameters, as many on all ranks. Collective.
/// \throws InvalidArgument on all ranks, with the same message, where ranks have other values
void require_same(const char* function, const Transport& transport,
                  const std::vector<SharedParameter>& parameters);

}  // namespace Lamina::Impl
