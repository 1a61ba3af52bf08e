// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace LaminaFuzz {

/// A run of the program.
struct Command {
  std::filesystem::path program;
  std::vector<std::string> arguments;
  std::filesystem::path folder;   ///< where it runs
  std::filesystem::path streams;  ///< where its standard output and error go
  bool output_is_full = false;    ///< standard output takes nothing
  int signal = 0;                 ///< sent to it; 0: none
  double signal_after = 0;        ///< seconds
  double patience = 0;            ///< seconds until SIGTERM asks it to end; 0: never
};

/// How it ended.
struct Ending {
  int exit_status = -1;    ///< -1: by a signal
  int signal = 0;          ///< that ended it
  bool was_sent = false;   ///< the signal of the command reached it alive
  bool was_asked = false;  ///< patience was over
  bool was_cut = false;    ///< it had to be killed
  bool left_processes = false;
  std::string output, errors;
};

/// Runs in a process group of its own, of which nothing is left at the end. Several threads may.
Ending run(const Command& command);

/// "SIGTERM"
std::string signal_name(int number);

/// As a shell takes them.
std::string shell_text(const std::vector<std::string>& words);

std::string read_file(const std::filesystem::path& path);
void write_file(const std::filesystem::path& path, const std::string& bytes);

}  // namespace LaminaFuzz
