// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace LaminaFuzz {

/// A file that the program reads.
struct GoodFile {
  std::string name, bytes;
  bool is_text = false;
  /// Ways of reading it: arguments in which "@" stands for its name.
  std::vector<std::vector<std::string>> uses;
  /// Of a file that is found by its name: it keeps it, and needs these beside it.
  std::vector<std::string> beside{};
};

/// One small file at least of each format.
class GoodFiles {
 public:
  /// Makes them, some with the program. \throws std::runtime_error where it fails to
  GoodFiles(const std::filesystem::path& program, const std::filesystem::path& folder);

  const std::vector<GoodFile>& all() const { return m_files; }
  const GoodFile* find(const std::string& name) const;
  /// What the shortest run takes here: mostly the start of the program.
  double run_seconds() const { return m_run_seconds; }

 private:
  void add_matrices();
  void add_meshes();
  void add_netcdf(const std::filesystem::path& program, const std::filesystem::path& folder);

  std::vector<GoodFile> m_files;
  double m_run_seconds = 0;
};

}  // namespace LaminaFuzz
