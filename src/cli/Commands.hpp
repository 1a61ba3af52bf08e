// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "support/KokkosSession.hpp"

namespace Lamina::Cli {

// Each command takes the arguments after its name and returns the status to exit with.
// They throw InputError for bad input.
int helmholtz_command(const Arguments& arguments);
int point_implicit_command(const Arguments& arguments);
int poisson_command(const Arguments& arguments);
int shallow_water_command(const Arguments& arguments);
int compare_command(const Arguments& arguments);
int compare_helmholtz_command(const Arguments& arguments);
int compare_point_implicit_command(const Arguments& arguments);
int compare_poisson_command(const Arguments& arguments);
int compare_shallow_water_command(const Arguments& arguments);
int info_command(const Arguments& arguments);

}  // namespace Lamina::Cli
