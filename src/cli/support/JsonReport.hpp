// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <nlohmann/json.hpp>

#include <filesystem>

#include "helmholtz/HelmholtzTask.hpp"
#include "point_implicit/PointImplicitTask.hpp"
#include "poisson/PoissonTask.hpp"
#include "shallow_water/ShallowWaterTask.hpp"

namespace Lamina::Cli {

/// One solve as an object; keys stand in the README. Numbers that are not finite become null.
nlohmann::ordered_json json_report(const HelmholtzTask& task, const HelmholtzResult& result,
                                   double copy_gb_per_s);

nlohmann::ordered_json json_report(const PointImplicitTask& task, const PointImplicitResult& result,
                                   double copy_gb_per_s);

nlohmann::ordered_json json_report(const PoissonTask& task, const PoissonResult& result,
                                   double copy_gb_per_s);

/// A run, which is no iteration: of the keys about convergence it has `status` alone.
nlohmann::ordered_json json_report(const ShallowWaterTask& task, const ShallowWaterResult& result,
                                   double copy_gb_per_s);

/// Writes the value to the file, or the descriptor, that `--json` names.
/// \throws InputError where that fails
void write_json(const std::filesystem::path& path, const nlohmann::ordered_json& value);

}  // namespace Lamina::Cli
