// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "helmholtz/HelmholtzTask.hpp"

namespace Lamina::Cli {

/// What `helmholtz` and `compare` print, on standard output.
void print_problem(const HelmholtzTask& task);
void print_place(const HelmholtzTask& task);
void print_result(const HelmholtzTask& task, const HelmholtzResult& result, double copy_gb_per_s);

}  // namespace Lamina::Cli
