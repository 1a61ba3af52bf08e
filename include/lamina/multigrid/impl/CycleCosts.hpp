// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Labels and costs of the kernels of a cycle.

#include <lamina/core/KernelRecord.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace Lamina::Impl {

/// What labels of a level of a class begin with; 0: the finest.
inline std::string level_prefix(const char* name, std::size_t level) {
  std::string prefix = std::string("Lamina::") + name + "::";
  if (level > 0) prefix += "level_" + std::to_string(level) + "::";
  return prefix;
}

/// Calls of a kernel in a cycle, and the mean cost of one.
struct CountedKernel {
  double calls = 0;
  KernelCost cost{};
};
using CountedKernels = std::vector<CountedKernel>;

inline void append_costs(const CountedKernels& kernels, std::vector<KernelCost>& costs) {
  for (const auto& [calls, cost] : kernels) costs.push_back(cost);
}
inline void add_calls(const CountedKernels& kernels, KernelCost& sum) {
  for (const auto& [calls, cost] : kernels) {
    sum.bytes += calls * cost.bytes;
    sum.flops += calls * cost.flops;
  }
}

}  // namespace Lamina::Impl
