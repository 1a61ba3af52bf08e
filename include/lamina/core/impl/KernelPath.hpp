// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <string>

namespace Lamina::Impl {

/// Which of several ways a kernel took.
struct KernelPath {
  std::string path;
  std::string reason{};  ///< why it is not the fastest one there is; else empty
};

/// Whether a `KernelRecorder` lives that has no path of this kernel yet.
bool wants_path(const char* label);
/// Tells it the path.
void keep_path(const char* label, const KernelPath& path);

}  // namespace Lamina::Impl
