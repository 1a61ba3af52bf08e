// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <string>

namespace Lamina::Perf {

/// A panel of num_x x num_y columns.
struct PanelSize {
  int num_x = 256, num_y = 256, num_levels = 128;

  double cells() const { return static_cast<double>(num_x) * num_y * num_levels; }
  std::string name() const {
    return "columns:" + std::to_string(num_x * num_y) + "/levels:" + std::to_string(num_levels);
  }
};

}  // namespace Lamina::Perf
