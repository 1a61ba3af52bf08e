// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/device/CopyBandwidth.hpp>

#include <cstddef>
#include <string>
#include <vector>

#include "support/output/Progress.hpp"

namespace Lamina::Cli {

class Ranks;
struct Space;

// Memory is what is available now: copies are measured, and their arrays freed, before a solve.

/// Ranks that share the memory of this host; 1 for a process of its own.
int sharers_of(const Ranks* ranks);

/// Why so many bytes do not fit into the memory of the space, or where that has memory of its own
/// `mirrored` ones into that of the host: one line, empty where they fit.
/// \param sharers  processes that need as much, and share the memory of the host
std::string shortage_of(const Space& space, double needed, double mirrored = 0, int sharers = 1);

/// Bytes of the two arrays whose copy is measured by each rank. Small arrays stay in cache, and their copy is
/// no ceiling; ranks that share the memory of a host copy at the same time, and share the bytes. The
/// environment variable LAMINA_COPY_BYTES gives another number: tests set it, as they start the program a
/// thousand times.
/// \throws InputError where that is no number of bytes
std::size_t copied_bytes(const Space& space, int sharers = 1);

/// Why the copies that measure bandwidth do not fit into the memory of the space: one line, empty
/// where they fit.
std::string copy_shortage(const Space& space, int sharers = 1);

/// \throws InputError where they do not
void require_copies_fit(const Space& space, int sharers = 1);

/// Measures copies, and says so on the terminal; nothing where they are not wanted. All ranks measure
/// at a time, and bandwidths are added up.
/// \throws InputError where they do not fit
std::vector<CopyMeasurement> measured_copies(const Space& space, bool wanted, Progress& progress,
                                             const Ranks* ranks = nullptr);

}  // namespace Lamina::Cli
