// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace Lamina::Cli {

class CommandLine;

/// The file to be written by an option, after a trial; empty where the option was not given.
/// \throws InputError where it cannot be written or does not end in one of `suffixes`, if any
std::filesystem::path output_path(const CommandLine& line, const std::string& name,
                                  const std::vector<std::string>& suffixes);

/// Whether two names stand for one file, however they are written.
bool same_file(const std::filesystem::path& left, const std::filesystem::path& right);

/// \throws InputError where `--json` and `--output` are the same file, however it is written
void require_different_files(const std::filesystem::path& json,
                             const std::filesystem::path& output);

/// What a file tells of how it came about: time and command.
std::string history_text(const std::string& command);

}  // namespace Lamina::Cli
