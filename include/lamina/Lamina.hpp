// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Everything the library offers. Model problems are beside it, in lamina/problems.

#include <lamina/Version.hpp>
#include <lamina/blocks/Asymmetry.hpp>
#include <lamina/blocks/BlockSparseMatrix.hpp>
#include <lamina/blocks/BsrMatrix.hpp>
#include <lamina/blocks/Colouring.hpp>
#include <lamina/blocks/DefectCorrection.hpp>
#include <lamina/blocks/MultiRhsPointImplicitSolver.hpp>
#include <lamina/blocks/PointImplicitKernelsPreconditioner.hpp>
#include <lamina/blocks/PointImplicitPreconditioner.hpp>
#include <lamina/blocks/PointImplicitSolver.hpp>
#include <lamina/blocks/SmallBlock.hpp>
#include <lamina/core/Concepts.hpp>
#include <lamina/core/KernelRecord.hpp>
#include <lamina/core/KernelRecorder.hpp>
#include <lamina/core/KernelsVersion.hpp>
#include <lamina/core/ProfilingRegion.hpp>
#include <lamina/core/Require.hpp>
#include <lamina/core/SolveReport.hpp>
#include <lamina/core/StoppingCriteria.hpp>
#include <lamina/device/CopyBandwidth.hpp>
#include <lamina/device/Groups.hpp>
#include <lamina/device/Half.hpp>
#include <lamina/grids/ColumnMesh.hpp>
#include <lamina/grids/CubedSpherePanel.hpp>
#include <lamina/grids/PeriodicPlane.hpp>
#include <lamina/grids/VerticalGrid.hpp>
#include <lamina/helmholtz/CsrHelmholtz.hpp>
#include <lamina/helmholtz/FusedHelmholtz.hpp>
#include <lamina/helmholtz/FusedHelmholtzStored.hpp>
#include <lamina/helmholtz/HelmholtzOperator.hpp>
#include <lamina/helmholtz/LinePreconditioner.hpp>
#include <lamina/helmholtz/MixedHelmholtz.hpp>
#include <lamina/helmholtz/RoundingError.hpp>
#include <lamina/krylov/FusedCg.hpp>
#include <lamina/krylov/FusedPcg.hpp>
#include <lamina/krylov/FusedPcgStored.hpp>
#include <lamina/krylov/FusedStep.hpp>
#include <lamina/krylov/Gmres.hpp>
#include <lamina/krylov/MixedPcg.hpp>
#include <lamina/krylov/Pcg.hpp>
#include <lamina/krylov/ReorderableModel.hpp>
#include <lamina/krylov/TrueResidual.hpp>
#include <lamina/lines/CyclicToeplitzSolver.hpp>
#include <lamina/lines/CyclicTridiagonal.hpp>
#include <lamina/lines/GroupTridiagonal.hpp>
#include <lamina/lines/LineSolver.hpp>
#include <lamina/lines/Tridiagonal.hpp>
#include <lamina/poisson/FusedPoisson.hpp>
#include <lamina/poisson/PoissonOperator.hpp>
#include <lamina/poisson/StencilMemory.hpp>
#include <lamina/shallow_water/Leapfrog.hpp>
#include <lamina/shallow_water/PeriodicHelmholtz.hpp>
#include <lamina/shallow_water/RungeKutta3.hpp>
#include <lamina/shallow_water/SemiImplicit.hpp>
#include <lamina/shallow_water/ShallowWaterDiagnostics.hpp>
#include <lamina/shallow_water/ShallowWaterState.hpp>
#include <lamina/shallow_water/StateFault.hpp>
#include <lamina/shallow_water/StepReport.hpp>
#include <lamina/shallow_water/VelocityMass.hpp>
