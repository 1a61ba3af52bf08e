// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace Lamina::Cli {

class CommandLine;

/// The file to be written by an option, after a trial by the process that writes it; empty where the option was not given.
/// \throws InputError where it cannot be written or does not end in one of `suffixes`
std::filesystem::path output_path(const CommandLine& line, const std::string& name,
                                  const std::vector<std::string>& suffixes);

/// The same of an option whose text may also go to an open descriptor, /dev/stdout for one.
std::filesystem::path text_output_path(const CommandLine& line, const std::string& name);

/// Writes a text to what `text_output_path` returned: a file, which appears when complete, or a
/// descriptor, behind what was printed so far.
/// \throws FileError where that fails
void write_text(const std::filesystem::path& path, const std::string& text);

/// A file, and the option that names it; without a path where the option was not given.
struct NamedFile {
  const char* option;
  std::filesystem::path path;
};

/// \throws InputError where a file would be written twice, or one that is read replaced, however
/// their names are written
void require_different_files(const std::vector<NamedFile>& written,
                             const std::vector<NamedFile>& read);

/// What a file tells of how it came about: time and command. The variable SOURCE_DATE_EPOCH, in seconds,
/// replaces the time: then the same run writes the same bytes.
std::string history_text(const std::string& command);

}  // namespace Lamina::Cli
