// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/options/SolveOptions.hpp"

#include "support/machine/Space.hpp"

namespace Lamina::Cli {

void declare_space(CommandLine& line, CommandUse use) {
  line.option(
      "--space", "NAME",
      choice_text("Execution space", space_choices(), use, "auto: the fastest present", true));
}

void declare_json(CommandLine& line) { line.option("--json", "FILE", "Write the result as JSON"); }

void declare_quiet(CommandLine& line) {
  line.flag("--quiet", "Print nothing but errors");
  line.footer("Options --kokkos-* go to Kokkos, see --kokkos-help.");
}

}  // namespace Lamina::Cli
