// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/distributed/Transport.hpp>

#include <memory>

namespace LaminaTest {

/// A transport that lives until MPI is finalized.
inline std::shared_ptr<const Lamina::Transport>& survivor() {
  static std::shared_ptr<const Lamina::Transport> transport;
  return transport;
}

}  // namespace LaminaTest
