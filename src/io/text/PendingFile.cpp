// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/io/PendingFile.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>

#include "StaleFiles.hpp"

namespace Lamina {
namespace {

std::string failure_text(int error) {
  return std::string("cannot be written: ") + std::strerror(error);
}

/// The file behind a symbolic link, so that renaming replaces the file and keeps the link.
std::filesystem::path behind_links(const std::filesystem::path& target) {
  std::error_code ignored;
  if (!std::filesystem::is_symlink(target, ignored)) return target;
  const auto resolved = std::filesystem::canonical(target, ignored);
  return resolved.empty() ? target : resolved;
}

/// Renaming would replace a file in a writable folder even if the file itself is read-only, and
/// would put a file in the place of a device or pipe, or of what a descriptor leads to: refuse all.
void require_replaceable(const std::filesystem::path& target) {
  if (named_descriptor(target)) throw FileError(target, "not a regular file");
  std::error_code ignored;
  const auto status = std::filesystem::status(target, ignored);
  if (!std::filesystem::exists(status)) return;
  if (!std::filesystem::is_regular_file(status)) throw FileError(target, "not a regular file");
  if (access(target.c_str(), W_OK) != 0) throw FileError(target, failure_text(errno));
}

/// Whether the name still leads to the open file: until it was locked, others may have taken it for
/// one that nobody owns.
bool is_named(int descriptor, const std::filesystem::path& name) {
  struct stat opened {
  }, named{};
  return fstat(descriptor, &opened) == 0 && stat(name.c_str(), &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

}  // namespace

PendingFile::PendingFile(const std::filesystem::path& target)
    : m_name(target), m_target(behind_links(target)), m_descriptor(-1) {
  require_replaceable(target);
  if (!m_target.has_filename()) throw FileError(target, "expected a file, got a folder");
  constexpr int max_tries = 100;  // names left behind by killed processes of the same number
  for (int i = 0; i < max_tries; ++i) {
    std::filesystem::path temporary = Impl::temporary_name(m_target, getpid(), i);
    // Not mkstemp: the file is to have the permissions that the user's umask gives it.
    const int descriptor = open(temporary.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
    if (descriptor < 0) {
      if (errno == EEXIST) continue;
      break;
    }
    if (Impl::lock(descriptor) != Impl::Lock::of_another && is_named(descriptor, temporary)) {
      m_descriptor = descriptor;
      m_temporary = std::move(temporary);
      return;
    }
    close(descriptor);
  }
  throw FileError(target, failure_text(errno));
}

PendingFile::~PendingFile() {
  if (!m_temporary.empty()) {
    std::error_code ignored;
    std::filesystem::remove(m_temporary, ignored);
  }
  close(m_descriptor);
}

FileError PendingFile::write_error() const { return {m_name, write_problem(m_temporary, errno)}; }

void PendingFile::commit() {
  // Network file systems may find out now that there is no space.
  const bool kept = fsync(m_descriptor) == 0 || errno == EINVAL || errno == ENOTSUP;
  if (!kept || rename(m_temporary.c_str(), m_target.c_str()) != 0) {
    throw FileError(m_name, failure_text(errno));
  }
  m_temporary.clear();
  Impl::remove_stale_files(m_target);
}

std::string write_problem(const std::filesystem::path& file, int error) {
  const int descriptor = open(file.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  if (descriptor < 0) return failure_text(errno);
  // What is left may suffice for a few bytes.
  const std::string zeros(std::size_t{1} << 16, '\0');
  constexpr int num_writes = 16;
  int found = 0;
  for (int n = 0; n < num_writes && found == 0; ++n) {
    if (write(descriptor, zeros.data(), zeros.size()) < 0 && errno != EINTR) found = errno;
  }
  if (found == 0 && fsync(descriptor) != 0 && errno != EINVAL) found = errno;
  static_cast<void>(!ftruncate(descriptor, 0));  // room for what a library still has to write
  close(descriptor);
  if (found == 0) found = error;
  return found == 0 ? "cannot be written" : failure_text(found);
}

}  // namespace Lamina
