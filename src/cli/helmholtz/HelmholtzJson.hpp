// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "helmholtz/HelmholtzTask.hpp"
#include "support/output/JsonReport.hpp"

namespace Lamina::Cli {

/// One solve as an object. docs/program/json.md lists the keys.
Json json_report(const HelmholtzTask& task, const HelmholtzResult& result, double copy_gb_per_s);

}  // namespace Lamina::Cli
