// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <filesystem>

namespace Lamina::Cli {

/// Bytes that this process could allocate without swapping: what the system has available, and no
/// more than what the control groups around the process (version 1 or 2) leave of their limits.
/// Infinite where the system does not tell.
/// \param root  of the file system that tells; tests bring one of their own
double available_host_memory(const std::filesystem::path& root = "/");

}  // namespace Lamina::Cli
