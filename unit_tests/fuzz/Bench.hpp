// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "GoodFiles.hpp"
#include "Process.hpp"

namespace LaminaFuzz {

/// A run and what may come of it.
struct Trial {
  std::vector<std::string> arguments;
  std::vector<std::string> outputs = {};  ///< names of files that it may write
  bool output_is_full = false;            ///< standard output takes nothing
  bool may_write_and_fail = false;        ///< files may be there before what goes wrong
  int signal = 0;                         ///< sent to it; 0: none
  double signal_after = 0;                ///< seconds
  double patience = 0;                    ///< seconds after which it may be asked to end
};

/// The folder of one case, and all that was wrong in it.
class Bench {
 public:
  Bench(std::filesystem::path program, const GoodFiles& files, std::filesystem::path folder);
  ~Bench();
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  const GoodFiles& files() const { return m_files; }
  std::filesystem::path operator/(const std::string& name) const { return m_folder / name; }
  void write(const std::string& name, const std::string& bytes) const {
    write_file(m_folder / name, bytes);
  }
  void write_good_files() const;

  /// Runs the program and judges how it ends.
  Ending run(const Trial& trial);
  void add_problem(const std::string& text);
  /// Names in the folder with `part` in them.
  std::vector<std::string> names_with(const std::string& part) const;

  const std::vector<std::string>& problems() const { return m_problems; }
  const std::vector<std::string>& outcomes() const { return m_outcomes; }
  /// Copies the folder.
  void keep(const std::filesystem::path& where) const;

 private:
  /// What is in the folder: names, and the bytes of files.
  std::map<std::string, std::string> contents() const;
  void judge_end(const Trial& trial, const Ending& ending);
  void judge_words(const Trial& trial, const Ending& ending);
  void judge_files(const Trial& trial, const Ending& ending,
                   const std::map<std::string, std::string>& before);

  std::filesystem::path m_program;
  const GoodFiles& m_files;
  std::filesystem::path m_parent, m_folder;
  std::vector<std::string> m_problems, m_outcomes;
  std::string m_commands;
};

}  // namespace LaminaFuzz
