// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <filesystem>
#include <optional>

#include "support/options/CommandLine.hpp"
#include "support/options/CommandUse.hpp"
#include "support/ranks/RankGrid.hpp"

namespace Lamina::Cli {

struct Space;

/// The options of all commands that solve.
struct SolveOptions {
  std::optional<const Space*> space;   ///< none: not given
  std::filesystem::path json, output;  ///< empty: none
  bool quiet = false;
  RankGrid rank_grid{};  ///< of commands that work over ranks

  /// Whether anything is said of the copy bandwidth, which takes a while to measure.
  bool tells_copies() const { return !quiet || !json.empty(); }
};

void declare_space(CommandLine& line, CommandUse use);
void declare_json(CommandLine& line);
/// `--quiet`, and what the help ends with.
void declare_quiet(CommandLine& line);

}  // namespace Lamina::Cli
