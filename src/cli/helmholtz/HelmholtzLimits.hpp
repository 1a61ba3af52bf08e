// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/helmholtz/RoundingError.hpp>

#include "helmholtz/HelmholtzTask.hpp"
#include "support/ranks/Ranks.hpp"

namespace Lamina::Cli {

/// Checks depth, omega^2, lambda^2 for numbers that are legal, but from which a solve would compute
/// others that are too large or too small for its precision.
/// \throws InputError with option, what was expected, what was given
void require_in_range(const HelmholtzProblem& problem, Precision precision);
/// Whether they are numbers for that precision, too.
bool is_in_range(const HelmholtzProblem& problem, Precision precision);

/// The estimates of the whole mesh from those of its parts. Collective.
/// \param mine  of the owned columns, whose area is `area`
RoundingError rounding_of_all(const Ranks* ranks, const RoundingError& mine, double area);

/// Checks that couplings leave the mass term so many digits that solutions have two.
/// \param horizontal, vertical  of `RoundingError`, for the solver
/// \throws InputError with the option at fault and the largest value that it may have
void require_mass_term(const HelmholtzProblem& problem, const HelmholtzVariant& variant,
                       double horizontal, double vertical);

}  // namespace Lamina::Cli
