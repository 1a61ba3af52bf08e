// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/device/CopyBandwidth.hpp>

#include <string>
#include <vector>

#include "helmholtz/HelmholtzTask.hpp"
#include "support/output/Progress.hpp"

namespace Lamina::Cli {

// Memory is what is available now: copies are measured, and their arrays freed, before a solve.

/// Why so many bytes do not fit into the memory of the space: one line, empty where they fit.
std::string shortage_of(const Space& space, double needed);

/// The same of the memory of the host.
std::string host_shortage_of(double needed);

/// Why the copies that measure bandwidth do not fit into the memory of the space: one line, empty
/// where they fit.
std::string copy_shortage(const Space& space);

/// \throws InputError where they do not
void require_copies_fit(const Space& space);

/// Measures copies, and says so on the terminal; nothing where they are not wanted.
/// \throws InputError where they do not fit
std::vector<CopyMeasurement> measured_copies(const Space& space, bool wanted, Progress& progress);

/// Why a problem is too large for its solver, for the memory of its space, or of the host: one line
/// with what is needed at most and what is available. Empty where it is not.
std::string size_obstacle(const HelmholtzProblem& problem, const HelmholtzVariant& variant,
                          bool with_output);

}  // namespace Lamina::Cli
