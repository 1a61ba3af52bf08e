// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "Bench.hpp"
#include "Options.hpp"
#include "Random.hpp"

namespace LaminaFuzz {

/// A damaged file among good ones.
void run_file_case(Random& random, Bench& bench);

/// Real and wrong options with real and wrong values.
void run_option_case(Random& random, const std::vector<CommandOptions>& commands, Bench& bench);

/// A signal at a random moment; then the files that are there are read.
void run_signal_case(Random& random, Bench& bench);

}  // namespace LaminaFuzz
