// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/KernelRecord.hpp>

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <string>

namespace Lamina::Cli {

/// What the kernels of each level of `result` took in a cycle. Those of level l > 0 are called
/// prefix + "level_<l>::" + name.
/// \param once  labels of kernels: what a cycle calls of them, it calls once
template <class Result>
void keep_level_times(Result& result, const std::string& prefix,
                      std::initializer_list<std::string> once,
                      std::initializer_list<const char*> names) {
  const auto record_of = [&](const std::string& label) {
    for (const KernelRecord& kernel : result.kernels) {
      if (kernel.name == label) return kernel;
    }
    return KernelRecord{};
  };
  long calls = 1;
  for (const std::string& label : once) calls = std::max(calls, record_of(label).calls);
  const auto cycles = static_cast<double>(calls);
  for (std::size_t l = 0; l < result.levels.size(); ++l) {
    const std::string level = prefix + (l > 0 ? "level_" + std::to_string(l) + "::" : "");
    double seconds = 0;
    for (const char* name : names) seconds += record_of(level + name).seconds;
    result.levels[l].seconds = seconds / cycles;
  }
}

}  // namespace Lamina::Cli
