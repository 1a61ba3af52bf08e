// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <filesystem>

namespace Lamina::Impl {

/// `TARGET.part-PROCESS-NUMBER`
std::filesystem::path temporary_name(const std::filesystem::path& target, long process, int number);

enum class Lock {
  ours,        ///< until the descriptor, and all copies of it, are closed
  of_another,  ///< or of another descriptor of this process
  unknown      ///< the file system has no locks
};
/// Tries to lock an open file against others who do. The lock is one of the open file description: it
/// goes with the process, on whatever host, and a library that opens and closes the file again does
/// not end it. Descriptors must be open for writing.
Lock lock(int descriptor);

/// Removes the temporaries of `target` that no living process holds.
void remove_stale_files(const std::filesystem::path& target);

}  // namespace Lamina::Impl
