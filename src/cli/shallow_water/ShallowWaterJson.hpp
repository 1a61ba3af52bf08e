// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "shallow_water/ShallowWaterTask.hpp"
#include "support/output/JsonReport.hpp"

namespace Lamina::Cli {

/// One run as an object, which is no iteration: of the keys about convergence it has `status`
/// alone. docs/program/json.md lists the keys.
Json json_report(const ShallowWaterTask& task, const ShallowWaterResult& result,
                 double copy_gb_per_s);

}  // namespace Lamina::Cli
