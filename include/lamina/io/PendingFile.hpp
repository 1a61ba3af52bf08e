// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/io/FileError.hpp>

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace Lamina {

/// A file that appears complete or not at all: it is written under a temporary name in the folder
/// of its target, `TARGET.part-PROCESS-NUMBER`, and renamed at the end. Until then an existing target
/// keeps its content; where the end is not reached, nothing stays behind, unless the process is
/// killed. The writer holds a lock on the temporary (of the open file description, so that locks of
/// other libraries do not meet it). Temporaries without one belong to nobody: `commit` removes those
/// of its target, be they from another host of a shared file system.
class PendingFile {
 public:
  /// Creates the temporary, empty. A target that is a symbolic link stands for what it points to.
  /// \throws FileError where the target cannot be created or replaced, or is a descriptor.
  explicit PendingFile(const std::filesystem::path& target);
  /// Removes the temporary unless `commit` was called.
  ~PendingFile();
  PendingFile(const PendingFile&) = delete;
  PendingFile& operator=(const PendingFile&) = delete;

  /// Where to write.
  const std::filesystem::path& temporary() const { return m_temporary; }

  /// What to throw after a failed write to the temporary.
  FileError write_error() const;

  /// Brings the temporary, closed by now, to the disk and renames it to the target.
  /// \throws FileError where that fails.
  void commit();

 private:
  std::filesystem::path m_name, m_target, m_temporary;  // the first as the user wrote it
  int m_descriptor;                                     // holds the lock
};

/// Tries whether `target` could be written, before the work whose result it is to hold.
/// \throws FileError where it could not.
inline void require_writable(const std::filesystem::path& target) {
  const PendingFile probe(target);
}

/// Why a write to `file` failed, "cannot be written: No space left on device": what a plain write to
/// its end meets. Libraries that write files do not tell. Loses the content of `file`.
/// \param error  of the failed write, for messages where a plain write succeeds; 0: not known
std::string write_problem(const std::filesystem::path& file, int error);

/// The number of the open descriptor that a name stands for: /dev/stdout, /dev/fd/N,
/// /proc/self/fd/N, or a link to one of them; -1 for one of another process. None for all other
/// names. Links of such folders lead to files behind the descriptor, which are no names of the user's.
std::optional<int> named_descriptor(const std::filesystem::path& name);

/// Has `heard` called with each temporary of an ended process that a `commit` removed.
void on_stale_file(std::function<void(const std::filesystem::path&)> heard);

}  // namespace Lamina
