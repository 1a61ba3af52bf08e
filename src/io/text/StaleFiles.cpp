// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StaleFiles.hpp"

#include <lamina/io/PendingFile.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <functional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace Lamina {
namespace {

constexpr std::string_view mark = ".part-";

std::function<void(const std::filesystem::path&)>& listener() {
  static std::function<void(const std::filesystem::path&)> function;
  return function;
}

/// Takes digits from the front. \return whether there were some
bool take_digits(std::string_view& text) {
  const std::size_t count = std::min(text.find_first_not_of("0123456789"), text.size());
  text.remove_prefix(count);
  return count > 0;
}

bool is_temporary_of(std::string_view target, std::string_view name) {
  if (!name.starts_with(target)) return false;
  name.remove_prefix(target.size());
  if (!name.starts_with(mark)) return false;
  name.remove_prefix(mark.size());
  if (!take_digits(name) || name.empty() || name.front() != '-') return false;
  name.remove_prefix(1);
  return take_digits(name) && name.empty();
}

/// Removes the file if it is one and nobody holds it. \return whether it did
bool remove_if_stale(const std::filesystem::path& file) {
  const int descriptor = open(file.c_str(), O_WRONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor < 0) return false;
  struct stat status {};
  const bool removed = fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) &&
                       Impl::lock(descriptor) == Impl::Lock::ours && unlink(file.c_str()) == 0;
  close(descriptor);
  return removed;
}

}  // namespace

void on_stale_file(std::function<void(const std::filesystem::path&)> heard) {
  listener() = std::move(heard);
}

namespace Impl {

std::filesystem::path temporary_name(const std::filesystem::path& target, long process,
                                     int number) {
  std::filesystem::path name = target;
  name += std::string(mark) + std::to_string(process) + '-' + std::to_string(number);
  return name;
}

Lock lock(int descriptor) {
#if defined(F_OFD_SETLK)
  struct flock whole {};
  whole.l_type = F_WRLCK;
  whole.l_whence = SEEK_SET;
  if (fcntl(descriptor, F_OFD_SETLK, &whole) == 0) return Lock::ours;
  if (errno == EAGAIN || errno == EACCES) return Lock::of_another;
#else
  static_cast<void>(descriptor);
#endif
  return Lock::unknown;
}

void remove_stale_files(const std::filesystem::path& target) {
  const std::string name = target.filename().string();
  std::vector<std::filesystem::path> found;
  std::error_code error;
  const std::filesystem::path folder = target.has_parent_path() ? target.parent_path() : ".";
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (is_temporary_of(name, entry->path().filename().string())) {
      found.push_back(target.has_parent_path() ? entry->path() : entry->path().filename());
    }
  }
  for (const auto& file : found) {
    if (remove_if_stale(file) && listener()) listener()(file);
  }
}

}  // namespace Impl
}  // namespace Lamina
