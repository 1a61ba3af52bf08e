// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "poisson/PoissonTask.hpp"
#include "support/output/JsonReport.hpp"

namespace Lamina::Cli {

/// One solve as an object. docs/program/json.md lists the keys.
Json json_report(const PoissonTask& task, const PoissonResult& result, double copy_gb_per_s);

}  // namespace Lamina::Cli
