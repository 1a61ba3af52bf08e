// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/CopyBandwidth.hpp>

#include <string>
#include <vector>

#include "HelmholtzTask.hpp"

namespace Lamina::Cli {

/// "8 388 608"
std::string grouped(std::int64_t number);
/// "1.23 ms", with a unit that suits.
std::string duration_text(double seconds);

/// What `helmholtz` and `compare` print, on standard output.
void print_problem(const HelmholtzProblem& problem, const StoppingCriteria& criteria);
void print_place(const HelmholtzVariant& variant);
void print_result(const HelmholtzResult& result, double copy_gb_per_s);
void print_kernels(const HelmholtzResult& result, const std::vector<CopyMeasurement>& copy);
void print_copy(const std::vector<CopyMeasurement>& copy);
void print_file(const std::string& option, const std::string& path);

}  // namespace Lamina::Cli
