// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/device/CopyBandwidth.hpp>

#include <string>
#include <vector>

#include "support/output/Progress.hpp"

namespace Lamina::Cli {

struct Space;

// Memory is what is available now: copies are measured, and their arrays freed, before a solve.

/// Why so many bytes do not fit into the memory of the space, or where that has memory of its own
/// `mirrored` ones into that of the host: one line, empty where they fit.
std::string shortage_of(const Space& space, double needed, double mirrored = 0);

/// Why the copies that measure bandwidth do not fit into the memory of the space: one line, empty
/// where they fit.
std::string copy_shortage(const Space& space);

/// \throws InputError where they do not
void require_copies_fit(const Space& space);

/// Measures copies, and says so on the terminal; nothing where they are not wanted.
/// \throws InputError where they do not fit
std::vector<CopyMeasurement> measured_copies(const Space& space, bool wanted, Progress& progress);

}  // namespace Lamina::Cli
