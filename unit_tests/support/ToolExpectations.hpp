// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// What calls of the library promise about what a tool hears of them.

#include <lamina/core/KernelRecord.hpp>

#include <gtest/gtest.h>
#include <support/ToolListener.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace LaminaTest {

/// \param name  of the call
inline void expect_no_allocations(const ToolListener::Heard& heard, const std::string& name = "") {
  EXPECT_TRUE(heard.allocations.empty()) << name << ": " << heard.allocations.front();
  EXPECT_EQ(heard.deallocations, 0) << name;
}

/// Fills and copies of Views are Kokkos' own.
inline void expect_kernels_of_the_library(const ToolListener::Heard& heard) {
  EXPECT_FALSE(heard.kernels.empty());
  for (const auto& kernel : heard.kernels) {
    EXPECT_TRUE(starts_with(kernel.label, "Lamina::") || starts_with(kernel.label, "Kokkos::"))
        << kernel.label;
  }
}

/// Costs are those of kernels that ran.
inline void expect_costs_of_kernels(const std::vector<Lamina::KernelCost>& costs,
                                    const ToolListener::Heard& heard) {
  EXPECT_FALSE(costs.empty());
  for (const auto& cost : costs) {
    EXPECT_GT(cost.bytes, 0) << cost.label;
    const bool copies = starts_with(cost.label, "Lamina::ColumnOrder::") ||
                        cost.label.find("::copy") != std::string::npos;
    EXPECT_EQ(cost.flops > 0, !copies) << cost.label;
    EXPECT_TRUE(std::any_of(heard.kernels.begin(), heard.kernels.end(), [&](const auto& kernel) {
      return kernel.label == cost.label;
    })) << cost.label;
  }
}

}  // namespace LaminaTest
