// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/output/OutputPath.hpp"

#include <lamina/io/PendingFile.hpp>

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <string>
#include <system_error>

#include "support/Interruption.hpp"
#include "support/machine/Launcher.hpp"
#include "support/options/CommandLine.hpp"
#include "support/options/InputError.hpp"
#include "support/output/StandardOutput.hpp"

namespace Lamina::Cli {
namespace {

/// Whether two names stand for one file, however they are written. A descriptor of a pipe has no
/// name in the file system: it is no file of another name.
bool same_file(const std::filesystem::path& left, const std::filesystem::path& right) {
  if (left.empty() || right.empty()) return false;
  const auto real = [](const std::filesystem::path& path) {
    const std::filesystem::path full = std::filesystem::absolute(path);
    std::error_code error;
    const std::filesystem::path found = std::filesystem::weakly_canonical(full, error);
    return error ? full.lexically_normal() : found;
  };
  return real(left) == real(right);
}

[[noreturn]] void fail_to_write(const std::filesystem::path& path, int error) {
  throw FileError(path, std::string("cannot be written: ") + std::strerror(error));
}

/// A signal that comes meanwhile must not leave the file of the trial behind.
void try_to_write(const std::filesystem::path& path) {
  const HeldSignals held;
  require_writable(path);
}

void require_writable_descriptor(const std::filesystem::path& path, int descriptor) {
  const int flags = descriptor >= 0 ? fcntl(descriptor, F_GETFL) : -1;
  if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY) fail_to_write(path, EBADF);
}

/// To the descriptor itself: another one of the same file would begin at its start.
void write_to_descriptor(const std::filesystem::path& path, int descriptor, std::string_view text) {
  flush_output();
  while (!text.empty()) {
    const ssize_t written = write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail_to_write(path, errno);
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace

std::filesystem::path output_path(const CommandLine& line, const std::string& name,
                                  const std::vector<std::string>& suffixes) {
  if (!line.given(name)) return {};
  std::filesystem::path path = line.text(name, "");
  if (std::find(suffixes.begin(), suffixes.end(), path.extension()) == suffixes.end()) {
    CommandLine::fail(name, fmt::format("a file name that ends in {}", fmt::join(suffixes, " or ")),
                      path.string());
  }
  if (is_first_process()) for_option(name, [&] { try_to_write(path); });
  return path;
}

std::filesystem::path text_output_path(const CommandLine& line, const std::string& name) {
  if (!line.given(name)) return {};
  std::filesystem::path path = line.text(name, "");
  if (path.empty() || path == "-") {
    CommandLine::fail(name, "a file name or /dev/stdout", path.string());
  }
  if (!is_first_process()) return path;
  for_option(name, [&] {
    if (const auto descriptor = named_descriptor(path)) {
      require_writable_descriptor(path, *descriptor);
    } else {
      try_to_write(path);
    }
  });
  return path;
}

void write_text(const std::filesystem::path& path, const std::string& text) {
  if (const auto descriptor = named_descriptor(path)) {
    write_to_descriptor(path, *descriptor, text);
    return;
  }
  PendingFile pending(path);
  std::ofstream stream(pending.temporary(), std::ios::binary);
  stream << text;
  stream.close();
  if (!stream) throw pending.write_error();
  pending.commit();
}

void require_different_files(const std::vector<NamedFile>& written,
                             const std::vector<NamedFile>& read) {
  const auto require_other = [](const NamedFile& file, const NamedFile& other) {
    if (!same_file(file.path, other.path)) return;
    CommandLine::fail(file.option, std::string("another file than ") + other.option,
                      file.path.string());
  };
  for (auto file = written.begin(); file != written.end(); ++file) {
    for (auto other = file + 1; other != written.end(); ++other) require_other(*file, *other);
    for (const NamedFile& other : read) require_other(*file, other);
  }
}

std::string history_text(const std::string& command) {
  std::time_t time = std::time(nullptr);
  if (const char* text = std::getenv("SOURCE_DATE_EPOCH")) {
    time = parse_number<std::time_t>(text).value_or(time);
  }
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}: {}", fmt::gmtime(time), command);
}

}  // namespace Lamina::Cli
