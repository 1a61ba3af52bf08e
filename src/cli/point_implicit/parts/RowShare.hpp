// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "point_implicit/PointImplicitTask.hpp"

namespace Lamina::Cli {

/// The input of a task over ranks: sets `input` and `rows`. Rank 0 finds colours and partition, for
/// which it holds the graph of all rows, and tells each rank its own ones. Each rank reads the
/// values of its own rows from the files, or generates them. Collective.
/// \throws SharedError for bad files, and where the system does not fit
void share_input(PointImplicitTask& task);

}  // namespace Lamina::Cli
