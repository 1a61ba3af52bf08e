// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/io/PendingFile.hpp>

#include <unistd.h>

#include <charconv>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace Lamina {
namespace {

/// A whole number >= 0, or -1.
int number_of(const std::string& text) {
  int number = -1;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  return error == std::errc{} && stop == end && number >= 0 ? number : -1;
}

/// Whether a folder without links is that of the descriptors of a process, and of which: 0 for ours
/// where the system does not say.
std::optional<int> process_of(const std::filesystem::path& folder) {
  if (folder == "/dev/fd") return 0;
  std::vector<std::string> parts;  // "/", "proc", "1234", "fd", or "task", "1235", "fd" at the end
  for (const auto& part : folder) parts.push_back(part.string());
  const bool of_process = parts.size() == 4 && parts[3] == "fd";
  const bool of_thread = parts.size() == 6 && parts[3] == "task" && parts[5] == "fd";
  if ((!of_process && !of_thread) || parts[1] != "proc") return std::nullopt;
  return number_of(parts[2]);
}

}  // namespace

std::optional<int> named_descriptor(const std::filesystem::path& name) {
  constexpr int max_links = 40;  // as the system's own limit
  std::error_code error;
  std::filesystem::path path = std::filesystem::absolute(name, error);
  for (int n = 0; n < max_links && !error; ++n) {
    const auto folder = std::filesystem::canonical(path.parent_path(), error);
    if (error) break;
    const auto process = process_of(folder);
    const int number = number_of(path.filename().string());
    if (process && number >= 0) return *process == 0 || *process == getpid() ? number : -1;
    if (!std::filesystem::is_symlink(path, error)) break;
    path = folder / std::filesystem::read_symlink(path, error);
  }
  return std::nullopt;
}

}  // namespace Lamina
