// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "point_implicit/PointImplicitTask.hpp"

namespace Lamina::Cli {

// What `point-implicit` and `compare` print, on standard output.
void print_problem(const PointImplicitTask& task);
void print_ordering(const PointImplicitTask& task);
void print_place(const PointImplicitTask& task);
void print_result(const PointImplicitTask& task, const PointImplicitResult& result,
                  double copy_gb_per_s);

}  // namespace Lamina::Cli
