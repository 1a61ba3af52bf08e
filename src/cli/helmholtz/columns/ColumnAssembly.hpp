// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "helmholtz/columns/ColumnTerms.hpp"
#include "helmholtz/columns/HelmholtzColumns.hpp"
#include "helmholtz/columns/OwnColumns.hpp"

namespace Lamina::Cli {

/// Sets the values of the class that the columns have.
/// \throws FileError for factors that are negative, missing or not finite where they have an effect
void assemble_columns(const HelmholtzProblem& problem, const OwnColumns& own,
                      const ColumnTerms& terms, HelmholtzColumns& to);

}  // namespace Lamina::Cli
