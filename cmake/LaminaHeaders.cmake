# SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# The public headers: what the umbrella header includes, the tests compile alone, and the targets
# install. Headers of impl/ are installed beside them, as templates need them; nothing in them may be
# relied on.

set(Lamina_HEADERS
    blocks/Asymmetry
    blocks/BlockSparseMatrix
    blocks/BsrMatrix
    blocks/Colouring
    blocks/DefectCorrection
    blocks/LocalBlockRows
    blocks/MultiRhsPointImplicitSolver
    blocks/PointImplicitKernelsPreconditioner
    blocks/PointImplicitPreconditioner
    blocks/PointImplicitSolver
    blocks/SmallBlock
    columns/BoundaryInflow
    columns/ColumnLinePreconditioner
    columns/ColumnNullSpace
    columns/ColumnOperator
    columns/FusedColumns
    columns/MixedColumns
    columns/ProfileCoefficients
    columns/StoredCoefficients
    core/Concepts
    core/KernelRecord
    core/KernelRecorder
    core/KernelsVersion
    core/ProfilingRegion
    core/Require
    core/SolveReport
    core/StoppingCriteria
    device/CopyBandwidth
    device/Groups
    device/Half
    distributed/Decomposition
    distributed/GlobalReduction
    distributed/HaloExchange
    distributed/HaloPattern
    distributed/Partition
    distributed/Transport
    grids/CellPolygons
    grids/ColumnMesh
    grids/ColumnPartition
    grids/CubedSpherePanel
    grids/GridQuality
    grids/HilbertOrder
    grids/LocalColumns
    grids/LocalRectangle
    grids/MedianCells
    grids/Plane
    grids/Rectangle
    grids/SphereGrids
    grids/SphereTriangulation
    grids/VerticalGrid
    helmholtz/CsrHelmholtz
    helmholtz/FusedHelmholtz
    helmholtz/FusedHelmholtzStored
    helmholtz/HelmholtzOperator
    helmholtz/LinePreconditioner
    helmholtz/MixedHelmholtz
    helmholtz/RoundingError
    krylov/FusedPcg
    krylov/FusedPcgStored
    krylov/FusedRichardson
    krylov/FusedStep
    krylov/Gmres
    krylov/Pcg
    krylov/SweepHistory
    krylov/TrueResidual
    lines/CyclicToeplitzSolver
    lines/CyclicTridiagonal
    lines/GroupTridiagonal
    lines/LineSolver
    lines/Tridiagonal
    multigrid/ColumnHierarchy
    multigrid/ColumnMultigrid
    multigrid/MultigridColumns
    multigrid/MultigridHelmholtz
    multigrid/MultigridPoisson
    multigrid/MultigridPreconditioner
    multigrid/PoissonMultigrid
    multigrid/PoissonMultigridSolver
    poisson/FusedPoisson
    poisson/PoissonOperator
    poisson/StencilMemory
    shallow_water/Leapfrog
    shallow_water/MultigridPeriodic
    shallow_water/PeriodicHelmholtz
    shallow_water/PeriodicMultigrid
    shallow_water/RungeKutta3
    shallow_water/SemiImplicit
    shallow_water/ShallowWaterDiagnostics
    shallow_water/ShallowWaterState
    shallow_water/StateFault
    shallow_water/StepReport
    shallow_water/VelocityMass
    shallow_water/WaterBasin
    shallow_water/WaterStrip
    sweeps/ColumnSystem
    sweeps/FusedSweeps
    sweeps/RunSweep
    sweeps/Sinks
    sweeps/Sources
    sweeps/TensorCoefficients
)
set(Lamina_MPI_HEADERS distributed/MpiTransport) # the one that includes mpi.h
set(Lamina_PROBLEM_HEADERS
    problems/ClosedFormSystem
    problems/FreudenthalMesh
    problems/PoissonProblem
    problems/RightHandSide
    problems/SourceValue
    problems/VoronoiPlane
    problems/Vortex
)

set(include_dir ${PROJECT_SOURCE_DIR}/include)
function(lamina_public_headers target)
  set(files ${ARGN})
  list(TRANSFORM files PREPEND ${PROJECT_SOURCE_DIR}/include/lamina/)
  list(TRANSFORM files APPEND .hpp)
  target_sources(
    ${target} PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR}/include FILES ${files}
  )
endfunction()

# Nothing is forgotten, in either list.
file(READ ${include_dir}/lamina/Lamina.hpp umbrella)
foreach(header IN LISTS Lamina_HEADERS)
  if(NOT umbrella MATCHES "#include <lamina/${header}.hpp>")
    message(FATAL_ERROR "Lamina: include/lamina/Lamina.hpp does not include ${header}.hpp")
  endif()
endforeach()
file(GLOB present RELATIVE ${include_dir}/lamina ${include_dir}/lamina/*/*.hpp)
foreach(header IN LISTS present)
  string(REGEX REPLACE "\\.hpp$" "" header ${header})
  if(NOT header MATCHES "^io/"
     AND NOT header IN_LIST Lamina_HEADERS
     AND NOT header IN_LIST Lamina_MPI_HEADERS
     AND NOT header IN_LIST Lamina_PROBLEM_HEADERS
  )
    message(FATAL_ERROR "Lamina: cmake/LaminaHeaders.cmake does not list ${header}")
  endif()
endforeach()
