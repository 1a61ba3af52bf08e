// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <krylov/FusedSolverTests.hpp>

namespace LaminaTest {

LAMINA_FUSED_SOLVER_TESTS(FusedPcgStored, StoredChoice)

}  // namespace LaminaTest
