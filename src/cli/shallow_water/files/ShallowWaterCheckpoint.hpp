// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "shallow_water/ShallowWaterTask.hpp"
#include "shallow_water/files/ShallowWaterFields.hpp"

namespace Lamina::Cli {

/// An option of a run, without dashes, and its values as on the command line.
struct OptionText {
  std::string name;
  std::vector<std::string> values;
};

/// The options that decide on the values of a run: with them, another run on the same space does
/// the same to the last bit.
std::vector<OptionText> deciding_options(const ShallowWaterTask& task);

/// The command that repeats a run.
std::string command_text(const ShallowWaterTask& task);

/// What a checkpoint holds beside fields.
struct Checkpoint {
  std::vector<OptionText> options;
  int step = 0;
  bool has_previous = false;  ///< the level before, of leapfrog
  StateDiagnostics start{};   ///< of the whole run
};

/// Writes the file, which appears when complete.
/// \param previous  of the level before; none: there is none
/// \throws InputError where that fails
void write_checkpoint(const ShallowWaterTask& task, int step, const StateDiagnostics& start,
                      const FieldLines& now, const FieldLines* previous);

/// Opens a checkpoint. Before Kokkos starts: see `NetcdfReader`.
/// \throws FileError for files that are no intact checkpoint
std::shared_ptr<const NetcdfReader> open_checkpoint(const std::filesystem::path& path);

/// \throws FileError for a checkpoint that has changed since it was written. Other files have no checksum.
void require_unchanged(const std::filesystem::path& path);

/// \throws FileError for files that are no checkpoint of this version
Checkpoint read_checkpoint(const NetcdfReader& file);

}  // namespace Lamina::Cli
