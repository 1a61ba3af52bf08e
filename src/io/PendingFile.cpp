// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/io/FileError.hpp>
#include <lamina/io/PendingFile.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>

namespace Lamina {
namespace {

/// The file behind a symbolic link, so that renaming replaces the file and keeps the link.
std::filesystem::path behind_links(const std::filesystem::path& target) {
  std::error_code ignored;
  if (!std::filesystem::is_symlink(target, ignored)) return target;
  const auto resolved = std::filesystem::canonical(target, ignored);
  return resolved.empty() ? target : resolved;
}

/// Renaming would replace a file in a writable folder even if the file itself is read-only, and
/// would put a file in the place of a device or pipe: refuse both.
void require_replaceable(const std::filesystem::path& target) {
  std::error_code ignored;
  const auto status = std::filesystem::status(target, ignored);
  if (!std::filesystem::exists(status)) return;
  if (!std::filesystem::is_regular_file(status)) throw FileError(target, "not a regular file");
  if (access(target.c_str(), W_OK) != 0) {
    throw FileError(target, std::string("cannot be written: ") + std::strerror(errno));
  }
}

}  // namespace

PendingFile::PendingFile(const std::filesystem::path& target) : m_target(behind_links(target)) {
  require_replaceable(target);
  if (!m_target.has_filename()) throw FileError(target, "expected a file, got a folder");
  constexpr int max_tries = 100;  // names left behind by killed processes of the same number
  for (int i = 0; i < max_tries; ++i) {
    m_temporary = m_target;
    m_temporary += ".part-" + std::to_string(getpid()) + '-' + std::to_string(i);
    // Not mkstemp: the file is to have the permissions that the user's umask gives it.
    const int descriptor = open(m_temporary.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
    if (descriptor >= 0) {
      close(descriptor);
      return;
    }
    if (errno != EEXIST) break;
  }
  throw FileError(target, std::string("cannot be written: ") + std::strerror(errno));
}

PendingFile::~PendingFile() {
  if (m_temporary.empty()) return;
  std::error_code ignored;
  std::filesystem::remove(m_temporary, ignored);
}

void PendingFile::commit() {
  std::error_code error;
  std::filesystem::rename(m_temporary, m_target, error);
  if (error) throw FileError(m_target, "cannot be written: " + error.message());
  m_temporary.clear();
}

}  // namespace Lamina
