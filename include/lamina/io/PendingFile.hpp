// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <filesystem>

namespace Lamina {

/// A file that appears complete or not at all: it is written under a temporary name in the folder
/// of its target and renamed at the end. Until then an existing target keeps its content; where the
/// end is not reached, nothing stays behind.
class PendingFile {
 public:
  /// Creates the temporary, empty. A target that is a symbolic link stands for what it points to.
  /// \throws FileError where the target cannot be created or replaced.
  explicit PendingFile(const std::filesystem::path& target);
  /// Removes the temporary unless `commit` was called.
  ~PendingFile();
  PendingFile(const PendingFile&) = delete;
  PendingFile& operator=(const PendingFile&) = delete;

  /// Where to write.
  const std::filesystem::path& temporary() const { return m_temporary; }

  /// Renames the temporary, closed by now, to the target.
  /// \throws FileError where that fails.
  void commit();

 private:
  std::filesystem::path m_target, m_temporary;
};

/// Tries whether `target` could be written, before the work whose result it is to hold.
/// \throws FileError where it could not.
inline void require_writable(const std::filesystem::path& target) {
  const PendingFile probe(target);
}

}  // namespace Lamina
