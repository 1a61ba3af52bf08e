// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/distributed/HaloPattern.hpp>
#include <lamina/distributed/Partition.hpp>

#include <vector>

namespace Lamina::Impl {

/// The consecutive lines of a grid that a rank owns, and the ranks that own the lines beside them.
struct LineRun {
  static constexpr int none = -1;
  int first = 0, count = 0;
  int before = none, behind = none;  ///< ranks
  int shortest = 0;                  ///< least count of the ranks that own any

  /// \param periodic  the last line is beside the first one
  /// \throws InvalidArgument for another partition, and where lines of a rank are not consecutive.
  static LineRun of(const char* function, const Partition& partition, int num_lines, int rank,
                    bool periodic);

  /// The messages of an exchange of the lines beside them: one to each peer, which may be both
  /// neighbours. Lines before come first.
  /// \param first_line, last_line  local numbers of owned lines
  /// \param line_before, line_behind  local numbers of the copies
  std::vector<HaloPattern::Peer> peers(int first_line, int last_line, int line_before,
                                       int line_behind) const;
};

}  // namespace Lamina::Impl
