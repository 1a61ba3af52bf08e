// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <filesystem>

namespace Lamina::Cli {

// A checksum of a whole file behind its end, which readers of HDF5 pass over: a file that was cut
// or changed is found out before a library has to make sense of it.

/// Appends the checksum of a file that is complete and closed.
/// \throws FileError where that fails, in the name of `name`
void append_checksum(const std::filesystem::path& path, const std::filesystem::path& name);

enum class ChecksumState {
  none,   ///< the file does not end with one
  valid,  ///< it ends with that of what is before
  wrong
};
/// \throws FileError where the file cannot be read
ChecksumState find_checksum(const std::filesystem::path& path);

}  // namespace Lamina::Cli
